"""Why a move is legal, and why not: the rules with their conditions, ticked and crossed.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> after = game.initial_state().apply(["(mark 2 2)", "noop"])
>>> found = why_move(after, "o", "(mark 2 2)")
>>> found["holds"], found["because"]
(False, ['(true (cell 2 2 b)) does not hold: there is (true (cell 2 2 x))'])
>>> why_move(after, "o", "(mark 1 1)")["holds"]
True
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from woodstock.errors import IllegalMoveError
from woodstock.game import State
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule
from woodstock.gdl.terms import Compound, Term, Variable
from woodstock.web.services.proofs import Attempt, Oracle, TooMuch, fits

__all__ = ["Explainer", "why_atom", "why_move"]

LEGAL = Predicate("legal", 2)

DEPTH_FAILED, DEPTH_MET = 3, 2
"""How many levels of helper relations are unfolded."""
MOST_NODES = 240
"""Conditions in one answer."""
MOST_RULES = 4
"""Rules that are shown for one question; the nearest ones."""
MOST_INSTEAD = 3
"""What holds instead of a failed condition."""
MOST_SHAPES = 12
"""Forms of moves that are shown where a move has none of them."""


def why_move(state: State, role: str, move: str, *, seconds: float = 10.0) -> dict[str, Any]:
    """Why a role may make a move here, or may not."""
    game = state.game
    if role not in game.roles:
        raise IllegalMoveError(f"no role {role!r}; there are {', '.join(game.roles)}")
    term = game.term(move)
    explainer = Explainer(state, seconds)
    found = explainer.question(LEGAL, (role, term))
    found |= {"role": role, "move": str(term), "over": state.is_terminal}
    if not found["rules"]:
        found["shapes"] = _shapes(explainer.oracle.rules.by_head.get(LEGAL, ()), role)
    if not found["holds"]:
        texts = [str(legal) for legal in state.legal_moves(role)]
        found["nearest"] = difflib.get_close_matches(str(term), texts, 4, 0.3) or texts[:4]
    return found


def why_atom(state: State, atom: str, *, seconds: float = 10.0) -> dict[str, Any]:
    """Why an atom holds here, or does not: ``terminal``, ``(goal x 100)``, a helper relation.

    >>> from woodstock import Game
    >>> state = Game.from_library("nim").initial_state()
    >>> why_atom(state, "terminal")["holds"]
    False
    """
    term = state.game.term(atom)
    predicate, arguments = _split(term)
    found = Explainer(state, seconds).question(predicate, arguments)
    return found | {"atom": str(term), "over": state.is_terminal}


class Explainer:
    """Makes trees of conditions for one state."""

    def __init__(self, state: State, seconds: float = 10.0) -> None:
        self.oracle = Oracle(state.game.rules, state.fluents, seconds)
        self._source = state.game.rules.sheet.source
        self._left = MOST_NODES

    def question(self, predicate: Predicate, arguments: Sequence[Term]) -> dict[str, Any]:
        """The rules for an atom, those that come nearest first, and the reason in words."""
        literal = Literal(Kind.POSITIVE, predicate, tuple(arguments))
        holds = self.oracle.holds(literal)
        if holds is None:
            raise TooMuch("there was not time enough to find out why")
        node = self._atom(literal, DEPTH_MET if holds else DEPTH_FAILED, ())
        return {
            "holds": holds,
            "text": str(literal),
            "rules": node.get("rules", []),
            "left": node.get("left", 0),
            "because": [] if holds else _reasons(node),
            "instead": node.get("instead", []),
        }

    def node(self, literal: Literal, depth: int, above: tuple[Literal, ...]) -> dict[str, Any]:
        """A condition: its text, whether it is met, and what that rests on."""
        self._left -= 1
        if literal.kind is Kind.DISTINCT:
            return {"text": str(literal), "kind": "distinct", "holds": self.oracle.holds(literal)}
        if literal.kind is Kind.NEGATIVE:
            inner = self._atom(literal._replace(kind=Kind.POSITIVE), depth, above)
            holds = None if inner["holds"] is None else not inner["holds"]
            below: dict[str, Any] = {k: inner[k] for k in ("rules", "left") if k in inner}
            return {"text": _text(literal), "kind": "not", "holds": holds, **below}
        return self._atom(literal, depth, above)

    def _atom(self, literal: Literal, depth: int, above: tuple[Literal, ...]) -> dict[str, Any]:
        predicate = literal.predicate
        holds = self.oracle.holds(literal)
        found: dict[str, Any] = {"text": _text(literal), "holds": holds}
        if not self.oracle.is_derived(predicate):
            found["kind"] = "fluent" if predicate.name == "true" else "fact"
            if holds is False and (instead := self._instead(literal)):
                found["instead"] = instead
            return found
        found["kind"] = "rule"
        made_up = " " in predicate.name  # an "or" of the sheet, which has no name of its own
        if holds is None or literal in above or self._left <= 0:
            return found
        if depth <= 0 and not made_up:
            return found
        if holds and self.oracle.is_static(predicate) and above:
            return found
        attempts = self._attempts(literal, holds, above)
        below = depth if made_up else depth - 1
        shown = attempts[: 1 if holds else MOST_RULES]
        found["rules"] = [self._rule(attempt, below, (*above, literal)) for attempt in shown]
        found["left"] = 0 if holds else len(attempts) - len(shown)
        return found

    def _attempts(self, literal: Literal, holds: bool, above: tuple[Literal, ...]) -> list[Attempt]:
        """The nearest attempt of each clause; where the atom holds, those that show it."""
        found = self.oracle.attempts(literal.predicate, literal.arguments)
        if holds:
            proofs = [attempt for attempt in found if attempt.holds]
            # A proof by the atom itself, in a recursion, would explain nothing.
            around = {*above, literal}
            fresh = [p for p in proofs if around.isdisjoint(map(p.condition, range(_size(p))))]
            return fresh or proofs
        clauses: dict[int, Attempt] = {}
        for attempt in found:
            clauses.setdefault(id(attempt.rule.clause), attempt)
        return list(clauses.values())

    def _rule(self, attempt: Attempt, depth: int, above: tuple[Literal, ...]) -> dict[str, Any]:
        clause = attempt.rule.clause
        conditions = []
        for place in range(_size(attempt)):
            unfold = depth if place in attempt.failed or attempt.holds else min(depth, 1)
            node = self.node(attempt.condition(place), unfold, above)
            if place in attempt.unknown:
                node["holds"] = None
                node["note"] = "depends on what failed"
            conditions.append(node)
        return {
            "rule": clause.to_kif(),
            "line": self._source.position(clause.place())[0],
            "holds": attempt.holds,
            "failures": len(attempt.failed),
            "conditions": conditions,
        }

    def _instead(self, literal: Literal) -> list[str]:
        """What holds that differs from an atom in one argument: the last ones first."""
        wanted = literal.arguments
        inner = wanted[0] if literal.predicate.name == "true" else None
        if inner is not None and not isinstance(inner, tuple):
            return []
        parts = wanted if inner is None else inner[1:]
        found: dict[str, None] = {}
        for place in reversed(range(len(parts))):
            free = (*parts[:place], Variable(" free"), *parts[place + 1 :])
            asked = free if inner is None else (Compound((inner[0], *free)),)
            for row in self.oracle.answers(literal.predicate, asked) or ():
                found[str(Literal(Kind.POSITIVE, literal.predicate, row))] = None
                if len(found) >= MOST_INSTEAD:
                    return list(found)
            if found:
                break
        return list(found)


def _size(attempt: Attempt) -> int:
    return len(attempt.rule.body)


def _split(term: Term) -> tuple[Predicate, tuple[Term, ...]]:
    if isinstance(term, tuple):
        return Predicate(str(term[0]), len(term) - 1), term[1:]
    return Predicate(str(term), 0), ()


def _text(literal: Literal) -> str:
    """The text of a condition; an `or` of the sheet has no name."""
    if " " not in literal.predicate.name:
        return str(literal)
    return "none of these" if literal.kind is Kind.NEGATIVE else "one of these"


def _reasons(node: dict[str, Any]) -> list[str]:
    """The failed conditions of the nearest rule, as deep as the tree goes."""
    rules = node.get("rules", [])
    if not rules:
        if node.get("kind") == "rule" and not node["holds"] and "rules" in node:
            return [f"no rule makes {node['text']} true"]
        return [_reason(node)]
    found: list[str] = []
    for condition in rules[0]["conditions"]:
        if condition["holds"] is False:
            deeper = condition["kind"] == "rule" and condition.get("rules")
            found.extend(_reasons(condition) if deeper else [_reason(condition)])
    return found


def _reason(node: dict[str, Any]) -> str:
    if node["kind"] == "not":
        inner = node["text"].removeprefix("(not ").removesuffix(")")
        name = inner if node["text"].startswith("(not ") else "one of these"
        support = [text for text in _support(node) if text != inner][:MOST_INSTEAD]
        return f"{name} holds{_there(support)}"
    if node["kind"] == "distinct":
        return f"{node['text']} fails: they are the same"
    return f"{node['text']} does not hold{_there(node.get('instead', []))}"


def _there(texts: Sequence[str]) -> str:
    return f": there {'are' if len(texts) > 1 else 'is'} {', '.join(texts)}" if texts else ""


def _support(node: dict[str, Any]) -> list[str]:
    """The fluents that a tree of met conditions rests on."""
    if node["kind"] == "fluent" and node["holds"]:
        return [node["text"]]
    rules = [rule for rule in node.get("rules", []) if rule["holds"]]
    found = [text for rule in rules for inner in rule["conditions"] for text in _support(inner)]
    return list(dict.fromkeys(found))


def _shapes(rules: Iterable[Rule], role: str) -> list[str]:
    """The forms of the moves that rules make legal for a role."""
    found: dict[str, None] = {}
    for rule in rules:
        if fits(rule.arguments[0], role, {}):
            found[str(rule.arguments[1])] = None
    return list(found)[:MOST_SHAPES]
