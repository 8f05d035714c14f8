"""What a net is shown of a state, and which states are worth the same: all from the rules alone.

>>> from woodstock import Game
>>> game = Game.load("connect-four")
>>> len(rule_features(game).patterns)
138
>>> [one.roles for one in value_symmetries(game, seconds=60)]
[(0, 1)]
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Compound, Term
from woodstock.symmetry import Symmetries, rule_symmetries

__all__ = ["ValueSymmetry", "feature_kinds", "rule_features", "value_symmetries"]

MOST_SYMMETRIES = 16
MOST_AGREEING = 3
"""Arguments that fluents of a kind agree in."""
LITERAL_SECONDS = 1.5e-6
"""What a literal of the ground rules costs when symmetries are looked for, about."""


def rule_features(game: Game, *, patterns: bool = True) -> _core.Features:
    """The fluents of a game with a circuit and, if wanted, the patterns that its rules ask for.

    `CircuitError` where another engine plays it.

    >>> rule_features(Game.load("tic-tac-toe")).size
    77
    >>> rule_features(Game.load("tic-tac-toe"), patterns=False).size
    29
    """
    engine = game.circuit()
    program = engine.grounding.program
    chance = game.roles.index(RANDOM) if RANDOM in game.roles else None
    found = _core.rule_patterns(program, engine.simulator(), chance=chance) if patterns else []
    return _core.Features(len(engine.numbering.fluents), found)


def feature_kinds(game: Game, features: _core.Features) -> list[list[int]]:
    """Features that are of a kind: a net should not have to learn of each what holds for all.

    Fluents of the same name that agree in some of their arguments, as all fluents of white pawns
    do, or those of white pawns on the same rank; patterns of the same size, and those whose fluents
    agree in an argument, at equal numbers of fluents that hold.

    >>> game = Game.load("tic-tac-toe")
    >>> kinds = feature_kinds(game, rule_features(game, patterns=False))
    >>> names = [[str(game.engine.numbering.fluents[one]) for one in kind] for kind in kinds]
    >>> next(kind[:3] for kind in names if all(name.endswith(' x)') for name in kind))
    ['(cell 1 1 x)', '(cell 1 2 x)', '(cell 1 3 x)']
    """
    terms = [_taken_apart(term) for term in game.circuit().numbering.fluents]
    found: dict[Hashable, list[int]] = {}
    for number, (name, arguments) in enumerate(terms):
        for places in _places(len(arguments)):
            key = (name, len(arguments), places, tuple(arguments[place] for place in places))
            found.setdefault(key, []).append(number)
    first = features.fluents
    for pattern, _ in features.patterns:
        for kind in _pattern_kinds([terms[fluent] for fluent in pattern]):
            for held in range(len(pattern)):
                found.setdefault((kind, held), []).append(first + held)
        first += len(pattern)
    # What is the same kind by two names counts once, and what is alone is of no kind.
    return [list(one) for one in dict.fromkeys(map(tuple, found.values())) if len(one) > 1]


Parts: TypeAlias = tuple[Term, tuple[Term, ...]]


def _taken_apart(term: Term) -> Parts:
    """Name and arguments."""
    return (term[0], tuple(term[1:])) if isinstance(term, Compound) else (term, ())


def _places(count: int) -> Iterator[tuple[int, ...]]:
    """Arguments that fluents of a kind agree in: one or more, but not all of them."""
    for size in range(1, min(count, MOST_AGREEING + 1)):
        yield from combinations(range(count), size)


def _pattern_kinds(parts: Sequence[Parts]) -> Iterator[Hashable]:
    yield ("pattern", len(parts))
    name, arguments = parts[0]
    if all(one[0] == name and len(one[1]) == len(arguments) for one in parts):
        for place, argument in enumerate(arguments):
            if all(one[1][place] == argument for one in parts):
                yield ("pattern", len(parts), name, place, argument)


class ValueSymmetry(NamedTuple):
    """Fluent f becomes `fluents[f]`, role r becomes `roles[r]`, and nothing else changes.

    What a state is worth to r, the state that it becomes is worth to `roles[r]`.
    """

    fluents: tuple[int, ...]
    roles: tuple[int, ...]


def value_symmetries(
    game: Game, *, seconds: float, exchange_roles: bool = False, limit: int = MOST_SYMMETRIES
) -> list[ValueSymmetry]:
    """Symmetries of a game's rules that take its initial state to itself, without the trivial one.

    With `exchange_roles` they are those that make players exchange their parts, and these need not
    keep the initial state: both cannot begin. Of more than `limit` some; of a game that takes too
    long, none.

    >>> (swap, *_) = value_symmetries(Game.load("breakthrough"), seconds=60, exchange_roles=True)
    >>> swap.roles
    (1, 0)
    """
    begun = time.monotonic()
    engine = game.circuit()
    if LITERAL_SECONDS * engine.grounding.program.statistics().literals > seconds:
        return []  # making the graph cannot be interrupted
    keep = None if exchange_roles else game.initial_state()
    try:
        found = rule_symmetries(game, keep=keep, exchange_roles=exchange_roles, seconds=seconds)
    except (TimeoutError, WoodstockError):
        return []
    out: list[ValueSymmetry] = []
    unmoved = tuple(range(len(game.roles)))
    # Elements that do not do what is wanted are passed over, but not for ever.
    for image in _elements(found, 4 * limit):
        if len(out) == limit or time.monotonic() - begun > seconds:
            break
        roles = _roles(found, image, game)
        fluents = image[: found.points.fluents]
        if roles is None or (roles == unmoved) == exchange_roles:
            continue
        if exchange_roles or fluents != tuple(range(len(fluents))):
            out.append(ValueSymmetry(fluents, roles))
    return out


def _elements(found: Symmetries, limit: int) -> Iterator[tuple[int, ...]]:
    """Products of generators, short ones first, without the identity: images of all points."""
    identity = tuple(range(len(found.points)))
    generators = []
    for generator in found.generators:
        image = list(identity)
        for point, to in generator.moved.items():
            image[point] = to
        generators.append(image)
    seen, queue = {identity}, deque([identity])
    while queue:
        one = queue.popleft()
        for generator_image in generators:
            product = tuple(generator_image[point] for point in one)
            if product not in seen:
                if len(seen) > limit:
                    return
                seen.add(product)
                queue.append(product)
                yield product


def _roles(found: Symmetries, image: Sequence[int], game: Game) -> tuple[int, ...] | None:
    """Which role becomes which, told by the moves; None where they do not tell."""
    number = {role: place for place, role in enumerate(game.roles)}
    points = found.points
    roles = list(range(len(number)))
    for move in range(points.fluents, points.fluents + points.moves):
        before, after = points.points[move].role, points.points[image[move]].role
        if before in number and after in number:
            roles[number[before]] = number[after]
    return tuple(roles) if len(set(roles)) == len(roles) else None
