"""The variables and tables of one turn of a game, whatever its state is kept in.

In the order of the network: ``terminal``, ``score_j``, the slots of the state, what follows from
the state, ``action_j``, and behind the move of chance what follows from the moves, the percepts of
one role if they are asked for, and the slots of the next state. A finished game stays as it is:
every action is ``none``, every slot keeps its value, nothing is perceived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from woodstock.engine import goal_value
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.ground.grounder import Grounding
from woodstock.scsp.constraints import Value
from woodstock.scsp.encode.builder import MAX_ARITY, Builder, Table
from woodstock.scsp.encode.ground_rules import GroundRules
from woodstock.scsp.encode.literals import (
    ANY_VALUE,
    FALSE,
    TRUE,
    Literal,
    apart,
    complement,
    conjunction,
)
from woodstock.scsp.encode.naming import name_of, none_for
from woodstock.scsp.encode.percepts import Observer, percept_groups
from woodstock.scsp.encode.slots import Slot, fixed_fluents

__all__ = ["TurnNetwork", "assemble"]

MAX_BODIES = 24
"""Conditions of a role's goals beyond which nobody tries to show that one holds."""


@dataclass
class TurnNetwork:
    """One turn: variables and tables by number, and which variable is what."""

    builder: Builder
    terminal: int = -1
    scores: list[int] = field(default_factory=list)
    slots: list[tuple[int, int]] = field(default_factory=list)
    """The variables of each slot, now and next."""
    actions: list[int] = field(default_factory=list)
    moves: list[list[Term | None]] = field(default_factory=list)
    """For each role the move behind each value of its action; None: no move."""
    chance: dict[Value, int] = field(default_factory=dict)
    """For each value of the move of chance the Boolean variable that says it is legal."""
    percepts: list[tuple[int, list[Term | None]]] = field(default_factory=list)
    """Variables of the observer's percepts, each with what its values stand for; None: nothing."""


def assemble(
    grounding: Grounding,
    roles: Sequence[str],
    slots: Sequence[Slot],
    observer: Observer | None = None,
) -> TurnNetwork:
    """The turn of a ground program over the given slots, with the percepts of an observer."""
    return _Assembly(grounding, roles, slots, observer).run()


class _Assembly:
    def __init__(
        self,
        grounding: Grounding,
        roles: Sequence[str],
        slots: Sequence[Slot],
        observer: Observer | None,
    ) -> None:
        self.grounding = grounding
        self.program = grounding.program
        self.roles = roles
        self.layout = slots
        self.observer = observer
        self.perceived: dict[Term, int] = {}
        if observer is not None:
            atoms = zip(grounding.percepts, grounding.program.percept_atoms())
            self.perceived = {p: atom for (who, p), atom in atoms if who == observer.role}
        self.builder = Builder()
        self.turn = TurnNetwork(self.builder)
        self.over: Literal = FALSE

    def run(self) -> TurnNetwork:
        known = self._inputs()
        roots = self._roots()
        self.rules = GroundRules(self.program, self.builder, known, roots, self._names())
        self._terminal()
        for role in range(len(self.roles)):
            self._score(role)
            self._action(role)
        self._percepts()
        self._next()
        return self._pruned()

    # Reading the ground program

    def _roots(self) -> set[int]:
        numbers = set(self.roles)
        program = self.program
        roots = {after for _, after in program.fluent_atoms()}
        for (role, _), (legal, _) in zip(self.grounding.moves, program.move_atoms()):
            if role in numbers:
                roots.add(legal)
        roots.update(program.goal_atoms())
        roots.update(self.perceived.values())
        roots.add(program.terminal_atom)
        return roots - {0}

    def _names(self) -> dict[int, str]:
        names = {self.program.terminal_atom: "terminal"}
        for (role, move), (legal, _) in zip(self.grounding.moves, self.program.move_atoms()):
            names[legal] = f"legal_{role}_{name_of(move)}"
        return names

    def _inputs(self) -> dict[int, Literal]:
        """Variables for slots and actions, and the literals of ``true`` and ``does``."""
        builder, program = self.builder, self.program
        known: dict[int, Literal] = {}
        atoms = program.fluent_atoms()
        for index in fixed_fluents(program):
            known[atoms[index][0]] = TRUE
        for slot in self.layout:
            now = builder.variable(slot.name, slot.values)
            after = builder.variable(f"{slot.name}'", slot.values, moving=True)
            self.turn.slots.append((now, after))
            for value, fluent in enumerate(slot.fluents):
                if fluent is not None:
                    known[atoms[fluent][0]] = (now, value)
        moves = list(zip(self.grounding.moves, program.move_atoms()))
        for (_, _), (_, does) in moves:
            known[does] = FALSE
        for role in self.roles:
            own = [(move, legal, does) for (r, move), (legal, does) in moves if r == role]
            own = [found for found in own if found[1]]
            values: list[Value] = [str(move) for move, _, _ in own]
            options: list[Term | None] = [move for move, _, _ in own]
            if program.terminal_atom or not own:
                values.append(none_for(values))
                options.append(None)
            variable = builder.variable(f"action_{role}", values, moving=True)
            for value, (_, _, does) in enumerate(own):
                known[does] = (variable, value) if len(values) > 1 else TRUE
            self.turn.actions.append(variable)
            self.turn.moves.append(options)
        known.pop(0, None)
        return known

    def _bodies(self, atom: int) -> list[list[Literal]]:
        return self.rules.bodies(atom) if atom else []

    # The parts of a turn

    def _terminal(self) -> None:
        builder = self.builder
        bodies = self._bodies(self.program.terminal_atom)
        found = builder.literal(bodies, "terminal")
        if found[0] >= 0 and builder.names[found[0]] == "terminal" and found[1] == 1:
            self.turn.terminal = found[0]
        else:
            self.turn.terminal = builder.boolean("terminal")
            builder.define((self.turn.terminal, 1), [[found]], "terminal")
        self.over = found if found[0] < 0 else (self.turn.terminal, 1)

    def _score(self, role: int) -> None:
        """``score_j``: the one goal value that holds; none where none or several hold."""
        builder, name = self.builder, self.roles[role]
        atoms: dict[int, list[list[Literal]]] = {}
        for (who, term), atom in zip(self.grounding.goals, self.program.goal_atoms()):
            value = goal_value(term)
            if who == name and value is not None:
                atoms.setdefault(value, []).extend(self._bodies(atom))
        if self._exact(atoms):
            score = builder.variable(f"score_{name}", sorted(atoms))
            if len(atoms) > 1:
                builder.select(score, [atoms[value] for value in sorted(atoms)], "goal")
            self.turn.scores.append(score)
            return
        goals = {
            value: builder.literal(atoms[value], f"goal_{name}_{value}") for value in sorted(atoms)
        }
        goals = {value: literal for value, literal in goals.items() if literal != FALSE}
        values: list[Value] = [*goals]
        score = builder.variable(f"score_{name}", [*values, none_for(values)])
        self._one_goal(score, list(goals.values()), name)
        self.turn.scores.append(score)

    def _exact(self, goals: dict[int, list[list[Literal]]]) -> bool:
        """Whether the conditions of the goals, as they stand, say that exactly one value holds."""
        size = self.builder.size
        bodies = [
            (value, found)
            for value, bodies in goals.items()
            for body in bodies
            if (found := conjunction(body, size)) is not None
        ]
        if not bodies or len(bodies) > MAX_BODIES:
            return False
        for i, (value, left) in enumerate(bodies):
            for other, right in bodies[:i]:
                if value != other and not apart(left, right, size):
                    return False
        return complement([found for _, found in bodies], size, 0) == []

    def _one_goal(self, score: int, literals: list[Literal], name: str) -> None:
        """Post that the score is goal i where that one alone holds, none (the last) elsewhere."""
        builder = self.builder
        none = len(literals)
        variables = {v for v, _ in literals if v >= 0}
        if 0 < none < MAX_ARITY and len(variables) == none:
            rows = []
            entries = [(entry, builder.negate((v, entry))[1]) for v, entry in literals]
            for i in range(none):
                rows.append((i, *(yes if i == j else no for j, (yes, no) in enumerate(entries))))
                for k in range(i):
                    both = [yes if j in (i, k) else ANY_VALUE for j, (yes, _) in enumerate(entries)]
                    rows.append((none, *both))
            rows.append((none, *(no for _, no in entries)))
            builder.table((score, *(v for v, _ in literals)), rows, "goal", score)
            return
        count = builder.variable(f"goals_{name}_0", (0, 1, 2))
        builder.table((count,), [(0,)], "goal", count)
        for i, literal in enumerate(literals):
            before, count = count, builder.variable(f"goals_{name}_{i + 1}", (0, 1, 2))
            yes, no = literal[1], builder.negate(literal)[1]
            if literal[0] < 0:
                rows = [(0, 1), (1, 2), (2, 2)]
                builder.table((before, count), rows, "goal", count)
            else:
                rows = [(0, no, 0), (0, yes, 1), (1, no, 1), (1, yes, 2), (2, ANY_VALUE, 2)]
                builder.table((before, literal[0], count), rows, "goal", count)
            builder.tables.append(self._owed((score, i), literal))
        builder.define((score, none), [[builder.negate((count, 1))]], "goal")

    def _owed(self, premise: Literal, literal: Literal) -> Table:
        """A table of the definition of a score: it can be this value only where the goal holds."""
        variable, value = premise
        no = self.builder.negate(premise)[1]
        if literal[0] < 0:
            return Table((variable,), ((ANY_VALUE,),), "goal", variable)
        rows = ((no, ANY_VALUE), (value, literal[1]))
        return Table((variable, literal[0]), rows, "goal", variable)

    def _action(self, role: int) -> None:
        """Legal moves alone, and none exactly where the game is over."""
        builder, name = self.builder, self.roles[role]
        action, moves = self.turn.actions[role], self.turn.moves[role]
        legal = dict(zip(self.grounding.moves, self.program.move_atoms()))
        goes_on = builder.negate(self.over)
        for value, move in enumerate(moves):
            bodies = [[self.over]] if move is None else self._bodies(legal[name, move][0])
            if name == RANDOM:
                label = f"legal_{name}_{'none' if move is None else name_of(move)}"
                now = bodies if move is None else [[*body, goes_on] for body in bodies]
                boolean = self._boolean(now, label)
                self.turn.chance[builder.domains[action][value]] = boolean
                bodies = [[(boolean, 1)]]
            if len(moves) == 1:
                # The only value there is: it must be legal.
                self._only(bodies)
            elif move is None:
                builder.define((action, value), bodies, "legal")
            else:
                builder.imply((action, value), bodies, "legal")

    def _only(self, bodies: list[list[Literal]]) -> None:
        found = self.builder.literal(bodies, "legal")
        if found == FALSE:
            found = (self.turn.terminal, 1)
            self.builder.table((found[0],), [(0,)], "legal")
            self.builder.table((found[0],), [(1,)], "legal")
        elif found != TRUE:
            self.builder.table((found[0],), [(found[1],)], "legal")

    def _boolean(self, bodies: list[list[Literal]], name: str) -> int:
        """A Boolean variable that is true exactly when one of the bodies holds."""
        builder = self.builder
        literal = builder.literal(bodies, name)
        if literal[0] >= 0 and literal[1] == 1 and builder.domains[literal[0]] == (False, True):
            return literal[0]
        variable = builder.boolean(name)
        builder.define((variable, 1), [[literal]], "legal")
        return variable

    def _percepts(self) -> None:
        """What the observer perceives, nothing where the game is over."""
        if self.observer is None:
            return
        builder = self.builder
        goes_on = builder.negate(self.over)
        bodies = {
            percept: [[*body, goes_on] for body in self._bodies(atom)]
            for percept, atom in self.perceived.items()
        }
        for name, terms in percept_groups(bodies, builder.size, self.observer.grouped):
            if len(terms) == 1:
                variable, values = builder.boolean(name, moving=True), [None, *terms]
            else:
                texts: list[Value] = [str(term) for term in terms]
                domain = [*texts, none_for(texts)]
                variable, values = builder.variable(name, domain, moving=True), [*terms, None]
            for value, term in enumerate(values):
                if term is not None:
                    builder.define((variable, value), bodies[term], "sees")
            self.turn.percepts.append((variable, values))

    def _next(self) -> None:
        builder = self.builder
        atoms = self.program.fluent_atoms()
        goes_on = builder.negate(self.over)
        for slot, (now, after) in zip(self.layout, self.turn.slots):
            for value, fluent in enumerate(slot.fluents):
                if fluent is None:
                    continue
                bodies = self._bodies(atoms[fluent][1])
                stays = [self.over, (now, value)]
                whole = [*([*body, goes_on] for body in bodies), stays]
                if not builder.fits(whole):
                    name = f"next_{name_of(self.grounding.fluents[fluent])}"
                    whole = [[builder.literal(bodies, name), goes_on], stays]
                builder.define((after, value), whole, "next")

    def _pruned(self) -> TurnNetwork:
        """The turn without variables that nothing it is asked for depends on."""
        turn, builder = self.turn, self.builder
        definitions: dict[int, list[Table]] = {}
        kept = [table for table in builder.tables if table.defines < 0]
        for table in builder.tables:
            definitions.setdefault(table.defines, []).append(table)
        wanted = {turn.terminal, *turn.scores, *turn.actions, *turn.chance.values()}
        wanted.update(variable for pair in turn.slots for variable in pair)
        wanted.update(variable for variable, _ in turn.percepts)
        waiting = [*wanted, *(variable for table in kept for variable in table.scope)]
        seen: set[int] = set()
        while waiting:
            variable = waiting.pop()
            if variable in seen:
                continue
            seen.add(variable)
            for table in definitions.get(variable, ()):
                waiting.extend(table.scope)
        used = [t for t in builder.tables if t.defines < 0 or t.defines in seen]
        self._reorder(seen, used)
        return turn

    def _reorder(self, seen: set[int], tables: list[Table]) -> None:
        turn, old = self.turn, self.builder
        now = [pair[0] for pair in turn.slots]
        after = [pair[1] for pair in turn.slots]
        chance = [v for v, role in zip(turn.actions, self.roles) if role == RANDOM]
        actions = [v for v in turn.actions if v not in chance]
        percepts = [variable for variable, _ in turn.percepts]
        named = {turn.terminal, *turn.scores, *now, *after, *turn.actions, *percepts}
        rest = [v for v in sorted(seen) if v not in named]
        order = [
            turn.terminal,
            *turn.scores,
            *now,
            *(v for v in rest if not old.moving[v]),
            *actions,
            *chance,
            *(v for v in rest if old.moving[v]),
            *percepts,
            *after,
        ]
        new = Builder()
        place = {v: new.variable(old.names[v], old.domains[v], old.moving[v]) for v in order}
        for table in tables:
            scope = tuple(place[v] for v in table.scope)
            defines = place[table.defines] if table.defines >= 0 else -1
            new.tables.append(Table(scope, table.rows, table.name, defines, table.allowed))
        turn.builder = new
        turn.terminal = place[turn.terminal]
        turn.scores = [place[v] for v in turn.scores]
        turn.slots = [(place[a], place[b]) for a, b in turn.slots]
        turn.actions = [place[v] for v in turn.actions]
        turn.chance = {value: place[v] for value, v in turn.chance.items()}
        turn.percepts = [(place[v], values) for v, values in turn.percepts]
