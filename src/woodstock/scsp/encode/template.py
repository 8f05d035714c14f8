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
from woodstock.gdl.keywords import RANDOM
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
from woodstock.scsp.encode.assemble import TurnNetwork, assemble
from woodstock.scsp.encode.boolean import boolean_slots
from woodstock.scsp.encode.builder import Table
from woodstock.scsp.encode.ground_rules import grounding_of
from woodstock.scsp.encode.injector import TemplateSolver
from woodstock.scsp.encode.literals import ANY_VALUE
from woodstock.scsp.encode.multivalued import multivalued_slots
from woodstock.scsp.encode.observed import observed
from woodstock.scsp.encode.percepts import Observer
from woodstock.scsp.encode.slots import Slot, fixed_fluents
from woodstock.scsp.encode.unroll import unroll
from woodstock.scsp.network import Network

__all__ = ["Encoding", "Template", "TurnOutcome", "template"]

Encoding: TypeAlias = Literal["boolean", "multivalued"]


class TurnOutcome(NamedTuple):
    """A solution of an injected template, in the words of the game.

    `moves` are those of the roles in order, the fluents those of the next state; `terminal` and
    `scores` tell of the injected one. `percepts` are those of the observer, if there is one. A game
    that is over has one outcome: nobody moves (None) and everything stays.
    """

    moves: tuple[Term | None, ...]
    fluents: frozenset[Term]
    terminal: bool
    scores: tuple[int | None, ...]
    percepts: frozenset[Term] = frozenset()


def template(
    game: Game, encoding: Encoding = "multivalued", *, percepts: str | None = None
) -> Template:
    """The template of a game, with variables for what the role `percepts` perceives, if given.

    Raises `EncodingError` where the rules are too large or too recursive, `GroundingError` where
    they cannot be grounded.

    >>> from woodstock import Game
    >>> turn = template(Game.from_library("hidden-matching-pennies"), percepts="alice")
    >>> sorted(turn.network.variable("percept").domain)
    ['(coins heads)', '(coins tails)', 'none']
    """
    if encoding not in get_args(Encoding):
        raise ValueError(f"no encoding {encoding!r}; there are {', '.join(get_args(Encoding))}")
    if percepts is not None and percepts not in game.roles:
        raise ValueError(f"no role {percepts!r}; this game has {', '.join(game.roles)}")
    observer = None if percepts is None else Observer(percepts, encoding == "multivalued")
    with in_background():
        grounding = grounding_of(game)
        slots = (boolean_slots if encoding == "boolean" else multivalued_slots)(grounding)
        turn = assemble(grounding, game.roles, slots, observer)
        fixed = frozenset(grounding.fluents[f] for f in fixed_fluents(grounding.program))
        fluents = tuple(grounding.fluents)
        return Template(game, encoding, turn, tuple(slots), fluents, fixed, percepts)


@dataclass(frozen=True, eq=False)
class Template:
    """One turn of a game as a network, for any state. Immutable.

    `turn` has its variables and tables by number, `network` the same as a `Network`.
    """

    game: Game
    encoding: Encoding
    turn: TurnNetwork
    slots: tuple[Slot, ...]
    fluents: tuple[Term, ...]
    """The fluents by index, as in the slots."""
    fixed: frozenset[Term]
    """Fluents that always hold and have no variable."""
    observer: str | None = None
    """The role whose percepts have variables."""

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

    @cached_property
    def percepts(self) -> tuple[str, ...]:
        """The variables of what the observer perceives."""
        return self._names(variable for variable, _ in self.turn.percepts)

    @property
    def players(self) -> tuple[str, ...]:
        """The roles but chance."""
        return self.game.players

    def _names(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.turn.builder.names[variable] for variable in variables)

    # Networks

    @cached_property
    def network(self) -> Network:
        """The template as a network of one stage.

        The move of chance is uniform over what is legal, channelled through Boolean variables. A
        soft constraint a player is worth the utility of its score (`Engine.utility`) where the game
        is over. The threshold is 0.
        """
        builder = self.turn.builder
        chance = {a for a, role in zip(self.turn.actions, self.game.roles) if role == RANDOM}
        named = {
            self.turn.terminal,
            *self.turn.scores,
            *self.turn.actions,
            *(variable for slot in self.turn.slots for variable in slot),
            *(variable for variable, _ in self.turn.percepts),
        }
        variables = [
            Variable(name, domain, stochastic=number in chance, auxiliary=number not in named)
            for number, (name, domain) in enumerate(zip(builder.names, builder.domains))
        ]
        constraints: list[Constraint] = [self._hard(table) for table in builder.tables]
        constraints.extend(self.utilities(self.terminal, self.scores))
        legal = {value: builder.names[v] for value, v in self.turn.chance.items()}
        probabilities = [UniformOver(builder.names[action], legal) for action in chance]
        threshold = [0] * max(1, len(self.players))
        return Network.unchecked(variables, constraints, probabilities, threshold)

    @property
    def goal_scale(self) -> int:
        """The goal whose utility is 1."""
        domains = (self.turn.builder.domains[score] for score in self.turn.scores)
        known = (value for domain in domains for value in domain if isinstance(value, int))
        # The lifted engine may not know all goals that these ground rules do.
        return max([self.game.engine.goal_scale, *known])

    def utilities(self, terminal: str, scores: Mapping[str, str]) -> list[Soft]:
        """The soft constraints for the scores in these variables."""
        found = []
        scale = self.goal_scale
        for place, role in enumerate(self.players):
            domain = self.turn.builder.domains[self.turn.scores[self.game.roles.index(role)]]
            worth = {v: Fraction(v, scale) for v in domain if isinstance(v, int)}
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

    def inject(
        self, state: State | Iterable[Term], percepts: Iterable[Term] | None = None
    ) -> Network:
        """The network of a turn from this state: unary constraints fix the variables of now.

        With `percepts`, the observer perceives exactly these.
        """
        base = self.network
        known = {"state": self.values(state)}
        if percepts is not None:
            known["percept"] = self.percept_values(percepts)
        unary = [
            Hard([name], [(value,)], name=what)
            for what, values in known.items()
            for name, value in values.items()
        ]
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

    def percept_values(self, percepts: Iterable[Term]) -> dict[str, Value]:
        """The values of the variables of percepts; `StateError` where these never come together."""
        domains = [self.turn.builder.domains[variable] for variable, _ in self.turn.percepts]
        places = self.percept_places(percepts)
        return {n: domain[at] for n, domain, at in zip(self.percepts, domains, places)}

    def percept_places(self, percepts: Iterable[Term]) -> list[int]:
        """The same, as places in the domains."""
        left = set(percepts)
        places = []
        for _, values in self.turn.percepts:
            term = min(left.intersection(values), key=str, default=None)
            places.append(values.index(term))
            left.discard(term)
        if left:
            raise StateError(
                f"{', '.join(sorted(map(str, left)))}: {self.observer} never perceives that, or "
                "not with the others"
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

    def observed(self, state: State | Iterable[Term]) -> Network:
        """What the observer can tell of a turn; see `woodstock.scsp.encode.observed`."""
        return observed(self, state)

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
        places = {name: number for number, name in enumerate(self.turn.builder.names)}
        about = self.tables_about(places[name] for name in names)
        variables = [self.network.variables[v] for v in about]
        hard = [self._hard(table) for tables in about.values() for table in tables]
        chance = [
            found
            for found in self.network.probabilities
            if any(found.variable == variable.name for variable in variables)
        ]
        return Network.unchecked(variables, hard, chance, self.network.threshold)

    def tables_about(self, variables: Iterable[int]) -> dict[int, list[Table]]:
        """The tables about these variables, and about what those depend on in turn."""
        about: dict[int, list[Table]] = {}
        for table in self.turn.builder.tables:
            subject = table.scope[0] if table.defines < 0 else table.defines
            about.setdefault(subject, []).append(table)
        waiting = list(variables)
        found: dict[int, list[Table]] = {}
        while waiting:
            variable = waiting.pop()
            if variable not in found:
                found[variable] = about.get(variable, [])
                waiting.extend(v for table in found[variable] for v in table.scope)
        return dict(sorted(found.items()))

    def outcome(self, values: Mapping[str, Value]) -> TurnOutcome:
        """A solution of the network, by names and values, in the words of the game."""
        builder = self.turn.builder
        return self.decode(
            [builder.domains[v].index(values[builder.names[v]]) for v in self.columns]
        )

    def decode(self, row: Sequence[int]) -> TurnOutcome:
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
        rest = row[1 + 2 * roles :]
        for slot, value in zip(self.slots, rest):
            fluent = slot.fluents[value]
            if fluent is not None:
                fluents.add(self.fluents[fluent])
        seen = [values[v] for (_, values), v in zip(turn.percepts, rest[len(self.slots) :])]
        percepts = frozenset(term for term in seen if term is not None)
        return TurnOutcome(moves, frozenset(fluents), bool(row[0]), tuple(scores), percepts)

    @cached_property
    def columns(self) -> list[int]:
        """The variables of an outcome: terminal, scores, actions, the next state, percepts."""
        turn = self.turn
        after = [after for _, after in turn.slots]
        percepts = [variable for variable, _ in turn.percepts]
        return [turn.terminal, *turn.scores, *turn.actions, *after, *percepts]

    # Solving

    def solver(self, **options: Any) -> TemplateSolver:
        """A native solver of this template; see `TemplateSolver` for the options."""
        return TemplateSolver(self, **options)

    def solutions(self, state: State | Iterable[Term]) -> set[TurnOutcome]:
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
