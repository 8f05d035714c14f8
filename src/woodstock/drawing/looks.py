"""Looks: how the content of a cell is shown.

Names of contents carry meaning for a person: colours (``white``, ``redPawn``), chess pieces
(``wk``, ``blackKnight``), crosses and rings, numbers, walls. What carries none gets a short unique
name and a colour of its own that depends on nothing but its spelling.

>>> looks = assign_looks({"white", "black"})
>>> looks["white"].symbol, looks["black"].symbol
('○', '●')
>>> assign_looks({"wk", "wr", "bk"})["wk"].symbol
'♔'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from woodstock.drawing.colors import SIDES, color_of, ink_on
from woodstock.drawing.icons import icon_of

_RANK = {side: rank for rank, side in enumerate(SIDES)}
_OTHER_INITIALS = {"black": "K", "brown": "N", "grey": "E", "gray": "E", "gold": "D", "pink": "I"}
_SIDE_LETTERS = {"w": "white", "b": "black", "r": "red", "y": "yellow", "g": "green"}
_HOLLOW_BEFORE = _RANK["cyan"]

PIECES = ("king", "queen", "rook", "bishop", "knight", "pawn")
_CODE_LETTERS = dict(zip("kqrbnpm", (*PIECES, "man"), strict=True))
_HOLLOW = dict(zip(PIECES, "♔♕♖♗♘♙", strict=True))
SOLID_PIECES: Mapping[str, str] = dict(zip(PIECES, "♚♛♜♝♞♟", strict=True))
_ROUND = {"●": "disc", "○": "disc", "⛀": "disc", "⛂": "disc", "⛁": "king", "⛃": "king"}
_SIGNS = re.compile("[\u2190-\u21ff\u25a0-\u25ca\u25e2-\u26bf\u2701-\u27bf]")  # arrows and the like
_DISCS = {"disc", "disk", "checker", "man", "stone", "token", "piece", "peg", "counter", "marble"}
_BLOCKED = {"wall", "hole", "blocked", "ground", "dirt", "rock", "off", "limits", "offlimits"} | {
    "obstacle",
    "cell",
    "square",
}
_FILLED = {"mark", "marked", "filled", "full", "on", "painted"}

BLANKS = frozenset(
    {"b", "e", "f", "_", ".", "-", "blank", "empty", "free", "none", "nil", "nothing", "nobody"}
    | {"available", "vacant", "open", "floor", "field", "clear", "unmarked", "unknown"}
)

# Colour, piece and perhaps which of several: wk, bp, wpa.
_PIECE_CODE = re.compile(r"[wbr][kqrbnpm][a-h0-9]?")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True)
class Look:
    """How one content is shown.

    ``form`` says what an SVG draws: disc, king (crowned disc), piece, cross, ring, number, block,
    fill, icon, glyph (the symbol itself), tokens (so many of something) or letter.
    ``kind`` names the chess piece of form ``piece`` and the thing of form ``icon``; it is the
    number on a disc that has one.
    """

    symbol: str
    form: str
    fill: str
    side: str | None = None
    kind: str | None = None

    @property
    def ink(self) -> str:
        """Black or white, whichever reads better on the fill."""
        return ink_on(self.fill)


def words_in(content: str) -> list[str]:
    """The words a name is made of, in lower case.

    >>> words_in("redPawn"), words_in("(piece white king)"), words_in("whiteknight")
    (['red', 'pawn'], ['piece', 'white', 'king'], ['white', 'knight'])
    """
    words: list[str] = []
    for word in _WORDS.findall(content):
        lower = word.lower()
        side = next((s for s in SIDES if lower.startswith(s) and len(lower) > len(s) + 2), None)
        words.extend([side, lower[len(side) :]] if side else [lower])
    return words


def side_of(content: str) -> str | None:
    """The colour word in a name, if there is one."""
    return next((word for word in words_in(content) if word in SIDES), None)


def assign_looks(
    contents: Iterable[str],
    *,
    sides: Iterable[str] = (),
    symbols: Mapping[str, str] | None = None,
    colors: Mapping[str, str] | None = None,
) -> dict[str, Look]:
    """Choose a look for each content of a board; ``sides`` are colours met elsewhere.

    >>> looks = assign_looks(["explorer", "exit", "mummy"])
    >>> sorted((look.symbol, name) for name, look in looks.items())
    [('e', 'explorer'), ('m', 'mummy'), ('∩', 'exit')]
    """
    names = sorted(set(contents))
    read = _read_all(names)
    met = {side for side, _ in read.values() if side}
    if len(met) < 2:
        met |= {side for side in sides if side in SIDES}
    kinds = {kind for _, kind in read.values() if kind in PIECES or kind == "man"}
    draughts = kinds <= {"pawn", "king", "man"} and kinds != {"king"}
    taken: set[str] = set()
    looks: dict[str, Look] = {}
    for name in names:
        look = _look(name, *read[name], met, draughts)
        if _nameless(look, name, taken):
            look = replace(look, symbol=_short(name, taken))
        elif look.form in ("piece", "disc", "king") and not _PIECE_CODE.fullmatch(name.lower()):
            look = replace(look, symbol=_unlike(look.symbol, name, taken))
        given = _given(name, look.side, symbols)
        if given:
            look = _with_symbol(look, given)
        fill = _given(name, look.side, colors)
        if fill:
            look = replace(look, fill=fill)
        taken.add(look.symbol)
        looks[name] = look
    return looks


def _with_symbol(look: Look, symbol: str) -> Look:
    """A look with a symbol its author wants; pieces and discs are drawn as such."""
    kind = next((k for k in PIECES if symbol in (_HOLLOW[k], SOLID_PIECES[k])), None)
    if kind:
        return replace(look, symbol=symbol, form="piece", kind=kind)
    form = look.form
    if form in ("letter", "fill"):
        form = _ROUND.get(symbol) or ("glyph" if _SIGNS.fullmatch(symbol) else form)
    return replace(look, symbol=symbol, form=form)


def _given(name: str, side: str | None, table: Mapping[str, str] | None) -> str | None:
    if not table:
        return None
    return table.get(name.lower()) or (table.get(side) if side and side == name.lower() else None)


def _read_all(names: list[str]) -> dict[str, tuple[str | None, str | None]]:
    """Side and kind of each content; short codes are only read when all contents are codes."""
    real = [n.lower() for n in names if n.lower() not in _BLOCKED]
    chess = len(real) > 1 and all(_PIECE_CODE.fullmatch(n) for n in real)
    letters = len(real) > 1 and all(n in _SIDE_LETTERS for n in real)
    read: dict[str, tuple[str | None, str | None]] = {}
    for name in names:
        lower = name.lower()
        if chess and lower in real:
            read[name] = (_SIDE_LETTERS[lower[0]], _CODE_LETTERS[lower[1]])
        elif letters and lower in real:
            read[name] = (_SIDE_LETTERS[lower], None)
        else:
            words = words_in(name)
            kind = next((w for w in words if w in PIECES), None)
            if kind is None:
                kind = next((w for w in words if w not in SIDES and w in _DISCS), None)
            unread = [w for w in words if w not in SIDES and w != kind and w not in _DISCS]
            if unread and kind not in PIECES:
                kind = "other"
            read[name] = (next((w for w in words if w in SIDES), None), kind)
    return read


def _look(name: str, side: str | None, kind: str | None, met: set[str], draughts: bool) -> Look:
    lower = name.lower()
    fill = SIDES[side] if side else color_of(name)
    words = set(words_in(name))
    if lower in ("x", "o"):
        form, fill = ("cross", SIDES["blue"]) if lower == "x" else ("ring", SIDES["red"])
        return Look(name, form, fill)
    if lower.isdecimal():
        return Look(name, "number", "#efe6d2")
    thing = next((word for word in words_in(name) if icon_of([word])), None)
    icon = icon_of([thing]) if thing else None
    if icon and kind not in PIECES:
        number = "".join(word for word in words_in(name) if word.isdecimal())
        fill = SIDES[side] if side else icon.color or fill
        return Look(icon.symbol + number if icon.symbol else name, "icon", fill, side, thing)
    if side is None and words and words <= _BLOCKED:
        return Look("▒", "block", "#a07a4f" if "dirt" in words else "#8d8579")
    if side is None and words & _FILLED:
        return Look("■", "fill", "#3b4252")
    if side is None and kind in PIECES:
        return Look(SOLID_PIECES[kind], "piece", "#1d1d1f", None, kind)
    if side is None and kind in _DISCS:
        return Look("●", "disc", SIDES["brown"])
    others = words - {side}
    if side and len(others) == 1 and all(word.isdecimal() for word in others):
        value = others.pop()
        return Look(value + side[0], "disc", fill, side, value)
    if lower == "arrow":  # shot at a place that is lost to everybody, as in amazons
        return Look("\N{MULTIPLICATION SIGN}", "cross", "#57514b")
    if side is None or kind == "other":
        return Look(name, "letter", fill, side)
    hollow = _is_hollow(side, met)
    initial = "" if len(met) <= 2 else side[0]
    if draughts and kind in ("king", "pawn"):
        crowned = kind == "king"
        symbol = ("◎" if hollow else "◉") if crowned else ("○" if hollow else "●")
        return Look(initial + symbol, "king" if crowned else "disc", fill, side)
    if kind in PIECES:
        symbol = (_HOLLOW if hollow else SOLID_PIECES)[kind]
        return Look(initial + symbol, "piece", fill, side, kind)
    if kind == "checker":  # where discs and checkers meet, they must differ
        return Look(initial + ("◇" if hollow else "◆"), "king", fill, side)
    symbol = _initial(side, met) if initial else "○" if hollow else "●"
    return Look(symbol, "disc", fill, side)


def _initial(side: str, met: set[str]) -> str:
    """The first letter of a colour; blacK and browN step back where others begin like them."""
    alike = [other for other in met if other[0] == side[0]]
    return _OTHER_INITIALS.get(side, side[0].upper()) if len(alike) > 1 else side[0].upper()


def _is_hollow(side: str, met: set[str]) -> bool:
    others = met - {side}
    if len(others) == 1:
        return _RANK[side] < min(_RANK[other] for other in others)
    return _RANK[side] < _HOLLOW_BEFORE


def _nameless(look: Look, name: str, taken: set[str]) -> bool:
    if look.form == "icon":
        return look.symbol == name or look.symbol in taken
    return look.form == "letter" and not _plain_enough(look.symbol)


def _plain_enough(symbol: str) -> bool:
    return 0 < len(symbol) <= 3 and symbol.isprintable()


def _unlike(symbol: str, name: str, taken: set[str]) -> str:
    """Pieces that differ in something we cannot show still differ, by a small mark."""
    if "promoted" in words_in(name):
        symbol += "+"
    while symbol in taken:
        symbol += "'"
    return symbol


def _short(name: str, taken: set[str]) -> str:
    """A short name nobody has yet: initials, then longer and longer beginnings."""
    words = _WORDS.findall(name) or [name or "?"]
    initials = "".join(w if w.isdecimal() else w[0] for w in words)
    first = "".join(ch for ch in name if ch.isalnum()) or "?"
    tries = [initials] if len(words) > 1 else [first[:1], first[:2]]
    tries += [first[:n] for n in range(2, 6)]
    found = next((t for t in tries if t not in taken and len(t) <= 5), None)
    if found:
        return found
    return next(t for t in (f"{first[:1]}{n}" for n in range(2, len(taken) + 3)) if t not in taken)
