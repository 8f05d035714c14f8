"""`Batch`: states side by side, advanced together in native code, read as NumPy arrays."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from woodstock import _core
from woodstock.batch.spaces import Spaces
from woodstock.errors import WoodstockError
from woodstock.files import write_whole
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM

__all__ = ["Batch", "BatchError"]

DRAWN = -1
"""In a column of actions: the role makes a random legal move."""
VERSION = 1

Flags = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]


class BatchError(WoodstockError, ValueError):
    """Actions, states or a file that do not fit a batch."""


class Batch:
    """`count` states of a game, all the first one to begin with.

    Roles are those of the game in order, chance (``random``) among them; columns of actions,
    fluents and percepts are those of `spaces`. A game is over where the rules say so, and where a
    role has no legal move (`stuck`). With `auto_reset`, a game that is over begins anew at the next
    step, in which nobody moves there, as in Gymnasium's mode of next steps.

    The same seed, calls and `count` give the same states for any number of threads and any
    instruction set. One thread may use a batch at a time.

    >>> batch = Batch(Game.load("nim"), 4, seed=1)
    >>> while not batch.over.all():
    ...     batch.step()
    >>> batch.final_goals().sum(axis=1).tolist()
    [100, 100, 100, 100]
    """

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        seed: int = 0,
        threads: int = 1,
        isa: str = "auto",
        auto_reset: bool = False,
    ) -> None:
        if count < 0:
            raise BatchError(f"{count} states cannot be; 0 or more can")
        if threads < 1:
            raise BatchError(f"{threads} threads cannot play; one or more can")
        self.game = game
        self.auto_reset = auto_reset
        self._options: dict[str, Any] = {"threads": threads, "isa": isa}
        self.spaces: Spaces = game.memo.setdefault("batch.spaces", None) or Spaces(game)
        game.memo["batch.spaces"] = self.spaces
        self._engine = game.circuit()
        try:
            fluents, actions, percepts = self.spaces.columns()
            self._native = _core.StateBatch(
                self._engine.circuit, fluents, actions, percepts, isa, threads, count, seed
            )
        except ValueError as problem:
            raise BatchError(str(problem)) from None

    def __len__(self) -> int:
        return self._native.count

    @property
    def roles(self) -> tuple[str, ...]:
        """All who move, in the order of the arrays' columns."""
        return self.game.roles

    # Going on -----------------------------------------------------------------------------------

    def step(self, actions: npt.ArrayLike | None = None, *, percepts: bool = False) -> None:
        """Everybody moves; games that are over stay as they are, or begin anew (`auto_reset`).

        `actions` has a row for each state and a column for each role, or for each player alone:
        chance then draws. A column of -1 draws too; without actions, everybody does. What is not
        legal raises `BatchError` before anything has changed. With `percepts`, those of this step
        are kept for `percepts`.

        >>> batch = Batch(Game.load("tic-tac-toe"), 2)
        >>> first = batch.spaces.action("(mark 2 2)")
        >>> noop = batch.spaces.action("noop")
        >>> batch.step([[first, noop], [first, noop]])
        >>> batch.legal_mask()[:, 1].sum(axis=1).tolist()
        [8, 8]
        >>> batch.step([[first, noop], [first, noop]])
        Traceback (most recent call last):
        ...
        woodstock.batch.batch.BatchError: state 0: action 4 is not legal for role 0
        """
        count, roles = len(self), len(self.roles)
        if actions is None:
            rows = np.empty((0, roles), np.int32)
            drawn = (1 << roles) - 1
        else:
            rows, drawn = self._rows(actions, count, roles)
        try:
            self._native.step(rows, drawn, self.auto_reset, percepts)
        except ValueError as problem:
            raise BatchError(str(problem)) from None

    def _rows(self, actions: npt.ArrayLike, count: int, roles: int) -> tuple[Numbers, int]:
        given = np.asarray(actions)
        if not np.issubdtype(given.dtype, np.integer):
            raise BatchError("actions are whole numbers, see spaces.actions")
        players = [place for place, role in enumerate(self.roles) if role != RANDOM]
        if given.shape == (count, len(players)) and len(players) < roles:
            rows = np.full((count, roles), DRAWN, np.int32)
            rows[:, players] = given
        elif given.shape == (count, roles):
            rows = np.ascontiguousarray(given, np.int32)
        else:
            raise BatchError(
                f"actions have the shape ({count}, {roles}), a column for each role, not "
                f"{given.shape}"
            )
        drawn = 0
        for place in range(roles):
            if count and (rows[:, place] == DRAWN).all():
                drawn |= 1 << place
        return rows, drawn

    def reset(self, where: npt.ArrayLike | None = None) -> None:
        """First states, where `where` says so, or everywhere.

        >>> batch = Batch(Game.load("nim"), 3)
        >>> batch.step()
        >>> batch.reset([True, False, False])
        >>> [state == batch.game.initial_state() for state in batch.states()]
        [True, False, False]
        """
        if where is None:
            self._native.reset()
            return
        flags = np.ascontiguousarray(where, np.uint8)
        if flags.shape != (len(self),):
            raise BatchError(f"reset wants {len(self)} flags, not the shape {flags.shape}")
        self._native.reset(flags.tobytes())

    def seed(self, seed: int) -> None:
        """Start the random numbers anew."""
        self._native.seed(seed)

    def playout(self, each: int = 1, *, seed: int = 0) -> npt.NDArray[np.float64]:
        """Mean goals of `each` random games (1, 2, 4 ... 64) from every state; nothing changes.

        >>> Batch(Game.load("tic-tac-toe"), 2).playout(64, seed=1).shape
        (2, 2)
        """
        simulator = self._engine.simulator(self._options["isa"], self._options["threads"])
        found = simulator.rollouts(self._native.get(), each, seed)
        goals = np.asarray(found.goals, np.float64).reshape(len(self), len(self.roles))
        return goals / each

    # Reading ------------------------------------------------------------------------------------

    def legal_mask(self, *, packed: bool = False) -> Flags | Bits:
        """Which actions are legal: (states, roles, actions); none where the game is over.

        `packed` has eight to a byte, the first lowest, as ``numpy.unpackbits(bitorder="little")``
        takes them.
        """
        shape = (len(self), len(self.roles), len(self.spaces.actions))
        return self._bits(self._native.read_legal, shape, packed)

    def fluents(self, *, packed: bool = False) -> Flags | Bits:
        """What holds: (states, fluents). Not for players of games with hidden information."""
        return self._bits(self._native.read_fluents, (len(self), len(self.spaces.fluents)), packed)

    def percepts(self, *, packed: bool = False) -> Flags | Bits:
        """What each role perceived of the last step that kept it: (states, roles, percepts)."""
        shape = (len(self), len(self.roles), len(self.spaces.percepts))
        return self._bits(self._native.read_percepts, shape, packed)

    @property
    def over(self) -> Flags:
        """Which games are over."""
        return self._flags(self._native.read_over)

    @property
    def ended(self) -> Flags:
        """Which games have ended in the last step."""
        return self._flags(self._native.read_ended)

    @property
    def stuck(self) -> Flags:
        """Which games are over because a role had no legal move."""
        return self._flags(self._native.read_stuck)

    def goals(self) -> Numbers:
        """The highest goal of each role that holds now, 0 where none does: (states, roles)."""
        found = np.empty((len(self), len(self.roles)), np.int32)
        self._native.read_goals(found)
        return found

    def final_goals(self) -> Numbers:
        """The goals with which the game of each state has ended last; 0 before the first end."""
        found = np.empty((len(self), len(self.roles)), np.int32)
        self._native.read_final_goals(found)
        return found

    def states(self) -> list[State]:
        """The states as objects."""
        data, size = self._native.get(), self._engine.circuit.state_size
        return [
            State(self.game, data[place : place + size])
            for place in range(0, len(self) * size, size)
        ]

    def put(self, states: Sequence[State]) -> None:
        """Go on from other states, as many as there are here."""
        if any(state.game is not self.game for state in states):
            raise BatchError("a state is of another game")
        self._put(b"".join(state.position for state in states))

    # Copies and files -----------------------------------------------------------------------------

    def copy(self) -> Batch:
        """The same states in a batch of its own, whose random numbers begin anew."""
        return self._with(len(self), self._native.get())

    @classmethod
    def concatenate(cls, batches: Sequence[Batch]) -> Batch:
        """The states of several batches of one game, with the options of the first.

        >>> one = Batch(Game.load("nim"), 2)
        >>> len(Batch.concatenate([one, one.copy()]))
        4
        """
        if not batches:
            raise BatchError("nothing cannot be concatenated")
        if any(batch.game is not batches[0].game for batch in batches):
            raise BatchError("batches of different games cannot be concatenated")
        data = b"".join(batch._native.get() for batch in batches)
        return batches[0]._with(sum(map(len, batches)), data)

    def save(self, path: str | Path) -> None:
        """Write the states to a file of NumPy's (``.npz``)."""
        content = io.BytesIO()
        np.savez_compressed(
            content,
            version=np.int64(VERSION),
            fluents=np.array([str(fluent) for fluent in self.spaces.fluents]),
            states=self.fluents(packed=True),
        )
        write_whole(path, content.getvalue())

    @classmethod
    def load(cls, game: Game, path: str | Path, **options: Any) -> Batch:
        """Read states back; `options` are those of a new batch.

        `BatchError` for a file that is none, or is of another game.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                version, names, bits = int(file["version"]), file["fluents"], file["states"]
        except OSError:
            raise
        except Exception as problem:  # NumPy raises many kinds for spoiled files
            raise BatchError(f"{path} is no file of states: {problem}") from None
        batch = cls(game, int(bits.shape[0]) if bits.ndim == 2 else 0, **options)
        if version != VERSION:
            raise BatchError(f"{path} is of version {version}; this reads version {VERSION}")
        if [*names] != [str(fluent) for fluent in batch.spaces.fluents]:
            raise BatchError(f"{path} has states of another game")
        if bits.dtype != np.uint8 or bits.shape[1] != (len(names) + 7) // 8:
            raise BatchError(f"{path} is spoiled: its states have not as many fluents as it says")
        columns = np.unpackbits(bits, axis=1, count=len(names), bitorder="little")
        numbers = batch.spaces.columns()[0]
        ground = np.zeros((len(batch), 8 * batch._engine.circuit.state_size), np.uint8)
        ground[:, numbers] = columns
        batch._put(np.packbits(ground, axis=1, bitorder="little").tobytes())
        return batch

    def _with(self, count: int, states: bytes) -> Batch:
        made = Batch(self.game, count, auto_reset=self.auto_reset, **self._options)
        made._put(states)
        return made

    def _put(self, states: bytes) -> None:
        try:
            self._native.put(states)
        except ValueError as problem:
            raise BatchError(str(problem)) from None

    def _bits(self, read: Any, shape: tuple[int, ...], packed: bool) -> Flags | Bits:
        if packed:
            found = np.zeros((*shape[:-1], (shape[-1] + 7) // 8), np.uint8)
            read(found, True)
            return found
        flags = np.zeros(shape, np.bool_)
        read(flags.view(np.uint8), False)
        return flags

    def _flags(self, read: Any) -> Flags:
        found = np.empty(len(self), np.bool_)
        read(found.view(np.uint8))
        return found
