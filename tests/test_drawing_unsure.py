"""Pictures of somebody who does not know everything: question marks, and what they stand for."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import effort
from games_support import load, recorded_states
from woodstock import State
from woodstock.belief import ObservationHistories
from woodstock.drawing import Board, draw_text, find_doubts, unsure_board
from woodstock.gdl.terms import parse_term

WORDS = st.sampled_from(["1", "2", "3", "a", "x", "b"])
FLUENTS = st.one_of(
    st.sampled_from(["over", "dark"]),
    st.tuples(st.sampled_from(["cell", "at"]), WORDS, WORDS, WORDS),
    st.tuples(st.just("score"), WORDS, WORDS),
)
STATES = st.lists(st.frozensets(FLUENTS, max_size=12), min_size=1, max_size=6)


def test_one_state_is_no_doubt() -> None:
    for fluents in recorded_states("tic-tac-toe"):
        terms = [parse_term(fluent) for fluent in fluents]
        assert draw_text(unsure_board([terms])) == draw_text(terms)
        assert find_doubts([terms]) == []


@given(STATES)
def test_doubts_tell_what_differs_and_nothing_else(states: list[frozenset[object]]) -> None:
    """Every doubt that is not open has exactly one of its options in each state, everywhere."""
    unsure = frozenset().union(*states) - frozenset.intersection(*states)
    told: set[tuple[str, ...]] = set()
    for doubt in find_doubts(states):
        for pattern in doubt.patterns:
            options = [_filled(doubt.functor, pattern, words) for words in doubt.options]
            told.update(options)
            for state in states:
                held = {_words(fluent) for fluent in state}
                assert doubt.open or sum(option in held for option in options) == 1
    assert told == {_words(fluent) for fluent in unsure}


@given(STATES)
def test_any_states_can_be_drawn(states: list[frozenset[object]]) -> None:
    text = draw_text(unsure_board(states))
    assert text == draw_text(unsure_board(reversed(states)))


def _words(fluent: object) -> tuple[str, ...]:
    return (fluent,) if isinstance(fluent, str) else tuple(fluent)  # type: ignore[arg-type]


def _filled(functor: str, pattern: tuple[object, ...], words: str) -> tuple[str, ...]:
    option = iter(words.split())
    return (functor, *(next(option) if item == "?" else str(item) for item in pattern))


@pytest.mark.parametrize(
    ("name", "shown", "doubt"),
    [
        ("guess-dice", "die  [?]", "die: 1, 2, 3, 4, 5 or 6"),
        ("hidden-matching-pennies", " ?", "coins tails: heads or tails"),
        ("sheep-and-wolf-hidden", "│ ? │", "wolf ? 7: a, c, e or g"),
        ("mastermind", "hidden code: 1 ? · 2 ? · 3 ? · 4 ?", "hidden code 1, 2, 3, 4: blue, "),
        ("wumpus", "│ ? │ ? │ ? │ ? │", "cave ? ? wumpus: 1 2, 1 3,"),
        ("vacuum-cleaner-random", "│ ? │ ? │ ? │ ? │", "perhaps dirt: "),
    ],
)
def test_games_that_hide_something(name: str, shown: str, doubt: str) -> None:
    found = "\n".join(_seen(name))
    assert shown in found
    assert doubt in found


def _seen(name: str) -> list[str]:
    """Some first boards and doubts of the first player in random matches."""
    game = load(name)
    texts = []
    for seed in range(effort(2, 6)):
        rng = random.Random(seed)
        state, histories = game.initial_state(), ObservationHistories(game, seed=1)
        for _ in range(4):
            joint = state.random_joint_move(rng)
            state = state.apply(joint)
            histories.see(joint, state)
            if state.is_terminal:
                break
            belief = histories.believed(game.roles[0], state)
            assert not isinstance(belief, State)
            texts += [belief.draw(), *map(str, belief.doubts)]
    return texts


def test_boards_of_different_sizes_are_one_board() -> None:
    """Without a list of all that may be, a state alone does not say how large its board is."""
    small = [("cell", "1", "1", "x"), ("cell", "1", "2", "x"), ("cell", "2", "1", "o")]
    large = [*small, ("cell", "3", "3", "o")]
    lines = draw_text(unsure_board([small, large])).splitlines()
    assert len(lines) == 8
    assert sum(line.count("?") for line in lines) == 1


def test_of_states_that_are_all_the_same_one_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A role may believe in hundreds of equal states, which differ in what others know."""
    looked, find = [], Board.find

    def look(*given: Any) -> Board:
        looked.append(given)
        return find(*given)

    monkeypatch.setattr(Board, "find", look)
    state = [("cell", x, y, "b") for x in "123" for y in "123"]
    assert draw_text(unsure_board([state] * 50)) == draw_text(find(state))
    assert len(looked) < 5


def test_many_states_are_told_by_their_fluents() -> None:
    """A piece that may be anywhere: no more boards are drawn than needed, and no cell is sure."""
    cells = [(x, y) for x in "123456" for y in "123456"]
    states = [
        [("cell", x, y, "piece" if at == (x, y) else "b") for x, y in cells] for at in cells[:-1]
    ]
    text = draw_text(unsure_board(states))
    assert text.count("│ ?") + text.count("? │") >= 35
    assert draw_text(unsure_board([*states, states[0]])) == text
    assert text.count("?") == 35
