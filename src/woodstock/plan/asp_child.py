"""The planning child process: a ground program in, plans and bounds out.

Run as ``python -m woodstock.plan.asp_child``; `woodstock.plan.asp` starts it. The solver may need
any amount of time and memory, so both are limited here, where nothing is lost when the limit
strikes.

Standard input: one JSON line with the request, the bytes of the ground program, then a JSON line
``{"best": goal}`` whenever somebody else has found a better plan. Standard output, in JSON lines:
``{"turns": t}`` when games up to t turns come under work, ``{"plan": moves}``, ``{"bound": goal}``
for a proof that no plan reaches more, ``{"error": text}``.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from woodstock import _core
from woodstock.ground.child import limit_resources
from woodstock.lifeline import hold_line
from woodstock.plan.asp_parallel import ParallelStages
from woodstock.plan.asp_stages import Stages
from woodstock.plan.expressions import NotKnown

__all__ = ["main"]

OPTIONS = ("--warn=none", "--configuration=jumpy")
PARALLEL_OPTIONS = ("--warn=none", "--configuration=crafty")
"""Sets of moves are more like the problems that this was made for: 16 queens take 4 s, not 30."""

WINDOW = 6
"""So many lengths of a plan are under work at a time."""

STRIDE = 1.3
"""How much longer a plan may be than the next shorter length, but for rounding up."""

SHARE = 0.7
"""What a length gets of the time of the next shorter one."""

FIRST_SLICE = 0.1
"""Seconds for the shortest length in the first round; later rounds take longer."""

GROWTH = 1.5

FULL = 0.75
"""The share of memory from which on no stage is added."""


class Search:
    """The search for plans up to some lengths, side by side.

    Rounds go over a window of lengths: those up to which some goal above the best may be reached,
    each a little longer than the one before, from the shortest for which that is not refuted. A
    shorter length gets more time than a longer one, as in Rintanen's algorithms B and C, and each
    round more than the one before. Every time a length is asked for its highest goal first, then
    for anything better than the best.
    """

    def __init__(self, request: dict[str, Any], program: _core.GroundProgram) -> None:
        import clingo

        self.best: int = request["best"]
        self.wanted: int = request["wanted"]
        self._limit: int | None = request["turns"]
        self._memory_kb = request["memory_mb"] << 10
        options = PARALLEL_OPTIONS if request["parallel"] else OPTIONS
        self._control = clingo.Control([*request.get("options", options)])
        self._control.enable_cleanup = False
        values = [(number, value) for number, value in request["goals"]]
        self._stages: Stages | ParallelStages
        if request["parallel"]:
            self._stages = ParallelStages(
                self._control,
                program,
                fluents=request["fluents"],
                values=values,
                turns=request["turns"],
            )
        else:
            self._stages = Stages(
                self._control,
                program,
                fluents=request["fluents"],
                values=values,
                movers=request["movers"],
                roles=request["roles"],
                ordered=request.get("ordered", True),
            )
        goals = {0, *(value for _, value in values if value > 0)}
        self._refuted = dict.fromkeys(sorted(goals), -1)
        """By goal: no plan up to so many turns reaches as much."""
        self._missed: dict[int, set[int]] = {goal: set() for goal in self._refuted}
        """By goal: no plan of exactly so many turns reaches as much."""
        self._full = False
        self._note_stage()

    def run(self) -> None:
        """Search until all is known. Whoever started the process ends it."""
        seconds = FIRST_SLICE
        while not self._finished():
            share = seconds
            for length in self._window():
                self._try(length, share)
                share *= SHARE
            seconds *= GROWTH

    @property
    def _can_grow(self) -> bool:
        if self._limit is not None and self._stages.last >= self._limit:
            return False
        return not self._full and not self._stages.ended

    def _open_goals(self, length: int) -> list[int]:
        """Goals above the best that a plan up to a length may reach."""
        return [g for g, up_to in self._refuted.items() if g > self.best and up_to < length]

    def _window(self) -> Iterator[int]:
        """Lengths to work on. Stages are added as they are needed."""
        length, left = -1, WINDOW
        while left:
            length = self._next_open(max(length + 1, int(length * STRIDE) if left < WINDOW else 0))
            if not self._open_goals(length):
                return
            yield length
            if self._open_goals(length):
                left -= 1  # one that is done with takes up no room
            if length == self._stages.last and not self._can_grow:
                return

    def _next_open(self, length: int) -> int:
        """The first length from this one on that may reach more than the best; or the last."""
        while True:
            if length > self._stages.last:
                if not self._can_grow:
                    return self._stages.last
                self._grow()
            elif self._open_goals(length):
                return length
            else:
                length += 1

    def _grow(self) -> None:
        self._stages.grow()
        self._note_stage()
        self._full = memory_kb() > FULL * self._memory_kb

    def _note_stage(self) -> None:
        """Goals that not even a relaxation reaches at the last stage need no solver."""
        last = self._stages.last
        greatest = self._stages.greatest(last)
        for goal, up_to in self._refuted.items():
            if goal > greatest and up_to == last - 1:
                self._refuted[goal] = last

    def _finished(self) -> bool:
        """Whether there is nothing left to look for; bounds that are proved are told."""
        if self.best >= self.wanted:
            return True
        last = self._stages.last
        bound = max((g for g, up_to in self._refuted.items() if up_to < last), default=-1)
        bound = max(bound, self.best)
        ends = self._stages.ended or last == self._limit
        stages = self._stages
        if bound < max(self._refuted) and isinstance(stages, Stages):
            ends = ends or self._solve(stages.going_on(), 1.0) is False
            if ends:
                say(bound=bound)
        return (self._full or ends) and bound <= self.best

    def _try(self, length: int, seconds: float) -> None:
        """Look for plans up to a length."""
        say(turns=length)
        begun = time.monotonic()
        while (goals := self._open_goals(length)) and self.best < self.wanted:
            for exact in self._stages.ways:
                answer = self._ask(length, goals[-1], seconds / 2, exact)
                if answer is True or self._refuted[goals[-1]] >= length:
                    break
            else:
                if answer is None and len(goals) > 1:
                    self._ask(length, goals[0], seconds / 2)
            if time.monotonic() - begun > seconds:
                return

    def _ask(self, length: int, goal: int, seconds: float, exact: bool = False) -> bool | None:
        """Whether some plan up to a length reaches a goal; None: it takes longer to tell."""
        stages = self._stages
        if exact and length in self._missed[goal]:
            return False
        found: list[tuple[int, list[list[int]]]] = []

        def take(model: Any) -> bool:
            plan = stages.answer(model.is_true)
            if plan is not None and (plan[0] >= goal or isinstance(stages, Stages)):
                found.append(plan)
            elif isinstance(stages, ParallelStages):
                stages.reject(model.is_true)
            return False

        answer = self._solve(stages.ending(length, goal, exact), seconds, take)
        if answer is False:
            for other, up_to in self._refuted.items():
                if other >= goal:
                    self._missed[other].add(length)
                    if not exact or up_to == length - 1:
                        self._refuted[other] = max(up_to, length)
        for value, moves in found:
            if value > self.best:
                self.best = value
                say(plan=moves)
        return answer

    def _solve(
        self, literals: list[int], seconds: float, take: Callable[[Any], bool] | None = None
    ) -> bool | None:
        with self._control.solve(literals, on_model=take, async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
            result = handle.get()
        if result.satisfiable:
            return True
        return False if result.unsatisfiable else None


def say(**news: Any) -> None:
    """Write one line for the parent."""
    sys.stdout.write(json.dumps(news) + "\n")
    sys.stdout.flush()


def memory_kb() -> int:
    """The address space that this process has taken, where the system tells; else 0."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:  # pragma: no cover - no Linux
        return 0
    return next((int(x.split()[1]) for x in status.splitlines() if x.startswith("VmSize:")), 0)


def main() -> None:
    """Serve one request from standard input."""
    hold_line()
    source = sys.stdin.buffer
    request = json.loads(source.readline())
    data = source.read(request["bytes"])
    limit_resources(request["seconds"], request["memory_mb"])

    try:
        search = Search(request, _core.GroundProgram.from_bytes(data))

        def listen() -> None:
            for line in source:
                search.best = max(search.best, json.loads(line)["best"])

        threading.Thread(target=listen, daemon=True).start()
        search.run()
    except ImportError as problem:
        say(error=f"no solver: {problem}")
    except NotKnown:
        say(error="no two moves are known to be independent")
    except MemoryError:
        say(error="not enough memory")
    except RuntimeError as problem:
        say(error="not enough memory" if "alloc" in str(problem) else str(problem))


if __name__ == "__main__":
    main()
