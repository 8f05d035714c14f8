"""Which moves commute: what is read off the rules holds in every state."""

from __future__ import annotations

from itertools import product

import pytest

from plan_support import SHEETS, SQUARE, TOGGLES, game_of, sheet, states_of
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.plan.effects import Effects
from woodstock.plan.order import MoveOrder, order_of

TURNS = 4


def order_in(game: Game) -> MoveOrder | None:
    program = game.circuit().grounding.program
    return order_of(program, range(1, program.atom_count + 1), program.initial())


PAIRS = {"coins": 6, "filling": 15, "endless": 0, "quit": 0, "square": 28, "take": 0}
"""How many pairs need one order alone, those among them that are never legal in the other."""


@pytest.mark.parametrize("name", SHEETS)
def test_one_order_of_two_moves_is_enough(name: str) -> None:
    game = sheet(name)
    order = order_in(game)
    pairs = [] if order is None else list(order.pairs())
    if name in PAIRS:
        assert len(pairs) == PAIRS[name]
    assert order is None or order.size == len(pairs)
    move = game.circuit().numbering.move
    for state in states_of(game, TURNS):
        for low, high in pairs:
            assert order is not None
            same_in_both_orders(state, move(low), move(high), strict=order.strict)


def same_in_both_orders(state: State, first: Term, second: Term, *, strict: bool) -> None:
    """A plan with the second move before the first loses nothing by their exchange."""
    if not state.is_legal("robot", second):
        return
    between = state.apply([second])
    if between.is_terminal or not between.is_legal("robot", first):
        return
    after = between.apply([first])
    if after.is_terminal and not strict:
        return
    assert state.is_legal("robot", first)
    other = state.apply([first])
    assert not other.is_terminal
    assert other.is_legal("robot", second)
    assert other.apply([second]).fluents == after.fluents


def test_cells_are_filled_in_one_order() -> None:
    order = order_in(game_of(SQUARE))
    assert order is not None
    assert order.strict
    assert len(order.rank) == 8
    assert not any(order.apart)


def test_presses_commute_and_copies_do_not() -> None:
    moves = game_of(TOGGLES).circuit().numbering.move_numbers
    order = order_in(game_of(TOGGLES))
    assert order is not None
    rank = {str(move): order.rank[number] for (_, move), number in moves.items()}
    apart = {
        frozenset((one, other))
        for one, other in product(rank, repeat=2)
        if rank[other] in order.apart[rank[one]]
    }
    copy = "(copy a b)"
    assert apart == {frozenset((copy, "(press a)")), frozenset((copy, "(press b)"))}


def test_what_a_move_needs_and_takes_away_is_read_by_others() -> None:
    game = sheet("take")
    moves = game.circuit().numbering.move_numbers
    take, look = (moves[0, game.term(name)] for name in ("take", "look"))
    order = order_in(game)
    pairs = [] if order is None else list(order.pairs())
    assert not {(take, look), (look, take)} & set(pairs)


def test_effects_are_what_every_state_shows() -> None:
    """Sets, clears, flips, and what is not named stays, in all states of all sheets."""
    for name in SHEETS:
        game = sheet(name)
        circuit = game.circuit()
        program, numbering = circuit.grounding.program, circuit.numbering
        effects = Effects(program, range(1, program.atom_count + 1), program.initial())
        for state in states_of(game, TURNS):
            for term in state.legal_moves("robot"):
                effect = effects.moves[numbering.move_number(0, term)]
                before = {numbering.fluent_numbers[f] for f in state.fluents}
                after = {numbering.fluent_numbers[f] for f in state.apply([term]).fluents}
                for fluent in range(len(numbering.fluents)):
                    bit = 1 << fluent
                    if bit & (effects.clocks | effect.other):
                        continue
                    was, now = fluent in before, fluent in after
                    expected = (
                        bool(effect.set & bit)
                        or (was and not effect.cleared & bit and not effect.flipped & bit)
                        or (not was and bool(effect.flipped & bit))
                    )
                    assert now == expected, (name, str(term), str(numbering.fluents[fluent]))
