"""Targets: which cells of a board a move speaks of, so that a person can point at it.

Nothing is known but the board as it is drawn, the words of the moves and, if somebody has tried
them, what each of them changes. Arguments side by side are a cell if they are the words of one
(`Panel.words`), in whatever order, and if moves of this kind change what they name: ``5`` may be a
point or a die. A move that names no cell is pointed at by what it puts somewhere; if it names the
column of that cell, or the row, by any cell of it.

>>> board = Board.find([("cell", "1", "1", "b"), ("cell", "2", "1", "b"), ("cell", "1", "2", "b"),
...                     ("cell", "2", "2", "x")])
>>> [find_targets(board, [move])[0].places for move in (("mark", "1", "2"), "noop")]
[((0, 1, 0),), ()]
>>> effects = [MoveEffect(come=frozenset({("cell", "1", row, "x")})) for row in "12"]
>>> [target.places for target in find_targets(board, ["up", "down"], effects)]
[((0, 0, 0),), ((0, 1, 0),)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from woodstock.drawing.board import Board
from woodstock.drawing.looks import BLANKS
from woodstock.drawing.terms import kif

__all__ = ["MoveEffect", "Spot", "Target", "find_targets", "fluent_spots", "place_text"]

Spot: TypeAlias = tuple[int, int, int] | tuple[int, int, int, str]
"""Panel, column and row of a cell; with ``h`` or ``v`` the line above or left of it."""

_Window: TypeAlias = tuple[int, int]  # first argument and how many
_MOST_PUT = 2  # a move that fills more cells than this is pointed at by none of them


@dataclass(frozen=True)
class Target:
    """The cells that a move names, in its own order, or a line of cells that it stands for.

    Of an ``area`` the first cell is the one that the move fills.
    """

    places: tuple[Spot, ...] = ()
    area: tuple[Spot, ...] = ()


@dataclass(frozen=True)
class MoveEffect:
    """What a move changes: the fluents that go, and those that come."""

    gone: frozenset[object] = frozenset()
    come: frozenset[object] = frozenset()

    @classmethod
    def of(cls, before: Iterable[object], after: Iterable[object]) -> MoveEffect:
        """The difference of two states.

        >>> MoveEffect.of(["a", "b"], ["b"]).gone
        frozenset({'a'})
        """
        old, new = frozenset(before), frozenset(after)
        return cls(old - new, new - old)


def place_text(spot: Spot) -> str:
    """A place as the attribute ``data-place`` of a drawing spells it.

    >>> place_text((0, 4, 3)), place_text((0, 4, 3, "h"))
    ('0,4,3', '0,4,3,h')
    """
    return ",".join(map(str, spot))


def find_targets(
    board: Board, moves: Sequence[object], effects: Sequence[MoveEffect] = ()
) -> list[Target]:
    """Where the moves point to that are open together; ``effects`` has one for each, or none.

    Where one of several of a kind points nowhere, none of its kind speaks of cells: ``-1`` among
    ``accelerate 1 1`` and its like tells that these are no columns and rows.

    >>> board = Board.find([("cell", "1", "1", "b"), ("cell", "2", "1", "b"),
    ...                     ("cell", "1", "2", "b"), ("cell", "2", "2", "x")])
    >>> moves = [("go", "1", "1"), ("go", "-1", "1"), "stay"]
    >>> [len(one.places) for one in find_targets(board, moves)]
    [0, 0, 0]
    """
    if not board.panels:
        return [Target() for _ in moves]
    atlas = _Atlas(board)
    kinds: dict[tuple[str, int], list[_Spoken]] = {}
    spoken = []
    for number, move in enumerate(moves):
        one = _Spoken(_words(move), effects[number] if effects else None)
        if one.effect is not None:
            changed = (*one.effect.gone, *one.effect.come)
            one.touched = {spot for fluent in changed for spot in atlas.spots(fluent)}
            one.put = _put(atlas, one.effect)
        functor = kif(move[0] if isinstance(move, tuple) and move else move)
        kinds.setdefault((functor, len(one.words)), []).append(one)
        spoken.append(one)
    for alike in kinds.values():
        _read(atlas, alike)
    if effects:
        _by_what_is_put(atlas, spoken, kinds.values())
    return [Target(tuple(one.places), tuple(one.area)) for one in spoken]


def fluent_spots(board: Board, fluents: Iterable[object]) -> dict[object, list[Spot]]:
    """Where each fluent is drawn, of those that are drawn on a panel.

    >>> board = Board.find([("cell", x, y, "b") for x in "1234" for y in "1234"])
    >>> fluent_spots(board, [("cell", "2", "1", "x"), "over"])
    {('cell', '2', '1', 'x'): [(0, 1, 3)]}
    """
    atlas = _Atlas(board)
    found = {fluent: atlas.spots(fluent) for fluent in fluents}
    return {fluent: spots for fluent, spots in found.items() if spots}


@dataclass
class _Spoken:
    """A move on the way to its target."""

    words: list[str]
    effect: MoveEffect | None
    touched: set[Spot] = field(default_factory=set)
    put: list[Spot] = field(default_factory=list)
    places: list[Spot] = field(default_factory=list)
    area: list[Spot] = field(default_factory=list)


class _Atlas:
    """The places of a board by their words: as fluents have them, and as moves may."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.spot_of: list[dict[tuple[str, ...], Spot]] = []
        self.spoken: dict[str, dict[tuple[str, ...], list[Spot]]] = {"as it is": {}, "turned": {}}
        for number, panel in enumerate(board.panels):
            here: dict[tuple[str, ...], Spot] = {}
            for at, words in panel.words.items():
                if at in panel.cells:
                    here.setdefault(tuple(word.lower() for word in words), (number, *at))
            for words, spot in here.items():
                self._speak(words, panel.order, spot)
            for words, (side, column, row) in panel.crossings.items():
                here[words] = (number, column, row, side)
                self._speak(words, tuple(range(len(words))), here[words])
            self.spot_of.append(here)
        self.lengths = {len(words) for table in self.spoken.values() for words in table}
        self.blanks = BLANKS | (board.hints.blank or frozenset())
        self.readings: dict[str, list[int]] = {}
        for index, reading in enumerate(board.readings):
            self.readings.setdefault(reading.functor, []).append(index)

    def _speak(self, words: tuple[str, ...], order: Sequence[int], spot: Spot) -> None:
        said = tuple(words[i] for i in order if i < len(words))
        straight, turned = self.spoken["as it is"], self.spoken["turned"]
        straight.setdefault(said, []).append(spot)
        if len(said) == 2:
            straight.setdefault(("".join(said),), []).append(spot)
        if len(said) > 1:
            turned.setdefault((*said[:-2], said[-1], said[-2]), []).append(spot)

    def spots(self, fluent: object) -> list[Spot]:
        """Where a fluent is drawn."""
        functor = kif(fluent[0] if isinstance(fluent, tuple) and fluent else fluent)
        found = []
        for index in self.readings.get(functor, ()):
            reading = self.board.readings[index]
            words = reading.words(fluent)
            tables = [self.spot_of[number] for number in reading.panels]
            found += [table[words] for table in tables if words in table]
        return found

    def named(self, way: str, words: Sequence[str], moved: _Spoken) -> Spot | None:
        """The place that some words name; of several the one that changes, or whose panel is."""
        spots = self.spoken[way].get(tuple(words), [])
        if len(spots) < 2:
            return spots[0] if spots else None
        titles = [self.board.panels[spot[0]].title.lower().split() for spot in spots]

        def rank(index: int) -> tuple[bool, bool]:
            called = any(word in titles[index] for word in moved.words)
            return spots[index] not in moved.touched, not called

        return spots[min(range(len(spots)), key=rank)]


def _words(term: object) -> list[str]:
    """The constants of a move, functors left out: ``(mark (column 3))`` is ``3``."""
    if isinstance(term, tuple):
        return [word for part in term[1:] for word in _inner(part)]
    return []


def _inner(term: object) -> list[str]:
    return _words(term) if isinstance(term, tuple) else [kif(term).lower()]


def _read(atlas: _Atlas, alike: Sequence[_Spoken]) -> None:
    """Find the arguments that are places, the same ones in all moves of a kind."""
    tried = alike[0].effect is not None
    silent = tried and not any(one.touched for one in alike)
    for way in atlas.spoken:
        rates: dict[_Window, float] = {}
        # A lone number may be anything as long as nothing is seen to come of it.
        lengths = atlas.lengths - {1} if silent else atlas.lengths
        for window in _windows(len(alike[0].words), lengths):
            rate = _rate(atlas, way, window, alike, sure=tried and not silent)
            if rate >= 0.5:
                rates[window] = rate
        chosen = _apart(rates)
        if chosen:
            for one in alike:
                found = [atlas.named(way, _cut(one, w), one) for w in _filled(chosen)]
                one.places = [spot for spot in found if spot is not None]
            return
        if silent or not tried:
            return  # nothing tells that they might mean it the other way round


def _rate(
    atlas: _Atlas, way: str, window: _Window, alike: Sequence[_Spoken], *, sure: bool
) -> float:
    """How often a window is a place that changes; of moves without effects all must be places."""
    spots = [(one, atlas.named(way, _cut(one, window), one)) for one in alike]
    named = [(one, spot) for one, spot in spots if spot is not None]
    if not sure:
        return float(len(named) == len(alike))
    if len(named) * 2 < len(alike):
        return 0.0
    return sum(spot in one.touched for one, spot in named) / len(named)


def _windows(count: int, lengths: Iterable[int]) -> Iterator[_Window]:
    for length in sorted(lengths, reverse=True):
        for first in range(count - length + 1):
            yield first, length


def _cut(one: _Spoken, window: _Window) -> list[str]:
    return one.words[window[0] : window[0] + window[1]]


def _apart(rates: Mapping[_Window, float]) -> list[_Window]:
    """Windows that share no argument, the surest first; given in the order of the move."""
    chosen: list[_Window] = []
    for first, length in sorted(rates, key=lambda w: (-rates[w], -w[1], w[0])):
        if all(first + length <= other or other + size <= first for other, size in chosen):
            chosen.append((first, length))
    return sorted(chosen)


def _filled(chosen: Sequence[_Window]) -> list[_Window]:
    """Windows between which others of the same length fit: where a piece jumped on its way."""
    found = [chosen[0]]
    for first, length in chosen[1:]:
        before, size = found[-1]
        gap = first - before - size
        if size == length and gap % length == 0:
            found += [(before + size + step, length) for step in range(0, gap, length)]
        found.append((first, length))
    return found


def _put(atlas: _Atlas, effect: MoveEffect) -> list[Spot]:
    """Where something comes to stand; a blank is nothing."""
    found: dict[Spot, None] = {}
    for fluent in sorted(effect.come, key=kif):
        words = {kif(word).lower() for word in fluent[1:]} if isinstance(fluent, tuple) else set()
        if not words & atlas.blanks:
            found.update(dict.fromkeys(atlas.spots(fluent)))
    return list(found)


def _by_what_is_put(
    atlas: _Atlas, spoken: Sequence[_Spoken], kinds: Iterable[Sequence[_Spoken]]
) -> None:
    """Point at what moves fill that name no cells, where that tells them apart."""
    common = set(spoken[0].put).intersection(*(one.put for one in spoken)) if spoken[1:] else set()
    lost = [one for one in spoken if not one.places]
    filled = {id(one): [spot for spot in one.put if spot not in common] for one in lost}
    filled = {key: spots if len(spots) <= _MOST_PUT else [] for key, spots in filled.items()}
    if len({tuple(spots) for spots in filled.values() if spots}) < min(2, len(spoken) - 1):
        return
    for alike in kinds:
        mine = [one for one in alike if not one.places]
        axis = _named_axis(atlas, [(one, filled[id(one)]) for one in mine])
        for one in mine:
            spots = filled[id(one)]
            if axis is None or not spots:
                one.places = spots
            else:
                cells = atlas.board.panels[spots[0][0]].cells
                line = [at for at in cells if at[axis] == spots[0][1 + axis]]
                others = [(spots[0][0], *at) for at in sorted(line)]
                one.area = [spots[0], *(spot for spot in others if spot != spots[0])]


def _named_axis(atlas: _Atlas, moves: Sequence[tuple[_Spoken, list[Spot]]]) -> int | None:
    """Whether moves name the column (0) or the row (1) of the one cell that each of them fills."""
    if not moves or any(len(spots) != 1 or len(spots[0]) != 3 for _, spots in moves):
        return None
    for axis in (0, 1):
        for at in range(len(moves[0][0].words)):
            labels = []
            for _, spots in moves:
                panel = atlas.board.panels[spots[0][0]]
                names = panel.columns if axis == 0 else panel.rows
                labels.append(names[int(spots[0][1 + axis])].lower())
            if labels == [one.words[at] for one, _ in moves] and len({*labels}) > 1:
                return axis
    return None
