"""The template μSCSP of a game and its injector.

A template is the network of a turn in which nothing is said about the state. Injecting a state adds
the unary constraints that fix its variables; the solutions are then the joint moves, each with the
state it leads to.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> turn = template(game, "multivalued")
>>> print(turn.fluents_now[:2], turn.network.variable("cell_1_1").domain)
('cell_1_1', 'cell_1_2') ('x', 'o', 'b')
>>> found = turn.solutions(game.initial_state())
>>> len(found), {outcome.terminal for outcome in found}
(9, {False})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from woodstock.background import in_background
from woodstock.errors import StateError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.scsp.constraints import (
    ANY,
    Constraint,
    Entry,
    Hard,
    Not,
    Number,
    Soft,
    UniformOver,
    Value,
    Variable,
)
from woodstock.scsp.encode.assemble import CHANCE, Turn, assemble
from woodstock.scsp.encode.boolean import boolean_slots
from woodstock.scsp.encode.builder import Table
from woodstock.scsp.encode.ground_rules import grounding_of
from woodstock.scsp.encode.injector import TemplateSolver
from woodstock.scsp.encode.literals import ANY_VALUE
from woodstock.scsp.encode.multivalued import multivalued_slots
from woodstock.scsp.encode.slots import Slot, fixed_fluents
from woodstock.scsp.encode.unroll import unroll
from woodstock.scsp.network import Network

__all__ = ["Encoding", "Outcome", "Template", "template"]

Encoding: TypeAlias = Literal["boolean", "multivalued"]


class Outcome(NamedTuple):
    """A solution of an injected template, in the words of the game.

    `moves` are those of the roles in order, the fluents those of the next state; `terminal` and
    `scores` tell of the injected one. A game that is over has one outcome: nobody moves (None) and
    everything stays.
    """

    moves: tuple[Term | None, ...]
    fluents: frozenset[Term]
    terminal: bool
    scores: tuple[int | None, ...]


def template(game: Game, encoding: Encoding = "multivalued") -> Template:
    """The template of a game.

    Raises `EncodingError` where the rules are too large or too recursive, `GroundingError` where
    they cannot be grounded.
    """
    if encoding not in get_args(Encoding):
        raise ValueError(f"no encoding {encoding!r}; there are {', '.join(get_args(Encoding))}")
    with in_background():
        grounding = grounding_of(game)
        slots = (boolean_slots if encoding == "boolean" else multivalued_slots)(grounding)
        turn = assemble(grounding, game.roles, slots)
        fixed = frozenset(grounding.fluents[f] for f in fixed_fluents(grounding.program))
        return Template(game, encoding, turn, tuple(slots), tuple(grounding.fluents), fixed)


@dataclass(frozen=True, eq=False)
class Template:
    """One turn of a game as a network, for any state. Immutable.

    `turn` has its variables and tables by number, `network` the same as a `Network`.
    """

    game: Game
    encoding: Encoding
    turn: Turn
    slots: tuple[Slot, ...]
    fluents: tuple[Term, ...]
    """The fluents by index, as in the slots."""
    fixed: frozenset[Term]
    """Fluents that always hold and have no variable."""

    # Which variable is what

    @property
    def terminal(self) -> str:
        """The variable that tells whether the game is over."""
        return self.turn.builder.names[self.turn.terminal]

    @cached_property
    def scores(self) -> Mapping[str, str]:
        """The variable of each role's score."""
        return dict(zip(self.game.roles, self._names(self.turn.scores)))

    @cached_property
    def actions(self) -> Mapping[str, str]:
        """The variable of each role's move."""
        return dict(zip(self.game.roles, self._names(self.turn.actions)))

    @cached_property
    def fluents_now(self) -> tuple[str, ...]:
        """The variables of the state."""
        return self._names(now for now, _ in self.turn.slots)

    @cached_property
    def fluents_next(self) -> tuple[str, ...]:
        """The variables of the next state, in the same order."""
        return self._names(after for _, after in self.turn.slots)

    @property
    def players(self) -> tuple[str, ...]:
        """The roles but chance."""
        return tuple(role for role in self.game.roles if role != CHANCE)

    def _names(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.turn.builder.names[variable] for variable in variables)

    # Networks

    @cached_property
    def network(self) -> Network:
        """The template as a network of one stage.

        The move of chance is uniform over what is legal, channelled through Boolean variables. A
        soft constraint a player is worth its score, in hundredths, where the game is over. The
        threshold is 0.
        """
        builder = self.turn.builder
        chance = {a for a, role in zip(self.turn.actions, self.game.roles) if role == CHANCE}
        variables = [
            Variable(name, domain, stochastic=number in chance)
            for number, (name, domain) in enumerate(zip(builder.names, builder.domains))
        ]
        constraints: list[Constraint] = [self._hard(table) for table in builder.tables]
        constraints.extend(self.utilities(self.terminal, self.scores))
        legal = {value: builder.names[v] for value, v in self.turn.chance.items()}
        probabilities = [UniformOver(builder.names[action], legal) for action in chance]
        threshold = [0] * max(1, len(self.players))
        return Network.unchecked(variables, constraints, probabilities, threshold)

    def utilities(self, terminal: str, scores: Mapping[str, str]) -> list[Soft]:
        """The soft constraints for the scores in these variables."""
        found = []
        for place, role in enumerate(self.players):
            domain = self.turn.builder.domains[self.turn.scores[self.game.roles.index(role)]]
            worth = {v: min(Fraction(v, 100), Fraction(1)) for v in domain if isinstance(v, int)}
            rows: dict[tuple[Value, ...], Sequence[Number]] = {
                (True, value): [share if i == place else 0 for i in range(len(self.players))]
                for value, share in worth.items()
            }
            found.append(Soft([terminal, scores[role]], rows, "goal"))
        return found

    def _hard(self, table: Table) -> Hard:
        builder = self.turn.builder
        domains = [builder.domains[variable] for variable in table.scope]
        rows = [tuple(map(_entry, row, domains)) for row in table.rows]
        return Hard(self._names(table.scope), rows, table.allowed, table.name)

    def inject(self, state: State | Iterable[Term]) -> Network:
        """The network of a turn from this state: unary constraints fix the variables of now."""
        base = self.network
        values = self.values(state)
        unary = [Hard([name], [(value,)], name="state") for name, value in values.items()]
        return Network.unchecked(
            base.variables, [*base.constraints, *unary], base.probabilities, base.threshold
        )

    def values(self, state: State | Iterable[Term]) -> dict[str, Value]:
        """The values of the variables of now in a state; `StateError` where it has none."""
        places = self.places(state)
        return {
            name: slot.values[place]
            for name, slot, place in zip(self.fluents_now, self.slots, places)
        }

    def places(self, state: State | Iterable[Term]) -> list[int]:
        """The same, as places in the domains."""
        fluents = frozenset(state.fluents if isinstance(state, State) else state)
        places = [slot.fluents.index(None) if None in slot.fluents else -1 for slot in self.slots]
        for fluent in fluents - self.fixed:
            found = self._homes.get(fluent)
            if found is None:
                raise StateError(f"{fluent} can never hold in this game")
            slot, place = found
            if places[slot] >= 0 and self.slots[slot].fluents[places[slot]] is not None:
                raise StateError(
                    f"{fluent} and {self.fluents[self.slots[slot].fluents[places[slot]] or 0]} "
                    "never hold together; the Boolean encoding takes any state"
                )
            places[slot] = place
        for place, one in zip(places, self.slots):
            if place < 0:
                raise StateError(
                    f"{one.name} has no value in this state; the Boolean encoding takes any state"
                )
        return places

    @cached_property
    def _homes(self) -> dict[Term, tuple[int, int]]:
        return {
            self.fluents[fluent]: (slot, place)
            for slot, one in enumerate(self.slots)
            for place, fluent in enumerate(one.fluents)
            if fluent is not None
        }

    def unroll(self, stages: int, state: State | Iterable[Term] | None = None) -> Network:
        """The network of so many turns, from `state` on; see `woodstock.scsp.encode.unroll`."""
        return unroll(self, stages, state)

    def part(self, names: Iterable[str]) -> Network:
        """The constraints that define these variables, and what those depend on in turn.

        For a look at one relation of the rules: its solutions, projected to a few variables, are
        the table of a figure.

        >>> from woodstock import Game
        >>> part = template(Game.from_library("matching-pennies")).part(["terminal"])
        >>> [variable.name for variable in part.variables]
        ['terminal', 'piece_j1', 'piece_j2']
        """
        tables = self.turn.builder.tables
        places = {name: number for number, name in enumerate(self.turn.builder.names)}
        about: dict[int, list[Table]] = {}
        for table in tables:
            about.setdefault(table.scope[0] if table.defines < 0 else table.defines, []).append(
                table
            )
        waiting = [places[name] for name in names]
        seen: dict[int, None] = {}
        while waiting:
            variable = waiting.pop()
            if variable not in seen:
                seen[variable] = None
                waiting.extend(v for table in about.get(variable, ()) for v in table.scope)
        variables = [self.network.variables[v] for v in sorted(seen)]
        hard = [self._hard(table) for v in sorted(seen) for table in about.get(v, ())]
        chance = [
            found
            for found in self.network.probabilities
            if any(found.variable == variable.name for variable in variables)
        ]
        return Network.unchecked(variables, hard, chance, self.network.threshold)

    def outcome(self, values: Mapping[str, Value]) -> Outcome:
        """A solution of the network, by names and values, in the words of the game."""
        builder = self.turn.builder
        return self.decode(
            [builder.domains[v].index(values[builder.names[v]]) for v in self.columns]
        )

    def decode(self, row: Sequence[int]) -> Outcome:
        """The outcome of the values (places in the domains) of `columns`."""
        turn = self.turn
        roles = len(turn.actions)
        scores = []
        for variable, value in zip(turn.scores, row[1 : 1 + roles]):
            score = turn.builder.domains[variable][value]
            scores.append(score if isinstance(score, int) else None)
        moves = tuple(
            options[value] for options, value in zip(turn.moves, row[1 + roles : 1 + 2 * roles])
        )
        fluents = set(self.fixed)
        for slot, value in zip(self.slots, row[1 + 2 * roles :]):
            fluent = slot.fluents[value]
            if fluent is not None:
                fluents.add(self.fluents[fluent])
        return Outcome(moves, frozenset(fluents), bool(row[0]), tuple(scores))

    @cached_property
    def columns(self) -> list[int]:
        """The variables of an outcome: terminal, scores, actions, the slots of the next state."""
        turn = self.turn
        return [turn.terminal, *turn.scores, *turn.actions, *(after for _, after in turn.slots)]

    # Solving

    def solver(self, **options: Any) -> TemplateSolver:
        """A native solver of this template; see `TemplateSolver` for the options."""
        return TemplateSolver(self, **options)

    def solutions(self, state: State | Iterable[Term]) -> set[Outcome]:
        """All outcomes of a state: one for every joint move."""
        return self._solver.solutions(state)

    @cached_property
    def _solver(self) -> TemplateSolver:
        return self.solver()

    @property
    def statistics(self) -> dict[str, int]:
        """The figures of the papers' table, and the largest scope and table."""
        builder = self.turn.builder
        return {
            "variables": len(builder.names),
            "largest_domain": max(map(len, builder.domains)),
            "constraints": len(builder.tables),
            "largest_table": max(len(table.rows) for table in builder.tables),
            "largest_scope": max(len(table.scope) for table in builder.tables),
        }


def _entry(entry: int, domain: Sequence[Value]) -> Entry:
    if entry >= 0:
        return domain[entry]
    return ANY if entry == ANY_VALUE else Not(domain[-2 - entry])
