"""Values: a trained net, the rules it is for, how it was trained, and its file.

A file is the eight bytes ``WSVALUES``, then little-endian numbers and bytes:

====================  =======================================================================
version               32 bits, today 1
length of the record  32 bits, 64 kB at most
length of the net     64 bits, 64 MB at most
digest of the rules   32 bytes, see `woodstock.learn.rules_digest`
checksum              32 bytes, SHA-256 of the whole file without these
record                JSON: how it was trained
net                   as the native core writes it
====================  =======================================================================
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.files import write_whole
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.learn.digest import DIGEST_BYTES, rules_digest

__all__ = ["LARGEST_FILE", "Values", "ValuesError", "ValuesRecord"]

MAGIC, VERSION = b"WSVALUES", 1
_HEADER = struct.Struct(f"<8sIIQ{DIGEST_BYTES}s{hashlib.sha256().digest_size}s")
LARGEST_RECORD, LARGEST_NET = 64 << 10, 64 << 20
LARGEST_FILE = _HEADER.size + LARGEST_RECORD + LARGEST_NET
LONGEST_TEXT = 1000


class ValuesError(WoodstockError, ValueError):
    """A file that holds no values, or values of other rules; the message says what to do."""

    def __init__(self, message: str, place: str = "values") -> None:
        self.place = place
        super().__init__(f"{place}: {message}")


@dataclass(frozen=True)
class ValuesRecord:
    """How values were trained.

    `style` is the search that did best with them when they were tried, as a player is written
    (``mac-ucb:values=net``); empty where nobody has tried, ``woodstock`` where they did not help.
    """

    game: str = ""
    seed: int = 0
    threads: int = 1
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    games: int = 0
    positions: int = 0
    loss: float = 0.0
    patterns: int = 0
    hidden: int = 0
    style: str = ""

    @classmethod
    def of_json(cls, data: object) -> ValuesRecord:
        """A record from JSON, with what it has; `ValueError` where something is of a wrong kind.

        >>> ValuesRecord.of_json({"game": "nim", "seed": 3, "mood": "fine"}).seed
        3
        """
        if not isinstance(data, dict):
            raise ValueError("no JSON object")
        known: dict[str, Any] = {}
        for one in fields(cls):
            kind, value = type(one.default), data.get(one.name, one.default)
            if kind is float and type(value) is int:
                value = float(value)
            wrong = type(value) is not kind
            wrong = wrong or (kind is str and len(value) > LONGEST_TEXT)
            if wrong or (kind is not str and not (value >= 0 and math.isfinite(value))):
                raise ValueError(f"{one.name} cannot be {value!r}"[:LONGEST_TEXT])
            known[one.name] = value
        return cls(**known)

    def __str__(self) -> str:
        return (
            f"{self.games:,} games in {self.cpu_seconds:.1f} CPU s, seed {self.seed}, "
            f"{self.hidden} units, {self.patterns:,} patterns"
        )


@dataclass(frozen=True)
class Values:
    """A net, the digest of the rules that it is for, and how it was trained. Immutable.

    >>> from woodstock import Game, learn
    >>> game = Game.load("tic-tac-toe")
    >>> values = learn.train(game, positions=2000)
    >>> again = Values.from_bytes(values.to_bytes())
    >>> again.about == values.about, again.fits(game), again.fits(Game.load("nim"))
    (True, True, False)
    >>> sorted(values.of(game.initial_state()))
    ['o', 'x']
    """

    net: _core.ValueNet
    digest: bytes
    about: ValuesRecord

    def fits(self, game: Game) -> bool:
        """Whether they are values of this game."""
        if game.engine.name != "circuit":
            return False
        # A forged file may have the right digest: what native code relies on is looked at.
        net, roles = self.net, game.roles
        chance = roles.index(RANDOM) if RANDOM in roles else None
        return (
            rules_digest(game) == self.digest
            and net.fluents == len(game.circuit().numbering.fluents)
            and (net.roles, net.chance) == (len(roles), chance)
        )

    def check(self, game: Game, place: str = "values") -> None:
        """`ValuesError` where they are not of this game."""
        if not self.fits(game):
            mine = f"of {self.about.game!r}, " if self.about.game else ""
            raise ValuesError(
                f"these are values {mine}not of the rules of {game.name!r} as this version grounds "
                f"them; train new ones with 'woodstock train {game.name}'",
                place,
            )

    def of(self, state: State) -> dict[str, float]:
        """What a state is worth to each player, between 0 and 1, by the net alone."""
        self.check(state.game)
        found = self.net.evaluate(state.position)
        return {role: found[state.roles.index(role)] for role in state.game.players}

    def tried(self, style: str) -> Values:
        """The same values, with the style that did best with them."""
        return replace(self, about=replace(self.about, style=style))

    def to_bytes(self) -> bytes:
        """The file."""
        record = json.dumps(asdict(self.about)).encode()
        return _file(VERSION, self.digest, record, self.net.to_bytes())

    @classmethod
    def from_bytes(cls, data: bytes, place: str = "values") -> Values:
        """Read a file; `ValuesError` for whatever is none, with its `place` in the message."""
        try:
            return cls._read(data)
        except ValueError as problem:
            raise ValuesError(str(problem), place) from None

    @classmethod
    def _read(cls, data: bytes) -> Values:
        if data[:8] != MAGIC[: len(data)] or not data:
            raise ValueError("no file of values; 'woodstock train GAME --out FILE' writes one")
        if len(data) < _HEADER.size:
            raise ValueError("cut short; copy it again, or train anew")
        _, version, record_size, net_size, digest, checksum = _HEADER.unpack_from(data)
        if version > VERSION:
            raise ValueError(
                f"written by a later version ({version}, this one reads {VERSION}); update "
                "WoodStock, or train anew"
            )
        size = _HEADER.size + record_size + net_size
        if len(data) < size and record_size <= LARGEST_RECORD and net_size <= LARGEST_NET:
            raise ValueError("cut short; copy it again, or train anew")
        if version == 0 or len(data) != size or _checksum(data) != checksum:
            raise ValueError("damaged: its checksum is wrong; copy it again, or train anew")
        record = data[_HEADER.size : _HEADER.size + record_size]
        try:
            about = ValuesRecord.of_json(json.loads(record))
        except (RecursionError, ValueError) as problem:
            raise ValueError(f"its record is wrong ({problem}); train anew") from None
        try:
            net = _core.ValueNet.from_bytes(data[_HEADER.size + record_size :])
        except ValueError as problem:
            raise ValueError(f"its net is wrong ({problem}); train anew") from None
        return cls(net, digest, about)

    def save(self, path: str | Path) -> None:
        """Write the file; whoever reads meanwhile finds the old one or the new one, whole."""
        write_whole(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> Values:
        """Read a file, `OSError` or `ValuesError` where that cannot be; of this game, if given."""
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        found = cls.from_bytes(data, str(path))
        if game is not None:
            found.check(game, str(path))
        return found


def _file(version: int, digest: bytes, record: bytes, net: bytes) -> bytes:
    zero = bytes(hashlib.sha256().digest_size)
    parts = MAGIC, version, len(record), len(net), digest
    body = record + net
    header = _HEADER.pack(*parts, zero)
    return _HEADER.pack(*parts, _checksum(header + body)) + body


def _checksum(data: bytes) -> bytes:
    end = _HEADER.size
    found = hashlib.sha256(data[: end - hashlib.sha256().digest_size])
    found.update(memoryview(data)[end:])
    return found.digest()
