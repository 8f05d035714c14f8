"""Guessing games made at random, whose values are worked out by trying every plan.

Chance hides a value, a clue tells something about it, and looking closer costs points.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from unittest import mock

from hypothesis import strategies as st

from ground_support import ground_here
from woodstock import Game

RULES = """
(role player) (role random)
(init hiding)
(<= (legal random (hide ?v)) (true hiding) (clue ?v ?c))
(<= (legal random noop) (not (true hiding)))
(<= (legal player noop) (true hiding))
(<= (legal player (guess ?a)) (true (looked ?n)) (answer ?a))
(<= (legal player (look ?n)) (true (looked 0)) (look ?n))
(<= (next (looked 0)) (true hiding))
(<= (next (looked ?n)) (does player (look ?n)))
(<= (next (looked ?n)) (does player (guess ?a)) (true (looked ?n)))
(<= (next (hidden ?v)) (does random (hide ?v)))
(<= (next (hidden ?v)) (true (hidden ?v)))
(<= (next (guessed ?a)) (does player (guess ?a)))
(<= (sees player (clue ?c)) (does random (hide ?v)) (clue ?v ?c))
(<= (sees player (shown ?c)) (does player (look ?n)) (true (hidden ?v)) (shows ?n ?v ?c))
(<= terminal (true (guessed ?a)))
(<= (goal player ?g) (true (guessed ?a)) (true (hidden ?v)) (true (looked ?n)) (pay ?n ?v ?a ?g))
"""


@dataclass(frozen=True)
class Look:
    """What it shows of each value, and what it costs."""

    shows: tuple[int, ...]
    cost: int


@dataclass(frozen=True)
class Guessing:
    """Clue `clues[v]` comes with value v; answer a is worth `pay[v][a]` then."""

    clues: tuple[int, ...]
    pay: tuple[tuple[int, ...], ...]
    looks: tuple[Look, ...]

    def game(self) -> Game:
        """The rules of it, on the circuit."""
        values, answers = range(len(self.clues)), range(len(self.pay[0]))
        ways = (Look((0,) * len(values), 0), *self.looks)
        facts = [f"(clue {v} {self.clues[v]})" for v in values]
        facts += [f"(answer {a})" for a in answers]
        facts += [f"(look {n})" for n in range(1, len(ways))]
        for n, way in enumerate(ways):
            facts += [f"(shows {n} {v} {way.shows[v]})" for v in values]
            facts += [f"(pay {n} {v} {a} {self._pays(v, a, way)})" for v in values for a in answers]
        with mock.patch(
            "woodstock.ground.grounder.ground_rules", lambda rules, _limits: ground_here(rules)
        ):
            return Game.from_text(RULES + "\n".join(facts), engine="circuit")

    def exact(self, clue: int) -> dict[str, float]:
        """What moves are worth after a clue: the best of all plans that begin with each."""
        fitting = [v for v, one in enumerate(self.clues) if one == clue]
        answers = range(len(self.pay[0]))
        at_once = Look((0,) * len(self.clues), 0)
        found = {
            f"(guess {a})": sum(self._pays(v, a, at_once) for v in fitting) / len(fitting)
            for a in answers
        }
        for number, look in enumerate(self.looks, 1):
            shown = sorted({look.shows[v] for v in fitting})
            found[f"(look {number})"] = max(
                sum(self._pays(v, plan[shown.index(look.shows[v])], look) for v in fitting)
                / len(fitting)
                for plan in itertools.product(answers, repeat=len(shown))
            )
        return {move: points / 100 for move, points in found.items()}

    def value(self) -> float:
        """What the game is worth before there is a clue."""
        best = {clue: max(self.exact(clue).values()) for clue in set(self.clues)}
        return sum(best[clue] for clue in self.clues) / len(self.clues)

    def _pays(self, value: int, answer: int, look: Look) -> int:
        return max(0, self.pay[value][answer] - look.cost)


@st.composite
def guessing_games(draw: st.DrawFn) -> Guessing:
    """Games of some values, answers and ways to look."""
    count, answers = draw(st.integers(2, 6)), draw(st.integers(2, 3))
    # The first two values have the same clue, so that something is always hidden.
    clues = draw(st.lists(st.integers(0, 2), min_size=count - 2, max_size=count - 2))
    tens = st.integers(0, 10).map(lambda ten: 10 * ten)
    pay = draw(st.lists(st.tuples(*[tens] * answers), min_size=count, max_size=count))
    costs = st.integers(0, 6).map(lambda five: 5 * five)
    looks = st.builds(Look, st.tuples(*[st.integers(0, 2)] * count), costs)
    return Guessing((0, 0, *clues), tuple(pay), tuple(draw(st.lists(looks, max_size=2))))
