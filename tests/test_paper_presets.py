"""The presets by the letter of the papers, held against their pseudo-code and worked examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from games_support import load
from test_search_stages import LIMIT, compiled, engine_of, positions
from test_symmetry_papers import AGAINST_RANDOM
from woodstock import Game, State
from woodstock.belief import ObservationHistory
from woodstock.belief.paper import paper_belief
from woodstock.scsp.encode import template
from woodstock.scsp.split import chance_part, hard_part
from woodstock.search import Decision, Limits, make_searcher, options_of, search_names
from woodstock.search.alike import Alike
from woodstock.search.options import StageOptions
from woodstock.search.stages import make_stages

PAPERS = ("mac-ucb-paper", "mac-ucb-sym-paper", "mac-ucb-ii-paper")


# What the presets are


@pytest.mark.parametrize("name", PAPERS)
def test_presets_have_the_figures_of_the_papers(name: str) -> None:
    options = options_of(name)
    assert isinstance(options, StageOptions)
    assert (options.solver, options.propagation, options.heuristic) == ("split", "str", "dom/ddeg")
    assert (options.preprocessing, options.order, options.concept) == ("sac", "utility", "maximin")
    assert (options.samples, options.sampling, options.horizon) == (10_000, "literal", 200)
    assert not options.shrinking


def test_presets_share_the_time_as_the_papers_do() -> None:
    solving = {name: options_of(name) for name in PAPERS}
    for name in ("mac-ucb-paper", "mac-ucb-ii-paper"):
        options = solving[name]
        assert isinstance(options, StageOptions)
        assert (options.solving_share, options.symmetry) == (0.9, "none")
    symmetric = solving["mac-ucb-sym-paper"]
    assert isinstance(symmetric, StageOptions)
    left = 1 - symmetric.symmetry_share
    shares = (left * symmetric.solving_share, left * (1 - symmetric.solving_share))
    assert shares == pytest.approx((0.45, 0.30))
    assert symmetric.symmetry == "microstructure"
    assert set(PAPERS) <= set(search_names())


# Algorithms 1 and 2, and SAC, STR, dom/ddeg


@pytest.mark.parametrize(
    "name", ["cooperative-matching-pennies", "kaseklau", "orchard", "randomised-tic-tac-toe", "nim"]
)
@pytest.mark.parametrize("preprocessing", ["none", "sac"])
def test_split_stages_have_the_same_solutions(name: str, preprocessing: str) -> None:
    game = load(name)
    simulator = engine_of(game).simulator()
    split = make_stages(
        game,
        "split",
        simulator,
        propagation="str",
        heuristic="dom/ddeg",
        preprocessing="sac" if preprocessing == "sac" else "none",
    )
    usual = compiled(game)
    for here in positions(game, 1, 12):
        assert split.look(here) == usual.look(here)
        assert split.solve(here, LIMIT) == usual.solve(here, LIMIT)


def test_the_parts_of_a_turn_are_those_of_algorithms_1_and_2() -> None:
    """Cooperative matching pennies: chance tosses its coin, and nothing else has to do with it."""
    network = template(load("cooperative-matching-pennies")).network
    (chance,) = [variable.name for variable in network.stochastic]
    stochastic = [c for c in network.hard if chance in c.scope]
    others = [c for c in network.hard if chance not in c.scope]
    assert stochastic
    # Ours are finer tables than the papers' one: those about what follows on chance are counted
    # with it in `chance_part`, and the hard part has none that names chance.
    assert all(chance not in c.scope for c in hard_part(network).constraints)
    assert set(stochastic) <= set(chance_part(network).hard)
    assert set(hard_part(network).constraints) <= set(others)


def test_table_options_are_for_every_player_of_stages() -> None:
    game = load("tic-tac-toe")
    state = game.initial_state()
    told = "mac-ucb:propagation=str,heuristic=dom/ddeg,preprocessing=sac,samples=64"

    def found(text: str) -> dict[str, object]:
        decision = make_searcher(text, game, "x", seed=1).think(state, limits=Limits(nodes=300))
        clocks = {"seconds", "cpu_seconds"}
        return {key: value for key, value in vars(decision).items() if key not in clocks}

    assert found(told) == found("mac-ucb:samples=64")


# Algorithm 3


class Letter:
    """Algorithm 3 in plain Python, where UCB has the time to play every sequence of moves.

    `v_i` is then the mean over all of them, each counted once, as far as the horizon. States met
    before are known by the hash table; what is completely explored is proved, and not opened.
    """

    def __init__(self, game: Game, role: str, start: State, horizon: int) -> None:
        self.game, self.role, self.horizon = game, role, horizon
        self.start = start
        self.value: dict[State, Fraction] = {}
        self.bounds: dict[State, tuple[Fraction, Fraction]] = {}
        self.depth = {start: 0}
        self.children: dict[State, dict[tuple[object, ...], State]] = {}
        self.parents: dict[State, list[State]] = {start: []}
        self.open: list[tuple[Fraction, int, State]] = []
        self.age = 0
        self.value[start], self.bounds[start] = Fraction(1, 2), (Fraction(0), Fraction(1))
        self.put(start)

    def put(self, state: State) -> None:
        self.open.append((-self.value[state], self.age, state))
        self.age += 1

    def goal(self, state: State) -> Fraction:
        return Fraction(state.goal(self.role) or 0, 100)

    def games(self, state: State, plies: int) -> list[Fraction]:
        if state.is_terminal:
            return [self.goal(state)]
        if plies == 0:
            return [Fraction(0)]
        moves = product(*(state.legal_moves(role) for role in state.roles))
        return [end for joint in moves for end in self.games(state.apply(joint), plies - 1)]

    def is_open(self, state: State) -> bool:
        low, high = self.bounds[state]
        return state not in self.children and low < high and self.depth[state] < self.horizon

    def step(self) -> None:
        """Lines 2 to 25."""
        while True:
            self.open.sort()
            _, _, state = self.open.pop(0)
            if self.is_open(state):
                break
        joints = list(product(*(state.legal_moves(role) for role in state.roles)))
        self.children[state] = {joint: state.apply(joint) for joint in joints}
        for after in self.children[state].values():
            if after not in self.value:
                self.parents[after] = []
                self.depth[after] = self.depth[state] + 1
                self.value[after], self.bounds[after] = Fraction(1, 2), (Fraction(0), Fraction(1))
                if after.is_terminal:
                    self.value[after] = self.goal(after)
                    self.bounds[after] = self.value[after], self.value[after]
                else:
                    ends = self.games(after, self.horizon - self.depth[after])
                    self.value[after] = sum(ends, Fraction(0)) / len(ends)
            self.parents[after].append(state)
        for after in self.children[state].values():
            if self.is_open(after):
                self.put(after)
        waiting = [state]
        while waiting:
            at = waiting.pop()
            self.update(at)
            waiting.extend(self.parents[at])

    def update(self, state: State) -> None:
        """The best for us where we move, the worst where another does."""
        below = list(self.children[state].values())
        ours = len(state.legal_moves(self.role)) > 1
        pick = max if ours else min
        self.value[state] = pick(self.value[one] for one in below)
        self.bounds[state] = (
            pick(self.bounds[one][0] for one in below),
            pick(self.bounds[one][1] for one in below),
        )
        low, high = self.bounds[state]
        self.value[state] = min(max(self.value[state], low), high)


def endgame(moves: list[tuple[str, str]]) -> State:
    state = load("tic-tac-toe").initial_state()
    for joint in moves:
        state = state.apply(joint)
    return state


FOUR_MARKS = endgame(
    [("(mark 1 1)", "noop"), ("noop", "(mark 2 2)"), ("(mark 1 2)", "noop"), ("noop", "(mark 1 3)")]
)


@pytest.mark.parametrize("horizon", [200, 3])
@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8, 13])
def test_the_tree_is_that_of_algorithm_3_step_by_step(steps: int, horizon: int) -> None:
    game = FOUR_MARKS.game
    letter = Letter(game, "x", FOUR_MARKS, horizon)
    for _ in range(steps):
        letter.step()
    searcher = make_searcher(f"mac-ucb-paper:horizon={horizon}", game, "x", seed=1)
    decision = searcher.think(FOUR_MARKS, limits=Limits(nodes=len(letter.value)))
    assert decision.nodes == len(letter.value)
    wanted = {
        str(joint[0]): float(letter.value[after])
        for joint, after in letter.children[FOUR_MARKS].items()
    }
    found = {str(one.move): one.value for one in decision.moves}
    assert found == pytest.approx(wanted, abs=1e-6)


def test_another_order_solves_other_stages() -> None:
    """The test above can fail: in the principal order values differ."""
    game = FOUR_MARKS.game
    letter = Letter(game, "x", FOUR_MARKS, 200)
    for _ in range(3):
        letter.step()
    searcher = make_searcher("mac-ucb-paper:order=principal", game, "x", seed=1)
    decision = searcher.think(FOUR_MARKS, limits=Limits(nodes=len(letter.value)))
    wanted = {
        str(joint[0]): float(letter.value[after])
        for joint, after in letter.children[FOUR_MARKS].items()
    }
    assert {str(one.move): one.value for one in decision.moves} != pytest.approx(wanted, abs=1e-6)


def test_no_sequence_is_sampled_twice() -> None:
    """Five cells are free: of the 10,000 samples the first stage takes as many as there are."""
    letter = Letter(FOUR_MARKS.game, "x", FOUR_MARKS, 200)
    letter.step()
    games = sum(
        len(letter.games(after, 200))
        for after in letter.children[FOUR_MARKS].values()
        if not after.is_terminal
    )
    searcher = make_searcher("mac-ucb-paper", FOUR_MARKS.game, "x", seed=1)
    decision = searcher.think(FOUR_MARKS, limits=Limits(nodes=2))
    assert decision.simulations == games
    bulk = make_searcher("mac-ucb-paper:sampling=bulk", FOUR_MARKS.game, "x", seed=1)
    assert bulk.think(FOUR_MARKS, limits=Limits(nodes=2)).simulations == 10_000


def test_beyond_the_horizon_nothing_counts() -> None:
    game = load("tic-tac-toe")
    start = game.initial_state()
    near = make_searcher("mac-ucb-paper:horizon=4,samples=200", game, "x", seed=1)
    assert near.think(start, limits=Limits(nodes=10)).value == 0
    # Nobody can have won by then, and nothing is proved by that.
    decision = near.think(start, limits=Limits(nodes=100_000))
    assert (decision.value, decision.proved) == (0, False)
    far = make_searcher("mac-ucb-paper:samples=200", game, "x", seed=1)
    assert far.think(start, limits=Limits(nodes=10)).value > 0


def test_the_letter_finds_what_is_so() -> None:
    game = load("tic-tac-toe")
    searcher = make_searcher("mac-ucb-paper", game, "x", seed=1)
    decision = searcher.think(FOUR_MARKS, limits=Limits(nodes=100_000))
    assert decision.proved
    usual = make_searcher("mac-ucb", game, "x", seed=1)
    assert usual.think(FOUR_MARKS, limits=Limits(nodes=100_000)).value == decision.value


# JFPC 2016, figure 1: symmetries of a stage with the nogoods of UCB


def stage_of(game: Game) -> tuple[bytes, list[int]]:
    engine = game.circuit()
    start = engine.initial()
    number = engine.numbering.move_number
    legal = [[number(role, move) for move in engine.legal(start, role)] for role in range(2)]
    return start, [move for joint in product(*legal) for move in joint]


def test_moves_alike_in_a_turn_are_told_apart_by_nogoods() -> None:
    game = Game.from_text(AGAINST_RANDOM)
    names = [str(move) for move in game.initial_state().legal_moves("o")]
    start, moves = stage_of(game)
    alike = Alike(game)
    assert alike(start, moves, [False] * 3, 60.0) == [0, 0, 0]
    bad = [name == "(mark 2 2)" for name in names]
    found = dict(zip(names, alike(start, moves, bad, 60.0)))
    assert found["(mark 1 2)"] == found["(mark 2 1)"] != found["(mark 2 2)"]


def think(game: Game, player: str, role: str, limits: Limits) -> tuple[Decision, object]:
    searcher = make_searcher(player, game, role, seed=1)
    return searcher.think(game.initial_state(), limits=limits), searcher._native  # type: ignore[attr-defined]


def test_the_example_is_searched_as_in_the_figure() -> None:
    """UCB gives 1/4, 1/4 and 0; one of the two equal stages is solved, the other one is not."""
    game = Game.from_text(AGAINST_RANDOM)
    decision, native = think(game, "mac-ucb-sym-paper", "o", Limits(nodes=4))
    assert {str(one.move): one.value for one in decision.moves} == {
        "(mark 1 2)": 0.25,
        "(mark 2 1)": 0.25,
        "(mark 2 2)": 0.0,
    }
    assert (native.nogoods, native.spared) == (1, 1)  # type: ignore[attr-defined]
    whole, _ = think(game, "mac-ucb-paper", "o", Limits(nodes=1000))
    less, native = think(game, "mac-ucb-sym-paper", "o", Limits(nodes=1000))
    assert less.nodes < whole.nodes
    assert less.value == whole.value == 0.25
    # What is alike in a turn need not be so for ever: nothing is claimed to be proved.
    assert (whole.proved, less.proved) == (True, False)


# IJCAI 2016: the product of halves


def test_the_product_of_halves_takes_all_that_can_be_for_alike() -> None:
    """After the host has opened a door it is 1 to 2 where the car is; by the product it is even."""
    game = load("monty-hall")
    history = ObservationHistory(game, "candidate", seed=1)
    history.record("(choose 1)", [])
    history.record("noop", ["(open 3)"])
    both = paper_belief(history)
    assert len({paper for paper, _ in both.states.values()}) == 1
    assert sorted(exact for _, exact in both.states.values()) == pytest.approx([1 / 3, 2 / 3])
    values = {}
    for belief in ("exact", "halves"):
        searcher = make_searcher(f"mac-ucb-ii-paper:belief={belief}", game, "candidate", seed=1)
        decision = searcher.think(history.belief(), limits=Limits(nodes=1000))
        values[belief] = {str(one.move): round(one.value, 6) for one in decision.moves}
        assert decision.proved == (belief == "exact")
    assert values["exact"] == {"switch": 0.666667, "stay": 0.333333}
    assert values["halves"] == {"switch": 0.5, "stay": 0.5}


def test_what_alice_sees_is_worth_75_against_25() -> None:
    """Figure 3: the side that chance reveals is worth 3/4, the other one 1/4."""
    game = load("hidden-matching-pennies")
    history = ObservationHistory(game, "alice", seed=1)
    history.record("noop", ["(coins heads)"])
    searcher = make_searcher("mac-ucb-ii-paper", game, "alice", seed=1)
    decision = searcher.think(history.belief(), limits=Limits(nodes=1000))
    values = {str(one.move): one.value for one in decision.moves}
    assert values == pytest.approx({"(play heads)": 0.75, "(play tails)": 0.25})


@pytest.mark.parametrize("solver", ["mac", "fc", "split"])
def test_stages_of_beliefs_are_the_same_with_every_solver(solver: str) -> None:
    for name in ("monty-hall", "hidden-matching-pennies", "guess-dice"):
        game = load(name)
        belief = ObservationHistory(game, game.players[0], seed=1).belief()
        found = []
        for told in ("compiled", solver):
            searcher = make_searcher("mac-ucb-ii", game, game.players[0], seed=1, solver=told)
            decision = searcher.think(belief, limits=Limits(nodes=1000))
            found.append((decision.value, decision.proved, decision.nodes, decision.moves))
        assert found[0] == found[1]


# Whatever the game


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "kaseklau", "matching-pennies", "eight-puzzle", "wumpus", "kuhn-poker"]
)
def test_they_answer_with_a_legal_move_in_any_kind_of_game(name: str, game: str) -> None:
    rules = load(game)
    role = rules.players[0]
    searcher = make_searcher(name, rules, role, seed=1)
    about = rules.initial_state()
    if rules.information == "complete":
        decision = searcher.think(about, limits=Limits(cpu_seconds=0.2))
    else:
        belief = ObservationHistory(rules, role, seed=1).belief()
        decision = searcher.think(belief, limits=Limits(cpu_seconds=0.2))
    assert decision.move in about.legal_moves(role)
