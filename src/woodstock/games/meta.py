"""What the library says about a game, read from its ``meta.toml``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from woodstock.errors import WoodstockError

# tomllib came into the standard library with Python 3.11; tomli is the same module before.
_toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

__all__ = ["GameMeta", "MetaError", "PaperReference", "parse_meta", "read_meta"]

_CHOICES = {
    "kind": ("deterministic", "stochastic", "hidden"),
    "turns": ("alternating", "simultaneous", "single"),
    "information": ("complete", "shared", "private"),
}
_USUAL = {"information": "complete"}
_TEXTS = ("title", "summary", "board", "source", "agrees_with", *_CHOICES)
_KEYS = frozenset({*_TEXTS, "players", "max_plies", "papers", "drawing"})


class MetaError(WoodstockError, ValueError):
    """A ``meta.toml`` that lacks something or says something else than it may."""


@dataclass(frozen=True)
class PaperReference:
    """A paper that plays or describes the game, and the place in it.

    >>> str(PaperReference("RIA 2017", "Figure 1"))
    'RIA 2017, Figure 1'
    """

    paper: str
    where: str

    def __str__(self) -> str:
        return f"{self.paper}, {self.where}"


@dataclass(frozen=True)
class GameMeta:
    """A game in the words of a person. `name` is its name in the library.

    * `players`: how many, without the chance player.
    * `kind`, `turns`: see the choices in ``docs/games.md``.
    * `information`: what players get to know, see `woodstock.information`.
    * `max_plies`: no match is longer; None if nobody has worked that out.
    * `agrees_with`: the public rulesheet with the same tree of moves and the same goals, or "".
    * `drawing`: hints for the picture of the board.
    """

    name: str
    title: str
    summary: str
    players: int
    kind: str
    turns: str
    board: str
    source: str
    agrees_with: str = ""
    max_plies: int | None = None
    information: str = "complete"
    papers: tuple[PaperReference, ...] = ()
    drawing: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)


def read_meta(path: Path) -> GameMeta:
    """Read a game's ``meta.toml``; the name of the game is the name of its folder."""
    try:
        table = _toml.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MetaError(f"{path}: {error}") from error
    return parse_meta(path.parent.name, table)


def parse_meta(name: str, table: Mapping[str, Any]) -> GameMeta:
    """Check a table and make it a `GameMeta`.

    >>> parse_meta("go", {"title": "Go"})
    Traceback (most recent call last):
    ...
    woodstock.games.meta.MetaError: go: 'agrees_with' is missing
    """
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        raise MetaError(f"{name}: nobody knows the key {unknown[0]!r}")
    texts = {key: _text(name, {**_USUAL, **table}, key) for key in sorted(_TEXTS)}
    for key, choices in _CHOICES.items():
        if texts[key] not in choices:
            raise MetaError(f"{name}: {key!r} is {texts[key]!r}, not one of {', '.join(choices)}")
    for key in ("title", "summary", "board", "source"):
        if not texts[key]:
            raise MetaError(f"{name}: {key!r} is empty")
    players = table.get("players")
    if type(players) is not int or players < 1:
        raise MetaError(f"{name}: 'players' is no positive number")
    max_plies = table.get("max_plies")
    if max_plies is not None and (type(max_plies) is not int or max_plies < 1):
        raise MetaError(f"{name}: 'max_plies' is no positive number")
    drawing = table.get("drawing", {})
    if not isinstance(drawing, dict):
        raise MetaError(f"{name}: 'drawing' is no table")
    return GameMeta(
        name=name,
        players=players,
        max_plies=max_plies,
        papers=_papers(name, table.get("papers", [])),
        drawing=MappingProxyType(drawing),
        **texts,
    )


def _text(name: str, table: Mapping[str, Any], key: str) -> str:
    if key not in table:
        raise MetaError(f"{name}: {key!r} is missing")
    value = table[key]
    if not isinstance(value, str) or "\n" in value:
        raise MetaError(f"{name}: {key!r} is no single line of text")
    return value


def _papers(name: str, rows: object) -> tuple[PaperReference, ...]:
    if not isinstance(rows, list):
        raise MetaError(f"{name}: 'papers' is no list")
    found = []
    for row in rows:
        if not isinstance(row, dict) or set(row) != {"paper", "where"}:
            raise MetaError(f"{name}: a paper needs exactly 'paper' and 'where'")
        found.append(PaperReference(_text(name, row, "paper"), _text(name, row, "where")))
    return tuple(found)
