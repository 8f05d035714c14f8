"""Ground rules in a child process with limits on time and memory.

>>> from woodstock.gdl.reader import read_text
>>> from woodstock.gdl.rules import normalise
>>> rules, _ = normalise(read_text('''
...     (role she) (init (heap 2)) (succ 0 1) (succ 1 2)
...     (<= (legal she take) (true (heap ?n)) (succ ?m ?n))
...     (<= (next (heap ?m)) (does she take) (true (heap ?n)) (succ ?m ?n))
...     (<= terminal (true (heap 0))) (goal she 100)'''))
>>> result = ground_rules(rules)
>>> sorted(map(str, result.fluents)), result.statistics["moves"]
(['(heap 0)', '(heap 1)', '(heap 2)'], 1)
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from woodstock import _core
from woodstock.errors import GroundingError
from woodstock.gdl.rules import Rules
from woodstock.gdl.terms import Compound, Term
from woodstock.ground.limits import GroundingLimits
from woodstock.lifeline import Child

__all__ = ["Grounding", "ground_rules"]


class Grounding:
    """A ground program with its terms spelled out, and what it took to make it."""

    def __init__(self, program: _core.GroundProgram, report: dict[str, Any]) -> None:
        self.program = program
        self.seconds = float(report["seconds"])
        self.memory_mb = float(report["memory_mb"])
        self.instances = int(report["instances"])
        symbols: list[str] = report["symbols"]
        terms: dict[int, Term] = {}

        def term(number: int) -> Term:
            found = terms.get(number)
            if found is None:
                symbol, arguments = program.term(number)
                name = sys.intern(symbols[symbol])
                found = Compound((name, *map(term, arguments))) if arguments else name
                terms[number] = found
            return found

        try:
            self.fluents: list[Term] = [term(t) for t in program.fluents()]
            self.moves = [(str(term(r)), term(m)) for r, m in program.moves()]
            self.goals = [(str(term(r)), term(v)) for r, v in program.goals()]
            self.percepts = [(str(term(r)), term(p)) for r, p in program.percepts()]
            self.roles = [str(term(role)) for role in program.roles()]
        except RecursionError:
            raise GroundingError("failed", "the ground terms are nested too deep") from None

    @property
    def statistics(self) -> dict[str, int | float]:
        """Figures of the program and of its making, as one flat dictionary."""
        native = self.program.statistics()
        names = [name for name in dir(native) if not name.startswith("_")]
        figures: dict[str, int | float] = {name: getattr(native, name) for name in names}
        figures["instances"] = self.instances
        figures["seconds"] = round(self.seconds, 2)
        figures["memory_mb"] = self.memory_mb
        return figures


def ground_rules(
    rules: Rules,
    limits: GroundingLimits | None = None,
    *,
    split: bool = True,
    on_start: Callable[[subprocess.Popen[bytes]], None] | None = None,
) -> Grounding:
    """Ground rules; `GroundingError` says which limit was met when it cannot be done.

    `on_start` gets the child process, for a caller that may want to end it early.
    """
    limits = limits or GroundingLimits()
    options = {
        "seconds": limits.seconds,
        "memory_mb": limits.memory_mb,
        "rules": limits.rules,
        "split": split,
    }
    request = json.dumps(options).encode() + b"\n" + rules.sheet.to_kif().encode()
    with Child(
        "woodstock.ground.child",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        if on_start is not None:
            on_start(child)
        try:
            # CPU time is limited in the child; a loaded machine may need longer on the clock.
            answer, errors = child.communicate(request, timeout=limits.seconds * 10 + 30)
        except subprocess.TimeoutExpired:
            raise GroundingError("time", _message("time", limits)) from None
        finally:
            child.kill()
    if child.returncode != 0:
        raise _failure(child.returncode, errors.decode(errors="replace"), limits)
    line, _, data = answer.partition(b"\n")
    try:
        report = json.loads(line)
        if "error" not in report:
            return Grounding(_core.GroundProgram.from_bytes(data), report)
    except (ValueError, KeyError, RuntimeError) as problem:
        message = f"grounding stopped: its result cannot be read ({problem})"
        raise GroundingError("failed", message) from None
    reason = report["error"]
    raise GroundingError(reason, _message(reason, limits, report["message"]))


def _message(reason: str, limits: GroundingLimits, detail: str = "") -> str:
    if reason == "time":
        return f"grounding takes more than {limits.seconds:g} CPU seconds"
    if reason == "memory":
        return f"grounding takes more than {limits.memory_mb} MB"
    return f"grounding stopped: {detail}"


_NO_MEMORY = ("MemoryError", "bad_alloc", "allocate memory", "failed to map segment")


def _failure(code: int, errors: str, limits: GroundingLimits) -> GroundingError:
    if code == -signal.SIGXCPU:
        reason = "time"
    elif code == -signal.SIGKILL:
        # Our own limit strikes with SIGXCPU: this was most likely the system, short of memory.
        return GroundingError("memory", "grounding was killed, probably for want of memory")
    elif code in (-signal.SIGABRT, -signal.SIGSEGV) or any(sign in errors for sign in _NO_MEMORY):
        reason = "memory"
    else:
        reason = "failed"
    last = errors.strip().splitlines()[-1:] or [f"the child ended with {code}"]
    return GroundingError(reason, _message(reason, limits, last[0]))
