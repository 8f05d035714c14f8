"""The planning child process: a ground program in, plans and bounds out.

Run as ``python -m woodstock.plan.asp_child``; `woodstock.plan.asp` starts it. The solver may need
any amount of time and memory, so both are limited here, where nothing is lost when the limit
strikes.

Standard input: one JSON line with the request, the bytes of the ground program, then a JSON line
``{"best": goal}`` whenever somebody else has found a better plan. Standard output, in JSON lines:
``{"turns": t}`` when games of t turns come under work, ``{"plan": moves}``, ``{"bound": goal}`` for
a proof that no plan reaches more, ``{"error": text}``.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from woodstock import _core
from woodstock.ground.child import limit_resources
from woodstock.plan.asp_stages import Stages

__all__ = ["main"]

OPTIONS = ("--warn=none", "--configuration=jumpy")

WINDOW = 8
"""So many lengths of a plan are under work at a time."""

SHARE = 0.7
"""What a length gets of the time of the next shorter one."""

FIRST_SLICE = 0.1
"""Seconds for the shortest length in the first round; later rounds take longer."""

GROWTH = 1.5

FULL = 0.75
"""The share of memory from which on no stage is added."""


class Search:
    """The search for plans of all lengths side by side.

    Rounds go over the lengths that are open: that is, some goal above the best may still be reached
    in so many turns. A shorter length gets more time than a longer one, as in Rintanen's algorithm
    B, and each round more than the one before. Every time a length is asked for its highest open
    goal first, then for anything better than the best.
    """

    def __init__(self, request: dict[str, Any], program: _core.GroundProgram) -> None:
        import clingo

        self.best: int = request["best"]
        self.wanted: int = request["wanted"]
        self._limit: int | None = request["turns"]
        self._memory_kb = request["memory_mb"] << 10
        self._control = clingo.Control([*request.get("options", OPTIONS)])
        self._control.enable_cleanup = False
        values = [(number, value) for number, value in request["goals"]]
        self._levels = sorted({0, *(value for _, value in values if value > 0)})
        self._stages = Stages(
            self._control,
            program,
            fluents=request["fluents"],
            values=values,
            movers=request["movers"],
            roles=request["roles"],
            ordered=request.get("ordered", True),
        )
        self._highest: list[int] = []
        """By length: no plan so long reaches more."""
        self._full = False
        self._endless = False
        """Whether the games that are not over at the last stage were asked for in vain."""
        self._note_stage()

    def run(self) -> None:
        """Search until all is known. Whoever started the process ends it."""
        seconds = FIRST_SLICE
        while not self._finished():
            self._grow_to_window()
            share = seconds
            for length in self._open()[:WINDOW]:
                self._try(length, share)
                share *= SHARE
            if not self._can_grow and not self._open():
                break
            seconds *= GROWTH

    @property
    def _can_grow(self) -> bool:
        if self._limit is not None and self._stages.last >= self._limit:
            return False
        return not self._full and not self._stages.ended

    def _open(self) -> list[int]:
        return [turns for turns, goal in enumerate(self._highest) if goal > self.best]

    def _finished(self) -> bool:
        if self.best >= self.wanted:
            return True
        bound = max(self.best, *self._highest)
        if bound >= self._levels[-1]:
            return False
        if self._stages.ended or self._stages.last == self._limit or self._is_last(bound):
            say(bound=bound)
            return bound <= self.best
        return False

    def _is_last(self, bound: int) -> bool:
        """Whether no game goes on after the last stage."""
        return self._solve(self._stages.going_on(), 1.0) is False

    def _grow_to_window(self) -> None:
        """Add stages until there are enough lengths to work on."""
        begun = time.monotonic()
        while self._can_grow and len(self._open()) < WINDOW:
            # The first stage of use is needed; for more of them there may be other uses of time.
            if self._open() and time.monotonic() - begun > 0.5:
                break
            self._stages.grow()
            self._note_stage()
            self._full = memory_kb() > FULL * self._memory_kb

    def _note_stage(self) -> None:
        self._highest.append(self._stages.greatest(self._stages.last))

    def _try(self, length: int, seconds: float) -> None:
        """Look for plans of a length."""
        say(turns=length)
        begun = time.monotonic()
        while self._highest[length] > self.best and self.best < self.wanted:
            goal = self._highest[length]
            found = self._ask(length, goal, seconds)
            if found is False:
                self._highest[length] = max((g for g in self._levels if g < goal), default=-1)
                continue
            if found is None:
                better = min(g for g in self._levels if g > self.best)
                if better < goal and self._ask(length, better, seconds / 2) is False:
                    self._highest[length] = self.best
            if time.monotonic() - begun > seconds:
                return

    def _ask(self, length: int, goal: int, seconds: float) -> bool | None:
        """Whether some plan of a length reaches a goal; None: it takes longer to tell."""
        stages = self._stages
        found: list[tuple[int, list[list[int]]]] = []

        def take(model: Any) -> bool:
            value = stages.value(length, model.is_true)
            found.append((value, stages.plan(length, model.is_true)))
            return False

        answer = self._solve(stages.ending(length, goal), seconds, take)
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
    source = sys.stdin.buffer
    request = json.loads(source.readline())
    data = source.read(request["bytes"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
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
    except MemoryError:
        say(error="not enough memory")
    except RuntimeError as problem:
        say(error="not enough memory" if "alloc" in str(problem) else str(problem))


if __name__ == "__main__":
    main()
