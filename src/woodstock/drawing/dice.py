"""Dice: faces with pips.

The ``dice`` hint says which functors speak of dice: ``d`` the face, ``n`` how many such dice, ``k``
a label. A functor with a label and nothing else marks the dice of that label, as held back say.

>>> hints = Hints.read({"dice": {"die": "kd", "held": "k"}})
>>> dice = [Relation("die", 2, [("1", "5"), ("2", "6")]), Relation("held", 1, [("2",)])]
>>> for line in find_dice(dice, hints)[0].lines():
...     print(line)
die  [5] [6]*
      1   2
* held
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.drawing.colors import SIDES, ink_on
from woodstock.drawing.hints import Hints
from woodstock.drawing.icons import draw_icon, icon_of
from woodstock.drawing.letters import clean, width_of
from woodstock.drawing.looks import side_of
from woodstock.drawing.relations import Relation
from woodstock.drawing.shapes import INK, attribute, label, num
from woodstock.drawing.shelves import Shelf, Thing, hinted, make_shelf, readings
from woodstock.drawing.terms import kif

_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_UNSEEN = {"blank", "none", "unknown", "hidden", "unrolled", "nothing", "nil", "0"}
# The nine spots of a face, by rows; each face uses some of them.
_PIPS = {"1": "4", "2": "26", "3": "246", "4": "0268", "5": "02468", "6": "023568"}


@dataclass(frozen=True)
class Die(Thing):
    """A die that shows a face.

    >>> Die("three").text, Die("worm").text, Die("6", held=True).text
    ('[3]', '[worm]', '[6]*')
    """

    color: str = "#fffdf8"
    held: bool = False

    @property
    def face(self) -> str:
        """The number of pips, or the word on the face."""
        lower = self.name.lower()
        short = lower[1:] if lower[:1] in ("d", "f") and lower[1:].isdecimal() else lower
        return (
            " " if lower in _UNSEEN else _WORDS.get(lower, short if short in _PIPS else self.name)
        )

    @property
    def text(self) -> str:
        """The face in brackets, starred where the die is held."""
        return f"[{clean(self.face)}]" + ("*" if self.held else "")

    def svg(self, x: float, y: float) -> str:
        """A rounded die with pips."""
        side, ink = self.width, ink_on(self.color)
        edge = ("#d98a1f", "3.5") if self.held else (INK, "1.4")
        shape = f'x="{num(x)}" y="{num(y)}" width="{num(side)}" height="{num(side)}" rx="7"'
        style = f'fill="{attribute(self.color)}" stroke="{edge[0]}" stroke-width="{edge[1]}"'
        out = f"<rect {shape} {style}/>"
        for pip in map(int, _PIPS.get(self.face, "")):
            cx, cy = x + side / 2 + (pip % 3 - 1) * 10, y + side / 2 + (pip // 3 - 1) * 10
            out += f'<circle cx="{num(cx)}" cy="{num(cy)}" r="3.6" fill="{ink}"/>'
        icon = icon_of([self.face.lower()])
        if icon is not None:
            place = f'<g transform="translate({num(x + side / 2)} {num(y + side / 2)})">'
            return out + place + draw_icon(icon, icon.color or ink, INK) + "</g>"
        if self.face not in _PIPS:
            size = 17 if width_of(self.face) < 3 else 44 / width_of(self.face)
            out += label(x + side / 2, y + side / 2 + size * 0.36, clean(self.face), size, fill=ink)
        return out


def find_dice(relations: Iterable[Relation], hints: Hints) -> list[Shelf]:
    """A shelf for each functor the hints call dice."""
    known = list(hinted(relations, hints.dice))
    marks = {
        r.functor: {reading.label for reading in readings(r, a)} for r, a in known if _marks(a)
    }
    held = set().union(*marks.values()) if marks else set()
    shelves = []
    for relation, args in known:
        if _marks(args) or not relation.state:
            continue
        dice: list[tuple[str, Thing]] = []
        for reading in readings(relation, args):
            name = reading.label
            side = side_of(name)
            color = SIDES[side] if side else Die.color
            for face in sorted(kif(item) for item in reading.all("d")):
                dice += [(name, Die(face, color, name in held))] * min(reading.count, 60)
        title = hints.label(relation.functor)
        seen = [r.functor for r, a in known if _marks(a) and marks[r.functor]]
        words = " ".join(map(hints.label, seen))
        any_held = any(isinstance(die, Die) and die.held for _, die in dice)
        if dice:
            shelves.append(make_shelf(title, dice, f"* {words}" if any_held else ""))
    return shelves


def _marks(args: str) -> bool:
    return "k" in args and not set(args) - set("k-")
