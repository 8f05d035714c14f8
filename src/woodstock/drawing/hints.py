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
class Hints:
    """The recognised hints, checked and normalised.

    ``args`` names the arguments of the cell functor one letter each: ``x`` column, ``y`` row,
    ``c`` content, ``z`` one small board each, ``X`` and ``Y`` block column and block row of
    nested boards, ``-`` ignored.

    >>> Hints.read({"cell": "holds", "args": "zxyc"}).cell
    ('holds',)
    """

    cell: tuple[str, ...] = ()
    args: str = ""
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

    @classmethod
    def read(cls, table: Mapping[str, object] | None) -> Hints:
        """Read a table of hints and leave out what makes no sense.

        >>> Hints.read(None) == Hints()
        True
        """
        if not isinstance(table, Mapping):
            return cls()
        args = table.get("args")
        shape = table.get("shape")
        per_row = table.get("panels_per_row")
        blank = _names(table.get("blank"))
        return cls(
            cell=_names(table.get("cell")),
            args=args if isinstance(args, str) and _valid_args(args) else "",
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
    """Both ``x`` and ``y`` once, other letters known, ``X`` and ``Y`` only together."""
    once = all(args.count(letter) == 1 for letter in "xy")
    blocks = args.count("X") == args.count("Y") <= 1
    return once and blocks and not set(args) - set("xyczXY-")
