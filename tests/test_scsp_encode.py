"""From games to networks: definitions, recursion, both encodings against the engines, the papers.

The slow part, every game of the library and the public rulesheets along whole matches, is
``benchmarks/networks.py``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import strategies
from conformance_folder import FOLDER, TRACES
from effort import all_but, effort
from games_support import load
from woodstock import Game, State, games
from woodstock._core import CspSolver
from woodstock.errors import GdlError, StateError
from woodstock.gdl.terms import parse_term
from woodstock.scsp import Network, UniformOver, Value
from woodstock.scsp.encode import Encoding, EncodingError, Template, TurnOutcome, template
from woodstock.scsp.encode.builder import MAX_ARITY, MAX_ROWS, Builder
from woodstock.scsp.encode.injector import problem_of
from woodstock.scsp.encode.literals import FALSE, Literal
from woodstock.scsp.encode.recursion import order, unfold
from woodstock.scsp.exact import best
from woodstock.scsp.preprocess import preprocess
from woodstock.scsp.solver import Solver

ENCODINGS: tuple[Encoding, ...] = ("boolean", "multivalued")
quick = settings(
    max_examples=effort(30, 60),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# Definitions


@st.composite
def definitions(draw: st.DrawFn) -> tuple[list[int], list[list[Literal]]]:
    """Sizes of domains, and bodies of literals over them; few values, so that they meet."""
    sizes = draw(st.lists(st.sampled_from([2, 2, 3, 3, 5, 70]), min_size=1, max_size=10))

    def literals(variable: int) -> st.SearchStrategy[Literal]:
        values = st.integers(0, min(sizes[variable], 4) - 1)
        if sizes[variable] == 2:
            return values.map(lambda value: (variable, value))
        entries = st.one_of(values, values, values.map(lambda value: -2 - value))
        return entries.map(lambda entry: (variable, entry))

    literal = st.integers(0, len(sizes) - 1).flatmap(literals)
    most = draw(st.sampled_from([2, 6, 30]))
    return sizes, draw(st.lists(st.lists(literal, min_size=1, max_size=12), max_size=most))


def holds(literal: Literal, values: tuple[int, ...]) -> bool:
    variable, entry = literal
    return values[variable] == entry if entry >= 0 else values[variable] != -2 - entry


@quick
@given(definitions(), st.randoms(use_true_random=False))
def test_definitions_mean_what_they_say(
    made: tuple[list[int], list[list[Literal]]], rng: random.Random
) -> None:
    sizes, bodies = made
    builder = Builder()
    for place, size in enumerate(sizes):
        builder.variable(f"v{place}", range(size))
    head = builder.variable("head", "abc")
    premise = builder.boolean("premise")
    builder.define((head, 1), bodies, "")
    builder.imply((premise, 1), bodies, "")
    literal = builder.literal(bodies, "again")
    assert all(len(table.rows) <= MAX_ROWS for table in builder.tables)
    assert all(len(table.scope) <= MAX_ARITY for table in builder.tables)
    solver = CspSolver(problem_of(builder))
    for _ in range(40):
        values = tuple(rng.randrange(min(size, 5)) for size in sizes)
        expected = any(all(holds(one, values) for one in body) for body in bodies)
        solver.push()
        assert solver.assign(list(range(len(sizes))), list(values))
        # Propagation alone says it all, up to the two values that mean "not".
        assert solver.propagate()
        assert solver.domain(head) == ([1] if expected else [0, 2])
        assert solver.domain(premise) == ([0, 1] if expected else [0])
        if literal[0] >= 0:
            (value,) = solver.domain(literal[0])
            assert holds((0, literal[1]), (value,)) == expected
        else:
            assert (literal != FALSE) == expected
        assert solver.count() == 2
        solver.pop()


def test_equal_definitions_share_a_variable() -> None:
    builder = Builder()
    p, q, r = (builder.boolean(name) for name in "pqr")
    both = builder.literal([[(p, 1), (q, 1)]], "both")
    assert builder.literal([[(q, 1), (p, 1), (p, 1)], [(p, 1), (p, 0)]], "again") == both
    assert builder.literal([[(p, 0)], [(q, 0)]], "not both") == builder.negate(both)
    assert builder.literal([[(r, 1)]], "r itself") == (r, 1)
    assert len(builder.tables) == 1


def test_a_long_disjunction_that_always_holds() -> None:
    builder = Builder()
    others = [(builder.boolean(f"p{i}"), 1) for i in range(12)]
    colour = builder.variable("colour", "rgb")
    head = builder.boolean("head")
    builder.define((head, 1), [[(colour, i)] for i in range(3)] + [[one] for one in others], "")
    solver = CspSolver(problem_of(builder))
    assert solver.propagate()
    assert solver.domain(head) == [1]


# Recursion


@st.composite
def graphs(draw: st.DrawFn) -> dict[int, list[int]]:
    size = draw(st.integers(1, 7))
    return {a: sorted(draw(st.sets(st.integers(1, size)))) for a in range(1, size + 1)}


@quick
@given(graphs())
def test_the_order_goes_back_to_its_first_atoms_alone(edges: dict[int, list[int]]) -> None:
    found, cuts = order(edges)
    assert sorted(found) == sorted(edges)
    place = {atom: i for i, atom in enumerate(found)}
    for atom, below in edges.items():
        if place[atom] >= cuts:
            assert all(place[other] < place[atom] for other in below)


@quick
@given(st.data(), st.integers(1, 6))
def test_unfolding_is_the_least_fixpoint(data: st.DataObject, size: int) -> None:
    """Atoms from 1 on depend on each other and on the inputs behind them, which may be negated."""
    inputs = range(size + 1, size + 4)
    literal = st.one_of(
        st.integers(1, size), st.sampled_from(inputs), st.sampled_from(inputs).map(lambda n: -n)
    )
    body = st.lists(literal, min_size=1, max_size=3)
    bodies = {a: data.draw(st.lists(body, max_size=3)) for a in range(1, size + 1)}
    builder = Builder()
    known = {number: (builder.boolean(f"i{number}"), 1) for number in inputs}

    def outside(atom: int) -> Literal:
        return known[atom] if atom > 0 else builder.negate(known[-atom])

    found = unfold(bodies, outside, lambda atom, read: builder.literal(read, f"a{atom}"))
    solver = CspSolver(problem_of(builder))
    for values in product((0, 1), repeat=len(inputs)):
        true = {number for number, value in zip(inputs, values) if value}
        true |= {-number for number, value in zip(inputs, values) if not value}
        while (
            new := {a for a, rules in bodies.items() if any(set(b) <= true for b in rules)} - true
        ):
            true |= new
        solver.push()
        assert solver.assign([known[number][0] for number in inputs], list(values))
        assert solver.propagate()
        for atom, (variable, entry) in found.items():
            value = (variable, entry) != FALSE if variable < 0 else None
            if value is None:
                value = solver.domain(variable) == [entry]
            assert value == (atom in true)
        solver.pop()


def test_too_much_recursion_is_refused() -> None:
    everybody = range(1, 40)
    bodies = {a: [[b, 40] for b in everybody if b != a] for a in everybody}
    with pytest.raises(EncodingError, match="39 atoms depend on each other") as caught:
        unfold(bodies, lambda atom: (0, 1), lambda atom, read: (0, 1), limit=1000)
    assert caught.value.reason == "recursion"


# Games


def outcomes(state: State) -> set[TurnOutcome]:
    """What the engine says follows on a state."""
    scores = tuple(state.goal(role) for role in state.roles)
    if state.is_terminal:
        return {TurnOutcome((None,) * len(scores), state.fluents, True, scores)}
    return {TurnOutcome(joint, after.fluents, False, scores) for joint, after in state.successors()}


def match(game: Game, seed: int, most: int = 60) -> list[State]:
    """States of a random match, as far as it goes."""
    rng = random.Random(seed)
    states = [game.initial_state()]
    while len(states) < most and not states[-1].is_terminal:
        if not all(states[-1].legal_moves(role) for role in game.roles):
            break
        states.append(states[-1].apply(states[-1].random_joint_move(rng)))
    return states


def by_network(turn: Template, network: Network, propagation: str) -> set[TurnOutcome]:
    names = [turn.turn.builder.names[variable] for variable in turn.columns]
    solver = Solver(network, propagation=propagation, heuristic="lex")
    found = solver.solutions(project=names)
    return {turn.outcome(values) for values in found}


def assert_templates_agree(game: Game, count: int, whole: int = 1, most: int = 60) -> None:
    """A few positions of a match by every road; `whole` of them as networks too."""
    states = match(game, 1, most)
    step = max(1, (len(states) - 1) // max(1, count - 1))
    chosen = [*states[: count * step : step][: count - 1], states[-1]]
    for encoding in ENCODINGS:
        turn = template(game, encoding)
        assert turn.statistics["largest_table"] <= MAX_ROWS
        assert turn.statistics["largest_scope"] <= MAX_ARITY
        solvers = [turn.solver(propagation=name) for name in ("ct", "str2")]
        for place, state in enumerate(chosen):
            expected = outcomes(state)
            for solver in solvers:
                assert solver.solutions(state) == expected
            if place < whole:
                network = turn.inject(state)
                small = preprocess(network)
                assert Solver(network).count() == Solver(small).count() == len(expected)
                for propagation in ("ct", "str2"):
                    assert by_network(turn, network, propagation) == expected
                    assert by_network(turn, small, propagation) == expected


# Large networks and many joint moves take their time; the benchmark does all.
SMALL = [
    "battle-of-numbers", "bomberman", "breakthrough", "buttons-and-lights-10",
    "buttons-and-lights-3", "chinese-checkers", "connect-four", "connect-four-simultaneous",
    "cooperative-matching-pennies", "copolymer-pie", "dots-and-boxes-suicide", "eight-puzzle",
    "guess-dice", "hidden-matching-pennies", "hunter", "knight-through", "matching-pennies",
    "monty-hall", "nim", "orchard", "pacman-hidden", "pentago", "quarto",
    "randomised-tic-tac-toe", "reversi", "schnappt-hubi", "sheep-and-wolf",
    "sheep-and-wolf-hidden", "tic-tac-toe", "untwisty", "vacuum-cleaner-random", "war", "wumpus",
]  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_library_games_as_networks(name: str) -> None:
    assert_templates_agree(load(name), 3, whole=len(games.rules_text(name)) < 4000)


def test_hex_unfolds_its_chains() -> None:
    """Connections are recursive rules: 81 cells on each side that may hang on each other."""
    game = load("hex")
    turn = template(game)
    solver = turn.solver()
    for state in match(game, 2, 90)[::16]:
        assert solver.solutions(state) == outcomes(state)


PUBLIC = [
    "2pffa", "3pConnectFour", "ad_game_2x2", "biddingTicTacToe", "blocksWorldParallel", "bunk_t",
    "buttons", "chomp", "eightPuzzle", "factoringEasyTurtleBrain", "gt_ultimatum",
    "hanoi_6_disks", "lightsOnSimultaneous", "maze", "nim4", "queens08lg", "roshambo2",
    "simultaneousWin2", "stateSpaceSmall", "ticTacHeavenFC", "tpeg", "twisty-passages",
]  # fmt: skip


def game_of(text: str) -> Game:
    return Game.from_text(text, engine="circuit")


@pytest.mark.skipif(not TRACES, reason="no conformance folder beside the project")
@pytest.mark.parametrize("name", all_but(PUBLIC, {"ad_game_2x2", "gt_ultimatum", "ticTacHeavenFC"}))
def test_public_games_as_networks(name: str) -> None:
    game = game_of(Path(FOLDER / "games" / f"{name}.kif").read_text())
    assert_templates_agree(game, 2, most=12)


# Making a game smaller takes minutes, and the first one that fails is small already.
@settings(quick, phases=(Phase.explicit, Phase.generate))
@given(strategies.games())
def test_any_game_is_its_networks(text: str) -> None:
    """Negation, recursion on both sides of a move, goals that are missing or doubled."""
    try:
        game = game_of(text)
    except GdlError:
        assume(False)
    for state in match(game, 1, 5):
        assume(sum(1 for _ in zip(range(301), state.joint_moves())) <= 300)
    assert_templates_agree(game, 3, most=5)


def test_a_role_that_cannot_move_leaves_no_solution() -> None:
    game = game_of(
        "(role a) (role b) (init p) (init q)"
        "(<= (legal a go) (true p)) (<= (legal b go) (true q)) (<= (legal b stop) (true q))"
        "(<= (next p) (does b stop)) (<= (next q) (does b go)) (<= (next r) (does a go))"
        "(<= (next q) (does b stop)) (<= terminal (true s))"
        "(<= (goal a 10) (true r)) (<= (goal a 30) (true q)) (goal b 50)"
    )
    start = game.initial_state()
    stuck = start.apply(["go", "go"])
    for encoding in ENCODINGS:
        turn = template(game, encoding)
        solver = turn.solver()
        assert turn.solutions(start) == outcomes(start)
        assert turn.solutions(stuck) == outcomes(stuck) == set()
        assert solver.legal(start) == [["go"], ["go", "stop"]]
        assert solver.legal(stuck) == [[], []]
        # After (go, stop) two goals hold for a: neither counts.
        assert next(iter(turn.solutions(start.apply(["go", "stop"])))).scores == (None, 50)


def test_many_goals_are_counted() -> None:
    values = range(0, 100, 5)
    facts = " ".join(f"(init (on {v}))" for v in (10, 35))
    goals = " ".join(f"(<= (goal a {v}) (true (on {v})))" for v in values)
    moves = " ".join(f"(legal a (set {v}))" for v in values)
    game = game_of(
        f"(role a) {facts} {moves} {goals} (<= terminal (true (on 95)))"
        "(<= (next (on ?v)) (does a (set ?v))) (<= (next (on 5)) (does a (set 10)))"
    )
    start = game.initial_state()
    for encoding in ENCODINGS:
        turn = template(game, encoding)
        states = [start, start.apply(["(set 10)"]), start.apply(["(set 25)"])]
        assert [{o.scores for o in turn.solutions(state)} for state in states] == [
            {(None,)},
            {(None,)},
            {(25,)},
        ]
        assert turn.solutions(start.apply(["(set 95)"])) == outcomes(start.apply(["(set 95)"]))


def test_states_that_are_none() -> None:
    turn = template(load("tic-tac-toe"))
    start = load("tic-tac-toe").initial_state().fluents
    with pytest.raises(StateError, match="can never hold"):
        turn.inject([*start, "nonsense"])
    with pytest.raises(StateError, match="never hold together"):
        turn.inject([*start, parse_term("(control o)")])
    with pytest.raises(StateError, match="control has no value"):
        turn.inject([fluent for fluent in start if fluent != ("control", "x")])
    with pytest.raises(ValueError, match="no encoding 'ternary'"):
        template(load("tic-tac-toe"), "ternary")  # type: ignore[arg-type]


def test_networks_pass_their_own_check() -> None:
    for name in ("tic-tac-toe", "monty-hall", "hidden-matching-pennies", "nim"):
        for encoding in ENCODINGS:
            turn = template(load(name), encoding)
            state = load(name).initial_state()
            for network in (
                turn.network,
                turn.inject(state),
                turn.unroll(2),
                turn.part(["terminal"]),
            ):
                assert network.with_().variables == network.variables
            assert preprocess(turn.inject(state)).with_()


# Several turns


def lines(state: State, turns: int) -> int:
    """How many sequences of joint moves there are; a finished game has one way to go on."""
    if not turns:
        return 1
    if state.is_terminal:
        return 1
    return sum(lines(after, turns - 1) for _, after in state.successors())


@pytest.mark.parametrize("name", ["matching-pennies", "tic-tac-toe", "monty-hall", "nim"])
def test_turns_in_a_row(name: str) -> None:
    game = load(name)
    state = game.initial_state()
    for encoding in ENCODINGS:
        turn = template(game, encoding)
        for stages in (1, 2, 3):
            network = turn.unroll(stages, state)
            assert Solver(network).count() == lines(state, stages)
            assert len(network.stages) == stages
            assert len(network.stochastic) == stages * ("random" in game.roles)
    with pytest.raises(ValueError, match="0 stages"):
        turn.unroll(0)


def test_the_best_policy_of_several_turns() -> None:
    """Cooperative matching pennies is worth 1/2 (the first round lays, the second tells)."""
    game = load("cooperative-matching-pennies")
    network = template(game).unroll(3, game.initial_state())
    found = best(preprocess(network))
    assert found is not None
    assert found[0] == Fraction(1, 2)


# The papers


def relation(turn: Template, *names: str) -> set[tuple[Value, ...]]:
    """What the rules say of some variables, in any state."""
    part = Solver(turn.part(names))
    return {tuple(found[name] for name in names) for found in part.solutions(project=names)}


def reached(game: Game) -> Iterator[State]:
    """All states that play can reach."""
    seen = {game.initial_state()}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        yield state
        new = {after for _, after in state.successors()} - seen
        seen |= new
        waiting.extend(new)


def reached_relation(
    turn: Template, states: Iterable[State], *names: str
) -> set[tuple[Value, ...]]:
    """The same, over the states that play can reach."""
    found: set[tuple[Value, ...]] = set()
    for state in states:
        solver = Solver(preprocess(turn.inject(state)))
        found |= {tuple(s[name] for name in names) for s in solver.solutions(project=names)}
    return found


def test_example_4_of_the_symmetry_paper() -> None:
    """Marking (1, 2) for x is legal iff the cell is blank and the row or the column is chosen."""
    game = load("randomised-tic-tac-toe")
    turn = template(game, "boolean")
    scope = ("row_1_x", "col_2_x", "cell_1_2_b")
    allowed = {(True, False, True), (False, True, True), (True, True, True)}
    found = relation(turn, "action_random", *scope)
    assert {tuple(row[1:]) for row in found if row[0] == "(mark 1 2 x)"} == allowed
    # The channelled Boolean is the completion, while the game goes on.
    legal = relation(turn, "legal_random_mark_1_2_x", *scope, "terminal")
    assert {row for row in legal if not row[-1]} == {
        (row in allowed, *row, False) for row in product((False, True), repeat=3)
    }
    assert not any(row[0] for row in legal if row[-1])
    # next(cell(1, 2, x)) ↔ does(random, mark(1, 2, x)), or it was there and was left alone.
    after = relation(turn, "action_random", "cell_1_2_x", "cell_1_2_x'")
    assert {row for row in after if not row[1]} == {
        (move, False, move == "(mark 1 2 x)")
        for move in turn.network.variable("action_random").domain
    }


def test_figure_3_of_the_player_paper() -> None:
    """Matching pennies: every table of the figure.

    Ours differ as follows. A finished game has a move, ``none``. The figure leaves out the row of
    `terminal` where no coin is turned, and rows of `goal` before the end. Its 50 among the scores
    is in no rule.
    """
    turn = template(load("matching-pennies"))
    coin = ("pile", "face", "inconnue")
    sides = coin[:2]
    domains = {variable.name: variable.domain for variable in turn.network.variables}
    assert domains["piece_j1"] == domains["piece_j2"] == domains["piece_j1'"] == coin
    assert domains["score_j1"] == domains["score_j2"] == (0, 100)
    assert domains["action_j1"] == ("(retourne pile)", "(retourne face)", "none")
    assert relation(turn, "piece_j1", "piece_j2", "terminal") == {
        (a, b, "inconnue" not in (a, b)) for a in coin for b in coin
    }
    for role, equal in (("j1", 100), ("j2", 0)):
        goal = relation(turn, "piece_j1", "piece_j2", f"score_{role}")
        assert {row for row in goal if "inconnue" not in row} == {
            (a, b, equal if a == b else 100 - equal) for a in sides for b in sides
        }
        piece, action = f"piece_{role}", f"action_{role}"
        assert relation(turn, piece, action) == {
            *(("inconnue", f"(retourne {side})") for side in sides),
            *((side, "none") for side in sides),
        }
        assert relation(turn, piece, action, f"{piece}'") == {
            *(("inconnue", f"(retourne {side})", side) for side in sides),
            *((side, "none", side) for side in sides),
        }


def test_figure_2_of_the_hidden_information_paper() -> None:
    """Hidden matching pennies, over the states that play reaches.

    Ours differ as follows. A finished game has a move, ``none``; when alice has laid her coin
    nobody is in control, so control has a value ``none`` too. The figure's rows of `terminal` with
    one coin of two (HU) are of no state, and its last row of `legal` leaves out the end.
    """
    game = load("hidden-matching-pennies")
    turn = template(game)
    states = list(reached(game))
    assert len(states) == 1 + 4 + 8
    domains = {variable.name: set(variable.domain) for variable in turn.network.variables}
    sides = ("heads", "tails")
    pairs = {f"{a} {b}" for a in sides for b in sides}
    assert domains["score_alice"] == {0, 50, 100}
    assert domains["coin"] == {*sides, "unset"}
    assert domains["coins"] == {*pairs, "unset unset"}
    assert domains["control"] == {"alice", "random", "none"}
    assert domains["action_random"] == {*(f"(choose {pair})" for pair in pairs), "noop", "none"}
    assert domains["action_alice"] == {"(play heads)", "(play tails)", "noop", "none"}
    ends = {(side, pair) for side in sides for pair in pairs}
    assert reached_relation(turn, states, "coin", "coins", "terminal") == {
        *((*end, True) for end in ends),
        *(("unset", pair, False) for pair in pairs),
        ("unset", "unset unset", False),
    }
    goal = reached_relation(turn, states, "coin", "coins", "score_alice", "terminal")
    assert {row[:3] for row in goal if row[3]} == {
        (side, pair, 50 * pair.split().count(side)) for side, pair in ends
    }
    assert reached_relation(turn, states, "control", "action_alice") == {
        ("alice", "(play heads)"),
        ("alice", "(play tails)"),
        ("random", "noop"),
        ("none", "none"),
    }
    assert reached_relation(turn, states, "control", "control'") == {
        ("random", "alice"),
        ("alice", "none"),
        ("none", "none"),
    }
    assert reached_relation(turn, states, "coins", "action_random", "coins'") == {
        *((pair, "noop", pair) for pair in pairs),
        *(("unset unset", f"(choose {pair})", pair) for pair in pairs),
        *((pair, "none", pair) for pair in pairs),
    }
    assert reached_relation(turn, states, "coin", "action_alice", "coin'") == {
        ("unset", "noop", "unset"),
        *(("unset", f"(play {side})", side) for side in sides),
        *((side, "none", side) for side in sides),
    }


def test_chance_is_uniform_over_what_is_legal() -> None:
    """The conditional probabilities of Figure 2: a quarter each, then nothing to choose."""
    game = load("hidden-matching-pennies")
    turn = template(game)
    (uniform,) = turn.network.probabilities
    assert isinstance(uniform, UniformOver)
    state = game.initial_state()
    expected = [
        {
            f"(choose {a} {b})": Fraction(1, 4)
            for a in ("heads", "tails")
            for b in ("heads", "tails")
        },
        {"noop": Fraction(1)},
        {"none": Fraction(1)},
    ]
    for distribution in expected:
        solution = Solver(turn.inject(state)).first()
        assert solution is not None
        found = uniform.distribution(tuple(solution[name] for name in uniform.given))
        assert {value: share for value, share in found.items() if share} == distribution
        # Propagation alone says the same: what is left of the domain is what is legal.
        small = preprocess(turn.inject(state), level="ac").variable("action_random")
        assert set(small.domain) == set(distribution)
        if not state.is_terminal:
            state = state.successors()[0][1]
