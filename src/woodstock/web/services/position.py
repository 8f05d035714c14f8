"""A position as a page shows it: the drawing, the moves and where they point, how it ended.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> view = position(game, {"line": [["(mark 2 2)", "noop"]]})
>>> view["turn"], view["last"]["places"], view["moves"]["o"][0]
(['o'], ['0,1,1'], {'move': '(mark 1 1)', 'label': 'mark 1 1', 'places': ['0,0,2']})
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from woodstock.belief import Belief, ObservationHistories
from woodstock.drawing import Board, draw_svg, draw_text, unsure_board
from woodstock.drawing.marks import changed_cells
from woodstock.drawing.targets import MoveEffect, find_targets, place_text
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.rules import Kind, Literal, Predicate
from woodstock.gdl.terms import Term
from woodstock.web.services.contract import ServiceError, Stopped, Tell
from woodstock.web.services.proofs import Oracle

__all__ = ["line_of", "position", "reach", "view_of"]

MOST_STATES = 2000
"""States that are remembered, so that a long match is not played again at every move."""
MOST_PLIES = 5000
MOST_HISTORIES = 20
"""Matches of which is remembered what their roles have seen."""
MOST_TRIED = 1500
"""Moves that are tried out to see what they change; of more than these only the words count."""
BELIEF_SECONDS = 1.0
"""How long it may take to work out what a role may know."""
REASON_SECONDS = 0.5
REASON_DEPTH = 3
"""How far the reasons for an end are followed: conditions, and what made them true."""

Line = tuple[tuple[str, ...], ...]


def position(
    game: Game,
    request: dict[str, Any],
    tell: Tell = lambda _: None,
    stopped: Stopped = lambda: False,
) -> dict[str, Any]:
    """The view of a position: after ``line`` from the start or from ``fluents``, for ``role``."""
    role = request.get("role")
    if role is not None and role not in game.roles:
        raise ServiceError(f"there is no role {role!r}; there are {', '.join(game.roles)}")
    states = reach(game, request)
    seed = request.get("seed") or 0
    if not isinstance(seed, int):
        raise ServiceError("a seed is a whole number")
    return view_of(states, line_of(request), role, seed=seed)


def line_of(request: dict[str, Any]) -> Line:
    """The joint moves of a request, as texts."""
    line = request.get("line") or []
    if not isinstance(line, list) or len(line) > MOST_PLIES:
        raise ServiceError(f"a line is a list of at most {MOST_PLIES} joint moves")
    for joint in line:
        if not isinstance(joint, list) or not all(isinstance(move, str) for move in joint):
            raise ServiceError("a joint move is a list of texts, one for each role")
    return tuple(tuple(joint) for joint in line)


def reach(game: Game, request: dict[str, Any]) -> tuple[State, ...]:
    """All states of a line, from where it begins to where it leads.

    What is wrong with it is said with its place: an illegal move, a fluent that is none.
    """
    line, fluents = line_of(request), request.get("fluents")
    known = game.memo.setdefault("web.states", OrderedDict())
    start = _start(game, fluents)
    first = () if fluents is None else tuple(sorted(map(str, start.fluents)))
    states = [start]
    for ply in range(len(line)):
        key = (first, line[: ply + 1])
        state = known.get(key)
        if state is None:
            try:
                state = states[-1].apply(line[ply])
            except WoodstockError as problem:
                raise ServiceError(f"move {ply + 1}: {problem}") from None
            known[key] = state
            if len(known) > MOST_STATES:
                known.popitem(last=False)
        states.append(state)
    return tuple(states)


def _start(game: Game, fluents: object) -> State:
    if fluents is None:
        return game.initial_state()
    if not isinstance(fluents, list) or not all(isinstance(one, str) for one in fluents):
        raise ServiceError("fluents are a list of texts")
    return game.state(fluents)


def view_of(
    states: Sequence[State], line: Line, role: str | None = None, *, seed: int = 0
) -> dict[str, Any]:
    """What a role may see of the last of some states that follow each other; None sees everything.

    At the end nothing is hidden any more.
    """
    state, game = states[-1], states[-1].game
    over = state.is_terminal
    belief = None
    hidden = game.information != "complete"
    # Who wrote down the fluents of the start knows them.
    if hidden and role in game.players and not over and states[0] == game.initial_state():
        belief = _belief(states, line, str(role), seed)
    board, before = _boards(states, belief)
    shown = game.players if belief is None else (role,)
    moves = {
        one: _moves(board, one, state, state if belief is None else belief.states[0])
        for one in (*shown, *([RANDOM] if role is None and RANDOM in game.roles else []))
        if one is not None and not over
    }
    last = line[-1] if line else ()
    view: dict[str, Any] = {
        "ply": len(line),
        "roles": list(game.roles),
        "players": list(game.players),
        "turn": list(state.turn),
        "terminal": over,
        "svg": draw_svg(board, places=True),
        "text": draw_text(board),
        "moves": moves,
        "last": {
            "moves": {
                one: move for one, move in zip(game.roles, last) if belief is None or one == role
            },
            "places": []
            if before is None
            else sorted(map(place_text, changed_cells(before, board))),
        },
        "percepts": {
            one: [str(percept) for percept in state.percepts(one)]
            for one in (game.roles if belief is None and role is None else shown)
            if one is not None
        },
        "hidden": hidden,
        "doubts": [] if belief is None else [str(doubt) for doubt in belief.doubts],
    }
    if belief is None:
        view["fluents"] = sorted(str(fluent) for fluent in state.fluents)
    if not over and state.turn == (RANDOM,) and belief is None:
        drawn = state.legal_moves(RANDOM)
        view["chance"] = {str(move): 1 / len(drawn) for move in drawn}
    if over:
        view["goals"] = {one: state.goal(one) for one in game.players}
        view["reason"] = _reason(state)
    return view


def _belief(states: Sequence[State], line: Line, role: str, seed: int) -> Belief | None:
    game = states[0].game
    kept = game.memo.setdefault("web.histories", OrderedDict())
    # The last match of a seed is mostly the one that is asked about again, a move later.
    seen, histories = kept.pop(seed, ((), None))
    if histories is None:
        histories = ObservationHistories(game, seed=seed)
    common = 0
    while common < min(len(seen), len(line)) and seen[common] == line[common]:
        common += 1
    histories.go_back(common)
    for joint, after in zip(line[common:], states[common + 1 :]):
        histories.see([game.term(move) for move in joint], after)
    kept[seed] = (line, histories)
    if len(kept) > MOST_HISTORIES:
        kept.popitem(last=False)
    found = histories.believed(role, states[-1], time.monotonic() + BELIEF_SECONDS)
    return found.going_on() if isinstance(found, Belief) else None


def _boards(states: Sequence[State], belief: Belief | None) -> tuple[Board, Board | None]:
    """The board that is drawn, and the one a ply earlier if that may be compared with it."""
    game = states[-1].game
    domain, hints = game.possible_fluents, game.drawing
    if belief is not None:
        texts = [state.fluents for state in belief.states]
        return unsure_board(texts, domain, hints), None
    board = Board.find(states[-1].fluents, domain, hints)
    if len(states) == 1:
        return board, None
    return board, Board.find(states[-2].fluents, domain, hints)


def _moves(board: Board, role: str, state: State, thought: State) -> list[dict[str, Any]]:
    """The moves of a role; where they point is found in a state that the role thinks possible."""
    moves = state.legal_moves(role)
    found = []
    for move, target in zip(moves, find_targets(board, moves, _effects(role, moves, thought))):
        one: dict[str, Any] = {
            "move": str(move),
            "label": str(move).strip("()"),
            "places": [place_text(place) for place in target.places],
        }
        if target.area:
            one["area"] = [place_text(place) for place in target.area]
        found.append(one)
    return found


def _effects(role: str, moves: Sequence[Term], state: State) -> list[MoveEffect]:
    """What each move changes, if all others do the first thing that they may."""
    others = [state.legal_moves(one)[:1] for one in state.roles]
    if not 1 < len(moves) <= MOST_TRIED or not all(others) or state.is_terminal:
        return []
    joint, mine = [first for (first,) in others], state.roles.index(role)
    found = []
    for move in moves:
        joint[mine] = move
        known = state.is_legal(role, move)
        after = state.apply_unchecked(joint).fluents if known else state.fluents
        found.append(MoveEffect.of(state.fluents, after))
    return found


def _reason(state: State) -> str:
    """Which conditions of the rules ended the game, and what made them true.

    >>> game = Game.from_library("tic-tac-toe")
    >>> x_wins = [f"(cell {x} {y} {'x' if x == 2 else 'b'})" for x in (1, 2, 3) for y in (1, 2, 3)]
    >>> _reason(game.state([*x_wins, "(control o)"]))
    'won, because line x, because cell 2 1 x and cell 2 2 x and cell 2 3 x'
    """
    oracle = Oracle(state.game.rules, state.fluents, REASON_SECONDS)
    said: list[str] = []
    asked: Literal | None = Literal(Kind.POSITIVE, Predicate("terminal", 0), ())
    try:
        while asked is not None and len(said) < REASON_DEPTH:
            attempts = oracle.attempts(asked.predicate, asked.arguments)
            held = next(attempt for attempt in attempts if attempt.holds)
            conditions = [held.condition(place) for place in range(len(held.rule.body))]
            telling = [one for one in conditions if not _is_plain(one, oracle)] or conditions
            said.append(" and ".join(map(_spoken, telling)))
            derived = [
                one
                for one in telling
                if one.kind is Kind.POSITIVE and oracle.is_derived(one.predicate)
            ]
            asked = derived[0] if len(derived) == 1 else None
    except (WoodstockError, StopIteration):
        pass  # what is known so far is said
    return ", because ".join(said)


def _is_plain(condition: Literal, oracle: Oracle) -> bool:
    """Whether a condition says nothing about this state, as who is a role."""
    return condition.kind is Kind.DISTINCT or oracle.is_static(condition.predicate)


def _spoken(condition: Literal) -> str:
    words = str(condition.arguments[0]) if condition.predicate.name == "true" else str(condition)
    if condition.kind is Kind.NEGATIVE:
        return "not " + words.removeprefix("(not ").strip("()")
    return words.strip("()")
