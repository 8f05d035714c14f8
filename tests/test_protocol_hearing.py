"""What a player makes of what it is told: told, repeated, lost and strange messages."""

from __future__ import annotations

import math
import random

import pytest

from games_support import load
from woodstock import Game, State, games
from woodstock.belief import ObservationHistory, PlainParticleFilter
from woodstock.belief.evidence import Seeing
from woodstock.gdl.terms import Compound, Term, parse_term
from woodstock.protocol.hearing import Hearing, sees_anything

HIDDEN = ["monty-hall", "hidden-matching-pennies", "mastermind", "sheep-and-wolf-hidden", "wumpus"]


def hearing_of(name: str, role: str) -> Hearing:
    return Hearing(load(name), role, seed=1)


def history_of(hearing: Hearing) -> ObservationHistory:
    assert isinstance(hearing.situation, ObservationHistory)
    return hearing.situation


def believed(hearing: Hearing) -> tuple[State, ...]:
    return history_of(hearing).belief().states


def play(game: Game, seed: int, plies: int) -> list[tuple[State, tuple[Term, ...], State]]:
    """Turns of a random game: before, the joint move, after."""
    rng = random.Random(seed)
    state = game.initial_state()
    turns: list[tuple[State, tuple[Term, ...], State]] = []
    while not state.is_terminal and len(turns) < plies:
        joint = state.random_joint_move(rng)
        after = state.apply(joint)
        turns.append((state, joint, after))
        state = after
    return turns


@pytest.mark.parametrize("name", ["tic-tac-toe", "backgammon", "matching-pennies", "connect-four"])
def test_who_is_told_all_moves_knows_the_state(name: str) -> None:
    game = load(name)
    hearing = Hearing(game, game.roles[0], seed=1)
    for number, (before, joint, after) in enumerate(play(game, 3, 30)):
        assert hearing.situation == hearing.state == before
        assert hearing.turn == number
        assert hearing.hear(joint) == "told"
        assert hearing.state == after


def test_moves_come_in_any_case() -> None:
    hearing = hearing_of("tic-tac-toe", "x")
    assert hearing.hear([parse_term("(MARK 2 2)"), "NOOP"]) == "told"


def test_a_message_that_comes_twice_changes_nothing() -> None:
    hearing = hearing_of("tic-tac-toe", "x")
    first, second = [parse_term("(mark 1 1)"), "noop"], ["noop", parse_term("(mark 2 2)")]
    assert [hearing.hear(None) for _ in range(2)] == ["told", "repeated"]
    for joint in (first, second):
        assert hearing.hear(joint) == "told"
        before = hearing.state
        assert hearing.hear(joint) == "repeated"
        assert hearing.state == before
    assert hearing.sure
    assert hearing.hear(None) == "strange"
    assert hearing.turn == 2
    assert not hearing.sure


def test_a_lost_message_is_guessed() -> None:
    hearing = hearing_of("tic-tac-toe", "x")
    assert hearing.hear(["noop", parse_term("(mark 2 2)")]) == "guessed"
    state = hearing.state
    assert hearing.turn == 2
    assert parse_term("(cell 2 2 o)") in state.fluents
    assert len(state.legal_moves("x")) == 7
    assert hearing.hear([parse_term("(mark 9 9)"), "noop"]) == "strange"
    assert hearing.hear(["noop"]) == "strange"
    assert hearing.state == state


def test_our_own_answer_is_what_a_lost_message_would_have_told() -> None:
    hearing = hearing_of("tic-tac-toe", "x")
    own = parse_term("(mark 3 1)")
    assert hearing.hear(["noop", parse_term("(mark 2 2)")], move=own) == "guessed"
    assert parse_term("(cell 3 1 x)") in hearing.state.fluents
    # Unless it cannot have been made, since somebody else has marked that cell.
    hearing = hearing_of("tic-tac-toe", "x")
    assert hearing.hear(["noop", own], move=own) == "guessed"
    assert parse_term("(cell 3 1 o)") in hearing.state.fluents


def test_terms_without_sense_are_strange() -> None:
    hearing = hearing_of("tic-tac-toe", "x")
    assert hearing.hear([parse_term("(mark ?x 1)"), "noop"]) == "strange"
    assert hearing.hear([]) == "strange"
    assert hearing.turn == 0


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("final", [True, False])
def test_percepts_leave_the_true_state_possible(name: str, final: bool) -> None:
    game = load(name)
    assert sees_anything(game)
    for role in game.players:
        hearing = Hearing(game, role, seed=2)
        place = game.roles.index(role)
        for number, (before, joint, after) in enumerate(play(game, 5, 4)):
            legal = before.legal_moves(role)
            belief = history_of(hearing).belief()
            assert before in belief.states or not belief.exact
            assert all(state.legal_moves(role) == legal for state in belief.states[:50])
            assert hearing.state.legal_moves(role) == legal
            if after.is_terminal:
                break  # nobody is told that but by STOP
            news = hearing.hear(
                after.percepts(role), turn=number + 1 if final else None, move=joint[place]
            )
            assert news == "told"
        assert hearing.sure


TOLD_BACK = """(role x) (role random) (init start) (legal x left) (legal x right)
    (legal random head) (legal random tail) (<= (next (went ?m)) (does x ?m))
    (<= (next (lies ?c)) (does random ?c)) (<= (next (went ?m)) (true (went ?m)))
    (<= (sees x (step ?m)) (does x ?m)) (<= terminal (true never)) (goal x 50) (goal random 50)"""


def test_percepts_tell_that_another_move_was_made_for_us() -> None:
    hearing = Hearing(Game.from_text(TOLD_BACK), "x", seed=1)
    left, right = parse_term("(step left)"), parse_term("(step right)")
    assert hearing.hear([left], move="right") == "told"
    assert hearing.turn == 1
    assert len(believed(hearing)) == 2
    assert all(parse_term("(went left)") in state.fluents for state in believed(hearing))
    assert hearing.hear([right], move="right") == "told"
    assert hearing.sure


ALTERNATING = """(role x) (role o) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (succ 3 4) (legal x wait) (legal o wait) (legal random head) (legal random tail)
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (next (coin ?c)) (does random ?c))
    (<= (sees x (now ?n)) (true (step ?m)) (succ ?m ?n) (does x wait))
    (<= terminal (true (step 4))) (goal x 50) (goal o 50) (goal random 50)"""


def test_percepts_without_numbers_come_twice_or_not_at_all() -> None:
    first, third = [parse_term("(now 1)")], [parse_term("(now 3)")]
    hearing = Hearing(Game.from_text(ALTERNATING), "x", seed=1)
    assert [hearing.hear(first, move="wait") for _ in range(2)] == ["told", "repeated"]
    assert (hearing.turn, len(believed(hearing))) == (1, 2)
    assert hearing.sure
    assert hearing.hear(third, move="wait") == "guessed"
    assert hearing.turn == 3
    assert parse_term("(step 3)") in hearing.state.fluents
    assert not hearing.sure


def test_the_number_of_a_turn_tells_what_is_missing() -> None:
    game = load("monty-hall")
    role = game.players[0]
    turns = play(game, 1, 3)
    hearing = Hearing(game, role, seed=1)
    place = game.roles.index(role)
    # The first turn was never told.
    assert hearing.hear(turns[1][2].percepts(role), turn=2, move=turns[1][1][place]) == "guessed"
    assert hearing.turn == 2
    assert turns[1][2] in believed(hearing)
    assert hearing.hear((), turn=1, move=None) == "repeated"
    assert hearing.hear((), turn=10**9, move=None) == "strange"
    assert hearing.turn == 2


def test_a_server_that_tells_all_moves_of_a_hidden_game_is_understood() -> None:
    game = load("latent-tic-tac-toe-10x10")
    hearing = Hearing(game, game.roles[0], seed=1)
    for _, joint, after in play(game, 4, 3):
        assert hearing.hear(joint) == "told"
        assert hearing.state == after
        assert after in believed(hearing)
    assert len(believed(hearing)) > 1  # the rules hide it all the same


def test_percepts_that_nothing_leads_to_are_a_turn_all_the_same() -> None:
    game = load("monty-hall")
    role = game.players[0]
    hearing = Hearing(game, role, seed=1)
    assert hearing.hear([parse_term("(sees nothing like this)")]) == "guessed"
    assert hearing.turn == 1
    assert not hearing.sure


def test_nil_is_an_empty_list_of_percepts() -> None:
    game = load("mastermind")
    role = game.players[0]
    (_, joint, after), *_ = play(game, 1, 1)
    assert after.percepts(role) == ()
    hearing = Hearing(game, role, seed=1)
    assert hearing.hear(None, turn=1, move=joint[game.roles.index(role)]) == "told"
    assert hearing.turn == 1


def test_a_move_of_ours_that_is_no_move_is_strange() -> None:
    hearing = hearing_of("monty-hall", "candidate")
    assert hearing.hear((), turn=1, move=parse_term("(choose ?x)")) == "strange"


SECRET_END = """(role x) (role random) (init (step 0)) (legal x wait) (legal random live)
    (legal random die) (<= (next (step 1)) (does x wait)) (<= (next dead) (does random die))
    (<= (sees x hello) (does x wait)) (<= terminal (true dead)) (goal x 50) (goal random 50)"""


def test_who_is_asked_knows_that_the_match_goes_on() -> None:
    for seed in range(8):
        hearing = Hearing(Game.from_text(SECRET_END), "x", seed=seed)
        for turn in (1, 2, 4):
            assert hearing.hear(["hello"], turn=turn, move="wait") != "strange"
            assert not hearing.state.is_terminal


def test_percepts_that_tell_all_moves_are_read_as_moves() -> None:
    """A GDL game as managers send it to players of GDL-II, in words of their own."""
    rules = games.rules_text("connect-four")
    extra = "(<= (sees ?a (Told ?b ?c)) (role ?a) (does ?b ?c))"
    game = Game.from_text(rules + extra)
    hearing = Hearing(game, game.roles[1], seed=1, make=None)  # type: ignore[arg-type]
    for _, joint, after in play(game, 3, 12):
        said = [Compound(("TOLD", role, move)) for role, move in zip(game.roles, joint)]
        assert set(map(game.term, said)) == set(after.percepts(game.roles[1]))
        assert hearing.hear(said[::-1]) == "told"
        assert hearing.situation == after
    # What is left out is guessed, as far as turns are counted.
    number = hearing.turn
    assert hearing.hear(said[:1], turn=number + 1) == "guessed"
    assert hearing.turn == number + 1


@pytest.mark.parametrize("name", [*HIDDEN, "schnappt-hubi", "pacman-hidden"])
def test_what_percepts_rule_out_was_not_done(name: str) -> None:
    game = load(name)
    seeing = Seeing(game.rules)
    for _, joint, after in play(game, 7, 12):
        for role in game.players:
            evidence = seeing.of(role, after.percepts(role))
            assert all(map(evidence.allows, game.roles, joint))


def test_a_shuffled_deck_is_not_tried_card_by_card() -> None:
    cards = " ".join(f"(card c{number})" for number in range(40))
    rules = f"""(role x) (role random) {cards} (init begin) (legal x wait)
        (<= (legal random (deal ?a ?b)) (card ?a) (card ?b))
        (<= (sees x (hand ?a)) (does random (deal ?a ?b)))
        (<= (next (holds ?a)) (does random (deal ?a ?b)))
        (<= terminal (true never)) (goal x 50) (goal random 50)"""
    game = Game.from_text(rules)
    tracker = PlainParticleFilter(game, "x", seed=1, expanded=40, tries=0)
    assert tracker.advance("wait", [parse_term("(hand c7)")], math.inf)
    assert tracker.belief.exact
    assert len(tracker.belief.chances) == 1
