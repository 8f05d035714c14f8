"""The native solver seen from Python: maintaining arc consistency, with names and values.

>>> from woodstock.scsp import Hard, Network, Variable
>>> x, z = Variable("x", "abc"), Variable("z", "abc")
>>> solver = Solver(Network([x, z], [Hard.where([x, z], lambda a, b: a < b)]))
>>> solver.count(), solver.first(given={"x": "b"})
(3, {'x': 'b', 'z': 'c'})
>>> solver.propagate(), solver.domain("x")
(True, ('a', 'b'))
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from woodstock._core import CspProblem, CspSolver, SolveResult
from woodstock.errors import NetworkError
from woodstock.scsp.constraints import ANY, Entry, Not, Value, Variable
from woodstock.scsp.network import Instantiation, Network

__all__ = ["BRANCHINGS", "HEURISTICS", "PROPAGATIONS", "STATISTICS", "Solver", "problem_of"]

PROPAGATIONS = ("ct", "str2", "str", "fc")
"""How tables prune: arc consistency by Compact-Table or STR2 or STR, or forward checking."""

HEURISTICS = ("dom/ddeg", "dom/wdeg", "dom", "lex")
"""How the next variable is chosen."""

BRANCHINGS = ("values", "binary")
"""What a node of the search is: all values of a variable in turn, or one value and the rest."""


STATISTICS = ("nodes", "fails", "propagations", "revisions", "solutions", "learned", "restarts")
"""What a solver counts: decisions, those refuted at once, shrunk domains, tables run, solutions,
clauses learned from failures, and how often it started anew."""


_PATIENCE = 0.1  # seconds for the next part of a stream
_MOST_VALUES = 1 << 20  # of such a part


class Solver:
    """MAC on the hard constraints of a network; stochastic variables count as ordinary ones.

    What `restrict`, `propagate` and `sac` remove stays removed until the level is left. The same
    calls give the same results in the same order. One thread at a time may use it.

    With `learning`, `first` explains its failures, keeps what follows from them and starts anew now
    and then (lazy clause generation): for networks that fail for the same few reasons again and
    again. It finds some solution, not the one that comes first. For ``ct`` alone; with it there is
    one more heuristic, ``activity``.

    >>> from woodstock.scsp import Hard, Network, Variable
    >>> pigeons = [Variable(f"p{i}", range(7)) for i in range(8)]
    >>> pairs = [(p, q) for i, p in enumerate(pigeons) for q in pigeons[:i]]
    >>> apart = [Hard.where(pair, lambda a, b: a != b) for pair in pairs]
    >>> solver = Solver(Network(pigeons, apart), learning=True, heuristic="activity")
    >>> solver.first() is None, solver.statistics["learned"] > 0
    (True, True)
    """

    def __init__(
        self,
        network: Network,
        *,
        propagation: str = "ct",
        heuristic: str = "dom/ddeg",
        branching: str = "values",
        seed: int = 0,
        learning: bool = False,
    ) -> None:
        _check_option("propagation", propagation, PROPAGATIONS[:1] if learning else PROPAGATIONS)
        _check_option("heuristic", heuristic, (*HEURISTICS, *["activity"][:learning]))
        _check_option("branching", branching, BRANCHINGS)
        self.network = network
        self._learning = learning
        self._streamed: object = None
        places = _Places(network.variables)
        self._places = places.of
        self._core = CspSolver(
            problem_of(network, places),
            propagation=propagation,
            heuristic=heuristic,
            branching=branching,
            seed=seed,
            learning=learning,
        )

    # Solutions

    def solutions(
        self,
        *,
        given: Instantiation | None = None,
        limit: int = 0,
        project: Sequence[str] | None = None,
    ) -> Iterator[dict[str, Value]]:
        """The solutions, as mappings from names to values.

        They are found at once, when the first is asked for, and made into mappings one by one;
        `stream` is for solutions that are too many to be held. `given` fixes variables, `limit` is
        the most to look for (0: all), and `project` names the variables that are wanted: solutions
        that agree on them are one.

        >>> solver = Solver(Network([Variable("x", range(3)), Variable("z", range(3))]))
        >>> list(solver.solutions(project=["x"], limit=2))
        [{'x': 0}, {'x': 1}]
        """
        _check_limit(limit)
        names = self._names(project)
        with self.assuming(given or {}) as possible:
            if not possible:
                return
            try:
                result = self._core.solve(limit, self._wanted(project))
            except MemoryError:
                raise NetworkError(
                    "there are too many solutions to be held; give a limit, count() them, "
                    "or take them one by one from stream()"
                ) from None
        yield from self._mappings(result, names)

    def stream(
        self, *, limit: int = 0, project: Sequence[str] | None = None
    ) -> Iterator[dict[str, Value]]:
        """The same solutions in the same order, found bit by bit as they are asked for.

        The solver must not be used for anything else until the last one: `NetworkError`.

        >>> from itertools import islice
        >>> many = Solver(Network([Variable(f"x{i}", range(10)) for i in range(100)]))
        >>> len(list(islice(many.stream(), 1000)))
        1000
        """
        _check_limit(limit)
        names = self._names(project)
        self._streamed = token = object()
        left, size = limit, 1
        result = self._core.solve(1, self._wanted(project))
        while True:
            yield from self._mappings(result, names)
            left -= result.count
            if result.complete or (limit and not left):
                return
            begun = time.monotonic()
            size = min(size, left) if limit else size
            result = self._resumed(token, size)
            # Few at a time where they are rare, so that nobody waits long for the first of many.
            quick = time.monotonic() - begun < _PATIENCE and 2 * size * len(names) < _MOST_VALUES
            size = 2 * size if quick else max(1, size // 2)

    def first(self, *, given: Instantiation | None = None) -> dict[str, Value] | None:
        """A solution, or `None` where there is none."""
        if not self._learning:
            return next(self.solutions(given=given, limit=1), None)
        places = {self.network.index(name): value for name, value in (given or {}).items()}
        assumed = [(place, self._value(place, value)) for place, value in places.items()]
        # Asked now and then, so that an interrupt is heard.
        found = self._core.first(assumed, go_on=lambda: True)
        return next(self._mappings(found, self._names(None)), None)

    def count(self, *, given: Instantiation | None = None, limit: int = 0) -> int:
        """The number of solutions; nothing is stored."""
        _check_limit(limit)
        with self.assuming(given or {}) as possible:
            return self._core.count(limit) if possible else 0

    def _names(self, project: Sequence[str] | None) -> list[str]:
        return [v.name for v in self.network.variables] if project is None else list(project)

    def _wanted(self, project: Sequence[str] | None) -> list[int] | None:
        return None if project is None else [self.network.index(name) for name in project]

    def _resumed(self, token: object, size: int) -> SolveResult:
        try:
            if self._streamed is not token:
                raise RuntimeError
            return self._core.resume(size)
        except RuntimeError:
            raise NetworkError(
                "the solver was used for something else before the last solution; make another one"
            ) from None

    def _mappings(self, result: SolveResult, names: Sequence[str]) -> Iterator[dict[str, Value]]:
        if not names:
            # A solution of nothing is a solution.
            yield from ({} for _ in range(result.count))
            return
        domains = [self.network.variable(name).domain for name in names]
        flat = memoryview(result.solutions).cast("I")
        for start in range(0, len(flat), len(names)):
            found = flat[start : start + len(names)]
            yield {name: domain[i] for name, domain, i in zip(names, domains, found)}

    # Domains

    def domain(self, name: str) -> tuple[Value, ...]:
        """The values that the variable still has."""
        place = self.network.index(name)
        domain = self.network.variables[place].domain
        return tuple([domain[i] for i in self._core.domain(place)])

    def restrict(self, name: str, values: Iterable[Value]) -> bool:
        """Take all other values from the variable; `False` if none is left."""
        place = self.network.index(name)
        return self._core.restrict(place, [self._value(place, value) for value in values])

    def propagate(self) -> bool:
        """Make the network arc consistent; `False` if a domain gets empty."""
        return self._core.propagate()

    def sac(self) -> bool:
        """Make the network singleton arc consistent; `False` if a domain gets empty."""
        return self._core.sac()

    def push(self) -> None:
        """Propagate and open a level: what is removed from now on comes back with `pop`."""
        self._core.push()

    def pop(self) -> None:
        """Leave the level."""
        if not self._core.depth:
            raise NetworkError("no level is open; call push() before pop()")
        self._core.pop()

    @contextmanager
    def assuming(self, given: Instantiation) -> Iterator[bool]:
        """A level in which these variables have these values; tells whether that can be.

        >>> solver = Solver(Network([Variable("x", range(3))]))
        >>> with solver.assuming({"x": 2}) as possible:
        ...     possible, solver.domain("x")
        (True, (2,))
        >>> solver.domain("x")
        (0, 1, 2)
        """
        places = [self.network.index(name) for name in given]
        values = [self._value(place, value) for place, value in zip(places, given.values())]
        self.push()
        try:
            yield self._core.assign(places, values)
        finally:
            self.pop()

    @property
    def statistics(self) -> Mapping[str, int]:
        """Counts since the solver was made, under the names of `STATISTICS`."""
        found = self._core.statistics()
        return {name: getattr(found, name) for name in STATISTICS}

    def _value(self, place: int, value: Value) -> int:
        try:
            return self._places[place][value]
        except KeyError:
            name = self.network.variables[place].name
            raise NetworkError(f"{value!r} is not in the domain of {name!r}") from None


def _check_limit(limit: int) -> None:
    if limit < 0:
        raise NetworkError(f"the limit is {limit}; write how many solutions, or 0 for all")


def _check_option(kind: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise NetworkError(f"no {kind} is called {name!r}; choose one of {', '.join(known)}")


class _Places:
    """For each variable, the place of each value in its domain; equal domains share one mapping."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        seen: dict[tuple[Value, ...], dict[Value, int]] = {}
        self.of: list[dict[Value, int]] = []
        for variable in variables:
            if variable.domain not in seen:
                seen[variable.domain] = {value: i for i, value in enumerate(variable.domain)}
            self.of.append(seen[variable.domain])


def problem_of(network: Network, places: _Places | None = None) -> CspProblem:
    """The hard constraints of the network as the native core takes them, in the order V."""
    places = places or _Places(network.variables)
    problem = CspProblem()
    for variable in network.variables:
        problem.add_variable(len(variable.domain))
    for constraint in network.hard:
        scope = [network.index(name) for name in constraint.scope]
        columns = [places.of[place] for place in scope]
        flat = [
            _code(column, entry) for row in constraint.rows for column, entry in zip(columns, row)
        ]
        add = problem.add_table if constraint.allowed else problem.add_forbidden
        add(scope, flat)
    return problem


def _code(column: Mapping[Value, int], entry: Entry) -> int:
    if entry is ANY:
        return -1
    if isinstance(entry, Not):
        return -2 - column[entry.value]
    return column[entry]
