"""The contract every engine keeps, and the lifted engine behind it.

An engine answers questions about *positions*, opaque values of its own (hashable, comparable,
cheap to keep). `woodstock.game` puts the pleasant face on top.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import random
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from woodstock.gdl.interpreter import Interpreter, View
from woodstock.gdl.keywords import players_of
from woodstock.gdl.reads import Reads
from woodstock.gdl.rules import Predicate, Rules
from woodstock.gdl.terms import Term
from woodstock.playouts import PlainTally, Tally

if TYPE_CHECKING:
    from woodstock.ground.numbering import Numbering

__all__ = ["Engine", "LiftedEngine", "Percepts", "Successor", "goal_value", "sort_terms"]

K = TypeVar("K")
V = TypeVar("V")

Percepts = tuple[tuple[Term, ...], ...]
"""What each role perceives, in role order."""

Successor: TypeAlias = tuple[tuple[Term, ...], Any, Percepts]
"""A joint move, the position it leads to, and what each role perceives of it."""


class Engine(ABC):
    """What a game needs from whoever evaluates its rules. Roles are given by number.

    Questions about one position are each engine's own affair. The services for many positions, at
    the end, are done here one position after the other; an engine that can do better does.
    """

    name: ClassVar[str]
    """``circuit``, ``ground`` or ``lifted``."""

    roles: tuple[str, ...]
    """In the order of the rulesheet."""

    numbering: Numbering | None = None
    """Where the rules are ground, what the numbers of the ground program stand for."""

    @property
    def players(self) -> tuple[str, ...]:
        """The roles but chance, in the same order."""
        return players_of(self.roles)

    @property
    @abstractmethod
    def greatest_goal(self) -> int:
        """The highest goal that the rules speak of, as far as this engine can tell."""

    @cached_property
    def goal_scale(self) -> int:
        """The goal that is worth 1: 100, or the highest where the rules know higher ones."""
        return max(100, self.greatest_goal)

    def utility(self, goal: int) -> float:
        """What a goal is worth, between 0 and 1: the one scale of searches, solvers and networks.

        >>> from woodstock import Game
        >>> rules = "(role x) (legal x wait) (next over) (<= terminal (true over))"
        >>> for goals in ("(goal x 50)", "(goal x 150) (goal x 50)"):
        ...     Game.from_text(f"{rules} {goals}").engine.utility(50)
        0.5
        0.3333333333333333
        """
        return min(goal / self.goal_scale, 1.0)

    @abstractmethod
    def initial(self) -> Any:
        """The position the game starts in."""

    @abstractmethod
    def possible_fluents(self) -> Sequence[Term] | None:
        """All fluents that may ever hold; None when this engine cannot tell."""

    @abstractmethod
    def position(self, fluents: Iterable[Term]) -> Any:
        """The position in which exactly these fluents hold; `StateError` if there is none."""

    @abstractmethod
    def fluents(self, position: Any) -> frozenset[Term]:
        """What holds in a position."""

    @abstractmethod
    def legal(self, position: Any, role: int) -> tuple[Term, ...]:
        """The moves open to a role, sorted by their text."""

    def is_legal(self, position: Any, role: int, move: Term) -> bool:
        """Whether a move is open to a role: the same as to look for it in `legal`, but quicker."""
        return move in self.legal(position, role)

    def some_legal(
        self, position: Any, role: int, count: int, rng: random.Random
    ) -> Sequence[Term]:
        """So many of the moves open to a role, or all of them, drawn in any way.

        That may be much quicker than all legal moves.
        """
        legal = self.legal(position, role)
        return rng.sample(legal, min(count, len(legal)))

    @abstractmethod
    def terminal(self, position: Any) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def goals(self, position: Any, role: int) -> tuple[int, ...]:
        """The values the rules give a role, sorted; well-formed rules give one at the end."""

    @abstractmethod
    def next(self, position: Any, moves: Sequence[Term]) -> tuple[Any, Percepts]:
        """The position after a joint move that is legal, and what each role perceives of it."""

    @abstractmethod
    def zobrist(self, position: Any) -> int:
        """A hash of 64 bits, the exclusive or of a fixed number for each fluent that holds."""

    def successors(self, position: Any) -> list[Successor]:
        """What follows on each joint move, moves in the order of their texts.

        Nothing follows where the game is over or a role has no legal move.
        """
        if self.terminal(position):
            return []
        legal = [self.legal(position, role) for role in range(len(self.roles))]
        return [(joint, *self.next(position, joint)) for joint in itertools.product(*legal)]

    def choices(self, positions: Sequence[Any]) -> list[list[int]]:
        """How many legal moves each role has in each position."""
        everybody = range(len(self.roles))
        return [[len(self.legal(position, role)) for role in everybody] for position in positions]

    def widths(self, positions: Sequence[Any]) -> list[int | None]:
        """How many joint moves each position has; None where the game is over."""
        return [
            None
            if self.terminal(position)
            else math.prod(len(self.legal(position, role)) for role in range(len(self.roles)))
            for position in positions
        ]

    def ends(self, positions: Sequence[Any]) -> list[bool]:
        """For each position whether the game is over."""
        return [self.terminal(position) for position in positions]

    def children(self, positions: Sequence[Any]) -> Iterator[list[Any]]:
        """For each position, where its joint moves lead, in any order; nowhere after the end."""
        for position in positions:
            yield [after for _, after, _ in self.successors(position)]

    def legal_weights(
        self, positions: Sequence[Any], weights: Sequence[float], role: int
    ) -> dict[Term, float]:
        """For each move of a role the weights of the positions in which it is legal, added up."""
        found: dict[Term, float] = {}
        for position, weight in zip(positions, weights, strict=True):
            for move in self.legal(position, role):
                found[move] = found.get(move, 0.0) + weight
        return found

    def playouts(
        self,
        positions: Sequence[Any],
        budgets: Sequence[int],
        *,
        seed: int,
        max_plies: int,
        threads: int,
        isa: str,
    ) -> list[Tally]:
        """Play `budgets[i]` random games from each position and tell what came of them.

        The result depends on the seed, never on `threads` or `isa`, which only the circuit heeds.
        """
        tallies: list[Tally] = []
        for place, (position, budget) in enumerate(zip(positions, budgets, strict=True)):
            rng = random.Random(f"playouts/{seed}/{place}")
            tally = PlainTally.of_roles(len(self.roles))
            for _ in range(budget):
                self._play_out(position, rng, max_plies, tally)
            tallies.append(tally)
        return tallies

    def _play_out(
        self, position: Any, rng: random.Random, max_plies: int, tally: PlainTally
    ) -> None:
        everybody = range(len(self.roles))
        length = 0
        while not self.terminal(position):
            legal = [self.legal(position, role) for role in everybody]
            if not all(legal):
                tally.stuck += 1
                break
            if length == max_plies:
                tally.cut += 1
                break
            position, _ = self.next(position, [rng.choice(moves) for moves in legal])
            length += 1
        tally.add(length, [self.goals(position, role) for role in everybody])


class LiftedEngine(Engine):
    """The reference interpreter as an engine. A position is the set of its fluents.

    It keeps what it worked out for the last few positions, and with `seconds` gives up on
    a question that takes more CPU time (`EvaluationError`). Positions that differ in nothing that
    matters for legal moves, or for the end, share the answer (`woodstock.gdl.reads`): most states
    that a role takes for possible differ in what others hold alone.
    """

    name = "lifted"

    def __init__(self, rules: Rules, keep: int = 16, seconds: float | None = None) -> None:
        self._interpreter = Interpreter(rules, seconds)
        self.roles = rules.roles
        self._goal_rules = rules.by_head.get(Predicate("goal", 2), ())
        self._views: OrderedDict[frozenset[Term], View] = OrderedDict()
        self._legal: OrderedDict[tuple[int, frozenset[Term]], tuple[Term, ...]] = OrderedDict()
        self._terminal: OrderedDict[frozenset[Term], bool] = OrderedDict()
        self._keep = keep

    @cached_property
    def _legal_reads(self) -> list[Reads]:
        return [self._interpreter.legal_reads(role) for role in self.roles]

    @cached_property
    def _terminal_reads(self) -> Reads:
        return self._interpreter.terminal_reads()

    @cached_property
    def greatest_goal(self) -> int:
        """Of those that stand in the heads of rules: what a variable can be takes grounding."""
        heads = (rule.arguments[1] for rule in self._goal_rules)
        return max((goal_value(value) or 0 for value in heads), default=0)

    def initial(self) -> frozenset[Term]:
        return self._interpreter.initial()

    def possible_fluents(self) -> Sequence[Term] | None:
        return None

    def position(self, fluents: Iterable[Term]) -> frozenset[Term]:
        return frozenset(fluents)

    def fluents(self, position: frozenset[Term]) -> frozenset[Term]:
        return position

    def legal(self, position: frozenset[Term], role: int) -> tuple[Term, ...]:
        key = role, self._legal_reads[role].of(position)
        found = self._legal.get(key)
        if found is None:
            found = sort_terms(self._view(position).legal(self.roles[role]))
            self._put(self._legal, key, found)
        return found

    def is_legal(self, position: frozenset[Term], role: int, move: Term) -> bool:
        return self._view(position).is_legal(self.roles[role], move)

    def some_legal(
        self, position: frozenset[Term], role: int, count: int, rng: random.Random
    ) -> Sequence[Term]:
        return self._view(position).some_legal(self.roles[role], count, rng)

    def terminal(self, position: frozenset[Term]) -> bool:
        key = self._terminal_reads.of(position)
        found = self._terminal.get(key)
        if found is None:
            found = self._view(position).terminal()
            self._put(self._terminal, key, found)
        return found

    def goals(self, position: frozenset[Term], role: int) -> tuple[int, ...]:
        terms = self._view(position).goals(self.roles[role])
        return tuple(sorted({v for v in map(goal_value, terms) if v is not None}))

    def next(
        self, position: frozenset[Term], moves: Sequence[Term]
    ) -> tuple[frozenset[Term], Percepts]:
        after, seen = self._view(position).after(moves)
        return after, tuple(sort_terms(p for r, p in seen if r == role) for role in self.roles)

    def zobrist(self, position: frozenset[Term]) -> int:
        found = 0
        for fluent in position:
            # Not Python's own hash: that one is different in every process.
            digest = hashlib.blake2b(str(fluent).encode(errors="surrogatepass"), digest_size=8)
            found ^= int.from_bytes(digest.digest(), "little")
        return found

    def _view(self, position: frozenset[Term]) -> View:
        # Callers ask several things about one position: keep the last few answers at hand.
        view = self._views.get(position)
        if view is None:
            view = self._interpreter.view(position)
            self._put(self._views, position, view)
        return view

    def _put(self, kept: OrderedDict[K, V], key: K, value: V) -> None:
        kept[key] = value
        if len(kept) > self._keep:
            kept.popitem(last=False)


def sort_terms(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Terms in the order of their text's bytes, each once.

    >>> sort_terms(["b", "a", "b"])
    ('a', 'b')
    """
    return tuple(sorted(set(terms), key=lambda term: str(term).encode()))


def goal_value(term: Term) -> int | None:
    """A goal's value as a number, None when it is none.

    >>> goal_value("100"), goal_value("many")
    (100, None)
    """
    if isinstance(term, str) and term.isdecimal() and len(term) < 10:
        return int(term)
    return None
