"""What games show that should not happen, as findings with a place, a remedy and a line of play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from woodstock.engine import Engine
from woodstock.errors import EvaluationError
from woodstock.gdl.findings import Findings
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.rules import Predicate, Rules
from woodstock.gdl.sheet import Clause
from woodstock.gdl.stratification import may_match
from woodstock.gdl.terms import Term
from woodstock.playtest.bulk import Outcomes
from woodstock.playtest.groups import Family, families, first_loss
from woodstock.playtest.walks import RandomGame, line_of_play

__all__ = [
    "LIMIT",
    "report_endless",
    "report_goals",
    "report_losses",
    "report_stuck",
    "report_uncovered",
]

MOST_STATES = 4000
SHOWN_KEYS = 3
LIMIT = 1000
"""Moves after which a game is broken off. Where there is time for fewer only, that says nothing."""

_NEXT, _LEGAL, _GOAL = Predicate("next", 1), Predicate("legal", 2), Predicate("goal", 2)
_TERMINAL = Predicate("terminal", 0)


def _after(moves: int) -> str:
    return "at the start" if not moves else f"after {moves} move{'s' if moves > 1 else ''}"


def _clause(rules: Rules, head: Predicate, *arguments: Term) -> Clause | None:
    """The first clause whose head fits these arguments, else the first one of the relation."""
    group = rules.by_head.get(head, ())
    for rule in group:
        if all(may_match(a, b) for a, b in zip(rule.arguments, arguments)):
            return rule.clause
    return group[0].clause if group else None


def report_stuck(rules: Rules, walks: Iterable[RandomGame], report: Findings) -> None:
    """Each role that was left without a move, with the shortest line to it."""
    shortest: dict[int, RandomGame] = {}
    for one in walks:
        for role in one.stuck:
            if role not in shortest or one.length < shortest[role].length:
                shortest[role] = one
    for one, stuck in _together(shortest):
        names = [rules.roles[role] for role in stuck]
        report.add(
            "warning",
            "stuck",
            f"{_have(names)} no legal move {_after(one.length)}, and the game is not over",
            f"give {' and '.join(names)} a move there, such as noop, or end the game",
            _clause(rules, _LEGAL, names[0]),
            play=line_of_play(one),
        )


def _together(shortest: Mapping[int, RandomGame]) -> list[tuple[RandomGame, list[int]]]:
    """Games with the roles that they are about."""
    found: dict[int, tuple[RandomGame, list[int]]] = {}
    for role, one in sorted(shortest.items()):
        found.setdefault(id(one), (one, []))[1].append(role)
    return list(found.values())


def _have(names: Sequence[str]) -> str:
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'}"


def report_goals(rules: Rules, walks: Iterable[RandomGame], report: Findings) -> None:
    """Each role that had no goal or several at the end of a game, with the shortest such game."""
    without: dict[int, RandomGame] = {}
    several: dict[int, RandomGame] = {}
    for one in walks:
        for role, values in enumerate(one.goals):
            if len(values) != 1 and rules.roles[role] != RANDOM:
                shortest = several if values else without
                if role not in shortest or one.length < shortest[role].length:
                    shortest[role] = one
    for one, missing in _together(without):
        names = [rules.roles[role] for role in missing]
        report.add(
            "warning",
            "goal",
            f"{_have(names)} no goal at the end {_after(one.length)}",
            f"add a rule for (goal {names[0]} value) that applies there",
            _clause(rules, _GOAL, names[0]),
            play=line_of_play(one),
        )
    for one, double in _together(several):
        names = [rules.roles[role] for role in double]
        shown = ", ".join(
            f"{rules.roles[role]} {' and '.join(map(str, one.goals[role]))}" for role in double
        )
        report.add(
            "warning",
            "goal",
            f"{_have(names)} several goals at the end {_after(one.length)}: {shown}",
            "let only one of these rules apply at the end",
            _clause(rules, _GOAL, names[0], str(one.goals[double[0]][0])),
            play=line_of_play(one),
        )


def report_losses(
    rules: Rules, engine: Engine, walks: Sequence[RandomGame], report: Findings
) -> None:
    """Fluents with one value each that lose it all at once: a frame rule is missing."""
    games: list[tuple[RandomGame, list[frozenset[Term]]]] = []
    count = 0
    for one in walks:
        games.append((one, [engine.fluents(position) for position in one.positions]))
        count += len(one.positions)
        if count > MOST_STATES:
            break
    found = set()
    for family in families([state for _, states in games for state in states]):
        losses = [(first_loss(family, states, one.ending == "over"), one) for one, states in games]
        first = min(
            ((loss, one) for loss, one in losses if loss is not None),
            key=lambda item: item[0].ply,
            default=None,
        )
        if first is None or (family.functor, family.arity) in found:
            continue
        found.add((family.functor, family.arity))
        loss, one = first
        shown = ", ".join(family.pattern(key) for key in loss.keys[:SHOWN_KEYS])
        more = len(loss.keys) - SHOWN_KEYS
        lose = "loses its value" if len(loss.keys) == 1 else "lose their values"
        report.add(
            "warning",
            "frame",
            f"{shown}{f' and {more} more' if more > 0 else ''} {lose} {_after(loss.ply)}",
            f"add a rule that keeps {family.functor} where no move changes it",
            _made_by(rules, family),
            play=line_of_play(one, loss.ply),
        )


def _made_by(rules: Rules, family: Family) -> Clause | None:
    """The rule that keeps such fluents, where there is one, else the first that makes them."""
    makers = [r for r in rules.by_head.get(_NEXT, ()) if family.split(r.arguments[0]) is not None]
    keepers = [r for r in makers if any(l.arguments == r.arguments for l in r.body)]
    return next((rule.clause for rule in (*keepers, *makers)), None)


def report_endless(
    rules: Rules, walks: Sequence[RandomGame], outcomes: Outcomes, limit: int, report: Findings
) -> None:
    """Games that go round in circles, and games of which too many reach the limit."""
    loops = [(one.loop, one) for one in walks if one.loop is not None]
    if loops:
        (before, again), one = min(loops, key=lambda item: item[0][1])
        report.add(
            "warning",
            "endless",
            f"play can go on for ever: {_after(again)} everything is as it was {_after(before)}",
            "count the moves and end the game at the last number",
            _clause(rules, _TERMINAL),
            play=line_of_play(one, again),
        )
    elif limit == LIMIT and outcomes.cut * 2 > len(outcomes.lengths):
        games = len(outcomes.lengths)
        report.add(
            "warning",
            "endless",
            f"{outcomes.cut:,} of {games:,} random games did not end within {limit:,} moves",
            "count the moves and end the game at the last number",
            _clause(rules, _TERMINAL),
        )


def report_uncovered(
    rules: Rules,
    engine: Engine,
    walks: Sequence[RandomGame],
    moves: Iterable[tuple[int, Term]],
    bounds: tuple[frozenset[Term] | None, frozenset[tuple[str, Term]] | None],
    report: Findings,
) -> None:
    """The first fluent outside `base` and the first move outside `input` that were met."""
    base, inputs = bounds
    if base is not None:
        for one in walks:
            for ply, position in enumerate(one.positions):
                outside = sorted(engine.fluents(position) - base, key=str)
                if outside:
                    report.add(
                        "warning",
                        "base",
                        f"base does not cover {outside[0]}, which holds {_after(ply)}",
                        f"add (base {outside[0]})",
                        _clause(rules, Predicate("base", 1)),
                        play=line_of_play(one, ply),
                    )
                    break
            else:
                continue
            break
    if inputs is not None:
        for role, move in sorted(moves, key=str):
            name = rules.roles[role]
            if (name, move) not in inputs:
                report.add(
                    "warning",
                    "input",
                    f"input does not cover {move}, which is legal for {name}",
                    f"add (input {name} {move})",
                    _clause(rules, Predicate("input", 2)),
                    play=_line_to(engine, walks, role, move),
                )
                break


def _line_to(engine: Engine, walks: Iterable[RandomGame], role: int, move: Term) -> str:
    """Moves after which a move is legal; none where they are not found in time."""
    try:
        for one in walks:
            for ply in range(len(one.widths)):
                if engine.is_legal(one.positions[ply], role, move):
                    return line_of_play(one, ply)
    except EvaluationError:
        pass
    return ""
