"""The microstructure of networks and games: what it calls a symmetry is one, and none is missed."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any, TypeAlias
from unittest import mock

import pytest
from hypothesis import given, settings

import scsp_support as support
from effort import effort
from woodstock import Game, State
from woodstock._core import PermutationGroup
from woodstock.scsp import ANY, Hard, Network, Not, Probability, Soft, UniformOver, Value, Variable
from woodstock.scsp.encode import Encoding, Template, template
from woodstock.scsp.encode.builder import Builder, Table
from woodstock.scsp.encode.literals import ANY_VALUE
from woodstock.scsp.encode.literals import Literal as Entry
from woodstock.symmetry import ColoredGraph, relation, rule_symmetries
from woodstock.symmetry.elimination import AuxiliaryElimination
from woodstock.symmetry.literal_graph import LiteralGraph
from woodstock.symmetry.microstructure import (
    ConstraintSymmetries,
    Literal,
    Microstructure,
    MicrostructureError,
    microstructure,
    symmetries_of,
)
from woodstock.symmetry.stage_graph import (
    stage_graph,
    stage_symmetries,
    template_graph,
    template_symmetries,
)

Generator: TypeAlias = Mapping[Literal, Literal]

repeatable = settings(max_examples=effort(80, 200), derandomize=True, database=None)


def image(generator: Generator, found: Mapping[str, Value]) -> dict[str, Value]:
    return dict(generator.get(literal, literal) for literal in found.items())


# Networks

FORMS = {
    "the shorter": ("FAR_MORE", relation.FAR_MORE),
    "allowed": ("FAR_MORE", 0),
    "as it is written": ("MAX_DIFFERENT", 0),
}
"""How a graph may say what a constraint allows, and what makes it do so."""


@pytest.fixture(params=FORMS)
def _form(request: pytest.FixtureRequest) -> Iterator[None]:
    name, value = FORMS[request.param]
    with mock.patch.object(relation, name, value):
        relation._boxes.cache_clear()
        yield
    relation._boxes.cache_clear()


def worth(network: Network, found: Mapping[str, Value]) -> tuple[Any, ...]:
    """Whether an instantiation is a solution, how likely it is and what it is worth."""
    total = [Fraction(0)] * network.players
    for soft in network.soft:
        utility = soft.utility(tuple(found[name] for name in soft.scope))
        total = [a + b for a, b in zip(total, utility)] if soft.rows else total
    solution = support.satisfies(list(network.hard), found)
    return solution, support.chance_of(network, found), total


@pytest.mark.usefixtures("_form")
def test_symmetries_take_solutions_to_solutions_of_the_same_worth() -> None:
    """For the three ways to say what a constraint allows."""
    moved = 0
    for seed in range(400):
        network = support.random_network(random.Random(seed))
        for generator in symmetries_of(microstructure(network)).generators:
            moved += 1
            for found in support.instantiations(network):
                other = image(generator, found)
                assert list(other) == [v.name for v in network.variables] or len(other) == len(
                    found
                )
                assert worth(network, other) == worth(network, found)
    assert moved > 200


@repeatable
@given(support.networks())
def test_the_order_is_that_of_bliss(network: Network) -> None:
    igraph = pytest.importorskip("igraph")
    graph = microstructure(network).graph
    if graph.colors:
        other = igraph.Graph(n=len(graph.colors), edges=list(graph.edges))
        order = other.count_automorphisms(color=list(graph.colors))
        assert graph.automorphisms().order == int(order)


def papers_graph(network: Network) -> Microstructure:
    """Literals, variables, and a vertex for each forbidden tuple, one scope after the other."""
    literals = [(v.name, value) for v in network.variables for value in v.domain]
    number = {literal: place for place, literal in enumerate(literals)}
    colors = [0] * len(literals)
    edges = []
    for variable in network.variables:
        edges += [(len(colors), number[variable.name, value]) for value in variable.domain]
        colors.append(1)
    tuples = set()
    for hard in network.hard:
        domains = [network.variable(name).domain for name in hard.scope]
        for row in product(*domains):
            if not hard.permits(row):
                tuples.add(frozenset(zip(hard.scope, row)))
    for found in sorted(tuples, key=repr):
        edges += [(len(colors), number[literal]) for literal in found]
        colors.append(2)
    return Microstructure(ColoredGraph(colors, edges), literals)


def contains(
    group: ConstraintSymmetries, permutation: Generator, literals: list[Literal] | None = None
) -> bool:
    """Whether the permutation is in the group, as far as some literals go."""
    points = list(group.literals) if literals is None else literals
    number = {literal: place for place, literal in enumerate(points)}

    def row(found: Generator) -> list[int]:
        return [number[found.get(literal, literal)] for literal in points]

    rows = [row(generator) for generator in group.generators]
    return bool(PermutationGroup(len(points), rows).contains(row(permutation)))


@repeatable
@given(support.networks(stages=1))
def test_no_symmetry_of_the_papers_graph_is_missed(network: Network) -> None:
    decisions = [Variable(v.name, v.domain) for v in network.variables if len(v.domain) > 1]
    names = {v.name for v in decisions}
    hard = [c for c in network.hard if names.issuperset(c.scope)]
    plain = Network(decisions, hard)
    ours = symmetries_of(microstructure(plain))
    for generator in symmetries_of(papers_graph(plain)).generators:
        assert contains(ours, generator)


X, Y, Z = (Variable(name, range(3)) for name in "xyz")


def order(network: Network, color: Callable[[Variable, Value], Hashable] | None = None) -> int:
    found = microstructure(network) if color is None else microstructure(network, color)
    return symmetries_of(found).order


def test_what_is_written_differently_is_the_same() -> None:
    tables = [
        Hard([X, Y], [(0, Not(0)), (1, ANY), (2, ANY)]),
        Hard.forbid([Y, X], [(0, 0)]),
        Hard.where([X, Y], lambda x, y: (x, y) != (0, 0)),
    ]
    graphs = [microstructure(Network([X, Y], [table])).graph for table in tables]
    assert graphs[0] == graphs[1] == graphs[2]
    twice = microstructure(Network([X, Y], [tables[0], tables[1]])).graph
    assert twice == graphs[0]


def test_a_variable_that_a_table_says_nothing_about_is_not_in_its_tuples() -> None:
    with_z = Network([X, Y, Z], [Hard([X, Y, Z], [(0, 1, ANY), (1, Not(2), ANY)])])
    without = Network([X, Y, Z], [Hard([X, Y], [(0, 1), (1, Not(2))])])
    assert microstructure(with_z).graph == microstructure(without).graph


def test_a_set_of_values_and_all_but_a_set_are_not_exchanged() -> None:
    x, p, q = Variable("x", range(5)), Variable("p", (0, 1)), Variable("q", (0, 1))
    inside = Hard.forbid([x, p], [(0, 1), (1, 1)])
    outside = Hard.forbid([x, q], [(0, 1), (1, 1), (4, 1)])
    found = symmetries_of(microstructure(Network([x, p, q], [inside, outside])))
    assert found.order == 4
    assert found.orbits("x") == [[0, 1], [2, 3], [4]]


def test_few_allowed_tuples_of_very_many_are_few_vertices() -> None:
    wide = [Variable(f"x{i}", range(30)) for i in range(4)]
    rows = [(0, 1, 2, 3), (1, 2, 3, 4), (5, 5, 5, 5)]
    graph = microstructure(Network(wide, [Hard(wide, rows)])).graph
    assert len(graph.colors) < 4 * 30 + 60
    # The rows, the variables, and the values that no row names.
    assert graph.automorphisms().order == factorial(3) * factorial(4) * factorial(27) ** 4


def test_colours_stages_and_chance_keep_literals_apart() -> None:
    pair = [Variable("a", (0, 1)), Variable("b", (0, 1))]
    assert order(Network(pair)) == 8
    assert order(Network(pair), lambda variable, value: value) == 2
    assert order(Network(pair), lambda variable, value: variable.name) == 4
    assert order(Network([pair[0], Variable("b", (0, 1), stage=2)])) == 4
    chance = Variable("b", (0, 1), stochastic=True)
    assert order(Network([pair[0], chance], [], [Probability.uniform(chance)])) == 4
    after = Variable("c", (0, 1))
    assert order(Network([pair[0], chance, after], [], [Probability.uniform(chance)])) == 8


def test_probabilities_are_kept() -> None:
    y = Variable("y", "abcd", stochastic=True)
    assert order(Network([y], [], [Probability.uniform(y)])) == 24
    uneven = Probability.of(y, {"a": "1/4", "b": "1/4", "c": "1/6", "d": "1/3"})
    assert order(Network([y], [], [uneven])) == 2
    x = Variable("x", (0, 1))
    swaps = Probability(y, [x], {(0,): {"a": 1}, (1,): {"b": 1}})
    assert symmetries_of(microstructure(Network([x, y], [], [swaps]))).orbits("x") == [[0, 1]]
    legal = [Variable(f"legal_{value}", (False, True)) for value in "abcd"]
    uniform = UniformOver(y, dict(zip("abcd", legal)))
    found = symmetries_of(microstructure(Network([*legal, y], [], [uniform])))
    assert found.order == 24
    assert found.orbits("legal_a") == [[False], [True]]
    never = Network([Variable("legal_a", (False,)), *legal[1:], y], [], [uniform])
    assert symmetries_of(microstructure(never)).orbits("y") == [["a"], ["b", "c", "d"]]


def test_utilities_are_kept() -> None:
    halves = Soft([X], {(0,): "1/2", (1,): "1/2", (2,): 1})
    assert order(Network([X], [halves])) == 2
    quarter = Soft([X], {(2,): 0, (0,): "1/4"})
    assert order(Network([X], [halves, quarter])) == 1
    assert order(Network([X], [halves, Soft([X], {(0,): "1/2", (1,): "1/2"})])) == 6
    both = Soft([X], {(0,): (1, 0), (1,): (0, 1)})
    assert order(Network([X], [both], threshold=(0, 0))) == 1


def test_the_graph_has_a_limit() -> None:
    with pytest.raises(MicrostructureError, match=r"more than 5 vertices.*max_vertices"):
        microstructure(Network([X, Y]), max_vertices=5)


def test_generators_in_words() -> None:
    network = Network([X, Y], [Hard.forbid([X], [(2,)]), Hard.where([X, Y], lambda x, y: x == y)])
    (generator,) = symmetries_of(microstructure(network)).words()
    assert generator == {"x=0": "x=1", "x=1": "x=0", "y=0": "y=1", "y=1": "y=0"}


# Definitions that were cut


def definition(bodies: list[list[Entry]], sizes: list[int]) -> Microstructure:
    """The graph of a head that holds where one of the bodies does, by way of tables."""
    builder = Builder()
    for place, size in enumerate(sizes):
        builder.variable(f"x{place}", range(size))
    head = builder.boolean("head")
    builder.define((head, 1), bodies, "")
    made = range(head + 1, len(builder.names))
    domains = [range(len(domain)) for domain in builder.domains]
    pieces = {v for v in made if builder.names[v].startswith("part")}
    elimination = AuxiliaryElimination(
        builder.tables, domains, [*map(len, domains)], set(made), pieces
    )
    parts = elimination.needed([head])
    graph = LiteralGraph()
    for v in sorted({v for part in parts for v in part.variables}):
        graph.variable(v, builder.names[v], builder.domains[v], builder.domains[v])
    graph.relations(parts)
    return graph.done()


@pytest.mark.parametrize("count", [3, 7, 8, 20, 60])
@pytest.mark.parametrize("sign", [0, 1])
def test_a_long_disjunction_is_symmetric_however_it_is_cut(count: int, sign: int) -> None:
    either = definition([[(v, sign)] for v in range(count)], [2] * count)
    every = definition([[(v, sign) for v in range(count)]], [2] * count)
    for graph in (either, every):
        assert graph.graph.automorphisms().order == factorial(count)


@pytest.mark.parametrize(("count", "length"), [(2, 2), (5, 3), (9, 4), (20, 2), (4, 12)])
def test_so_is_one_of_conjunctions(count: int, length: int) -> None:
    bodies = [[(length * i + k, 1) for k in range(length)] for i in range(count)]
    graph = definition(bodies, [2] * count * length).graph
    assert graph.automorphisms().order == factorial(length) ** count * factorial(count)


def test_values_of_one_variable_are_a_set() -> None:
    """200 values, half of them in the definition: that takes several tables."""
    graph = definition([[(0, value)] for value in range(0, 200, 2)], [200])
    names = {name for name, _ in graph.literals}
    assert names == {"x0", "head"}


def test_only_definitions_are_written_out() -> None:
    """x0 is a condition for piece 1, which is x2 and x3; 4 says something of x5, but not all."""
    tables = [
        Table((0, 1), ((0, ANY_VALUE), (1, 1)), "", 0),
        Table((1, 2, 3), ((1, 1, 1), (0, 0, ANY_VALUE), (0, ANY_VALUE, 0)), "", 1),
        Table((4, 5), ((0, 0), (0, 1), (1, 1)), "", 4),
        Table((6, 4), ((0, 0), (1, 1)), "", 6),
    ]
    sizes = [2, 2, 2, 2, 2, 3, 2]
    elimination = AuxiliaryElimination(tables, [range(size) for size in sizes], sizes, {1, 4}, {1})
    found = [sorted(part.variables) for part in elimination.needed([0, 6])]
    assert sorted(found) == [[0, 1], [1, 2, 3], [4, 5], [4, 6]]


# Games


def play(game: Game, seed: int, plies: int) -> Iterator[tuple[State, dict[str, Any], State]]:
    dice, state = random.Random(seed), game.initial_state()
    for _ in range(plies):
        if state.is_terminal:
            return
        joint = {role: dice.choice(state.legal_moves(role)) for role in game.roles}
        after = state.apply(joint)
        yield state, joint, after
        state = after


GAMES = {
    "tic-tac-toe": 8,
    "connect-four": 2,
    "breakthrough": 2,
    "randomised-tic-tac-toe": 8,
    "monty-hall": 6,
    "pentago": 8,
    "quarto": 12288,
    "eight-puzzle": 2,
}


@pytest.mark.parametrize("encoding", ["boolean", "multivalued"])
@pytest.mark.parametrize("name", GAMES)
def test_symmetries_of_a_template_are_symmetries_of_the_game(name: str, encoding: Encoding) -> None:
    game = Game.from_library(name)
    found = template_symmetries(template(game, encoding))
    assert found.complete
    assert found.order == GAMES[name]
    for state, joint, after in play(game, 1, 12):
        for symmetry in found.generators:
            other = symmetry.state(state)
            for role in game.roles:
                legal = {symmetry.move(role, move) for move in state.legal_moves(role)}
                assert legal == set(other.legal_moves(role))
            joint_there = {role: symmetry.move(role, move) for role, move in joint.items()}
            there = other.apply(joint_there)
            assert there.fluents == symmetry.state(after).fluents
            assert there.is_terminal == after.is_terminal
            if after.is_terminal:
                assert there.goals() == after.goals()


def test_the_rules_as_a_whole_may_hide_what_they_mean() -> None:
    game = Game.from_library("pentago")
    assert rule_symmetries(game).order < template_symmetries(template(game)).order


def test_symmetries_that_keep_a_state() -> None:
    game = Game.from_library("tic-tac-toe")
    rules = template(game)
    after = game.initial_state().apply({"x": "(mark 1 1)", "o": "noop"})
    found = template_symmetries(rules, keep=after)
    assert found.order == 2
    (symmetry,) = found.generators
    assert symmetry.state(after) == after
    assert template_symmetries(rules, keep=game.initial_state()).order == 8


FLIP = """
(role r) (init (step 1)) (init p) (succ 1 2) (succ 2 3)
(<= (legal r a) (true p)) (<= (legal r b) (not (true p)))
(<= (next p) (true p))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3))) (goal r 50)
"""


def test_truth_and_falsehood_may_be_exchanged_where_that_is_a_symmetry() -> None:
    rules = template(Game.from_text(FLIP))
    found = symmetries_of(template_graph(rules))
    assert found.order == 2
    (words,) = found.words()
    assert words["p=True"] == "p=False"
    assert words["action_r=a"] == "action_r=b"
    assert template_symmetries(rules).order == 1


TIED = """
(role r) (legal r a) (legal r b)
(<= (next p) (does r a)) (<= (next q) (does r b))
(<= terminal (true never))
(<= (goal r 100) (true p)) (<= (goal r 50) (true q)) (<= (goal r 0) (not (true p)) (not (true q)))
"""


def test_what_comes_next_counts_later() -> None:
    """In one turn a and b do the same; but of p and q, p is better. No end ties now and next."""
    game = Game.from_text(TIED)
    moves = game.initial_state().legal_moves("r")
    rules = template(game, "boolean")
    assert len(stage_symmetries(rules, game.initial_state()).orbits("r", moves)) == 1
    assert template_symmetries(rules).order == 1


EVEN = """
(role l) (role r) (init (step 1)) (succ 1 2) (succ 2 3)
(legal l a) (legal l b) (legal r a) (legal r b)
(<= (next both) (does l a) (does r a))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3))) (<= terminal (true both))
(goal l 50) (goal r 50)
"""


def test_roles_keep_their_moves() -> None:
    rules = template(Game.from_text(EVEN))
    assert template_symmetries(rules).order == 1


IDLE = """
(role r) (init (step 1)) (succ 1 2) (succ 2 3) (thing a) (thing b) (thing c)
(<= (legal r (take ?t)) (thing ?t))
(<= (next (seen ?t)) (does r (take ?t)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (goal r 100) (true (took a))) (<= (goal r 0) (not (true (took a))))
(<= terminal (true (step 3)))
(<= (next (took a)) (does r (take a))) (<= (next (took a)) (true (took a)))
"""


def test_fluents_that_nothing_depends_on_are_left_out() -> None:
    rules = template(Game.from_text(IDLE))
    names = {name for name, _ in template_graph(rules).literals}
    assert "took_a" in names
    assert not any(name.startswith("seen") for name in names)
    found = template_symmetries(rules)
    moves = rules.game.initial_state().legal_moves("r")
    assert [list(map(str, orbit)) for orbit in found.orbits("r", moves)] == [
        ["(take a)"],
        ["(take b)", "(take c)"],
    ]


# Stages


def outcomes(rules: Template, state: State, turns: int) -> set[frozenset[Literal]]:
    """The solutions of a stage, but for auxiliary variables."""
    from woodstock.scsp.solver import Solver

    network = rules.inject(state) if turns == 1 else rules.unroll(turns, state)
    wanted = [
        variable.name
        for variable in network.variables
        if variable.name.partition("@")[0]
        in {*rules.fluents_now, *rules.fluents_next, *rules.actions.values()}
    ]
    return {frozenset(found.items()) for found in Solver(network).solutions(project=wanted)}


@pytest.mark.parametrize("turns", [1, 2])
@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "randomised-tic-tac-toe", "monty-hall", "connect-four", "nim"]
)
def test_symmetries_of_a_stage_take_its_outcomes_to_outcomes(name: str, turns: int) -> None:
    game = Game.from_library(name)
    rules = template(game)
    solver = rules.solver()
    for state, _, _ in play(game, 3, 5):
        found = outcomes(rules, state, turns)
        graph = stage_graph(rules, state, turns=turns, solver=solver)
        for generator in symmetries_of(graph).generators:
            there = {frozenset(generator.get(a, a) for a in outcome) for outcome in found}
            assert there == found


def test_a_solver_makes_no_difference() -> None:
    game = Game.from_library("breakthrough")
    rules = template(game)
    solver = rules.solver()
    for state, _, _ in play(game, 5, 4):
        assert stage_graph(rules, state) == stage_graph(rules, state, solver=solver)


def test_nogoods_tell_moves_apart() -> None:
    game = Game.from_library("connect-four")
    rules, state = template(game), game.initial_state()
    assert len(stage_symmetries(rules, state).orbits("red", state.legal_moves("red"))) == 1
    bad = [{"action_red": f"(drop {column})"} for column in (1, 7)]
    found = stage_symmetries(rules, state, nogoods=bad)
    orbits = found.orbits("red", state.legal_moves("red"))
    assert sorted(map(len, orbits)) == [2, 5]
    # Of what is not the case, and of what the state says already.
    vain = [{"control": "black", "action_red": "(drop 1)"}, {"action_black": "(drop 1)"}]
    assert stage_graph(rules, state, nogoods=vain) == stage_graph(rules, state)
    true = [{"control": "red", **nogood} for nogood in bad]
    assert stage_graph(rules, state, nogoods=true) == stage_graph(rules, state, nogoods=bad)
    piece = next(name for name in rules.turn.builder.names if name.startswith("part"))
    for name, value, why in (
        ("action_green", "noop", "no variable"),
        ("action_red", "(drop 9)", "not in the domain"),
        (piece, True, "follows from others"),
    ):
        with pytest.raises(MicrostructureError, match=why):
            stage_graph(rules, state, nogoods=[{name: value}])


def test_a_finished_game_has_nothing_to_exchange() -> None:
    game = Game.from_library("nim")
    *_, (_, _, state) = play(game, 2, 100)
    assert state.is_terminal
    graph = stage_graph(template(game), state)
    assert not graph.literals
    assert symmetries_of(graph).order == 1


STUCK = """
(role r) (init p)
(<= (legal r go) (true p)) (<= (next q) (does r go)) (<= (next p) (true q))
(<= terminal (true never)) (<= (next never) (true never)) (goal r 0)
"""


def test_a_stage_in_which_nobody_can_move_has_no_graph() -> None:
    game = Game.from_text(STUCK)
    state = game.initial_state().apply({"r": "go"})
    with pytest.raises(MicrostructureError, match="no legal move"):
        stage_graph(template(game), state)
