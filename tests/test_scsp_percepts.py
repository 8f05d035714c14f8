"""Networks with percepts: against the engines, the tables of the paper, several turns in a row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings

import strategies
from cli_support import answer, woodstock
from conformance_folder import FOLDER
from effort import effort
from games_support import load
from test_scsp_encode import ENCODINGS, game_of, match
from woodstock import Game, State
from woodstock.errors import GdlError, StateError
from woodstock.scsp import Network, Probability, Value, xcsp3
from woodstock.scsp.encode import EncodingError, TurnOutcome, observed, template
from woodstock.scsp.encode.chain import Chain
from woodstock.scsp.solver import Solver

HIDDEN = [
    "guess-dice", "hidden-matching-pennies", "kuhn-poker", "monty-hall", "pacman-hidden",
    "schnappt-hubi", "sheep-and-wolf-hidden", "vacuum-cleaner-random", "war", "wumpus",
]  # fmt: skip
SMALL = ["guess-dice", "hidden-matching-pennies", "kuhn-poker", "monty-hall"]


def outcomes(state: State, role: str) -> set[TurnOutcome]:
    """What the engine says follows on a state, and what a role perceives of it."""
    scores = tuple(state.goal(role) for role in state.roles)
    if state.is_terminal:
        return {TurnOutcome((None,) * len(scores), state.fluents, True, scores)}
    return {
        TurnOutcome(joint, after.fluents, False, scores, frozenset(after.percepts(role)))
        for joint, after in state.successors()
    }


def assert_percepts_agree(game: Game, role: str, states: list[State]) -> None:
    for encoding in ENCODINGS:
        turn = template(game, encoding, percepts=role)
        assert turn.observer == role
        for state in states:
            assert turn.solutions(state) == outcomes(state, role)


@pytest.mark.parametrize("name", HIDDEN)
def test_percepts_are_those_of_the_engine(name: str) -> None:
    game = load(name)
    states = match(game, 1, 40)
    for role in game.players[:2]:
        assert_percepts_agree(game, role, [*states[:: max(1, len(states) // 3)], states[-1]])


PUBLIC = ["kriegTTT_5x5.gdl", "latenttictactoe.gdl", "scissor_paper_rock.gdl", "pennies.gdl"]


@pytest.mark.parametrize("name", PUBLIC)
def test_percepts_of_public_games(name: str) -> None:
    file = FOLDER / "gdl2" / name
    if not file.exists():
        pytest.skip("no conformance folder beside the project")
    game = game_of(file.read_text())
    for role in game.players[:2]:
        assert_percepts_agree(game, role, match(game, 2, 12)[::4])


# Making a game smaller takes minutes, and the first one that fails is small already.
@settings(
    max_examples=effort(20, 40),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=(Phase.explicit, Phase.generate),
)
@given(strategies.games())
def test_percepts_of_any_game(text: str) -> None:
    """Percepts of states and moves, of negations and recursion."""
    assume("(sees " in text)
    try:
        game = game_of(text)
    except GdlError:
        assume(False)
    states = match(game, 1, 4)
    for state in states:
        assume(sum(1 for _ in zip(range(301), state.joint_moves())) <= 300)
    for role in game.players:
        assert_percepts_agree(game, role, states)


def test_percepts_that_exclude_each_other_share_a_variable() -> None:
    def domains(name: str, role: str, encoding: str) -> dict[str, set[Value]]:
        turn = template(load(name), encoding, percepts=role)  # type: ignore[arg-type]
        return {name: set(turn.network.variable(name).domain) for name in turn.percepts}

    assert domains("hidden-matching-pennies", "alice", "multivalued") == {
        "percept": {"(coins heads)", "(coins tails)", "none"}
    }
    assert domains("hidden-matching-pennies", "alice", "boolean") == {
        "percept_coins_heads": {False, True},
        "percept_coins_tails": {False, True},
    }
    # A card and a bet never come in one turn, but the rules do not say so.
    kuhn = domains("kuhn-poker", "bob", "multivalued")
    assert kuhn.keys() == {"percept_hand", "percept_did_alice", "percept_did_bob"}
    assert kuhn["percept_hand"] == {"(hand jack)", "(hand queen)", "(hand king)", "none"}
    assert domains("wumpus", "hunter", "multivalued")["percept_breeze"] == {False, True}


def test_what_is_perceived_may_be_injected() -> None:
    game = load("hidden-matching-pennies")
    start = game.initial_state()
    heads, tails = game.term("(coins heads)"), game.term("(coins tails)")
    for encoding in ENCODINGS:
        turn = template(game, encoding, percepts="alice")
        found = Solver(turn.inject(start, [heads])).solutions()
        assert {str(outcome.moves[1]) for outcome in map(turn.outcome, found)} == {
            "(choose heads heads)",
            "(choose heads tails)",
        }
        assert Solver(turn.inject(start, [])).count() == 0
        assert Solver(turn.inject(start)).count() == 4
        with pytest.raises(StateError, match="alice never perceives that"):
            turn.inject(start, [game.term("(coins edge)")])
    with pytest.raises(StateError, match="not with the others"):
        template(game, percepts="alice").inject(start, [heads, tails])
    with pytest.raises(ValueError, match="no role 'carol'; this game has alice, random"):
        template(game, percepts="carol")


# What the observer can tell


def test_the_conditional_probabilities_of_figure_2() -> None:
    """Hidden matching pennies: of choose given control, of the coins given the percept.

    Ours differ as follows. The percept has a value ``none`` too, for turns without one. A finished
    game has a move ``none``. Rows for what cannot be are uniform, where the figure has none.
    """
    game = load("hidden-matching-pennies")
    turn = template(game, percepts="alice")
    network = turn.observed(game.initial_state())
    assert set(network.variable("percept").domain) == {"(coins heads)", "(coins tails)", "none"}
    coins = network.probability("coins'")
    assert isinstance(coins, Probability)
    assert coins.given == ("percept",)
    half = Fraction(1, 2)
    figure = {
        "(coins heads)": {"heads heads": half, "heads tails": half},
        "(coins tails)": {"tails heads": half, "tails tails": half},
        "none": dict.fromkeys(network.variable("coins'").domain, Fraction(1, 5)),
    }
    assert coins.rows == {(percept,): row for percept, row in figure.items()}
    percept = network.probability("percept")
    assert percept.distribution(()) == {"(coins heads)": half, "(coins tails)": half}
    # When alice plays there is nothing left to perceive, and the coins stay.
    later = game.initial_state().apply({"alice": "noop", "random": "(choose heads tails)"})
    network = turn.observed(later)
    assert network.probability("percept").distribution(()) == {"none": 1}
    assert network.probability("coins'").distribution(()) == {"heads tails": 1}
    coin = network.probability("coin'")
    assert coin.given == ("action_alice",)
    assert coin.distribution(("(play heads)",)) == {"heads": 1}


def paths(network: Network) -> Iterator[tuple[dict[str, Value], Fraction]]:
    """What may happen, with its probability given the decision."""
    first, *rest = network.variables
    (legal,) = network.hard
    waiting: list[tuple[dict[str, Value], Fraction]] = [
        ({first.name: value}, Fraction(1)) for (value,) in legal.rows
    ]
    for variable in rest:
        table = network.probability(variable.name)
        waiting = [
            ({**values, variable.name: value}, chance * share)
            for values, chance in waiting
            for value, share in table.distribution(tuple(values[n] for n in table.given)).items()
            if share
        ]
    yield from waiting


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", SMALL)
def test_the_product_of_the_tables_is_exact(name: str, encoding: str) -> None:
    """Own moves are given; others move at random. Percepts and states come out as in the engine."""
    game = load(name)
    for role in game.players:
        turn = template(game, encoding, percepts=role)  # type: ignore[arg-type]
        own = game.roles.index(role)
        for state in match(game, 4, 6):
            if state.is_terminal:
                continue
            expected: dict[tuple[str, frozenset[str], frozenset[str]], Fraction] = {}
            share = Fraction(len(state.legal_moves(role)), len(list(state.joint_moves())))
            for joint, after in state.successors():
                seen = frozenset(map(str, after.percepts(role)))
                key = (str(joint[own]), seen, frozenset(map(str, after.fluents)))
                expected[key] = expected.get(key, Fraction(0)) + share
            found = {}
            for values, chance in paths(turn.observed(state)):
                seen = frozenset(
                    str(term)
                    for name, (variable, terms) in zip(turn.percepts, turn.turn.percepts)
                    if (term := terms[turn.turn.builder.domains[variable].index(values[name])])
                    is not None
                )
                fluents = {
                    str(turn.fluents[fluent])
                    for name, slot in zip(turn.fluents_next, turn.slots)
                    if (fluent := slot.fluents[slot.values.index(values[name])]) is not None
                }
                fluents |= set(map(str, turn.fixed))
                found[str(values[turn.actions[role]]), seen, frozenset(fluents)] = chance
            assert found == expected


def test_what_cannot_be_a_table() -> None:
    game = load("hidden-matching-pennies")
    start = game.initial_state()
    with pytest.raises(ValueError, match="has no percepts"):
        template(game).observed(start)
    # The dirt is laid at once, in one of many ways: each cell depends on all others.
    game = load("vacuum-cleaner-random")
    with pytest.raises(EncodingError, match=r"dirt_.* needs a table of [\d,]+ rows"):
        template(game, percepts="robot").observed(game.initial_state())


def test_too_many_joint_moves_are_not_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed, "MAX_JOINT_MOVES", 3)
    game = load("hidden-matching-pennies")
    with pytest.raises(EncodingError, match="3 joint moves are the limit"):
        template(game, percepts="alice").observed(game.initial_state())


# Several turns


def lines(state: State, role: str, seen: list[frozenset[str]]) -> int:
    """How many sequences of joint moves lead to these percepts, one set a turn."""
    if not seen:
        return 1
    return sum(
        lines(after, role, seen[1:])
        for _, after in state.successors()
        if frozenset(map(str, after.percepts(role))) == seen[0]
    )


@pytest.mark.parametrize("name", SMALL)
def test_turns_in_a_row_with_percepts(name: str) -> None:
    """The unrolled network and the native chain, both told of the percepts, have the same lines."""
    game = load(name)
    states = match(game, 5, 4)
    stages = len(states) - 1
    for encoding, role in product(ENCODINGS, game.players):
        turn = template(game, encoding, percepts=role)
        seen = [state.percepts(role) for state in states[1:]]
        expected = lines(states[0], role, [frozenset(map(str, one)) for one in seen])
        chain = Chain(turn, stages, states[0])
        given: dict[str, Value] = {}
        for stage, percepts in enumerate(seen, 1):
            assert chain.perceive(stage, percepts)
            values = turn.percept_values(percepts)
            given.update({f"{name}@{stage}": value for name, value in values.items()})
            given[f"terminal@{stage}"] = False
        assert expected > 0
        assert Solver(turn.unroll(stages, states[0])).count(given=given) == expected
        assert chain.solver.count() == expected


def test_what_a_chain_cannot_be() -> None:
    game = load("monty-hall")
    chain = Chain(template(game, percepts="candidate"), 2, game.initial_state())
    assert chain.move(1, "candidate", game.term("(choose 1)"))
    assert chain.solver.propagate()
    assert chain.moves(1, "candidate") == [game.term("(choose 1)")]
    assert len(chain.moves(1, "random")) == 3
    assert not chain.move(2, "candidate", game.term("(choose 9)"))
    assert not chain.perceive(2, [game.term("(open 9)")])
    # The door that was chosen is never opened.
    assert not (chain.perceive(2, [game.term("(open 1)")]) and chain.solver.propagate())


# Files and the command


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_percepts_in_files(encoding: str, tmp_path: Path) -> None:
    game = load("kuhn-poker")
    turn = template(game, encoding, percepts="bob")  # type: ignore[arg-type]
    network = turn.unroll(2, game.initial_state())
    assert network.with_() == network
    path = tmp_path / "turns.xml"
    xcsp3.write_file(network, path)
    again = xcsp3.read_file(path)
    assert [v.name for v in again.variables] == [v.name for v in network.variables]
    assert Solver(again).count() == Solver(network).count()
    seen = turn.observed(game.initial_state())
    xcsp3.write_file(seen, path)
    assert xcsp3.read_file(path).probabilities == seen.probabilities


def test_the_command_with_percepts(tmp_path: Path) -> None:
    path = tmp_path / "turn.xml"
    bare = answer("scsp", "hidden-matching-pennies", "--after", "")
    assert bare["percepts"] is None
    found = answer(
        *("scsp", "hidden-matching-pennies", "--percepts", "alice", "--after", "", "--xcsp3", path)
    )
    assert found["percepts"] == "alice"
    assert found["variables"] == bare["variables"] + 1
    assert "percept" in xcsp3.read_file(path)
    text = woodstock("scsp", "hidden-matching-pennies", "--percepts", "alice", "--stats").stdout
    assert text.startswith("hidden-matching-pennies, multivalued encoding, percepts of alice\n")
    wrong = answer("scsp", "hidden-matching-pennies", "--percepts", "carol", code=2)
    assert wrong["error"] == "no role 'carol'; there are alice, random"
