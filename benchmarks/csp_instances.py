"""The networks that ``csp.py`` measures: turns of games, and tables as the literature has them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from woodstock import Game, State
from woodstock.scsp import ANY, Hard, Network, Not, Variable
from woodstock.scsp.encode.template import template
from woodstock.scsp.encode.unroll import unroll


@dataclass(frozen=True)
class Instance:
    """A network to be solved; `limit` is where everybody stops (0: at the last solution)."""

    name: str
    group: str
    make: Callable[[], Network]
    limit: int = 0


# Games

# (game, turns, plies before): the solutions are the lines of play from a position.
TURNS = (
    ("tic-tac-toe", 5, 0),
    ("connect-four", 4, 10),
    ("nim", 4, 0),
    ("breakthrough", 2, 10),
    ("hex", 2, 4),
    ("reversi", 3, 10),
    ("sheep-and-wolf", 4, 2),
    ("pentago", 2, 6),
    ("knight-through", 2, 6),
    ("eight-puzzle", 8, 0),
    ("buttons-and-lights-7", 4, 0),
    ("monty-hall", 4, 0),
    ("yahtzee", 2, 0),
)
# The solutions are the moves in any state whatever; there are more than anybody can count.
STATES = ("tic-tac-toe", "connect-four", "eight-puzzle", "nim")
ENOUGH_STATES = 100_000


def position(game: Game, plies: int, seed: int) -> State:
    """The state after so many random moves, or the last one in which the game goes on."""
    rng = random.Random(seed)
    state = game.initial_state()
    for _ in range(plies):
        reached = state.apply(state.random_joint_move(rng))
        if reached.is_terminal:
            break
        state = reached
    return state


def turns(name: str, encoding: Any, stages: int, plies: int) -> Network:
    """The network of some turns of a game, from the state after so many random moves."""
    game = Game.from_library(name)
    state = position(game, plies, seed=1)
    found = template(game, encoding)
    return found.inject(state) if stages == 1 else unroll(found, stages, state)


def any_turn(name: str, encoding: Any) -> Network:
    """The network of a turn from any state at all."""
    return template(Game.from_library(name), encoding).network


def game_instances() -> Iterator[Instance]:
    """Networks of games, in both encodings."""
    for encoding in ("boolean", "multivalued"):
        for name, stages, plies in TURNS:
            title = f"{name}, {stages} turns, {encoding}"

            def make(n: str = name, e: str = encoding, s: int = stages, p: int = plies) -> Network:
                return turns(n, e, s, p)

            yield Instance(title, "games", make)
        for name in STATES:
            title = f"{name}, any state, {encoding}"

            def make_any(n: str = name, e: str = encoding) -> Network:
                return any_turn(n, e)

            yield Instance(title, "games", make_any, ENOUGH_STATES)


# Tables


def queens(size: int) -> Network:
    """Queens that do not attack one another, one a row."""
    rows = [Variable(f"q{i}", range(size)) for i in range(size)]
    pairs = combinations(range(size), 2)
    return Network(
        rows,
        [
            Hard.where([rows[i], rows[j]], lambda a, b, d=j - i: a != b and abs(a - b) != d)
            for i, j in pairs
        ],
    )


def pigeons(count: int, holes: int) -> Network:
    """Pigeons, each in a hole of its own."""
    birds = [Variable(f"p{i}", range(holes)) for i in range(count)]
    return Network(
        birds, [Hard.where(pair, lambda a, b: a != b) for pair in combinations(birds, 2)]
    )


def langford(size: int) -> Network:
    """Langford pairs: between the two k there are k others."""
    places = range(2 * size)
    first = [Variable(f"a{k}", places) for k in range(1, size + 1)]
    second = [Variable(f"b{k}", places) for k in range(1, size + 1)]
    constraints = [
        Hard.where([a, b], lambda x, y, k=k: y - x == k + 1)
        for k, (a, b) in enumerate(zip(first, second), 1)
    ]
    everywhere = combinations([*first, *second], 2)
    constraints += [Hard.where(pair, lambda x, y: x != y) for pair in everywhere]
    return Network([*first, *second], constraints)


def crossword(height: int, width: int, words: int, seed: int) -> Network:
    """Words in all rows and columns, from lists of random words with uneven letters."""
    rng = random.Random(seed)
    letters = "etaoinshrdlu"
    weights = [1 / (3 + place) for place in range(len(letters))]

    def lexicon(length: int) -> list[tuple[str, ...]]:
        found: dict[tuple[str, ...], None] = {}
        while len(found) < words:
            found[tuple(rng.choices(letters, weights, k=length))] = None
        return list(found)

    cells = {(r, c): Variable(f"c{r}_{c}", letters) for r in range(height) for c in range(width)}
    across, down = lexicon(width), lexicon(height)
    rows = [Hard([cells[r, c] for c in range(width)], across) for r in range(height)]
    columns = [Hard([cells[r, c] for r in range(height)], down) for c in range(width)]
    return Network(cells.values(), [*rows, *columns])


def random_tables(
    variables: int, values: int, arity: int, constraints: int, share: float, seed: int
) -> Network:
    """Model RB: random scopes, each with the same share of all tuples allowed."""
    rng = random.Random(seed)
    names = [Variable(f"x{i}", range(values)) for i in range(variables)]
    tuples = list(product(range(values), repeat=arity))
    number = round(share * len(tuples))
    return Network(
        names,
        [Hard(rng.sample(names, arity), rng.sample(tuples, number)) for _ in range(constraints)],
    )


def table_instances() -> Iterator[Instance]:
    """What the literature on table constraints measures."""
    yield Instance("queens 8", "tables", lambda: queens(8))
    yield Instance("queens 10", "tables", lambda: queens(10))
    yield Instance("pigeons 8 in 8", "tables", lambda: pigeons(8, 8))
    yield Instance("pigeons 8 in 7", "tables", lambda: pigeons(8, 7))
    yield Instance("langford 8", "tables", lambda: langford(8))
    yield Instance("crossword 4x4, 450 words", "tables", lambda: crossword(4, 4, 450, 1))
    yield Instance("crossword 5x4, 500 words", "tables", lambda: crossword(5, 4, 500, 1))
    yield Instance("rb 3-12-6-20", "tables", lambda: random_tables(12, 6, 3, 20, 0.45, 1))
    yield Instance("rb 2-20-12-60", "tables", lambda: random_tables(20, 12, 2, 60, 0.5, 1))
    yield Instance("rb 5-12-5-12", "tables", lambda: random_tables(12, 5, 5, 12, 0.3, 1))


def random_small(rng: random.Random) -> Network:
    """A network of a few variables and tables, with any value and any but one, for counting."""
    variables = [Variable(f"x{i}", range(rng.randint(1, 4))) for i in range(rng.randint(1, 7))]
    constraints = []
    for _ in range(rng.randint(1, 6)):
        scope = rng.sample(variables, rng.randint(1, min(4, len(variables))))
        allowed = rng.random() < 0.6
        density = rng.random()
        rows = []
        for row in product(*(v.domain for v in scope)):
            if rng.random() < density / 2:
                entries = [rng.choice([v, v, v, ANY, *([Not(v)] if allowed else [])]) for v in row]
                rows.append(entries)
        constraints.append(Hard(scope, rows or [[v.domain[0] for v in scope]], allowed))
    return Network(variables, constraints)
