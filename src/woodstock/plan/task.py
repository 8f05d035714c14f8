"""The task of a portfolio: what is asked, and the best that anybody has found so far.

Members run side by side. Each is told what the others have found, since only more than that is of
any use, and each plan is played through before it counts, so that no member can be wrong.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.plan.contract import Plan
from woodstock.plan.expressions import bits

__all__ = ["Joint", "Task"]

ANY_HORIZON = 1_000_000
REPORT_SECONDS = 0.5

Joint = tuple[int, ...]
"""A move of every role, by number."""


class Task:
    """A state to plan from, until a deadline. Members call it from any thread."""

    def __init__(
        self,
        game: Game,
        state: State,
        *,
        until: float,
        goal: int | None = None,
        horizon: int | None = None,
        threads: int = 1,
        memory_mb: int = 256,
        seed: int = 0,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.game = game
        self.circuit: CircuitEngine = game.circuit()
        self.start: bytes = state.position
        self.fluents = bits(int.from_bytes(self.start, "little"))
        """The fluents that hold there, by number."""
        self.until = until
        self.horizon = horizon
        """Turns that a plan may take; None: any number."""
        self.memory_mb = memory_mb
        """For all members together; who needs much takes a part of it."""
        self.seed = seed
        self.role = game.roles.index(game.players[0])
        """Whose goal counts: where there are several players, theirs are the same."""
        numbering = self.circuit.numbering
        atoms = self.circuit.grounding.program.goal_atoms()
        self._goal_atoms: dict[int, list[int]] = {}
        for atom, (role, value) in zip(atoms, numbering.goals):
            if role == self.role and value is not None:
                self._goal_atoms.setdefault(value, []).append(atom)
        self.goals = sorted(self._goal_atoms)
        """All goals that the rules speak of."""
        self.ceiling = self.goals[-1] if self.goals else 0
        self.wanted = self.ceiling if goal is None else min(goal, self.ceiling)
        """Who reaches as much as this is done."""
        self._threads = _Turns(max(1, threads))
        self._reported = 0.0
        self._lock = threading.Lock()
        self._stop = False
        self._tell = tell
        self._moves: tuple[Joint, ...] | None = None
        self._goal = -1
        self._bound = self.ceiling
        self._by = ""

    @property
    def best(self) -> int:
        """The goal of the best plan so far; -1: there is none."""
        return self._goal

    @property
    def bound(self) -> int:
        """No plan reaches more than this."""
        return self._bound

    @property
    def next_goal(self) -> int:
        """The lowest goal above the best so far, or the ceiling."""
        return next((goal for goal in self.goals if goal > self._goal), self.ceiling)

    def goal_atoms(self, least: int) -> list[int]:
        """The atoms of all goals of so much or more, in the ground program."""
        return [atom for goal in self.goals if goal >= least for atom in self._goal_atoms[goal]]

    @property
    def most_turns(self) -> int:
        """The horizon as a number."""
        return ANY_HORIZON if self.horizon is None else self.horizon

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A slice of work: no more members work at a time than there are threads.

        Who has worked least comes first, since slices of some are longer than they mean to be.
        """
        self._threads.begin()
        try:
            yield
        finally:
            self._threads.end()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to look for, or no time for it."""
        done = self._goal >= min(self.wanted, self._bound)
        return self._stop or done or time.monotonic() >= self.until

    def stop(self) -> None:
        """Let all members return soon; what they tell after that nobody hears."""
        self._stop = True

    def tell(self, text: str) -> None:
        """Say how it goes, as long as somebody wants to know."""
        if self._tell is not None and not self._stop:
            self._tell(text)

    def report(self, text: str) -> None:
        """Say how it goes, no more often than people can read."""
        now = time.monotonic()
        if now - self._reported >= REPORT_SECONDS:
            self._reported = now
            self.tell(text)

    def offer(self, moves: Sequence[Joint], by: str) -> bool:
        """Hand in a plan; whether it is the best so far. It is played through first."""
        goal = self._value_of(moves)
        if goal is None:
            return False
        with self._lock:
            better = goal > self._goal or (
                goal == self._goal and self._moves is not None and len(moves) < len(self._moves)
            )
            if better:
                self._moves, self._goal, self._by = tuple(map(tuple, moves)), goal, by
        if better:
            self.tell(f"{by}: goal {goal} in {len(moves)} turns")
        return better

    def offer_terms(self, moves: Sequence[Sequence[Term]], by: str) -> bool:
        """The same for moves in words."""
        number = self.circuit.numbering.move_number
        return self.offer(
            [tuple(number(role, move) for role, move in enumerate(joint)) for joint in moves], by
        )

    def lower_bound_to(self, bound: int, by: str) -> None:
        """Hand in that no plan reaches more than this."""
        with self._lock:
            news = bound < self._bound
            self._bound = min(self._bound, max(bound, self._goal))
        if news:
            self.tell(f"{by}: no plan reaches more than {self._bound}")

    def plan(self) -> Plan | None:
        """The best plan so far."""
        with self._lock:
            if self._moves is None:
                return None
            move = self.circuit.numbering.move
            moves = tuple(tuple(map(move, joint)) for joint in self._moves)
            return Plan(moves, self._goal, self._bound, self.ceiling, self._by)

    def _value_of(self, moves: Sequence[Joint]) -> int | None:
        if self.horizon is not None and len(moves) > self.horizon:
            return None
        numbering = self.circuit.numbering
        state = State(self.game, self.start)
        for joint in moves:
            terms = [numbering.move(number) for number in joint]
            if state.is_terminal or not all(map(state.is_legal, self.game.roles, terms)):
                return None
            state = state.apply_unchecked(terms)
        return (state.goal(self.game.roles[self.role]) or 0) if state.is_terminal else None


class _Turns:
    """Who works next, of threads that take turns: whoever has used the least CPU time so far."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._changed = threading.Condition()
        self._used: dict[int, float] = {}
        self._waiting: set[int] = set()
        self._begun: dict[int, float] = {}

    def begin(self) -> None:
        me = threading.get_ident()
        with self._changed:
            self._used.setdefault(me, 0.0)
            self._waiting.add(me)
            self._changed.wait_for(
                lambda: self._free > 0 and me == min(self._waiting, key=self._used.__getitem__)
            )
            self._waiting.remove(me)
            self._free -= 1
            if self._free:
                self._changed.notify_all()
        self._begun[me] = time.thread_time()

    def end(self) -> None:
        me = threading.get_ident()
        with self._changed:
            self._used[me] += time.thread_time() - self._begun[me]
            self._free += 1
            self._changed.notify_all()
