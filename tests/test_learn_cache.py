"""The cache of values: small, shared by processes, and never in the way."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path

import pytest

from games_support import load
from woodstock.learn import Values, ValuesCache, cache_folder, default_cache, rules_digest, train


@pytest.fixture(scope="module")
def learned() -> Values:
    return train(load("tic-tac-toe"), positions=1000)


def trained_for(values: Values, cpu_seconds: float) -> Values:
    return replace(values, about=replace(values.about, cpu_seconds=cpu_seconds))


def test_what_is_kept_is_found_again(learned: Values, tmp_path: Path) -> None:
    cache = ValuesCache(tmp_path / "a" / "b")
    assert cache.find(load("tic-tac-toe")) is None
    cache.keep(learned)
    found = cache.find(load("tic-tac-toe"))
    assert found is not None
    assert found.about == learned.about
    assert cache.find(load("nim")) is None
    cache.clear()
    assert cache.find(load("tic-tac-toe")) is None


def test_those_that_were_trained_for_longer_stay(learned: Values, tmp_path: Path) -> None:
    cache = ValuesCache(tmp_path)
    for seconds, stays in ((5.0, 5.0), (20.0, 20.0), (10.0, 20.0)):
        cache.keep(trained_for(learned, seconds))
        found = cache.find(load("tic-tac-toe"))
        assert found is not None
        assert found.about.cpu_seconds == stays


def test_a_corrupt_entry_is_removed_and_forgotten(
    learned: Values, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = ValuesCache(tmp_path)
    cache.keep(learned)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    with caplog.at_level(logging.WARNING, "woodstock.learn"):
        assert cache.find(load("tic-tac-toe")) is None
    assert "cut short" in caplog.text
    assert not path.exists()
    # Nor is a net taken that lies in the place of another game's.
    cache.keep(replace(learned, digest=rules_digest(load("nim"))))
    assert cache.find(load("nim")) is None


def test_the_least_recently_used_go_first(learned: Values, tmp_path: Path) -> None:
    size = len(learned.to_bytes())
    cache = ValuesCache(tmp_path, largest=3 * size + size // 2)
    digests = [bytes([number]) * 32 for number in range(3)]
    for number, digest in enumerate(digests):
        cache.keep(replace(learned, digest=digest))
        os.utime(tmp_path / f"{digest.hex()}.values", (1000 + number, 1000 + number))
    own = rules_digest(load("tic-tac-toe"))
    cache.keep(learned)
    assert {one.stem for one in tmp_path.iterdir()} == {
        digests[1].hex(),
        digests[2].hex(),
        own.hex(),
    }
    # What is used becomes young again.
    os.utime(tmp_path / f"{own.hex()}.values", (1, 1))
    assert cache.find(load("tic-tac-toe")) is not None
    cache.keep(replace(learned, digest=b"\x07" * 32))
    assert (tmp_path / f"{own.hex()}.values").exists()
    assert not (tmp_path / f"{digests[1].hex()}.values").exists()
    # What has no room at all is not kept.
    ValuesCache(tmp_path / "small", largest=size - 1).keep(learned)
    assert not [*(tmp_path / "small").iterdir()]


def test_a_folder_that_cannot_be_is_no_problem(
    learned: Values, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    cache = ValuesCache(tmp_path / "file")
    with caplog.at_level(logging.WARNING, "woodstock.learn"):
        cache.keep(learned)
        assert cache.find(load("tic-tac-toe")) is None
        cache.clear()
    assert "cannot be kept" in caplog.text


@pytest.mark.parametrize("word", ["off", "OFF", "no", "0"])
def test_users_may_want_no_cache(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WOODSTOCK_CACHE", word)
    assert default_cache() is None


def test_every_system_has_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))

    def folder(platform: str, **environment: str) -> str:
        found = cache_folder(environment, platform)
        assert found is not None
        return found.as_posix()

    assert folder("linux") == "/home/me/.cache/woodstock/values"
    assert folder("linux", XDG_CACHE_HOME="relative") == "/home/me/.cache/woodstock/values"
    assert folder("linux", XDG_CACHE_HOME="/var/cache") == "/var/cache/woodstock/values"
    assert folder("darwin") == "/home/me/Library/Caches/woodstock/values"
    assert folder("win32") == "/home/me/AppData/Local/woodstock/values"
    assert folder("win32", LOCALAPPDATA="/local") == "/local/woodstock/values"
    assert folder("linux", WOODSTOCK_CACHE="/data") == "/data"
    monkeypatch.setenv("WOODSTOCK_CACHE", str(tmp_path))
    cache = default_cache()
    assert cache is not None
    assert cache.folder == tmp_path


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nowhere)
    assert cache_folder({}, "linux") is None
