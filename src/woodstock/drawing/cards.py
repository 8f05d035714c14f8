"""Cards: ranks and suits, or any words, on a card.

The ``cards`` hint says which functors speak of cards: ``c`` a card of one name, or ``r`` its rank
and ``s`` its suit, ``k`` a label, ``n`` how many there are. Cards nobody may see lie face down.

>>> Card.of("h7").text, Card.of("(card queen spades)").text, Card.of("hidden").text
('[7♥]', '[Q♠]', '[░░]')
>>> Card.of("ferry").text
'[ferry]'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.drawing.colors import SIDES, ink_on
from woodstock.drawing.hints import Hints
from woodstock.drawing.icons import draw_icon, icon_of
from woodstock.drawing.letters import clean, width_of
from woodstock.drawing.looks import side_of, words_in
from woodstock.drawing.relations import Relation
from woodstock.drawing.shapes import INK, PAPER, attribute, label, num
from woodstock.drawing.shelves import Shelf, Thing, hinted, make_shelf, readings
from woodstock.drawing.terms import kif

_SUITS = {"hearts": "♥", "diamonds": "♦", "clubs": "♣", "spades": "♠"}
_SUIT = {word: sign for name, sign in _SUITS.items() for word in (name, name[:-1], name[0])}
_RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "knave": "J", "ten": "10"}
_RANKS |= {"a": "A", "k": "K", "q": "Q", "j": "J", "t": "10", "joker": "★", "1": "A"}
_RANKS |= {"11": "J", "12": "Q", "13": "K", "14": "A"}
_RANKS |= {str(n): str(n) for n in range(2, 11)}
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine"]
_RANKS |= {word: str(n) for n, word in enumerate(_NUMBERS, 2)}
_ORDER = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
_HIDDEN = {"hidden", "unknown", "back", "facedown", "unseen", "?"}
_CODE = re.compile(r"([hdcs])(1[0-4]|[1-9]|[ajqkt])|(1[0-4]|[1-9]|[ajqkt])([hdcs])")
_RED, _BLACK, _BACK = "#c22a2a", "#1d1d1f", "#35588c"


@dataclass(frozen=True)
class Card(Thing):
    """A card; ``suit`` is the sign of its suit, ``stack`` how many lie there."""

    suit: str = ""
    hidden: bool = False
    stack: int = 1

    width = 42.0
    height = 58.0

    @classmethod
    def of(cls, name: str, stack: int = 1) -> Card:
        """The card a name speaks of."""
        words = re.findall(r"[a-z]+|\d+|\?", name.lower())
        if words and set(words) & _HIDDEN:
            return cls("", hidden=True, stack=stack)
        code = _CODE.fullmatch(name.lower())
        if code:
            words = [code[1] or code[4], code[2] or code[3]]
        suit = next((word for word in words if word in _SUIT), None)
        if suit is None:
            return cls(name.strip("()"), stack=stack)
        others = [word for word in words if word != suit and word not in ("card", "of")]
        if len(others) != 1 or (len(suit) == 1 and others[0] not in _RANKS):
            return cls(name.strip("()"), stack=stack)
        return cls(_RANKS.get(others[0], others[0]), _SUIT[suit], stack=stack)

    @property
    def text(self) -> str:
        """The card in brackets."""
        face = "░░" if self.hidden else clean(self.name) + self.suit
        return f"[{face}]" + (f"×{self.stack}" if self.stack > 1 else "")

    @property
    def order(self) -> tuple[bool, str, int, str]:
        """Sorts by suit and rank, what lies face down last."""
        rank = _ORDER.index(self.name) if self.name in _ORDER else -1
        number = int(self.name) if self.suit == "" and self.name.isdecimal() else rank
        return self.hidden, self.suit, number, self.name

    def svg(self, x: float, y: float) -> str:
        """A card with its corner and its suit, or its back."""
        out = "".join(
            self._sheet(x + k * 2, y - k * 2) for k in range(min(self.stack, 4) - 1, -1, -1)
        )
        out += self._pattern(x, y) if self.hidden else self._face(x, y)
        if self.stack > 1:
            at = f'cx="{num(x + self.width - 4)}" cy="{num(y + self.height - 4)}"'
            out += f'<circle {at} r="10" fill="{INK}"/>'
            number = str(self.stack)
            out += label(x + self.width - 4, y + self.height, number, 11, fill="#ffffff")
        return out

    @property
    def _paper(self) -> str:
        side = None if self.suit or self.hidden else side_of(self.name)
        return SIDES[side] if side else PAPER

    def _sheet(self, x: float, y: float) -> str:
        size = f'width="{num(self.width)}" height="{num(self.height)}" rx="5"'
        style = f'fill="{self._paper}" stroke="{INK}" stroke-opacity="0.65"'
        return f'<rect x="{num(x)}" y="{num(y)}" {size} {style}/>'

    def _face(self, x: float, y: float) -> str:
        name, mid = clean(self.name), x + self.width / 2
        if self.suit:
            ink = _RED if self.suit in "♥♦" else _BLACK
            out = label(x + 4, y + 16, name, 14, anchor="start", fill=ink)
            out += label(mid, y + 46, self.suit, 30, fill=ink)
            return out
        ink = attribute(ink_on(self._paper))
        icon = icon_of(words_in(self.name))
        if icon is not None:
            place = f'<g transform="translate({num(mid)} {num(y + 24)}) scale(1.2)">'
            name_at = label(mid, y + self.height - 6, name, min(11, 62 / width_of(name)), fill=ink)
            return place + draw_icon(icon, icon.color or _BACK, INK) + "</g>" + name_at
        size = {1: 24, 2: 22, 3: 17, 4: 14}.get(width_of(name), 66 / max(5, width_of(name)))
        return label(mid, y + self.height / 2 + size * 0.36, name, size, fill=ink)

    def _pattern(self, x: float, y: float) -> str:
        """A lattice on the back."""
        left, top, wide, tall = x + 4, y + 4, self.width - 8, self.height - 8
        size = f'width="{num(wide)}" height="{num(tall)}" rx="3"'
        out = f'<rect x="{num(left)}" y="{num(top)}" {size} fill="{_BACK}"/>'
        path = ""
        for i in range(3):
            for j in range(4):
                cx, cy = left + wide * (2 * i + 1) / 6, top + tall * (2 * j + 1) / 8
                path += f"M{num(cx)} {num(cy - 5)}l4 5l-4 5l-4 -5z"
        return out + f'<path d="{path}" fill="#9fb6d9"/>'


def find_cards(relations: Iterable[Relation], hints: Hints) -> list[Shelf]:
    """A shelf for each functor the hints call cards."""
    shelves = []
    for relation, args in hinted(relations, hints.cards):
        cards: list[tuple[str, Card]] = []
        for reading in readings(relation, args):
            words = [kif(item) for letter in "crs" for item in reading.all(letter)]
            if "r" in args and "s" in args and len(words) == 2:
                rank, suit = words[0], _SUIT.get(words[1].lower(), "")
                card = Card(_RANKS.get(rank.lower(), rank) if suit else " ".join(words), suit)
                card = Card.of("hidden") if {w.lower() for w in words} & _HIDDEN else card
            else:
                card = Card.of(" ".join(words) if words else "hidden")
            if reading.count > 0:
                stack = Card(card.name, card.suit, card.hidden, reading.count)
                cards.append((reading.label, stack))
        cards.sort(key=lambda item: (item[0], item[1].order))
        title = hints.label(relation.functor)
        if cards:
            shelves.append(make_shelf(title, cards))
    return shelves
