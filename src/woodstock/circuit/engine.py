"""The circuit engine: a ground program compiled to gates, one bit a game.

Positions are those of the ground engine. A question about one position costs about as much as the
same question about hundreds, so ask for many at once where that is possible:

>>> from woodstock import Game
>>> engine = CircuitEngine.from_rules(Game.from_library("tic-tac-toe", engine="lifted").rules)
>>> start = engine.initial()
>>> after = [position for _, position, _ in engine.successors(start)]
>>> len(after), engine.widths(after)
(9, [8, 8, 8, 8, 8, 8, 8, 8, 8])
>>> (tally,) = engine.playouts([start], [1000], seed=1, max_plies=9, threads=1, isa="auto")
>>> tally.playouts, sum(tally.goal_sums)
(1000, 100000)
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from woodstock import _core
from woodstock.errors import CircuitError
from woodstock.gdl.terms import Term
from woodstock.ground.engine import Numbers, PackedEngine
from woodstock.ground.grounder import Grounding
from woodstock.playouts import Tally

__all__ = ["CircuitEngine"]

_NAMES = {"bytes": "circuit_bytes", "depth": "gate_depth", "literals": "gate_inputs"}
"""What figures of a circuit are called beside those of the ground program."""


class CircuitEngine(PackedEngine):
    """Plays on a circuit. Threads may share it; calls with the same memory wait for each other.

    Raises `CircuitError` where the program cannot be compiled.
    """

    name = "circuit"

    def __init__(self, grounding: Grounding, roles: Sequence[str], keep: int = 64) -> None:
        super().__init__(grounding, roles, keep)
        begun = time.process_time()
        try:
            self.circuit = _core.Circuit(
                grounding.program,
                len(self.roles),
                self.numbering.movers,
                # A goal that is no number is worth nothing to anybody.
                [-1 if value is None else role for role, value in self.numbering.goals],
                [value or 0 for _, value in self.numbering.goals],
                [role for role, _ in self.numbering.percepts],
            )
            self._size = self.circuit.state_size
            self._simulators: dict[tuple[str, int], _core.Simulator] = {}
            self._one = self.simulator()
        except MemoryError:
            raise CircuitError("the circuit needs more memory than there is") from None
        except ValueError as problem:
            raise CircuitError(f"the ground rules cannot be compiled: {problem}") from None
        self._seconds = time.process_time() - begun

    @property
    def statistics(self) -> dict[str, int | float]:
        """Figures of the circuit and of its making, as one flat dictionary.

        Those that a ground program has as well go by names of their own: ``gate_depth``,
        ``gate_inputs``, ``circuit_bytes``.
        """
        native = self.circuit.statistics()
        names = [name for name in dir(native) if not name.startswith("_")]
        figures: dict[str, int | float] = {_NAMES.get(n, n): getattr(native, n) for n in names}
        figures["compile_seconds"] = round(self._seconds, 3)
        return figures

    def simulator(self, isa: str = "auto", threads: int = 1) -> _core.Simulator:
        """The simulator with these instructions and threads, made when it is first asked for.

        Raises `ValueError` for instructions that this machine does not have.
        """
        key = (isa, threads)
        found = self._simulators.get(key)
        if found is None:
            found = self._simulators[key] = self.new_simulator(isa, threads)
        return found

    def new_simulator(self, isa: str = "auto", threads: int = 1) -> _core.Simulator:
        """A simulator that nobody else uses; the same errors."""
        if threads < 1:
            raise ValueError(f"{threads} threads cannot play; one or more can")
        known = ("auto", *_core.instruction_sets())
        if isa not in known:
            raise ValueError(f"no instruction set {isa!r} here; there are {', '.join(known)}")
        return _core.Simulator(self.circuit, known[1] if isa == "auto" else isa, threads)

    def playouts(
        self,
        positions: Sequence[bytes],
        budgets: Sequence[int],
        *,
        seed: int,
        max_plies: int,
        threads: int,
        isa: str,
    ) -> list[Tally]:
        """All games together, in native code, on some threads."""
        simulator = self.simulator(isa, threads)
        return [*simulator.playouts(b"".join(positions), budgets, seed, max_plies)]

    def ends(self, positions: Sequence[bytes]) -> list[bool]:
        """All positions together, without their moves."""
        return self._one.visit(b"".join(positions)).terminal

    def legal_weights(
        self, positions: Sequence[bytes], weights: Sequence[float], role: int
    ) -> dict[Term, float]:
        """All positions together."""
        found = self._one.legal_weights(b"".join(positions), list(weights))
        return {
            move: weight
            for (mover, move), weight in zip(self.numbering.moves, found, strict=True)
            if mover == role and weight > 0
        }

    def _evaluate(self, positions: Sequence[bytes]) -> Sequence[Numbers]:
        return self._one.analyse(b"".join(positions))

    def _advance(
        self, positions: Sequence[bytes], moves: Sequence[Sequence[int]], percepts: bool
    ) -> tuple[Sequence[bytes], Sequence[Sequence[int]]]:
        flat = [move for joint in moves for move in joint]
        after, seen = self._one.next(b"".join(positions), flat, percepts)
        size = self._size
        return [after[i : i + size] for i in range(0, len(after), size)], seen
