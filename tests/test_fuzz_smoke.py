"""A short run of the fuzzer, and that it would notice."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from woodstock.errors import GdlError

FOLDER = Path(__file__).resolve().parents[1] / "fuzz"


@pytest.fixture(scope="module")
def fuzzer() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("fuzz_reader", FOLDER / "fuzz_reader.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["fuzz_reader"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


def test_a_few_thousand_inputs(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "fuzz_reader.py"), "--runs", "4000", "--seed", "11"]
    done = subprocess.run(
        [*command, "--crashes", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "4000 inputs, 0 failures\n"


def test_same_seed_same_inputs(fuzzer: ModuleType) -> None:
    first, again, other = (fuzzer.Mutator(seed) for seed in ("1 0", "1 0", "1 1"))
    inputs = [first.small() for _ in range(50)]
    assert inputs == [again.small() for _ in range(50)]
    assert inputs != [other.small() for _ in range(50)]
    assert len(set(inputs)) > 45


def test_failures_are_noticed_and_saved(fuzzer: ModuleType, tmp_path: Path) -> None:
    def fragile(data: bytes, number: int) -> None:
        if number == 7:
            raise KeyError("a bug")
        raise GdlError([])

    failures = fuzzer.chunk(1, 0, 20, fragile)
    assert len(failures) == 1
    assert "KeyError" in failures[0].problem
    path = fuzzer.save(failures[0], tmp_path)
    assert path.read_bytes() == failures[0].data
    assert "KeyError" in path.with_suffix(".txt").read_text()


def test_an_error_of_ours_is_a_failure_in_the_round_trip(fuzzer: ModuleType) -> None:
    def written_and_read(data: bytes, number: int) -> None:
        raise GdlError([])

    assert fuzzer.survives(b"", 0, written_and_read) is not None


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs Unix timers")
def test_hangs_are_noticed(fuzzer: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(data: bytes, number: int) -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue

    monkeypatch.setattr(fuzzer, "SECONDS", 0.05)
    (failure,) = fuzzer.chunk(1, 0, 1, endless)
    assert "CPU seconds" in failure.problem


def test_saved_inputs_are_run_again(fuzzer: ModuleType, tmp_path: Path) -> None:
    good = tmp_path / "good"
    good.write_bytes(b"(role x) (legal x noop) (<= terminal (true z))")
    assert fuzzer.main([str(good)]) == 0
    with pytest.raises(SystemExit) as caught:
        fuzzer.main(["--runs", "0"])
    assert caught.value.code == 2
