"""The encoding of Constraints 2016, Table 2: a variable for each atom name, a table for each rule.

Functions are eliminated first (Lifschitz and Yang): ``true(cell(1, 1, x))`` is an atom of the name
``cell``, with the value ``1 1 x``; in the next state the name is ``cell'``. A move ``mark(1, 1)``
of x, be it made or legal, is the value ``x 1 1`` of ``mark``. All other relations, facts included,
are names of their own, with their arguments as values; the domain of a name is what its atoms can
be in any state that negation does not rule out. A rule is a table: one row for each of its ground
instances, over the names of its head and of its body. What is negated becomes ``Not(value)``.

This is a picture of how large rules are, and what the papers measured; it is a network of turns
only where each name has one atom at a time. A state of tic-tac-toe has nine cells, and a variable
one value: a rule that names cells three times has two *copies* of the variable, ``cell#2`` and
``cell#3``, in its table, which nothing ties together. `template` has encodings that say what a turn
is.

>>> from woodstock import Game
>>> found = atom_network(Game.from_library("hidden-matching-pennies"))
>>> sorted(found.network.variable("coins").domain)[:2]
['heads heads', 'heads tails']
>>> found.names[:3], len(found.network.constraints)
(('choose', 'coin', "coin'"), 16)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import clingo
from clingo.backend import Observer

from woodstock.game import Game
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule
from woodstock.gdl.terms import Compound, Term, Variable
from woodstock.ground.translate import AspProgram, translate
from woodstock.scsp.constraints import ANY, Hard, Not
from woodstock.scsp.constraints import Variable as NetworkVariable
from woodstock.scsp.encode.recursion import EncodingError
from woodstock.scsp.network import Network

__all__ = ["MOST_ROWS", "AtomNetwork", "atom_network"]

MOST_ROWS = 1_500_000
"""Rows of all tables together; games with more have no such network."""

_LEFT_OUT = frozenset({"role", "init", "base", "input"})
_INSTANCE = "instance of rule "
TRUE, FALSE, NOTHING = "true", "false", "none"


@dataclass(frozen=True)
class AtomNetwork:
    """The network, and its names, without the copies that rules need of some."""

    network: Network
    names: tuple[str, ...]


def atom_network(game: Game) -> AtomNetwork:
    """The network of a game by atom names.

    `EncodingError` where it would have more than `MOST_ROWS` rows, or take too long.
    """
    rules = [rule for rule in game.rules.rules if rule.head.name not in _LEFT_OUT and rule.body]
    # A head of its own for each rule: its atoms are the instances.
    asked = {
        Predicate(f"{_INSTANCE}{number}", len(_variables(rule))): number
        for number, rule in enumerate(rules)
    }
    probes = [
        Rule(predicate, tuple(_variables(rules[number])), rules[number].body, rules[number].clause)
        for predicate, number in asked.items()
    ]
    asp = translate([*game.rules.rules, *probes], game.roles)
    rows = 0
    instances: list[list[tuple[Term, ...]]] = [[] for _ in rules]
    domains: dict[str, dict[str, None]] = {}
    for predicate, arguments in _ground(asp):
        if predicate in asked:
            rows += 1
            if rows > MOST_ROWS:
                raise EncodingError("size", f"the tables would have more than {MOST_ROWS:,} rows")
            instances[asked[predicate]].append(arguments)
        elif predicate.name not in _LEFT_OUT:
            name, value = _named(predicate.name, arguments)
            domains.setdefault(name, {})[value] = None
    copies: dict[str, int] = {}
    constraints = []
    for rule, known in zip(rules, instances):
        for scope, lines in _tables(rule, known, domains).items():
            for name in scope:
                base, _, number = name.partition("#")
                copies[base] = max(copies.get(base, 1), int(number or 1))
            constraints.append(Hard(scope, list(lines), name=rule.head.name))
    names = tuple(sorted(copies))
    variables = [
        NetworkVariable(name if copy == 1 else f"{name}#{copy}", list(domains[name]))
        for name in names
        for copy in range(1, copies[name] + 1)
    ]
    return AtomNetwork(Network(variables, constraints), names)


def _variables(rule: Rule) -> list[Variable]:
    return list(dict.fromkeys(one for literal in rule.body for one in literal.variables()))


def _named(predicate: str, arguments: tuple[Term, ...]) -> tuple[str, str]:
    """The name of an atom, once functions are eliminated, and its value."""
    if predicate in ("true", "next"):
        name, value = _split(arguments[0])
        return name + ("'" if predicate == "next" else ""), value or TRUE
    if predicate in ("does", "legal"):
        name, value = _split(arguments[1])
        return name, f"{arguments[0]} {value}".strip()
    return predicate, " ".join(map(str, arguments)) or TRUE


def _split(term: Term) -> tuple[str, str]:
    if isinstance(term, Compound):
        return str(term[0]), " ".join(map(str, term[1:]))
    return str(term), ""


def _tables(
    rule: Rule, instances: list[tuple[Term, ...]], domains: dict[str, dict[str, None]]
) -> dict[tuple[str, ...], dict[tuple[Any, ...], None]]:
    """The rows of a rule by their scope: its head, and what of its body is no condition on terms.

    There is one scope, but where a variable of the rule stands for a fluent or a move as a whole.
    """
    atoms = [Literal(Kind.POSITIVE, rule.head, rule.arguments)]
    atoms += [
        literal
        for literal in rule.body
        if literal.kind is not Kind.DISTINCT and literal.predicate.name not in _LEFT_OUT
    ]
    variables = _variables(rule)
    found: dict[tuple[str, ...], dict[tuple[Any, ...], None]] = {}
    for arguments in instances:
        binding = dict(zip(variables, arguments))
        scope: list[str] = []
        row: list[Any] = []
        for literal in atoms:
            bound = tuple(_bind(argument, binding) for argument in literal.arguments)
            name, value = _named(literal.predicate.name, bound)
            before = sum(one.partition("#")[0] == name for one in scope)
            scope.append(f"{name}#{before + 1}" if before else name)
            row.append(_entry(domains.setdefault(name, {}), value, literal.kind))
        found.setdefault(tuple(scope), {})[tuple(row)] = None
    return found


def _entry(domain: dict[str, None], value: str, kind: Kind) -> Any:
    """What a table has in the column of an atom; its value is in the domain from then on.

    An atom that is all there is of its name, such as the end of the game, can be false as well.
    """
    if value == TRUE:
        domain.update({TRUE: None, FALSE: None})
        return FALSE if kind is Kind.NEGATIVE else TRUE
    if kind is Kind.NEGATIVE and value not in domain:
        domain.setdefault(NOTHING)  # what it denies can never hold
        return ANY
    domain.setdefault(value)
    return Not(value) if kind is Kind.NEGATIVE else value


def _bind(term: Term, binding: Mapping[Variable, Term]) -> Term:
    if isinstance(term, Variable):
        return binding[term]
    if isinstance(term, Compound):
        return Compound(tuple(_bind(part, binding) for part in term))
    return term


class _Counter(Observer):
    """Ends grounding where there are too many instances."""

    def __init__(self) -> None:
        self._left = 4 * MOST_ROWS
        self.full = False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Count one; what it says does not matter."""
        self._left -= 1
        if self._left < 0:
            self.full = True
            raise RuntimeError("too many ground rules")


def _ground(asp: AspProgram) -> Iterator[tuple[Predicate, tuple[Term, ...]]]:
    """All atoms that can hold, where negation rules nothing out."""
    control = clingo.Control(["--warn=none"])
    counter = _Counter()
    control.register_observer(counter)
    try:
        control.add("base", [], asp.text)
        control.ground([("base", [])])
    except (RuntimeError, MemoryError):
        if counter.full:
            raise EncodingError("size", "the rules have too many ground instances") from None
        raise
    predicates = {number: predicate for predicate, number in asp.predicates}
    for atom in control.symbolic_atoms:
        number = int(atom.symbol.name[1:])
        if number in predicates:
            arguments = tuple(_term(one, asp.symbols) for one in atom.symbol.arguments)
            yield predicates[number], arguments


def _term(symbol: Any, symbols: list[str]) -> Term:
    if symbol.type.name == "Number":
        return symbols[int(symbol.number)]
    parts = (_term(one, symbols) for one in symbol.arguments)
    return Compound((symbols[int(symbol.name[1:])], *parts))
