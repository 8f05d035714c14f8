"""Drawing hints: what an author may say about the picture of a game.

A picture needs no hints; they only improve it. They are the ``[drawing]`` table of a game's
``meta.toml``. A key nobody knows, or a value of the wrong type, is ignored rather than
reported: a picture is never worth an error.

>>> hints = Hints.read({"shape": "hex", "columns": 9, "symbols": {"red": "R"}})
>>> hints.shape, hints.columns, hints.symbols["red"]
('hex', 9, 'R')
>>> Hints.read({"columns": "nine"}) == Hints()
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SHAPES = ("square", "hex")

# Largest board drawn: beyond it a picture helps nobody, and a broken hint must not eat the memory.
MAX_SIDE = 64


@dataclass(frozen=True)
class TableHint:
    """How a functor fills a table: what each argument is, and rows and columns in order."""

    args: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hints:
    """The recognised hints, checked and normalised.

    ``args`` names the arguments of the cell functor one letter each: ``x`` column, ``y`` row,
    ``c`` content, ``z`` one small board each, ``X`` and ``Y`` block column and block row of
    nested boards, ``p`` the name of a place of the ``layout``, ``n`` how many there are, ``-``
    ignored. ``args_of`` has the same for single functors. ``floor`` names the functors whose
    contents lie below the pieces.

    >>> Hints.read({"cell": "holds", "args": "zxyc"}).cell
    ('holds',)
    >>> Hints.read({"layout": ["1 2", "4 . 3"], "args": "pcn"}).layout
    (('1', '2'), ('4', '.', '3'))
    """

    cell: tuple[str, ...] = ()
    args: str = ""
    args_of: Mapping[str, str] = field(default_factory=dict)
    floor: frozenset[str] = frozenset()
    layout: tuple[tuple[str, ...], ...] = ()
    background: tuple[str, ...] = ()
    dice: Mapping[str, str] = field(default_factory=dict)
    cards: Mapping[str, str] = field(default_factory=dict)
    bars: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, TableHint] = field(default_factory=dict)
    columns: int | tuple[str, ...] | None = None
    rows: int | tuple[str, ...] | None = None
    flip: bool | None = None
    shape: str = "square"
    blocks: tuple[int, int] | None = None
    checkered: bool | None = None
    panels_per_row: int | None = None
    blank: frozenset[str] | None = None
    hide: frozenset[str] = frozenset()
    symbols: Mapping[str, str] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def label(self, functor: str) -> str:
        """What a functor is called in the picture.

        >>> Hints(labels={"step": "turn"}).label("Step"), Hints().label("Step")
        ('turn', 'Step')
        """
        return self.labels.get(functor.lower(), functor)

    @classmethod
    def read(cls, table: Mapping[str, object] | None) -> Hints:
        """Read a table of hints and leave out what makes no sense.

        >>> Hints.read(None) == Hints()
        True
        """
        if not isinstance(table, Mapping):
            return cls()
        cell, floor = _names(table.get("cell")), _names(table.get("floor"))
        args = table.get("args")
        shape = table.get("shape")
        per_row = table.get("panels_per_row")
        blank = _names(table.get("blank"))
        return cls(
            cell=(*cell, *floor) if cell else (),
            args=args if isinstance(args, str) and _valid_args(args) else "",
            args_of={name: text for name, text in _strings(args).items() if _valid_part(text)},
            floor=frozenset(name.lower() for name in floor),
            layout=_layout(table.get("layout")),
            background=_background(table.get("background")),
            dice=_letters(table.get("dice"), "dnk-"),
            cards=_letters(table.get("cards"), "crskn-"),
            bars=_letters(table.get("bars"), "kcn-"),
            tables=_tables(table.get("tables")),
            columns=_side(table.get("columns")),
            rows=_side(table.get("rows")),
            flip=_flag(table.get("flip")),
            shape=shape if isinstance(shape, str) and shape in SHAPES else "square",
            blocks=_blocks(table.get("blocks")),
            checkered=_flag(table.get("checkered")),
            panels_per_row=per_row if type(per_row) is int and per_row > 0 else None,
            blank=frozenset(name.lower() for name in blank) if blank else None,
            hide=frozenset(name.lower() for name in _names(table.get("hide"))),
            symbols=_strings(table.get("symbols")),
            colors=_strings(table.get("colors")),
            labels=_strings(table.get("labels")),
        )


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)):
        return tuple(item for item in value if isinstance(item, str))
    return ()


def _side(value: object) -> int | tuple[str, ...] | None:
    if type(value) is int:
        return value if 0 < value <= MAX_SIDE else None
    if isinstance(value, (list, tuple)) and 0 < len(value) <= MAX_SIDE:
        return tuple(str(item) for item in value)
    return None


def _blocks(value: object) -> tuple[int, int] | None:
    """One number for square blocks, or columns and rows of a block."""
    pair = (value, value) if type(value) is int else value
    if isinstance(pair, (list, tuple)) and len(pair) == 2:
        width, height = pair
        if type(width) is int and type(height) is int and width > 0 < height:
            return width, height
    return None


def _strings(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key).lower(): item for key, item in value.items() if isinstance(item, str) and item}


def _valid_args(args: str) -> bool:
    """Both ``x`` and ``y`` once or ``p``, other letters known, ``X`` and ``Y`` only together."""
    if "p" in args:
        return args.count("n") <= 1 and not set(args) - set("pcn-")
    once = all(args.count(letter) == 1 for letter in "xy")
    blocks = args.count("X") == args.count("Y") <= 1
    return once and blocks and args.count("n") <= 1 and not set(args) - set("xyczXYn-")


def _valid_part(args: str) -> bool:
    """The letters of one functor; without ``p`` its name is the name of the place."""
    return _valid_args(args) or (args.count("n") <= 1 and not set(args) - set("cn-"))


def _layout(value: object) -> tuple[tuple[str, ...], ...]:
    rows = tuple(tuple(row.split()) for row in _names(value))
    fits = len(rows) <= MAX_SIDE and all(len(row) <= 2 * MAX_SIDE for row in rows)
    return rows if fits and any(word != "." for row in rows for word in row) else ()


def _background(value: object) -> tuple[str, ...]:
    rows = _names(value)
    fits = len(rows) <= MAX_SIDE and all(len(row) <= MAX_SIDE for row in rows)
    return rows if fits and any(row.strip() for row in rows) else ()


def _letters(value: object, known: str) -> dict[str, str]:
    return {name: args for name, args in _strings(value).items() if not set(args) - set(known)}


def _tables(value: object) -> dict[str, TableHint]:
    """For each functor its letters, or a table with ``args``, ``rows`` and ``columns``."""
    found: dict[str, TableHint] = {}
    for name, item in value.items() if isinstance(value, Mapping) else ():
        more = item if isinstance(item, Mapping) else {"args": item}
        args = more.get("args")
        if isinstance(args, str) and args and not set(args) - set("rcuv-"):
            rows, columns = _names(more.get("rows")), _names(more.get("columns"))
            found[str(name).lower()] = TableHint(args, rows, columns)
    return found
