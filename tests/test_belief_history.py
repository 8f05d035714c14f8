"""What is written into an observation history: terms, or texts of terms; nothing else."""

from __future__ import annotations

import pytest

from games_support import load
from woodstock.belief import Belief, ObservationHistory
from woodstock.errors import IllegalMoveError, StateError
from woodstock.gdl.terms import Compound


def believed(move: str, *percepts: str, terms: bool) -> Belief:
    game = load("monty-hall")
    history = ObservationHistory(game, "candidate", seed=1)
    history.record(game.term("(choose 1)") if terms else "( CHOOSE 1 )", [])
    seen = [game.term(percept) for percept in percepts] if terms else percepts
    history.record(game.term(move) if terms else move, seen)
    assert not history.surprised
    return history.belief()


def test_texts_are_the_terms_that_they_spell() -> None:
    by_texts = believed("noop", "( open 3 )", terms=False)
    assert by_texts.chances == believed("noop", "(open 3)", terms=True).chances
    assert by_texts.exact
    assert len(by_texts.states) == 2


def test_the_move_beside_a_state_may_be_a_text() -> None:
    game = load("monty-hall")
    state = game.initial_state().apply({"candidate": "(choose 1)", "random": "(hide 2)"})
    history = ObservationHistory(game, "candidate", seed=1)
    history.see("(choose 1)", state)
    assert state in history.belief().chances
    assert not history.surprised


def test_what_is_no_term_is_refused() -> None:
    game = load("monty-hall")
    history = ObservationHistory(game, "candidate", seed=1)
    with pytest.raises(IllegalMoveError, match="write a term"):
        history.record("(choose 1", [])
    with pytest.raises(IllegalMoveError, match="variable"):
        history.record("(choose ?door)", [])
    with pytest.raises(StateError, match="write a term"):
        history.record("noop", ["(open 3"])
    with pytest.raises(StateError, match="no term"):
        history.record("noop", [3])  # type: ignore[list-item]
    assert history.turn == 0


@pytest.mark.parametrize("percept", ["open", Compound(("open", "3"))])
def test_one_percept_is_no_collection_of_them(percept: str | Compound) -> None:
    """Texts and terms can be iterated over, and their parts are terms again."""
    history = ObservationHistory(load("monty-hall"), "candidate", seed=1)
    with pytest.raises(StateError, match="a list of percepts"):
        history.record("noop", percept)


def test_a_role_that_the_game_does_not_have() -> None:
    with pytest.raises(StateError, match="this game has candidate, random"):
        ObservationHistory(load("monty-hall"), "somebody", seed=1)
