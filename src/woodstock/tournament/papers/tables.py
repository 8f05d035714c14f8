"""The papers' tables as data: who met whom in which games, and what came of it there.

The figures are those of the papers; a figure is a group of rows for games, with columns.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from woodstock.errors import WoodstockError
from woodstock.tournament.reading import toml

__all__ = [
    "PaperColumn",
    "PaperGroup",
    "PaperRow",
    "PaperTable",
    "UnknownTableError",
    "paper_table",
    "table_ids",
]

_FOLDER = Path(__file__).resolve().parent / "tables"

GroupKind = Literal["ring", "alone", "clocks", "plays", "shares", "networks"]


class UnknownTableError(WoodstockError, LookupError):
    """A name that no table of the papers has."""


@dataclass(frozen=True)
class PaperColumn:
    """A column: a pair of players, or one of them where they play alone, by the papers' names."""

    title: str
    first: str = ""
    second: str = ""


@dataclass(frozen=True)
class PaperRow:
    """A game: what it is called there, and their figures in the order of the columns.

    A figure that a paper has not is nan.
    """

    game: str
    title: str
    theirs: tuple[float, ...] = ()
    margins: tuple[float, ...] = ()
    symmetry: tuple[float, ...] = ()


@dataclass(frozen=True)
class PaperGroup:
    """Rows and columns of one kind.

    ``ring``: a column is a pair. ``alone``: a column is a player. ``clocks``: one pair at several
    `seconds`. ``plays``: one pair over the number of matches. ``shares``: one pair over the share
    of something, which an `option` of the first player says. ``networks``: sizes, nothing is
    played.
    """

    kind: GroupKind
    title: str
    columns: tuple[PaperColumn, ...]
    rows: tuple[PaperRow, ...]
    first: str = ""
    second: str = ""
    seconds: tuple[float, ...] = ()
    symmetry: tuple[str, ...] = ()
    option: str = ""
    shares: tuple[float, ...] = ()
    whole: float = 100.0
    best: tuple[float, float] | None = None


@dataclass(frozen=True)
class PaperTable:
    """A table or figure: its groups, or the `description` of a tournament and `theirs` beside it.

    `seconds` are those for a move, `matches` those of a cell in the paper.
    """

    id: str
    title: str
    paper: str
    seconds: float
    matches: int
    note: str
    groups: tuple[PaperGroup, ...]
    description: str = ""
    theirs: tuple[tuple[str, str], ...] = ()

    @property
    def cells(self) -> int:
        """How many figures are to be played for."""
        wide = {"ring": 0, "alone": 0, "clocks": 0, "plays": 1, "shares": 0, "networks": 0}
        return sum(
            len(group.rows)
            * (wide[group.kind] or len(group.columns) or len(group.seconds or group.shares))
            for group in self.groups
        )


@cache
def table_ids() -> tuple[str, ...]:
    """The tables there are.

    >>> "002-T3" in table_ids()
    True
    """

    def order(name: str) -> tuple[str, str, int, str]:
        paper, _, rest = name.partition("-")
        number = "".join(sign for sign in rest if sign.isdigit())
        return paper, rest[0], int(number), rest

    return tuple(sorted((path.stem for path in _FOLDER.glob("*.toml")), key=order))


@cache
def paper_table(name: str) -> PaperTable:
    """A table by its id; `UnknownTableError` says which there are.

    >>> table = paper_table("002-T3")
    >>> table.paper, table.cells, table.groups[0].rows[0].theirs
    ('Constraints 2016, Table 3', 45, (56.7, 77.7, 43.2))
    """
    found = next((one for one in table_ids() if one.lower() == name.lower()), None)
    if found is None:
        near = difflib.get_close_matches(name.upper(), table_ids(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnknownTableError(f"no table {name!r}{hint} (there are {', '.join(table_ids())})")
    data: dict[str, Any] = toml.loads((_FOLDER / f"{found}.toml").read_text(encoding="utf-8"))
    groups = data.pop("group", [])
    theirs = tuple((one, other) for one, other in data.pop("theirs", []))
    return PaperTable(**data, groups=tuple(map(_group, groups)), theirs=theirs)


def _group(data: Mapping[str, Any]) -> PaperGroup:
    more = {key: data[key] for key in ("first", "second", "option", "whole") if key in data}
    best = data.get("best")
    return PaperGroup(
        kind=data["kind"],
        title=data.get("title", ""),
        columns=tuple(PaperColumn(**one) for one in data.get("column", [])),
        rows=tuple(_row(one) for one in data["row"]),
        seconds=tuple(data.get("seconds", ())),
        symmetry=tuple(data.get("symmetry", ())),
        shares=tuple(data.get("shares", ())),
        best=None if best is None else (best[0], best[1]),
        **more,
    )


def _row(data: Mapping[str, Any]) -> PaperRow:
    return PaperRow(
        game=data["game"],
        title=data.get("title", data["game"]),
        theirs=tuple(data.get("theirs", ())),
        margins=tuple(data.get("margins", ())),
        symmetry=tuple(data.get("symmetry", ())),
    )
