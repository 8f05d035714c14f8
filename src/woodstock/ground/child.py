"""The grounding child process: rules text in, ground program out.

Run as ``python -m woodstock.ground.child``; `woodstock.ground.grounder` starts it. A rulesheet from
the net may need any amount of time and memory, so both are limited here, where nothing is lost
when the limit strikes.

Standard input: one JSON line with the options, then the sheet in KIF. Standard output: one JSON
line with symbols and figures (or an error), then the bytes of the ground program.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import Rules, normalise
from woodstock.gdl.terms import Compound, Term
from woodstock.ground.estimate import Sizes
from woodstock.ground.prepare import prepare
from woodstock.ground.translate import AspProgram, translate
from woodstock.lifeline import hold_line

if TYPE_CHECKING:
    from woodstock import _core

__all__ = ["main"]

SECOND_LOOK = (500, 1_000_000)
"""Between so many ground rules a second grounding with measured sizes is tried."""

PATIENCE = 0.15
"""The share of the time that costly rules may take before they are grounded over a relaxation."""

_NO_SYMBOL = 2**32 - 1


@dataclass
class Ground:
    """One grounding: the program, its symbols, and what it took."""

    program: _core.GroundProgram
    asp: AspProgram
    instances: int
    sizes: Sizes


class GroundingStopped(Exception):
    """Grounding ended without a program, for a reason of `GroundingError`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def ground(asp: AspProgram, max_rules: int, max_seconds: float = 0.0) -> Ground:
    """Ground a translated program in this process; 0 seconds: as long as it takes."""
    import clingo
    from clingo import _internal

    from woodstock import _core

    control = clingo.Control(["--warn=none"])
    # The address is all the native observer needs: it finds the C API by itself.
    address = int(_internal._ffi.cast("uintptr_t", control._rep))  # type: ignore[attr-defined]
    try:
        observer: Any = _core.Observer(address, max_rules, max_seconds)
    except RuntimeError:
        observer = PythonObserver(control, max_rules, max_seconds)
    try:
        control.add("base", [], asp.text)
        control.ground([("base", [])])
    except (RuntimeError, MemoryError) as problem:
        if observer.limit_reached:
            if max_rules and observer.rule_count >= max_rules:
                raise GroundingStopped("rules", f"over {max_rules:,} ground rules") from None
            raise GroundingStopped("time", "out of time") from None
        if isinstance(problem, MemoryError) or "alloc" in str(problem):
            raise GroundingStopped("memory", "not enough memory") from None
        raise GroundingStopped("failed", f"the grounder refused the rules: {problem}") from None
    instances = observer.rule_count
    program = observer.finish()
    return Ground(program, asp, instances, _sizes(observer.relation_sizes, asp))


def _sizes(found: Sequence[tuple[int, int, int]], asp: AspProgram) -> Sizes:
    predicates = {number: predicate for predicate, number in asp.predicates}
    sizes: dict[Any, float] = {}
    for number, symbol, atoms in found:
        predicate = predicates[number]
        sizes[predicate, None] = sizes.get((predicate, None), 0.0) + atoms
        if symbol != _NO_SYMBOL:
            sizes[predicate, asp.symbols[symbol]] = atoms
    return sizes


class PythonObserver:
    """Records what clingo grounds where its C API cannot be reached; same face, slower."""

    def __init__(self, control: Any, max_rules: int, max_seconds: float = 0.0) -> None:
        import clingo

        from woodstock import _core

        self.builder = _core.ProgramBuilder()
        self.limit_reached = False
        self.relation_sizes: list[tuple[int, int, int]] = []
        self._control = control
        self._terms: dict[Any, int] = {}
        recorder = self
        deadline = time.process_time() + max_seconds if max_seconds else math.inf

        class Callbacks(clingo.Observer):
            def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
                if not choice:
                    count = recorder.builder.rule_count
                    if (max_rules and count >= max_rules) or time.process_time() > deadline:
                        recorder.limit_reached = True
                        raise RuntimeError("limit reached")
                    recorder.builder.add_rule(head[0], list(body))

        control.register_observer(Callbacks(), replace=True)

    @property
    def rule_count(self) -> int:
        return self.builder.rule_count

    def finish(self) -> _core.GroundProgram:
        loose = []
        last = 0
        for atom in self._control.symbolic_atoms:
            if atom.literal > 0:
                last = max(last, atom.literal)
                self._name(atom.literal, atom)
            elif atom.is_fact:
                loose.append(atom)
        # Numbers above every one clingo used are free for facts it never wrote out.
        for number, atom in enumerate(loose, start=last + (1 << 16)):
            self._name(number, atom)
        return self.builder.finish()

    def _name(self, number: int, atom: Any) -> None:
        arguments = [self._term(argument) for argument in atom.symbol.arguments]
        self.builder.add_atom(number, int(atom.symbol.name[1:]), arguments)
        if atom.is_fact:
            self.builder.add_rule(number, [])

    def _term(self, symbol: Any) -> int:
        import clingo

        found = self._terms.get(symbol)
        if found is None:
            if symbol.type == clingo.SymbolType.Number:
                found = self.builder.add_term(symbol.number, [])
            else:
                arguments = [self._term(argument) for argument in symbol.arguments]
                found = self.builder.add_term(int(symbol.name[1:]), arguments)
            self._terms[symbol] = found
        return found


def best_grounding(rules: Rules, *, split: bool, max_rules: int, seconds: float) -> Ground:
    """Ground rules; where it pays, once more with the sizes measured the first time."""
    start = time.process_time()
    prepared = prepare(rules, split=split)
    plain = translate(prepared.rules, rules.roles)
    reachable = None
    try:
        # Costly rules get a short try as they are: it is the more precise way.
        first = ground(plain, max_rules, seconds * PATIENCE if prepared.costly else 0.0)
    except GroundingStopped as problem:
        if not prepared.costly or problem.reason != "time":
            raise
        try:
            relaxed = translate(prepare(rules, relaxed=True).rules, rules.roles)
            reachable = fluents(ground(relaxed, max_rules, seconds / 4))
            plain = translate(prepared.rules, rules.roles, reachable)
        except GroundingStopped:
            reachable = None  # the relaxation is no help: take the time that is left
        first = ground(plain, max_rules)
    spent = time.process_time() - start
    fewest, most = SECOND_LOOK
    # The first result is lost if this runs into a limit: look again only where that is far away.
    if not split or not fewest <= first.instances <= most or spent > seconds / 10:
        return first
    try:
        again = translate(prepare(rules, measured=first.sizes).rules, rules.roles, reachable)
        second = ground(again, int(first.instances * 1.2) + 1, seconds / 4)
    except (GroundingStopped, MemoryError):
        return first
    return min(first, second, key=lambda g: g.program.statistics().literals)


def fluents(result: Ground) -> list[Term]:
    """The fluents of a grounding as terms."""
    program, symbols = result.program, result.asp.symbols

    def term(number: int) -> Term:
        symbol, arguments = program.term(number)
        return Compound((symbols[symbol], *map(term, arguments))) if arguments else symbols[symbol]

    return [term(number) for number in program.fluents()]


def limit_resources(seconds: float, memory_mb: int) -> None:
    """Limit this process, where the system can; the parent's clock is the second line."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not a Unix
        return
    whole = max(1, math.ceil(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    size = memory_mb << 20
    try:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (ValueError, OSError):  # pragma: no cover - e.g. a lower hard limit
        return


def peak_memory_mb() -> float:
    """The largest memory this process has held."""
    try:
        # On Linux ru_maxrss starts from the parent's peak, which says nothing about us.
        status = Path("/proc/self/status").read_text(encoding="ascii")
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # pragma: no cover - not a Unix
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024


def main() -> None:
    """Serve one request from standard input."""
    hold_line()
    options = json.loads(sys.stdin.buffer.readline())
    text = sys.stdin.buffer.read().decode()
    limit_resources(options["seconds"], options["memory_mb"])
    try:
        rules, _ = normalise(read_text(text, form="kif"))
        result = best_grounding(
            rules,
            split=options["split"],
            max_rules=options["rules"],
            seconds=options["seconds"],
        )
        if not result.program.stratified:
            raise GroundingStopped("unstratified", "negation depends on itself in the ground rules")
        data = result.program.to_bytes()
        answer = {
            "symbols": result.asp.symbols,
            "instances": result.instances,
            "seconds": time.process_time(),
            "memory_mb": round(peak_memory_mb(), 1),
        }
    except GroundingStopped as problem:
        answer, data = {"error": problem.reason, "message": str(problem)}, b""
    except MemoryError:
        answer, data = {"error": "memory", "message": "not enough memory"}, b""
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
