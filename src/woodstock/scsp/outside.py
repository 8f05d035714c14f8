"""The same network by solvers that others have written: ACE and CP-SAT.

They are not needed for anything here but to hold our own solver against them: numbers of solutions
must agree, and `benchmarks/csp.py` compares speed. ``pip install 'woodstock[solvers]'`` brings
both; ACE also needs Java.

>>> from woodstock.scsp import Hard, Network, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3))
>>> network = Network([x, y], [Hard.where([x, y], lambda a, b: a > b)])
>>> if has_cp_sat():
...     assert cp_sat(network).count == 3
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.lifeline import Child
from woodstock.scsp.constraints import ANY, Entry, Hard, Not, Value
from woodstock.scsp.network import Network
from woodstock.scsp.xcsp3 import write_file

__all__ = ["OutsideResult", "SolverError", "ace", "ace_jar", "cp_sat", "has_ace", "has_cp_sat"]

LARGEST_TABLE = 4096
"""The most tuples that CP-SAT is given as a table; larger ones become literals and clauses."""


class SolverError(WoodstockError, RuntimeError):
    """A solver of others that is not there, or did not answer."""


@dataclass(frozen=True)
class OutsideResult:
    """How many solutions were found, whether these are all, and the CPU seconds of the search.

    Starting the solver, reading and building its model are not in `seconds`.
    """

    count: int
    complete: bool
    seconds: float


def has_cp_sat() -> bool:
    """Whether OR-Tools is installed."""
    return importlib.util.find_spec("ortools") is not None


def has_ace() -> bool:
    """Whether pycsp3, which carries ACE, and Java are installed."""
    return ace_jar() is not None and shutil.which("java") is not None


def ace_jar() -> Path | None:
    """The archive of ACE within pycsp3, or `None`."""
    found = importlib.util.find_spec("pycsp3")  # imported, it would print and act at exit
    if found is None or found.origin is None:
        return None
    return max(Path(found.origin).parent.glob("solvers/ace/ACE*.jar"), default=None)


# ACE


def ace(
    network: Network | Path,
    *,
    limit: int = 0,
    timeout: float = 600,
    options: Sequence[str] = (),
    quick: bool = False,
) -> OutsideResult:
    """The solutions of a network, or of an XCSP3 file, by ACE with its own choice of heuristics.

    Variables that are in no constraint count too. `quick` saves Java the trouble of compiling
    well: better for small networks, and not fair where time is measured.
    """
    output = ace_output(network, limit=limit, timeout=timeout, options=options, quick=quick)
    count = re.search(r"^d FOUND SOLUTIONS +([\d,]+)", output, re.MULTILINE)
    # "solver" ends with the CPU time when the search begins, "global" with that when it ended.
    times = [
        re.search(rf"^  {part}\n(?:    .*\n)*?    .*cpu:([\d.,]+)", output, re.MULTILINE)
        for part in ("solver", "global")
    ]
    unsatisfiable = "s UNSATISFIABLE" in output
    if (count is None and not unsatisfiable) or None in times:
        raise SolverError(f"ACE gave no answer: {output[-300:]!r}")
    begun, ended = (float(found[1].replace(",", "")) for found in times if found)
    number = int(count[1].replace(",", "")) if count else 0
    return OutsideResult(number, "d COMPLETE EXPLORATION" in output, ended - begun)


def ace_output(
    network: Network | Path,
    *,
    limit: int = 0,
    timeout: float = 600,
    options: Sequence[str] = (),
    quick: bool = False,
) -> str:
    """All that ACE prints for a network, or for an XCSP3 file."""
    jar, java = ace_jar(), shutil.which("java")
    if jar is None or java is None:
        raise SolverError("ACE needs Java and pycsp3: pip install 'woodstock[solvers]'")
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(network, Network):
            path = Path(folder) / "network.xml"
            write_file(network, path, annotate=False)
        else:
            path = network.resolve()
        compiling = ["-XX:TieredStopAtLevel=1"] if quick else []
        command = [java, "-XX:+UseSerialGC", *compiling, "-jar", str(jar), str(path)]
        command += [f"-s={limit or 'all'}", "-npc=true", "-omv=false", "-riv=false", *options]
        try:
            with Child(
                "woodstock.lifeline", *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            ) as child:
                try:
                    said, _ = child.communicate(timeout=timeout)
                finally:
                    child.kill()
        except subprocess.TimeoutExpired:
            raise SolverError(f"ACE did not end within {timeout:g} seconds") from None
    return said.decode(errors="replace")


# CP-SAT


def cp_sat(network: Network, *, limit: int = 0, timeout: float = 600) -> OutsideResult:
    """The solutions of a network by OR-Tools' CP-SAT, on one thread."""
    if not has_cp_sat():
        raise SolverError("there is no OR-Tools: pip install 'woodstock[solvers]'")
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    model = _Model(cp_model, network)
    found = [0]

    def count(callback: Any) -> None:
        found[0] += 1
        if found[0] == limit:
            callback.stop_search()

    base = cp_model.CpSolverSolutionCallback
    callback = type("Counter", (base,), {"on_solution_callback": count})()
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = timeout
    begun = time.process_time()
    status = solver.solve(model.model, callback)
    seconds = time.process_time() - begun
    ended = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return OutsideResult(found[0], ended and not (limit and found[0] >= limit), seconds)


class _Model:
    """The network as CP-SAT takes it; variables that are added are functions of the others."""

    def __init__(self, cp_model: Any, network: Network) -> None:
        self.model = cp_model.CpModel()
        self.variables: dict[str, Any] = {}
        self.codes: dict[str, dict[Value, int]] = {}
        self.literals: dict[tuple[str, int], Any] = {}
        for variable in network.variables:
            size = len(variable.domain)
            self.codes[variable.name] = {value: code for code, value in enumerate(variable.domain)}
            self.variables[variable.name] = self.model.new_int_var(0, size - 1, "")
        for constraint in network.hard:
            self.add(constraint)

    def add(self, constraint: Hard) -> None:
        scope = constraint.scope
        sizes = [len(self.codes[name]) for name in scope]
        rows = [[self.choices(n, entry) for n, entry in zip(scope, row)] for row in constraint.rows]
        if sum(prod(map(len, row)) for row in rows) <= LARGEST_TABLE:
            tuples = sorted({found for row in rows for found in product(*row)})
            variables = [self.variables[name] for name in scope]
            if constraint.allowed and tuples:
                self.model.add_allowed_assignments(variables, tuples)
            elif constraint.allowed:
                self.model.add_bool_or([])
            elif tuples:
                self.model.add_forbidden_assignments(variables, tuples)
            return
        found = [
            [
                self.literal(name, entry)
                for name, entry, choice, size in zip(scope, row, codes, sizes)
                if len(choice) < size
            ]
            for row, codes in zip(constraint.rows, rows)
        ]
        if not constraint.allowed:
            for literals in found:
                self.model.add_bool_or([literal.negated() for literal in literals])
            return
        self.model.add_bool_or([self.conjunction(literals) for literals in found])

    def choices(self, name: str, entry: Entry) -> Sequence[int]:
        codes = self.codes[name]
        if entry is ANY:
            return range(len(codes))
        if isinstance(entry, Not):
            return [code for code in codes.values() if code != codes[entry.value]]
        return (codes[entry],)

    def literal(self, name: str, entry: Entry) -> Any:
        """The literal for "the variable fits the entry"."""
        if isinstance(entry, Not):
            return self.literal(name, entry.value).negated()
        code = self.codes[name][entry]
        if (name, code) not in self.literals:
            literal = self.model.new_bool_var("")
            self.model.add(self.variables[name] == code).only_enforce_if(literal)
            self.model.add(self.variables[name] != code).only_enforce_if(literal.negated())
            self.literals[name, code] = literal
        return self.literals[name, code]

    def conjunction(self, literals: Sequence[Any]) -> Any:
        if len(literals) == 1:
            return literals[0]
        whole = self.model.new_bool_var("")
        self.model.add_bool_and(literals).only_enforce_if(whole)
        self.model.add_bool_or([*(one.negated() for one in literals), whole])
        return whole
