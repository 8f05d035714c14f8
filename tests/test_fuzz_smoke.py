"""A short run of the fuzzer, and that it would notice."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from woodstock.errors import GdlError

FOLDER = Path(__file__).resolve().parents[1] / "fuzz"


def module_of(name: str) -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def fuzzer() -> ModuleType:
    return module_of("campaign")


@pytest.fixture(scope="module")
def reader() -> ModuleType:
    return module_of("fuzz_reader")


@pytest.mark.parametrize("name", ["fuzz_reader.py", "fuzz_protocol.py"])
def test_a_few_thousand_inputs(tmp_path: Path, name: str) -> None:
    command = [sys.executable, str(FOLDER / name), "--runs", "4000", "--seed", "11"]
    done = subprocess.run(
        [*command, "--crashes", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "4000 inputs, 0 failures\n"


@pytest.mark.parametrize("name", ["fuzz_reader", "fuzz_protocol"])
def test_same_seed_same_inputs(name: str) -> None:
    make = module_of(name).PLAN.inputs
    first, again, other = (make(seed) for seed in ("1 0", "1 0", "1 1"))
    inputs = [first.input(number) for number in range(1, 51)]
    assert inputs == [again.input(number) for number in range(1, 51)]
    assert inputs != [other.input(number) for number in range(1, 51)]
    assert len(set(inputs)) > 35


def test_failures_are_noticed_and_saved(
    fuzzer: ModuleType, reader: ModuleType, tmp_path: Path
) -> None:
    def fragile(data: bytes, number: int) -> None:
        if number == 7:
            raise KeyError("a bug")
        raise GdlError([])

    failures = fuzzer.chunk(1, 0, 20, reader.PLAN._replace(target=fragile))
    assert len(failures) == 1
    assert "KeyError" in failures[0].problem
    path = fuzzer.save(failures[0], tmp_path)
    assert path.read_bytes() == failures[0].data
    assert "KeyError" in path.with_suffix(".txt").read_text()


def test_an_error_of_ours_is_a_failure_in_the_round_trip(
    fuzzer: ModuleType, reader: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fuzzer.survives(b"(role x)", 0, reader.front_end) is None

    def unreadable(sheet: object) -> str:
        return "role("

    monkeypatch.setattr(reader, "write_infix", unreadable)
    assert fuzzer.survives(b"(role x)", 0, reader.front_end) is not None


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs Unix timers")
def test_hangs_are_noticed(
    fuzzer: ModuleType, reader: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(data: bytes, number: int) -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue

    monkeypatch.setattr(fuzzer, "SECONDS", 0.05)
    (failure,) = fuzzer.chunk(1, 0, 1, reader.PLAN._replace(target=endless))
    assert "CPU seconds" in failure.problem


def test_saved_inputs_are_run_again(fuzzer: ModuleType, reader: ModuleType, tmp_path: Path) -> None:
    good = tmp_path / "good"
    good.write_bytes(b"(role x) (legal x noop) (<= terminal (true z))")
    assert fuzzer.main(reader.PLAN, [str(good)]) == 0
    with pytest.raises(SystemExit) as caught:
        fuzzer.main(reader.PLAN, ["--runs", "0"])
    assert caught.value.code == 2
