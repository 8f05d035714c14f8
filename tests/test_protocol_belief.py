"""What a player believes about a match: told, repeated, lost and strange messages."""

from __future__ import annotations

import random

import pytest

from games_support import load
from woodstock import Game, State, games
from woodstock.belief.evidence import Seeing
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Compound, Term, parse_term
from woodstock.protocol.belief import STATES, Belief, sees_anything

HIDDEN = ["monty-hall", "hidden-matching-pennies", "mastermind", "sheep-and-wolf-hidden", "wumpus"]


def belief_of(name: str, role: str) -> Belief:
    return Belief(load(name), role, random.Random(1))


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
    belief = Belief(game, game.roles[0], random.Random(1))
    for number, (before, joint, after) in enumerate(play(game, 3, 30)):
        assert belief.states == [before]
        assert belief.turn == number
        assert belief.hear(joint) == "told"
        assert belief.states == [after]


def test_moves_come_in_any_case() -> None:
    belief = belief_of("tic-tac-toe", "x")
    assert belief.hear([parse_term("(MARK 2 2)"), "NOOP"]) == "told"


def test_a_message_that_comes_twice_changes_nothing() -> None:
    belief = belief_of("tic-tac-toe", "x")
    first, second = [parse_term("(mark 1 1)"), "noop"], ["noop", parse_term("(mark 2 2)")]
    assert [belief.hear(None) for _ in range(2)] == ["told", "repeated"]
    for joint in (first, second):
        assert belief.hear(joint) == "told"
        before = belief.states
        assert belief.hear(joint) == "repeated"
        assert belief.states == before
    assert belief.sure
    assert belief.hear(None) == "strange"
    assert belief.turn == 2
    assert not belief.sure


def test_a_lost_message_is_guessed() -> None:
    belief = belief_of("tic-tac-toe", "x")
    assert belief.hear(["noop", parse_term("(mark 2 2)")]) == "guessed"
    (state,) = belief.states
    assert belief.turn == 2
    assert parse_term("(cell 2 2 o)") in state.fluents
    assert len(state.legal_moves("x")) == 7
    assert belief.hear([parse_term("(mark 9 9)"), "noop"]) == "strange"
    assert belief.hear(["noop"]) == "strange"
    assert belief.states == [state]


def test_terms_without_sense_are_strange() -> None:
    belief = belief_of("tic-tac-toe", "x")
    assert belief.hear([parse_term("(mark ?x 1)"), "noop"]) == "strange"
    assert belief.hear([]) == "strange"
    assert belief.turn == 0


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("final", [True, False])
def test_percepts_leave_the_true_state_possible(name: str, final: bool) -> None:
    game = load(name)
    assert sees_anything(game)
    for role in (role for role in game.roles if role != RANDOM):
        belief = Belief(game, role, random.Random(2))
        place = game.roles.index(role)
        for number, (before, joint, after) in enumerate(play(game, 5, 4)):
            assert 1 <= len(belief.states) <= STATES
            legal = before.legal_moves(role)
            assert all(state.legal_moves(role) == legal for state in belief.states)
            if after.is_terminal:
                break  # nobody is told that but by STOP
            news = belief.hear(
                after.percepts(role), turn=number + 1 if final else None, move=joint[place]
            )
            assert news == "told"
            assert all(
                set(state.percepts(role)) == set(after.percepts(role)) for state in belief.states
            )


def test_the_number_of_a_turn_tells_what_is_missing() -> None:
    game = load("monty-hall")
    role = next(role for role in game.roles if role != RANDOM)
    turns = play(game, 1, 3)
    belief = Belief(game, role, random.Random(1))
    place = game.roles.index(role)
    # The first turn was never told.
    assert belief.hear(turns[1][2].percepts(role), turn=2, move=turns[1][1][place]) == "guessed"
    assert belief.turn == 2
    assert belief.hear((), turn=1, move=None) == "repeated"


def test_a_server_that_tells_all_moves_of_a_hidden_game_is_understood() -> None:
    game = load("latent-tic-tac-toe-10x10")
    belief = Belief(game, game.roles[0], random.Random(1))
    for _, joint, after in play(game, 4, 3):
        assert belief.hear(joint) == "told"
        assert after in belief.states


def test_percepts_that_nothing_leads_to_are_a_turn_all_the_same() -> None:
    game = load("monty-hall")
    role = next(role for role in game.roles if role != RANDOM)
    belief = Belief(game, role, random.Random(1))
    assert belief.hear([parse_term("(sees nothing like this)")]) == "guessed"
    assert belief.turn == 1
    assert not belief.sure


def test_nil_is_an_empty_list_of_percepts() -> None:
    game = load("mastermind")
    role = next(role for role in game.roles if role != RANDOM)
    (_, joint, after), *_ = play(game, 1, 1)
    assert after.percepts(role) == ()
    belief = Belief(game, role, random.Random(1))
    assert belief.hear(None, turn=1, move=joint[game.roles.index(role)]) == "told"
    assert belief.turn == 1


def test_a_move_of_ours_that_is_no_move_is_strange() -> None:
    belief = belief_of("monty-hall", "candidate")
    assert belief.hear((), turn=1, move=parse_term("(choose ?x)")) == "strange"


SECRET_END = """(role x) (role random) (init (step 0)) (legal x wait) (legal random live)
    (legal random die) (<= (next (step 1)) (does x wait)) (<= (next dead) (does random die))
    (<= (sees x hello) (does x wait)) (<= terminal (true dead)) (goal x 50) (goal random 50)"""


def test_who_is_asked_knows_that_the_match_goes_on() -> None:
    for seed in range(8):
        belief = Belief(Game.from_text(SECRET_END), "x", random.Random(seed))
        for turn in (1, 2, 4):
            assert belief.hear(["hello"], turn=turn, move="wait") != "strange"
            assert not any(state.is_terminal for state in belief.states)


def test_percepts_that_tell_all_moves_are_read_as_moves() -> None:
    """A GDL game as managers send it to players of GDL-II, in words of their own."""
    rules = games.rules_text("connect-four")
    extra = "(<= (sees ?a (Told ?b ?c)) (role ?a) (does ?b ?c))"
    game = Game.from_text(rules + extra)
    belief = Belief(game, game.roles[1], random.Random(1), states=1)
    belief._successors = None  # type: ignore[assignment, method-assign]  # nothing is looked for
    for _, joint, after in play(game, 3, 12):
        said = [Compound(("TOLD", role, move)) for role, move in zip(game.roles, joint)]
        assert set(map(game.term, said)) == set(after.percepts(game.roles[1]))
        assert belief.hear(said[::-1]) == "told"
        assert belief.states == [after]


@pytest.mark.parametrize("name", [*HIDDEN, "schnappt-hubi", "pacman-hidden"])
def test_what_percepts_rule_out_was_not_done(name: str) -> None:
    game = load(name)
    seeing = Seeing(game.rules)
    for _, joint, after in play(game, 7, 12):
        for role in (role for role in game.roles if role != RANDOM):
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
    belief = Belief(game, "x", random.Random(1))
    told = [parse_term("(hand c7)")]
    assert len(belief._may_have_made(game.initial_state(), RANDOM)) == 1600
    assert belief.hear(told, turn=1, move="wait") == "told"
    belief._evidence = Seeing(game.rules).of("x", told)
    assert len(belief._may_have_made(game.initial_state(), RANDOM)) == 40
