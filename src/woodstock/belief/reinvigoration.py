"""States that agree with a whole match as one role saw it, found by constraint solving.

A particle filter may die out (particle deprivation): nothing that it has leads to the next
percepts. POMCP (Silver and Veness 2010) keeps its particles invigorated by local changes that
somebody has to write for each game. Here new ones are found by the rules alone: the way to where
the match may be is looked for from the beginning. What the role did and perceived
become unary constraints on a network of all turns, and MAC with random values finds joint moves
that satisfy it: a percept of today prunes the moves of long ago. Where that network is too large,
the turns are searched one by one, each by what follows on its state, and states that lead nowhere
are remembered.

>>> game = Game.from_library("monty-hall")
>>> observations = [
...     Observation(game.term("(choose 1)"), frozenset()),
...     Observation("noop", frozenset({game.term("(open 3)")})),
... ]
>>> found = Reinvigoration(game, "candidate").find(observations, count=9, seed=1, until=math.inf)
>>> found.complete, sorted(str(trajectory.moves[0][1]) for trajectory in found.trajectories)
(True, ['(hide 1)', '(hide 2)'])
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from woodstock.belief.evidence import Seeing
from woodstock.belief.memory import Memories
from woodstock.belief.observation import Observation
from woodstock.belief.stages import StageWalk
from woodstock.belief.walks import Leaves
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.tabling import Stopped, stopped_by
from woodstock.gdl.terms import Term

if TYPE_CHECKING:
    from woodstock.scsp.encode.chain import Chain
    from woodstock.scsp.encode.template import Template

__all__ = ["Reinvigorated", "Reinvigoration", "Trajectory", "Way", "reinvigorate"]

RULES, RULE_SECONDS = 20_000, 0.0002
"""Ground rules beyond which no network is made, and what one takes, roughly."""
ENTRIES, ENTRY_SECONDS = 10_000_000, 1e-7
"""The same for entries of the tables of all turns."""
CHOICES = 100_000
"""Choices that are tried at most on a network."""

Way: TypeAlias = Literal["network", "stages"]


class Trajectory(NamedTuple):
    """A match that may have been: its joint moves, where it led, and what the roles remember.

    `log_chance` is the logarithm of how likely these moves are if all roles move at random but for
    the moves that the role is known to have made.
    """

    moves: tuple[tuple[Term, ...], ...]
    position: Any
    memories: tuple[int, ...]
    log_chance: float


class Reinvigorated(NamedTuple):
    """Trajectories, all different; `complete`: it is known that there are no others."""

    trajectories: list[Trajectory]
    complete: bool

    @property
    def weights(self) -> list[float]:
        """How likely the trajectories are, the likeliest 1."""
        most = max((one.log_chance for one in self.trajectories), default=0.0)
        return [math.exp(one.log_chance - most) for one in self.trajectories]


def reinvigorate(
    game: Game,
    role: str,
    observations: Sequence[Observation],
    *,
    count: int,
    seed: int,
    until: float,
) -> list[tuple[Any, tuple[int, ...]]]:
    """Positions that agree with observations, each with what the roles remember.

    There are `count` of them at most, fewer where no others are found before `until`, a reading of
    `time.monotonic`. Who asks more than once is better off with a `Reinvigoration`.

    >>> game = Game.from_library("monty-hall")
    >>> observations = [Observation(game.term("(choose 1)"), frozenset())]
    >>> len(reinvigorate(game, "candidate", observations, count=2, seed=1, until=math.inf))
    2
    """
    found = Reinvigoration(game, role).find(observations, count=count, seed=seed, until=until)
    return [(one.position, one.memories) for one in found.trajectories]


class Reinvigoration:
    """Finds the matches that agree with what one role did and perceived.

    It keeps the network of a turn once that is made.
    """

    def __init__(self, game: Game, role: str) -> None:
        self._game = game
        self._role = role
        self._memories = Memories(game)
        self._seeing = Seeing(game.rules)
        self._template: Template | None = None
        self._hopeless = game.engine.name == "lifted"

    def find(
        self,
        observations: Sequence[Observation],
        *,
        count: int,
        seed: int,
        until: float,
        way: Way | None = None,
    ) -> Reinvigorated:
        """Trajectories that agree with observations, `count` of them at most, found before `until`.

        They are drawn without replacement, but not evenly. `way` is how to look for them: on the
        ``network`` of all turns, by ``stages``, or on the former where it is small enough.
        """
        if monotonic() >= until:
            return Reinvigorated([], False)
        if not observations:
            return Reinvigorated([self.replay(observations, ())], True)
        rng = random.Random(seed)
        chain = None if way == "stages" else self._chain(observations, until, sure=way == "network")
        if chain is not None:
            # Some of the time is left for the other way, in case this one comes to nothing.
            latest = until if way == "network" else (2 * until + monotonic()) / 3
            found = self._collect(_NetworkWalk(chain), rng, observations, count, latest)
            if found.trajectories or found.complete or way == "network":
                return found
        elif way == "network":
            return Reinvigorated([], False)
        walk = StageWalk(self._game, self._role, observations, self._seeing, rng, until)
        found = self._collect(walk, rng, observations, count, until)
        return Reinvigorated(found.trajectories, found.complete and walk.thorough)

    def _collect(
        self,
        walk: _NetworkWalk | StageWalk,
        rng: random.Random,
        observations: Sequence[Observation],
        count: int,
        until: float,
    ) -> Reinvigorated:
        found: list[Trajectory] = []
        leaves = Leaves[Any](walk, rng, lambda: monotonic() < until and not walk.exhausted)
        # On rules that are not ground one question may take longer than all the time there is.
        with suppress(Stopped), stopped_by(lambda: monotonic() > until):
            for _ in leaves:
                found.append(self.replay(observations, walk.moves()))
                if len(found) >= count:
                    break
        return Reinvigorated(found, leaves.complete)

    def replay(
        self, observations: Sequence[Observation], moves: Sequence[tuple[Term, ...]]
    ) -> Trajectory:
        """The trajectory of these joint moves."""
        engine, roles = self._game.engine, self._game.roles
        position = engine.initial()
        memories = (0,) * len(roles)
        log_chance = 0.0
        for observation, joint in zip(observations, moves, strict=True):
            for role, choices in zip(roles, engine.choices([position])[0]):
                if role != self._role or observation.move is None:
                    log_chance -= math.log(choices)
            position, seen = engine.next(position, joint)
            memories = tuple(map(self._memories.after, roles, memories, joint, seen))
        return Trajectory(tuple(moves), position, memories, log_chance)

    def _chain(
        self, observations: Sequence[Observation], until: float, *, sure: bool
    ) -> Chain | None:
        """The network of all turns with what is known of them; None where it is too large."""
        # The native core is only loaded when it is wanted.
        from woodstock.ground.engine import PackedEngine
        from woodstock.scsp.encode.chain import Chain
        from woodstock.scsp.encode.template import template

        engine = self._game.engine
        if self._hopeless or not isinstance(engine, PackedEngine):
            return None
        left = math.inf if sure else (until - monotonic()) / 3
        if self._template is None:
            rules = engine.grounding.program.rule_count
            if not sure and (rules > RULES or rules * RULE_SECONDS > left):
                return None
            try:
                self._template = template(self._game, percepts=self._role)
            except (WoodstockError, MemoryError):
                self._hopeless = True
                return None
        tables = self._template.turn.builder.tables
        entries = len(observations) * sum(len(table.rows) * len(table.scope) for table in tables)
        if not sure and (entries > ENTRIES or entries * ENTRY_SECONDS > left):
            return None
        chain = Chain(self._template, len(observations), self._game.initial_state())
        for stage, (move, percepts) in enumerate(observations, 1):
            if move is not None:
                chain.move(stage, self._role, move)
            if percepts is not None:
                chain.perceive(stage, percepts)
        return chain


class _NetworkWalk:
    """Through the actions of all turns: the one with the fewest moves left is decided next."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._actions = [action for stage in chain.actions for action in stage]
        self._consistent = chain.possible and chain.solver.propagate()
        self._choices = 0

    @property
    def exhausted(self) -> bool:
        """Whether enough was tried."""
        return self._choices >= CHOICES

    def options(self) -> Sequence[tuple[int, int]] | None:
        if not self._consistent:
            return ()
        domain = self._chain.solver.domain
        open_ = [(len(left), a, left) for a in self._actions if len(left := domain(a)) > 1]
        if not open_:
            return None
        _, action, values = min(open_)
        return [(action, value) for value in values]

    def enter(self, choice: tuple[int, int]) -> bool:
        self._choices += 1
        solver = self._chain.solver
        solver.push()
        if solver.assign([choice[0]], [choice[1]]) and solver.propagate():
            return True
        solver.pop()
        return False

    def leave(self, barren: bool) -> None:
        self._chain.solver.pop()

    def moves(self) -> list[tuple[Term, ...]]:
        """The joint moves, at a leaf."""
        return [self._chain.joint_move(stage) for stage in range(1, len(self._chain.actions) + 1)]
