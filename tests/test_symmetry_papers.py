"""The papers' examples: IJCAI 2017, examples 2 to 5 with their figures, and JFPC 2016, figure 1."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from woodstock import Game, State
from woodstock._core import PermutationGroup
from woodstock.scsp import Hard, Network, Probability, Variable
from woodstock.scsp.encode import Template, template
from woodstock.scsp.encode.ground_rules import grounding_of
from woodstock.scsp.solver import Solver
from woodstock.solve.exact import solve
from woodstock.symmetry import ColoredGraph, rule_symmetries
from woodstock.symmetry.microstructure import (
    ConstraintSymmetries,
    Literal,
    microstructure,
    symmetries_of,
)
from woodstock.symmetry.stage_graph import stage_graph, stage_symmetries, template_symmetries

# Example 1: a player chooses a row or a column, and chance marks a free cell of it. `b` is the
# papers' star: the cell is free.
RANDOMISED = """
(role 1) (role 2) (role random)
(row x1) (row x2) (col y1) (col y2) (player 1) (player 2) (other 1 2) (other 2 1)
(<= (init (cell ?x ?y b)) (row ?x) (col ?y))
(init (control 1))

(<= (legal ?i (chooseRow ?x)) (true (control ?i)) (true (cell ?x ?y b)))
(<= (legal ?i (chooseCol ?y)) (true (control ?i)) (true (cell ?x ?y b)))
(<= (legal ?i noop) (player ?i) (not (true (control ?i))))

; (6a) and (6b)
(<= (legal random (mark ?x ?y ?i)) (true (row ?x ?i)) (true (cell ?x ?y b)))
(<= (legal random (mark ?x ?y ?i)) (true (col ?y ?i)) (true (cell ?x ?y b)))
(<= (legal random noop) (true (control ?i)))

(<= (next (row ?x ?i)) (does ?i (chooseRow ?x)))
(<= (next (col ?y ?i)) (does ?i (chooseCol ?y)))
(<= (next (cell ?x ?y ?i)) (does random (mark ?x ?y ?i)))
(<= (marked ?x ?y) (does random (mark ?x ?y ?i)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (marked ?x ?y)))
(<= (next (control ?j)) (does random (mark ?x ?y ?i)) (other ?i ?j))

(<= (line ?i) (true (cell ?x y1 ?i)) (true (cell ?x y2 ?i)) (player ?i))
(<= (line ?i) (true (cell x1 ?y ?i)) (true (cell x2 ?y ?i)) (player ?i))
(<= won (line ?i))
(<= open (true (cell ?x ?y b)))
(<= terminal won) (<= terminal (not open))
(<= (goal ?i 100) (line ?i))
(<= (goal ?i 50) (player ?i) (not won))
(<= (goal ?i 0) (line ?j) (other ?i ?j))
(goal random 0)
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.from_text(RANDOMISED)


@pytest.fixture(scope="module")
def rules(game: Game) -> Template:
    return template(game, "boolean")


def choose(state: State, player: str, line: str, cell: str) -> State:
    """A player chooses a line, and chance marks a cell of it."""
    other = "2" if player == "1" else "1"
    after = state.apply({player: line, other: "noop", "random": "noop"})
    return after.apply({"1": "noop", "2": "noop", "random": f"(mark {cell} {player})"})


def words(orbits: Iterable[Iterable[object]]) -> list[list[str]]:
    return sorted(sorted(map(str, orbit)) for orbit in orbits)


# Example 2


def test_rules_6a_and_6b_have_eight_ground_instances_each(game: Game) -> None:
    grounding = grounding_of(game)
    program = grounding.program
    atoms = dict(zip(grounding.moves, program.move_atoms()))
    marks = {move: atoms["random", move][0] for role, move in atoms if "mark" in str(move)}
    assert len(marks) == 8
    true = {now: str(fluent) for fluent, (now, _) in zip(grounding.fluents, program.fluent_atoms())}
    bodies = {
        str(move): {frozenset(true[atom] for atom in body) for body in program.rules_of(legal)}
        for move, legal in marks.items()
    }
    assert sum(map(len, bodies.values())) == 16
    assert bodies["(mark x1 y2 1)"] == {
        frozenset({"(row x1 1)", "(cell x1 y2 b)"}),  # (8a)
        frozenset({"(col y2 1)", "(cell x1 y2 b)"}),  # (8b)
    }


def test_each_free_cell_of_the_row_has_probability_1_of_their_number(
    game: Game, rules: Template
) -> None:
    start = game.initial_state()
    later = choose(choose(start, "1", "(chooseRow x1)", "x1 y1"), "2", "(chooseRow x2)", "x2 y2")
    for state, free in ((start, 2), (later, 1)):
        chosen = state.apply({"1": "(chooseRow x1)", "2": "noop", "random": "noop"})
        solver = Solver(rules.inject(chosen))
        assert solver.propagate()
        chance = rules.network.probability("action_random")
        values = [solver.domain(name) for name in chance.given]
        assert all(len(left) == 1 for left in values)
        shares = chance.distribution(tuple(left[0] for left in values))
        assert shares["(mark x1 y2 1)"] == Fraction(1, free)
        assert len([share for share in shares.values() if share]) == free


# Example 3

TERMS = {
    "random": "random",
    "mark(x1,y2,1)": "action",
    "row(x1,1)": "fluent",
    "col(y2,1)": "fluent",
    "cell(x1,y2,*)": "fluent",
}
ATOMS = {
    "legal": ["random", "mark(x1,y2,1)"],
    "true1": ["cell(x1,y2,*)"],
    "true2": ["row(x1,1)"],
    "true3": ["col(y2,1)"],
}
RULES = {"r1": ["legal", "true1", "true2"], "r2": ["legal", "true1", "true3"]}  # (8a), (8b)


def test_the_ground_rule_graph_of_8a_and_8b_has_one_automorphism() -> None:
    nodes = [*TERMS, *ATOMS, *RULES]
    kinds = [*TERMS.values(), *(atom.rstrip("123") for atom in ATOMS), *("rule" for _ in RULES)]
    cliques = [[node, *others] for node, others in {**ATOMS, **RULES}.items()]
    assert sorted(map(len, cliques)) == [2, 2, 2, 3, 4, 4]
    edges = {(nodes.index(a), nodes.index(b)) for clique in cliques for a in clique for b in clique}
    simple = [(a, b) for a, b in edges if a < b]
    colors = [sorted(set(kinds)).index(kind) for kind in kinds]
    (found,) = ColoredGraph(colors, simple).automorphisms().generators
    pairs = {frozenset((nodes[a], nodes[b])) for a, b in found.items()}
    assert pairs == {
        frozenset({"r1", "r2"}),
        frozenset({"true2", "true3"}),
        frozenset({"row(x1,1)", "col(y2,1)"}),
    }


# Actions a and b have the same preconditions and effects; a has them in two rules, b in one.
TWO_RULES = """
(role i) (init p) (init (step 1))
(<= (legal i a) (true p)) (<= (legal i a) (not (true p))) (legal i b)
(<= (next p) (not (true p))) (<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2))) (goal i 100)
"""


def test_a_graph_of_rules_sees_how_they_are_written_and_a_network_what_they_mean() -> None:
    game = Game.from_text(TWO_RULES)
    moves = game.initial_state().legal_moves("i")
    assert words(rule_symmetries(game).orbits("i", moves)) == [["a"], ["b"]]
    assert words(template_symmetries(template(game)).orbits("i", moves)) == [["a", "b"]]


# Example 4


def test_the_completion_of_8a_and_8b_is_one_relation(rules: Template) -> None:
    """Marking is allowed where the cell is free and its row or its column was chosen."""
    names = ["row_x1_1", "col_y2_1", "cell_x1_y2_b"]
    solver = Solver(rules.network)
    rows = {
        tuple(found[name] for name in [*names, "action_random"])
        for found in solver.solutions(given={"terminal": False}, project=[*names, "action_random"])
    }
    allowed = {row[:3] for row in rows if row[3] == "(mark x1 y2 1)"}
    assert allowed == {
        (row, col, cell)
        for row in (False, True)
        for col in (False, True)
        for cell in (False, True)
        if cell and (row or col)
    }


def test_a_cell_is_marked_next_where_chance_marks_it(rules: Template) -> None:
    names = ["cell_x1_y2_1", "cell_x1_y2_1'", "action_random"]
    given = {"terminal": False, "cell_x1_y2_1": False}
    for found in Solver(rules.network).solutions(given=given, project=names):
        assert found["cell_x1_y2_1'"] == (found["action_random"] == "(mark x1 y2 1)")


def test_in_the_relation_of_example_4_row_and_column_can_be_exchanged() -> None:
    mark = Variable("mark", ["x1 y2 1", "another"])
    row, col, cell = (Variable(name, (False, True)) for name in ("row", "col", "cell"))
    legal = Hard.where(
        [mark, row, col, cell], lambda m, r, c, free: m == "another" or (free and (r or c))
    )
    network = Network([mark, row, col, cell], [legal])
    (generator,) = symmetries_of(microstructure(network)).words()
    assert generator == {
        "row=False": "col=False",
        "row=True": "col=True",
        "col=False": "row=False",
        "col=True": "row=True",
    }


# Example 5


def after_two_turns(game: Game) -> State:
    state = choose(game.initial_state(), "1", "(chooseRow x1)", "x1 y1")
    return choose(state, "2", "(chooseCol y2)", "x2 y2")


def digits(move: str) -> str:
    """The move with "1" and "2" exchanged in rows and columns."""
    return "".join(
        {"1": "2", "2": "1"}[letter] if before in "xy" else letter
        for before, letter in zip(" " + move, move)
    )


def letters_of(move: str) -> str:
    """The move with "x" and "y" exchanged, and written as moves are: rows first."""
    other = {"x": "y", "y": "x", "chooseRow": "chooseCol", "chooseCol": "chooseRow"}
    head, *places = move.strip("()").split()
    marked = [place for place in places if place not in "12"]
    moved = sorted(other[place[0]] + place[1] for place in marked)
    return f"({' '.join([other.get(head, head), *moved, *places[len(marked) :]])})"


def moves_group(found: ConstraintSymmetries, moves: list[Literal]) -> PermutationGroup:
    number = {literal: place for place, literal in enumerate(moves)}
    rows = [
        [number[generator.get(literal, literal)] for literal in moves]
        for generator in found.generators
    ]
    return PermutationGroup(len(moves), rows)


def test_all_legal_moves_of_player_1_are_symmetrical(game: Game, rules: Template) -> None:
    """The third stage of the example is two turns: player 1 chooses, then chance marks."""
    graph = stage_graph(rules, after_two_turns(game), turns=2)
    found = symmetries_of(graph)
    assert len(found.orbits("action_1@1")) == 1
    moves = [(n, v) for n, v in graph.literals if n in ("action_1@1", "action_random@2")]
    assert {str(value) for _, value in moves} == {
        "(chooseRow x1)",
        "(chooseRow x2)",
        "(chooseCol y1)",
        "(chooseCol y2)",
        "(mark x1 y2 1)",
        "(mark x2 y1 1)",
    }
    group = moves_group(found, moves)
    numbers = [moves.index((name, digits(str(value)))) for name, value in moves]
    letters = [moves.index((name, letters_of(str(value)))) for name, value in moves]
    assert numbers != letters
    assert group.contains(numbers)
    assert group.contains(letters)
    assert group.order == 8


def test_the_rules_as_a_whole_have_fewer_symmetries_that_keep_this_state(game: Game) -> None:
    state = after_two_turns(game)
    moves = state.legal_moves("1")
    assert rule_symmetries(game).order == 8
    assert len(rule_symmetries(game, keep=state).orbits("1", moves)) > 1


def test_what_is_left_of_the_rules_shows_it_too(game: Game) -> None:
    state = after_two_turns(game)
    found = rule_symmetries(game, since=state)
    assert len(found.orbits("1", state.legal_moves("1"))) == 1


def test_figure_2_as_a_network() -> None:
    lines_of = {"x1 y2": ["row x1", "col y2"], "x2 y1": ["row x2", "col y1"]}
    choice = Variable("a1", ["row x1", "row x2", "col y1", "col y2"])
    mark = Variable("a0", lines_of, stochastic=True)
    table = {(line,): {cell: 1} for cell, found in lines_of.items() for line in found}
    fits = Probability(mark, [choice], table)
    legal = Hard.where([choice, mark], lambda line, cell: line in lines_of[cell])
    found = symmetries_of(microstructure(Network([choice, mark], [legal], [fits])))
    assert found.order == 8
    assert found.orbits("a1") == [list(choice.domain)]


# JFPC 2016, figure 1: o against a player who plays at random, x is in the first cell already.
AGAINST_RANDOM = """
(role o) (role random)
(index 1) (index 2)
(init (cell 1 1 x)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
(init (control o))
(<= (legal o (mark ?r ?c)) (true (control o)) (true (cell ?r ?c b)))
(<= (legal random (mark ?r ?c)) (true (control random)) (true (cell ?r ?c b)))
(<= (legal o noop) (true (control random)))
(<= (legal random noop) (true (control o)))
(<= (next (cell ?r ?c o)) (does o (mark ?r ?c)))
(<= (next (cell ?r ?c x)) (does random (mark ?r ?c)))
(<= (marked ?r ?c) (does ?p (mark ?r ?c)))
(<= (next (cell ?r ?c ?s)) (true (cell ?r ?c ?s)) (not (marked ?r ?c)))
(<= (next (control random)) (true (control o)))
(<= (next (control o)) (true (control random)))
(<= (line ?s) (true (cell ?r 1 ?s)) (true (cell ?r 2 ?s)) (distinct ?s b))
(<= (line ?s) (true (cell 1 ?c ?s)) (true (cell 2 ?c ?s)) (distinct ?s b))
(<= won (line ?s))
(<= open (true (cell ?r ?c b)))
(<= terminal won) (<= terminal (not open))
(<= (goal o 100) (line o)) (<= (goal o 50) (not won)) (<= (goal o 0) (line x))
(goal random 0)
"""


ORBITS = [["(mark 1 2)", "(mark 2 1)"], ["(mark 2 2)"]]


def test_the_third_value_is_known_by_symmetry_alone() -> None:
    game = Game.from_text(AGAINST_RANDOM)
    state = game.initial_state()
    solution = solve(game, "o")
    values = {str(move): value for move, value in solution.move_values().items()}
    assert values == {"(mark 1 2)": 0.25, "(mark 2 2)": 0, "(mark 2 1)": 0.25}

    found = template_symmetries(template(game), keep=state)
    assert words(found.orbits("o", state.legal_moves("o"))) == ORBITS
    (symmetry,) = found.generators
    moved = {str(move): str(symmetry.move("o", move)) for move in state.legal_moves("o")}
    known: dict[str, float] = {}
    looked_at = []
    for move in state.legal_moves("o"):
        after = state.apply({"o": move, "random": "noop"})
        if str(move) not in known:
            looked_at.append(str(move))
            known[str(move)] = known[moved[str(move)]] = solution.value(after)
        image = symmetry.state(after)
        assert image == state.apply({"o": symmetry.move("o", move), "random": "noop"})
    assert known == values
    assert len(looked_at) == 2


def test_what_ucb_has_found_is_in_the_graph_of_the_stage() -> None:
    """One turn alone does not tell the moves apart; a nogood below the threshold 1/4 does."""
    game = Game.from_text(AGAINST_RANDOM)
    state, rules = game.initial_state(), template(game)
    moves = state.legal_moves("o")
    assert len(stage_symmetries(rules, state).orbits("o", moves)) == 1
    values = solve(game, "o").move_values()
    bad = [{"action_o": str(move)} for move, value in values.items() if value < Fraction(1, 4)]
    assert words(stage_symmetries(rules, state, nogoods=bad).orbits("o", moves)) == ORBITS


def test_a_stage_up_to_the_end_of_the_game_needs_nothing_else() -> None:
    game = Game.from_text(AGAINST_RANDOM)
    found = symmetries_of(stage_graph(template(game), game.initial_state(), turns=4))
    assert words(found.orbits("action_o@1")) == ORBITS
