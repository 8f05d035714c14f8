"""Some turns of a game in a row, with variables and values by number, and what each of them is.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> rules = template(Game.from_library("tic-tac-toe"))
>>> turns = Turns.of(rules, 2)
>>> [name for name in turns.names if name.startswith("control")]
['control@1', 'control@2', 'control@3']
>>> turns.colors[turns.names.index("score_x@2")]
[(2, 'x', 0), (2, 'x', 50), (2, 'x', 100), (2, 'x', 'none')]
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from weakref import WeakKeyDictionary

from woodstock import _core
from woodstock.gdl.keywords import RANDOM
from woodstock.scsp.encode import Template
from woodstock.scsp.encode.builder import Builder, Table
from woodstock.scsp.encode.injector import problem_of
from woodstock.scsp.values import Value
from woodstock.symmetry.elimination import AuxiliaryElimination

__all__ = ["Turns"]

PIECE = "part"
"""How the builder of a template calls what it has cut."""


class Turns:
    """The variables and tables of so many turns; the state after a turn is that before the next.

    One turn has the numbers and names of the template. With more, names have their turn behind an
    ``@``, as in `Template.unroll`. Not to be changed.
    """

    def __init__(self, template: Template, count: int) -> None:
        self.names: list[str] = []
        self.domains: list[tuple[Value, ...]] = []
        self.colors: list[list[Hashable]] = []
        """For each variable the colours of its values."""
        self.auxiliary: set[int] = set()
        self.pieces: set[int] = set()
        """Auxiliary variables that were made by cutting a definition."""
        self.roots: list[int] = []
        """What a game is about: its end, the scores and the moves."""
        self.states: list[list[int]] = []
        """The variables of the state before each turn, and after the last."""
        self.legal: dict[tuple[int, int], int] = {}
        """For a variable of chance and a value, the Boolean variable that says it is legal."""
        self.tables: list[Table] = []
        for turn in range(count):
            numbers = self._variables(template, turn, count)
            self._tables(template.turn.builder.tables, None if count == 1 else numbers)
        self.auxiliary.difference_update(self.legal.values())
        self.pieces.intersection_update(self.auxiliary)
        self.relevant = _relevant(template)
        """The slots of the state that the game ever depends on."""

    @classmethod
    def of(cls, template: Template, count: int = 1) -> Turns:
        """Those of a template; they are made once."""
        known = _KNOWN.setdefault(template, {})
        if count not in known:
            known[count] = cls(template, count)
        return known[count]

    def left(self, places: Sequence[int]) -> list[list[int]] | None:
        """The places left in each domain from a state on, by propagation; None where none are."""
        builder = Builder()
        builder.domains, builder.tables = self.domains, self.tables
        solver = _core.CspSolver(problem_of(builder), heuristic="lex")
        if not (solver.assign(self.states[0], list(places)) and solver.propagate()):
            return None
        return [solver.domain(variable) for variable in range(len(self.domains))]

    def without_auxiliary(
        self, tables: Iterable[Table], domains: Sequence[Collection[int]]
    ) -> AuxiliaryElimination:
        """Some of the tables over what is left of the domains."""
        sizes = [len(domain) for domain in self.domains]
        return AuxiliaryElimination(tables, domains, sizes, self.auxiliary, self.pieces)

    def _variables(self, template: Template, turn: int, count: int) -> list[int]:
        """Add the variables of a turn; the number of each variable of the template."""
        found, builder = template.turn, template.turn.builder
        colors = _colors(template, turn + 1)
        before = {now: slot for slot, (now, _) in enumerate(found.slots)}
        following = {after: now for now, after in found.slots}
        numbers = []
        for variable, name in enumerate(builder.names):
            if turn and variable in before:
                numbers.append(self.states[turn][before[variable]])
                continue
            number = len(self.names)
            numbers.append(number)
            self.domains.append(builder.domains[variable])
            if variable in colors:
                self.colors.append(colors[variable])
            else:
                self.colors.append([(turn + 1, "auxiliary", "*")] * len(self.domains[number]))
                self.auxiliary.add(number)
                if name.partition("~")[0] == PIECE:
                    self.pieces.add(number)
            if count > 1 and variable in following:
                name = f"{builder.names[following[variable]]}@{turn + 2}"
            elif count > 1:
                name = f"{name}@{turn + 1}"
            self.names.append(name)
        if not turn:
            self.states.append([numbers[now] for now, _ in found.slots])
        self.states.append([numbers[after] for _, after in found.slots])
        self.roots.extend(numbers[v] for v in (found.terminal, *found.scores, *found.actions))
        for role, action in zip(template.game.roles, found.actions):
            if role == RANDOM:
                for place, value in enumerate(builder.domains[action]):
                    self.legal[numbers[action], place] = numbers[found.chance[value]]
        return numbers

    def _tables(self, tables: list[Table], numbers: list[int] | None) -> None:
        if numbers is None:
            self.tables = tables
            return
        for table in tables:
            scope = tuple(numbers[variable] for variable in table.scope)
            head = numbers[table.defines] if table.defines >= 0 else -1
            self.tables.append(Table(scope, table.rows, table.name, head, table.allowed))


_KNOWN: WeakKeyDictionary[Template, dict[int, Turns]] = WeakKeyDictionary()


def _colors(template: Template, stage: int) -> dict[int, list[Hashable]]:
    """The colours of the values of a turn's variables, but for auxiliary ones."""
    turn, domains = template.turn, template.turn.builder.domains
    found: dict[int, list[Hashable]] = {
        turn.terminal: [(stage, "*", value) for value in domains[turn.terminal]]
    }
    for now, after in turn.slots:
        found[now] = [(stage, "*", "*")] * len(domains[now])
        found[after] = [(stage + 1, "*", "*")] * len(domains[after])
    for role, score, action, moves in zip(
        template.game.roles, turn.scores, turn.actions, turn.moves
    ):
        found[score] = [(stage, role, value) for value in domains[score]]
        found[action] = [(stage, role, "no move" if move is None else "*") for move in moves]
    return found


def _relevant(template: Template) -> list[int]:
    """The slots that the end, a score or a legal move depends on, now or later."""
    turn = template.turn
    scopes: dict[int, list[tuple[int, ...]]] = {}
    for table in turn.builder.tables:
        scopes.setdefault(table.defines, []).append(table.scope)
    after = dict(turn.slots)
    waiting = [turn.terminal, *turn.scores, *turn.actions, *turn.chance.values(), -1]
    seen: set[int] = set()
    while waiting:
        variable = waiting.pop()
        if variable not in seen:
            seen.add(variable)
            waiting.extend(other for scope in scopes.get(variable, ()) for other in scope)
            if variable in after:
                waiting.append(after[variable])
    return [slot for slot, (now, _) in enumerate(turn.slots) if now in seen]
