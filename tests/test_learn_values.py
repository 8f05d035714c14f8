"""Files of values: what was saved comes back, and nothing else is taken for values."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games_support import load
from woodstock import Game
from woodstock.learn import Values, ValuesError, ValuesRecord, rules_digest, train
from woodstock.learn import values as values_module

HEADER = values_module._HEADER.size


@pytest.fixture(scope="module")
def learned() -> Values:
    return train(load("tic-tac-toe"), positions=1000)


@pytest.fixture(scope="module")
def data(learned: Values) -> bytes:
    return learned.to_bytes()


def test_what_is_saved_comes_back(learned: Values, tmp_path: Path) -> None:
    path = tmp_path / "my.values"
    path.write_bytes(b"something older")
    learned.save(path)
    found = Values.load(path, load("tic-tac-toe"))
    assert found.about == learned.about
    assert found.digest == learned.digest
    assert found.net.to_bytes() == learned.net.to_bytes()
    assert [one.name for one in tmp_path.iterdir()] == ["my.values"]
    state = load("tic-tac-toe").initial_state()
    assert found.of(state) == learned.of(state)
    assert set(found.of(state)) == {"x", "o"}


def test_what_cannot_be_saved_leaves_nothing(learned: Values, tmp_path: Path) -> None:
    place = tmp_path / "folder"
    place.mkdir()
    (place / "inside").touch()
    with pytest.raises(IsADirectoryError):
        learned.save(place)
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]
    with pytest.raises(FileNotFoundError):
        learned.save(tmp_path / "nowhere" / "my.values")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: b"", "no file of values"),
        (lambda data: b"PK\x03\x04" + data[4:], "no file of values"),
        (lambda data: data[:5], "cut short"),
        (lambda data: data[: HEADER - 1], "cut short"),
        (lambda data: data[:-1], "cut short"),
        (lambda data: data + b"\0", "checksum"),
        (lambda data: data[:8] + struct.pack("<I", 2) + data[12:], "later version"),
        (lambda data: data[:8] + struct.pack("<I", 0) + data[12:], "checksum"),
        (lambda data: data[:12] + b"\xff" * 12 + data[24:], "checksum"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "checksum"),
        (lambda data: data[:30] + bytes([data[30] ^ 1]) + data[31:], "checksum"),
    ],
)
def test_spoiled_files_are_refused(data: bytes, tmp_path: Path, spoil: object, says: str) -> None:
    assert callable(spoil)
    path = tmp_path / "my.values"
    path.write_bytes(spoil(data))
    with pytest.raises(ValuesError, match=says) as caught:
        Values.load(path)
    assert str(caught.value).startswith(str(path))
    assert caught.value.place == str(path)


def forged(data: bytes, record: bytes | None = None, net: bytes | None = None) -> bytes:
    """A file with right checksums around what is not right."""
    size = struct.unpack_from("<I", data, 12)[0]
    record = data[HEADER : HEADER + size] if record is None else record
    net = data[HEADER + size :] if net is None else net
    return values_module._file(1, data[24:56], record, net)


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"[]",
        b"\xff",
        b"{" * 50_000,
        b"[" * 60_000,
        b'{"seed": "7"}',
        b'{"seed": -1}',
        b'{"seed": true}',
        b'{"seconds": NaN}',
        b'{"seconds": 1e999}',
        json.dumps({"game": "x" * 2000}).encode(),
    ],
)
def test_wrong_records_are_refused(data: bytes, record: bytes) -> None:
    with pytest.raises(ValuesError, match="record is wrong"):
        Values.from_bytes(forged(data, record=record))


def test_unknown_and_missing_entries_of_a_record_do_not_matter(data: bytes) -> None:
    found = Values.from_bytes(forged(data, record=b'{"games": 3, "weather": "fine"}'))
    assert found.about == ValuesRecord(games=3)


@given(st.data())
def test_no_net_is_taken_that_is_none(data: bytes, draw: st.DataObject) -> None:
    size = struct.unpack_from("<I", data, 12)[0]
    net = bytearray(data[HEADER + size :])
    for _ in range(draw.draw(st.integers(1, 3))):
        net[draw.draw(st.integers(0, len(net) - 1))] ^= draw.draw(st.integers(1, 255))
    try:
        found = Values.from_bytes(forged(data, net=bytes(net)))
    except ValuesError:
        return
    # What is taken can be asked, whatever it says.
    if found.fits(load("tic-tac-toe")):
        found.of(load("tic-tac-toe").initial_state())


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(text: bytes) -> None:
    for some in (text, b"WSVALUES" + text):
        with pytest.raises(ValuesError):
            Values.from_bytes(some)


def test_values_are_for_their_own_rules(learned: Values) -> None:
    other = load("connect-four")
    assert not learned.fits(other)
    with pytest.raises(ValuesError, match=r"'tic-tac-toe'.*'connect-four'.*woodstock train"):
        learned.check(other)
    with pytest.raises(ValuesError):
        learned.of(other.initial_state())
    assert not learned.fits(Game.from_library("tic-tac-toe", engine="lifted"))


def test_a_forged_digest_does_not_fit_another_game(learned: Values) -> None:
    other = load("connect-four")
    assert not replace(learned, digest=rules_digest(other)).fits(other)


def test_texts_of_the_same_rules_have_one_digest() -> None:
    game = load("tic-tac-toe")
    text = game.rules.sheet.to_kif()
    commented = "; the same\n" + text.replace("\n", "\n\n  ")
    assert rules_digest(Game.from_text(commented)) == rules_digest(game)
    assert rules_digest(load("nim")) != rules_digest(game)
    # Who gets what is part of the rules, though it is nothing but a name in the ground program.
    worth = text.replace(" 100)", " 90)")
    assert worth != text
    assert rules_digest(Game.from_text(worth)) != rules_digest(game)


def test_the_digest_is_the_same_in_every_process() -> None:
    code = (
        "from woodstock import Game, learn;"
        "print(learn.rules_digest(Game.load('connect-four')).hex())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {rules_digest(load("connect-four")).hex()}


def test_readers_find_a_whole_file_while_it_is_written(learned: Values, tmp_path: Path) -> None:
    path, done = tmp_path / "my.values", threading.Event()
    learned.save(path)

    def write() -> None:
        while not done.is_set():
            learned.save(path)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(50):
            assert Values.load(path).about == learned.about
    finally:
        done.set()
        writer.join()
