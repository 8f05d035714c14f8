"""The stochastic constraint network of a turn, as much of it as a person can look at.

The state of a position is injected into the template of the game and propagated: what is left
in the domains is what the turn still leaves open.

>>> from woodstock import Game
>>> found = network_of(Game.from_library("tic-tac-toe").initial_state())
>>> mine = next(v for v in found["variables"] if v["name"] == "action_x")
>>> mine["kind"], mine["status"], mine["size"], mine["left"]
('action', 'narrowed', 11, 9)
>>> terminal = next(v for v in found["variables"] if v["name"] == "terminal")
>>> terminal["status"], terminal["after"]
('decided', ['false'])
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from woodstock.errors import NetworkError, StateError
from woodstock.game import Game, State
from woodstock.scsp.constraints import ANY, Constraint, Hard, Not, Soft, Value
from woodstock.scsp.encode.template import Encoding, Template, template
from woodstock.scsp.network import Network
from woodstock.scsp.solver import Solver

__all__ = ["MOST_CONSTRAINTS", "MOST_VARIABLES", "network_of"]

MOST_VARIABLES = 400
MOST_CONSTRAINTS = 600
"""What is shown of a network."""
MOST_FOCUSED = 60
"""Variables around the one that is asked for."""
FEW_FOCUSED = 16
"""Below so many, the neighbours of the neighbours are shown too."""
MOST_VALUES = 24
"""Values of a domain that are listed."""
MOST_ROWS = 10
"""Rows of a table that are listed."""
MOST_NAMES = 3000
"""Names that can be searched for."""


def network_of(
    state: State, *, focus: str | None = None, part: str | None = None
) -> dict[str, Any]:
    """The network of the turn: variables, constraints, and what propagation decided.

    `focus` names a variable: its neighbourhood is shown. `part` is ``all``, or ``open`` for
    what propagation has not decided; without it, all where there is room for that. Raises
    `NetworkError` for a focus that is no variable, and what the encoding raises.
    """
    begun = time.perf_counter()
    turn = _turn(state)
    seconds = time.perf_counter() - begun
    if focus is not None:
        turn.network.index(focus)  # an error that names the nearest
    if part not in (None, "all", "open"):
        raise NetworkError(f"no part {part!r}; there are all and open")
    wanted = part or ("all" if len(turn.network.variables) <= MOST_VARIABLES else "open")
    shown = turn.around(focus) if focus is not None else turn.chosen(only_open=wanted == "open")
    variables = [turn.variable(name) for name in shown]
    constraints = turn.between(shown)
    names = [variable.name for variable in turn.network.variables]
    return {
        "encoding": turn.template.encoding,
        "consistent": turn.consistent,
        "focus": focus,
        "part": wanted,
        "figures": {**turn.figures, "seconds": round(seconds, 3)},
        "variables": variables,
        "constraints": constraints[:MOST_CONSTRAINTS],
        "left": {
            "variables": len(names) - len(variables),
            "constraints": len(turn.ties) - len(constraints[:MOST_CONSTRAINTS]),
        },
        "names": names[:MOST_NAMES],
    }


@dataclass(frozen=True)
class Tie:
    """A constraint, or the probability of a variable: what ties variables together."""

    kind: str
    name: str
    scope: tuple[str, ...]
    defines: str | None
    constraint: Constraint | None


class NetworkTurn:
    """The network of one state, propagated."""

    def __init__(self, turn: Template, state: State) -> None:
        self.template = turn
        self.network: Network = turn.inject(state)
        self.given = turn.values(state)
        solver = Solver(self.network)
        self.consistent = solver.propagate()
        # Where there is no solution, the domains are those of the moment in which that was seen.
        self.after: dict[str, tuple[Value, ...]] = {
            variable.name: tuple(solver.domain(variable.name))
            for variable in self.network.variables
        }

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What each variable is about."""
        turn = self.template
        kinds = {variable.name: "helper" for variable in self.network.variables}
        kinds.update(dict.fromkeys(turn.fluents_now, "now"))
        kinds.update(dict.fromkeys(turn.fluents_next, "next"))
        kinds.update(dict.fromkeys(turn.percepts, "percept"))
        kinds.update(dict.fromkeys(turn.scores.values(), "score"))
        kinds.update(dict.fromkeys(turn.actions.values(), "action"))
        kinds.update(dict.fromkeys((v.name for v in self.network.stochastic), "chance"))
        return kinds | {turn.terminal: "terminal"}

    @cached_property
    def ties(self) -> list[Tie]:
        """What ties two or more variables together, or says what one is worth."""
        tables = self.template.turn.builder.tables
        names = self.template.turn.builder.names
        found = []
        for place, constraint in enumerate(self.network.constraints):
            if isinstance(constraint, Hard) and constraint.name == "state":
                continue  # it says what the state says: the variable is shown as given
            table = tables[place] if place < len(tables) else None
            defines = names[table.defines] if table is not None and table.defines >= 0 else None
            kind = "soft" if isinstance(constraint, Soft) else "hard"
            found.append(Tie(kind, constraint.name, constraint.scope, defines, constraint))
        for chance in self.network.probabilities:
            scope = tuple(dict.fromkeys((chance.variable, *chance.given)))
            found.append(Tie("chance", "probability", scope, chance.variable, None))
        return found

    @cached_property
    def by_variable(self) -> dict[str, list[Tie]]:
        """The ties of each variable."""
        found: dict[str, list[Tie]] = {}
        for tie in self.ties:
            for name in tie.scope:
                found.setdefault(name, []).append(tie)
        return found

    def is_open(self, name: str) -> bool:
        """Whether the turn leaves a variable more than one value."""
        return len(self.after[name]) > 1

    @property
    def figures(self) -> dict[str, int]:
        """How large the network is, and how much of it is decided."""
        variables = self.network.variables
        still = sum(self.is_open(variable.name) for variable in variables)
        return {
            "variables": len(variables),
            "given": len(self.given),
            "decided": len(variables) - still - sum(not self.is_open(name) for name in self.given),
            "open": still,
            "stochastic": len(self.network.stochastic),
            "constraints": sum(tie.kind == "hard" for tie in self.ties),
            "soft": len(self.network.soft),
            "rows": sum(len(tie.constraint.rows) for tie in self.ties if tie.constraint),
        }

    # What is shown

    def chosen(self, *, only_open: bool) -> list[str]:
        """Variables from the decisions outwards, as many as there is room for."""
        turn = self.template
        first = [*turn.actions.values(), turn.terminal, *turn.scores.values()]
        found = self._outwards(first, MOST_VARIABLES, only_open)
        for variable in self.network.variables:
            if len(found) >= MOST_VARIABLES:
                break
            if not only_open or self.is_open(variable.name):
                found.setdefault(variable.name)
        return list(found)

    def around(self, focus: str) -> list[str]:
        """A variable and its neighbours, and theirs as long as there is room."""
        near = dict.fromkeys(
            [focus, *(name for tie in self.by_variable.get(focus, ()) for name in tie.scope)]
        )
        if len(near) > FEW_FOCUSED:
            return list(near)[:MOST_FOCUSED]
        return list(self._outwards([focus], FEW_FOCUSED, False))

    def _outwards(self, first: Iterable[str], most: int, only_open: bool) -> dict[str, None]:
        found = dict.fromkeys(first)
        queue = list(found)
        for name in queue:
            for tie in self.by_variable.get(name, ()):
                for other in tie.scope:
                    if len(found) >= most:
                        return found
                    if other not in found and (not only_open or self.is_open(other)):
                        found[other] = None
                        queue.append(other)
        return found

    def variable(self, name: str) -> dict[str, Any]:
        """A variable with its values before and after propagation."""
        before, after = self.network.variable(name).domain, self.after[name]
        if name in self.given:
            status = "given"
        elif len(after) <= 1:
            status = "decided"
        else:
            status = "narrowed" if len(after) < len(before) else "open"
        return {
            "name": name,
            "kind": self.kinds[name],
            "status": status,
            "before": _values(before),
            "size": len(before),
            "after": _values(after),
            "left": len(after),
            "ties": len(self.by_variable.get(name, ())),
        }

    def between(self, shown: Sequence[str]) -> list[dict[str, Any]]:
        """The ties between these variables; of those with a part outside, that define one here."""
        there = set(shown)
        found = []
        for number, tie in enumerate(self.ties):
            inside = [name for name in tie.scope if name in there]
            whole = len(inside) == len(tie.scope)
            if not inside or not (whole or len(inside) > 1 or tie.defines in there):
                continue
            found.append(
                {
                    "id": number,
                    "name": tie.name or (f"definition of {tie.defines}" if tie.defines else ""),
                    "kind": tie.kind,
                    "stochastic": any(self.kinds[name] == "chance" for name in tie.scope),
                    "scope": list(tie.scope),
                    "defines": tie.defines,
                    "outside": len(tie.scope) - len(inside),
                    **self._rows(tie),
                }
            )
        return found

    def _rows(self, tie: Tie) -> dict[str, Any]:
        if tie.constraint is None:
            chance = self.network.probability(tie.scope[0])
            given = tuple(self.after[name][0] for name in chance.given)
            if any(map(self.is_open, chance.given)):
                return {"rows": len(self.after[tie.scope[0]]), "left": 0, "sample": []}
            shares = chance.distribution(given)
            sample = [[_text(value), str(share)] for value, share in shares.items() if share]
            return {
                "rows": len(shares),
                "left": len(sample),
                "sample": sample[:MOST_ROWS],
                "header": [tie.scope[0], "probability"],
            }
        rows = tie.constraint.rows
        domains = [self.after[name] for name in tie.scope]
        alive = [row for row in rows if all(map(_fits, row, domains))]
        allowed = isinstance(tie.constraint, Soft) or tie.constraint.allowed
        sample = [[_text(entry) for entry in row] for row in alive[:MOST_ROWS]]
        header = list(tie.scope)
        if isinstance(tie.constraint, Soft):
            header.append("utility")
            for line, row in zip(sample, alive):
                line.append(", ".join(map(str, tie.constraint.rows[row])))
        return {
            "rows": len(rows),
            "left": len(alive),
            "sample": sample,
            "header": header,
            "allowed": allowed,
        }


def _turn(state: State) -> NetworkTurn:
    """The network of a state; a state that the multivalued encoding cannot say is Boolean."""
    try:
        return NetworkTurn(_template(state.game, "multivalued"), state)
    except StateError:
        return NetworkTurn(_template(state.game, "boolean"), state)


def _template(game: Game, encoding: Encoding) -> Template:
    memo: dict[str, Template] = game.memo.setdefault("web.templates", {})
    if encoding not in memo:
        memo[encoding] = template(game, encoding)
    return memo[encoding]


def _fits(entry: Value, domain: Sequence[Value]) -> bool:
    if entry is ANY:
        return True
    if isinstance(entry, Not):
        return any(value != entry.value for value in domain)
    return entry in domain


def _values(domain: Sequence[Value]) -> list[str]:
    return [_text(value) for value in domain[:MOST_VALUES]]


_WORDS: Mapping[str, str] = {"True": "true", "False": "false"}


def _text(value: Value) -> str:
    text = str(value)
    return _WORDS.get(text, text) if isinstance(value, bool) else text
