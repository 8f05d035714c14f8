"""A stochastic constraint network, N = (V, Y, D, C, P, θ).

>>> from woodstock.scsp import Hard, Probability, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
>>> network = Network(
...     [x, y],
...     [Hard.where([x, y], lambda a, b: a + b > 1)],
...     [Probability.uniform(y)],
...     threshold="1/3",
... )
>>> network.variable("y").stochastic, network.threshold
(True, (Fraction(1, 3),))
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from woodstock.errors import NetworkError
from woodstock.scsp.checking import check
from woodstock.scsp.constraints import (
    Constraint,
    Distribution,
    Hard,
    Number,
    Soft,
    Value,
    Variable,
    as_fraction,
)
from woodstock.scsp.objective import Objective

__all__ = ["Instantiation", "Network", "Stage"]

Stage: TypeAlias = tuple[tuple[Variable, ...], tuple[Variable, ...]]
"""The decision variables and the stochastic variables of a stage."""

Instantiation: TypeAlias = Mapping[str, Value]
"""Values of some variables, by name."""


@dataclass(frozen=True, init=False)
class Network:
    """A stochastic constraint network; immutable, and checked when it is made.

    * `variables`: the tuple V, in the order in which they take their values;
    * `constraints`: hard and soft ones;
    * `probabilities`: one for each stochastic variable, over variables that come before it;
    * `threshold`: θ, one number in [0, 1] a player. Its length is the number of players;
    * `objective`: the variable to minimise or maximise, for networks without chance.

    Stages follow one another along V. Within a stage, decisions come before the stochastic
    variables, but for those which the constraints determine once chance has spoken, such as the
    fluents of the next state. That they are determined is not checked: otherwise they are
    decisions like others, taken once chance has spoken.

    Raises `NetworkError`, which names the variable or the constraint and the remedy. The check
    reads every row once.
    """

    variables: tuple[Variable, ...]
    constraints: tuple[Constraint, ...]
    probabilities: tuple[Distribution, ...]
    threshold: tuple[Fraction, ...]
    objective: Objective | None
    _index: dict[str, int] = field(repr=False, compare=False)

    def __init__(
        self,
        variables: Iterable[Variable],
        constraints: Iterable[Constraint] = (),
        probabilities: Iterable[Distribution] = (),
        threshold: Number | Sequence[Number] = 1,
        objective: Objective | None = None,
    ) -> None:
        self._fill(variables, constraints, probabilities, threshold, objective)
        check(self)

    @classmethod
    def unchecked(
        cls,
        variables: Iterable[Variable],
        constraints: Iterable[Constraint] = (),
        probabilities: Iterable[Distribution] = (),
        threshold: Number | Sequence[Number] = 1,
        objective: Objective | None = None,
    ) -> Network:
        """The same without the check, for large networks that a program has made."""
        made = cls.__new__(cls)
        made._fill(variables, constraints, probabilities, threshold, objective)
        return made

    def _fill(
        self,
        variables: Iterable[Variable],
        constraints: Iterable[Constraint],
        probabilities: Iterable[Distribution],
        threshold: Number | Sequence[Number],
        objective: Objective | None = None,
    ) -> None:
        numbers = [threshold] if isinstance(threshold, str | int | float | Fraction) else threshold
        values: dict[str, object] = {
            "variables": tuple(variables),
            "constraints": tuple(constraints),
            "probabilities": tuple(probabilities),
            "threshold": tuple(map(as_fraction, numbers)),
            "objective": objective,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        index = {variable.name: place for place, variable in enumerate(self.variables)}
        object.__setattr__(self, "_index", index)

    def with_(
        self,
        *,
        variables: Iterable[Variable] | None = None,
        constraints: Iterable[Constraint] | None = None,
        probabilities: Iterable[Distribution] | None = None,
        threshold: Number | Sequence[Number] | None = None,
    ) -> Network:
        """A copy in which what is given takes the place of what was there.

        >>> Network([Variable("x", (0, 1))]).with_(threshold=0).threshold
        (Fraction(0, 1),)
        """
        return Network(
            self.variables if variables is None else variables,
            self.constraints if constraints is None else constraints,
            self.probabilities if probabilities is None else probabilities,
            self.threshold if threshold is None else threshold,
            self.objective,
        )

    # What it consists of

    def index(self, name: str) -> int:
        """The place of the variable in V."""
        try:
            return self._index[name]
        except KeyError:
            near = difflib.get_close_matches(name, self._index, 2)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise NetworkError(f"no variable is called {name!r}{hint}") from None

    def variable(self, name: str) -> Variable:
        """The variable of this name."""
        return self.variables[self.index(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.threshold)

    @cached_property
    def decisions(self) -> tuple[Variable, ...]:
        """The decision variables, in the order V."""
        return tuple(variable for variable in self.variables if not variable.stochastic)

    @cached_property
    def stochastic(self) -> tuple[Variable, ...]:
        """The stochastic variables Y, in the order V."""
        return tuple(variable for variable in self.variables if variable.stochastic)

    @cached_property
    def named(self) -> tuple[Variable, ...]:
        """The variables that are no auxiliary ones, in the order V."""
        return tuple(variable for variable in self.variables if not variable.auxiliary)

    @cached_property
    def auxiliary(self) -> tuple[Variable, ...]:
        """The auxiliary variables, in the order V."""
        return tuple(variable for variable in self.variables if variable.auxiliary)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The stages (X_t, Y_t), from the first to the last.

        >>> network = Network([Variable("x", "ab"), Variable("z", "ab", stage=2)])
        >>> [len(decisions) for decisions, chance in network.stages]
        [1, 1]
        """
        last = max((variable.stage for variable in self.variables), default=0)
        found: list[tuple[list[Variable], list[Variable]]] = [([], []) for _ in range(last)]
        for variable in self.variables:
            found[variable.stage - 1][variable.stochastic].append(variable)
        return tuple((tuple(decisions), tuple(chance)) for decisions, chance in found)

    @cached_property
    def recourse(self) -> tuple[Variable, ...]:
        """The decision variables that follow a stochastic one of their own stage."""
        seen: set[int] = set()
        found = []
        for variable in self.variables:
            if variable.stochastic:
                seen.add(variable.stage)
            elif variable.stage in seen:
                found.append(variable)
        return tuple(found)

    @cached_property
    def hard(self) -> tuple[Hard, ...]:
        """The hard constraints."""
        return tuple(c for c in self.constraints if isinstance(c, Hard))

    @cached_property
    def soft(self) -> tuple[Soft, ...]:
        """The soft constraints."""
        return tuple(c for c in self.constraints if isinstance(c, Soft))

    def is_stochastic(self, constraint: Constraint) -> bool:
        """Whether a stochastic variable is in its scope; if not, it is a decision constraint."""
        return any(self.variable(name).stochastic for name in constraint.scope)

    def probability(self, name: str) -> Distribution:
        """The distribution of the stochastic variable of this name."""
        try:
            return self._distributions[name]
        except KeyError:
            raise NetworkError(
                f"variable {self.variable(name).name!r} is no stochastic one of this network"
            ) from None

    @cached_property
    def _distributions(self) -> dict[str, Distribution]:
        return {found.variable: found for found in self.probabilities}

    def __getstate__(self) -> dict[str, object]:
        # Cached properties are worked out anew.
        names = ("variables", "constraints", "probabilities", "threshold", "objective", "_index")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        from woodstock.scsp.showing import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from woodstock.scsp.showing import html_of

        return html_of(self)
