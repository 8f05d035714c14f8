"""Networks: what they consist of, what they refuse, how they look."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import scsp_support as support
import woodstock.scsp
from woodstock.errors import NetworkError, WoodstockError
from woodstock.scsp import (
    ANY,
    Hard,
    Network,
    Not,
    Policy,
    Probability,
    Soft,
    UniformOver,
    Variable,
    reference,
)
from woodstock.scsp.order import Order
from woodstock.scsp.showing import html_of, text_of
from woodstock.scsp.solver import Solver
from woodstock.scsp.split import chance_part, decompose, hard_part

X = Variable("x", range(3))
Y = Variable("y", "HT", stochastic=True)
Z = Variable("z", (False, True), stage=2)


def network() -> Network:
    return Network(
        [X, Y, Z],
        [Hard([X, Y], [(0, ANY), (Not(1), "H")], name="c"), Soft([X], {(1,): "1/2"})],
        [
            Probability(
                Y,
                [X],
                {(0,): {"T": 1}, (1,): {"H": "1/2", "T": "1/2"}, (2,): {"H": 1, "T": 0}},
            )
        ],
        threshold="1/3",
    )


def test_what_a_network_consists_of() -> None:
    found = network()
    assert [v.name for v in found.decisions] == ["x", "z"]
    assert [v.name for v in found.stochastic] == ["y"]
    assert found.stages == (((X,), (Y,)), ((Z,), ()))
    assert (found.players, found.threshold) == (1, (Fraction(1, 3),))
    assert found.variable("z") is Z
    assert found.index("z") == 2
    assert "z" in found
    assert "w" not in found
    assert found.recourse == ()
    assert found.probability("y").distribution((2,)) == {"H": 1, "T": 0}
    assert found.is_stochastic(found.hard[0])
    assert not found.is_stochastic(found.soft[0])
    assert found.with_(threshold=0).threshold == (Fraction(0),)
    assert found.with_(threshold=[0]) == found.with_(threshold=0) != found


def test_recourse_follows_chance_within_a_stage() -> None:
    w = Variable("w", range(2))
    last = Variable("last", range(2), stage=2)
    found = Network([X, Y, w, last], [], [Probability.uniform(Y)])
    assert found.recourse == (w,)


def test_entries_of_rows() -> None:
    c = Hard(["x", "y"], [(0, ANY), (Not(1), "H")])
    assert [(x, y) for x in range(3) for y in "HT" if c.permits((x, y))] == [
        (0, "H"),
        (0, "T"),
        (2, "H"),
    ]
    c = Hard.forbid(["x", "y"], [(0, ANY), (2, "H")])
    assert [(x, y) for x in range(3) for y in "HT" if c.permits((x, y))] == [
        (1, "H"),
        (1, "T"),
        (2, "T"),
    ]
    assert not Hard.allow(["x"], []).permits((0,))
    assert Hard.forbid(["x"], []).permits((0,))


B = Variable("b", (False, True))
untyped: Any = woodstock.scsp  # what a type checker refuses


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Variable("x", ()), "'x' has an empty domain"),
        (lambda: Variable("x", (1, True)), "'x' names a value twice"),
        (lambda: Variable("x", (1,), stage=0), "stages count from 1"),
        (lambda: Hard("xy", []), r"is no list; write a list of variables: \['xy'\]"),
        (lambda: untyped.Hard(X, []), r"is no list; write a list of variables: \['x'\]"),
        (
            lambda: untyped.Hard(["x"], [1, 2]),
            r"row 1 of constraint\(x\) is no tuple; write \(1,\)",
        ),
        (lambda: untyped.Hard(["x"], 1), "the rows of constraint.x. are 1; write a list of tuples"),
        (lambda: untyped.Hard(["x", "y"], ["ab"]), r"row 'ab' .* is no tuple; write \('a', 'b'\)"),
        (lambda: untyped.Hard(["x"], ["ab"]), r"row 'ab' .* is no tuple; write \('ab',\)"),
        (
            lambda: untyped.Hard(["x", "y"], [{1, 2}]),
            r"row \{1, 2\} of constraint\(x, y\) is no tuple",
        ),
        (
            lambda: untyped.Hard(["x"], [([1],)]),
            r"cannot be hashed; write \(1,\) in place of \[1\]",
        ),
        (
            lambda: untyped.Soft(["x"], {1: 1}),
            r"row 1 of soft constraint\(x\) is no tuple; write \(1,\)",
        ),
        (
            lambda: untyped.Soft(["x"], [(1,)]),
            r"should be a mapping, not \[\(1,\)\]; write \{\(1,\): 1\}",
        ),
        (lambda: untyped.Soft(["x"], {(1,): None}), "None is no utility; write a number"),
        (
            lambda: untyped.Probability("y", ["x"], {0: {1: 1}}),
            r"row 0 of the probability of 'y' is no tuple; write \(0,\)",
        ),
        (
            lambda: untyped.Probability("y", [], {(): 1}),
            r"row \(\) of .* should be a mapping, not 1",
        ),
        (lambda: untyped.Probability("y", [], [1]), r"should be a mapping, not \[1\]"),
        (lambda: untyped.UniformOver("y", ["b"]), r"should be a mapping, not \['b'\]"),
        (
            lambda: untyped.Variable("x", [[1]]),
            r"'x' has a value .* hashed; write \(1,\) in place of \[1\]",
        ),
        (lambda: untyped.Variable("x", 3), r"domain of variable 'x' is 3; write the values"),
        (lambda: untyped.Variable(3, "ab"), "the name 3 of a variable is no string; write '3'"),
        (lambda: Hard(["x", "x"], []), "names a variable twice"),
        (lambda: Hard(["x"], [(1, 2)]), r"row \(1, 2\) of constraint\(x\) has 2 entries for 1"),
        (lambda: Hard.forbid(["x"], [(Not(1),)]), r"holds Not\(...\)"),
        (lambda: Soft(["x"], {(1,): 2}), r"outside \[0, 1\]"),
        (lambda: Soft(["x"], {(1,): 1, (2,): [0, 1]}), "different numbers of players"),
        (lambda: Soft(["x"], {(1,): "a lot"}), "'a lot' is no number"),
        (lambda: Soft(["x"], {(1,): "1/0"}), "is no number"),
        (lambda: Soft(["x"], {(1,): float("nan")}), "is no number"),
        (lambda: Probability.of("y", {"H": "1/3"}), "sums to 1/3"),
        (lambda: Probability.of("y", {"H": 2, "T": -1}), "probabilities are at least 0"),
        (lambda: Network([X, X]), "two variables are called 'x'"),
        (lambda: Network([Z, X]), "'x' of stage 1 follows 'z' of stage 2"),
        (lambda: Network([X], threshold=2), r"threshold 2 is outside \[0, 1\]"),
        (lambda: Network([X], threshold=[]), "the threshold is empty"),
        (lambda: Network([X], [Hard(["xx"], [])]), "no variable is called 'xx'; did you mean 'x'"),
        (lambda: Network([X], [Hard([], [])]), "empty scope"),
        (lambda: Network([X], [Hard(["x"], [(7,)], name="c")]), r"row \(7,\) of c\(x\) has 7"),
        (lambda: Network([X], [Hard(["x"], [(Not(7),)])]), "not in the domain of 'x'"),
        (lambda: Network([X], [Soft(["x"], {(ANY,): 1})]), "not in the domain of 'x'"),
        (lambda: Network([X], [Soft(["x"], {(1,): [0, 1]})]), "for 2 players, the threshold is"),
        (lambda: Network([Y]), "'y' has no probability"),
        (lambda: Network([X], [], [Probability.uniform(X)]), "it is a decision variable"),
        (lambda: Network([X], [], [Probability.uniform(Y)]), "no variable is called 'y'"),
        (lambda: Network([Y], [], [Probability.uniform(Y)] * 2), "is given twice"),
        (lambda: Network([Y], [], [Probability.of("y", {"U": 1})]), "names 'U'"),
        (
            lambda: Network([X, Y], [], [Probability("y", ["x"], {(0,): {"H": 1}})]),
            r"lacks rows: it has 1; give one for each tuple of \(x\)",
        ),
        (
            lambda: Network([X, Y], [], [Probability("y", ["x"], {(9,): {"H": 1}})]),
            r"row \(9,\) of the probability of 'y' has 9",
        ),
        (
            lambda: Network([Y, X], [], [Probability("y", ["x"], {(0,): {"H": 1}})]),
            "depends on 'x', which does not come before it",
        ),
        (
            lambda: Network([B, Y], [], [Probability("y", ["c"], {(0,): {"H": 1}})]),
            "probability of 'y': no variable is called 'c'",
        ),
        (lambda: Network([B, Y], [], [UniformOver("y", {"H": "b"})]), "differ in 'T'"),
        (lambda: Network([X, Y], [], [UniformOver("y", {"H": "x", "T": "x"})]), "is not Boolean"),
        (lambda: network().variable("zz"), "no variable is called 'zz'; did you mean 'z'"),
        (lambda: network().probability("x"), "'x' is no stochastic one"),
        (lambda: Policy.of(network(), {"x": 1}), "lacks variable 'z'"),
        (lambda: Policy.of(network(), {"x": 1, "z": 3}), "3 is not in the domain of 'z'"),
        (
            lambda: Policy.of(network(), {"x": 1, "z": True, "zz": 1}),
            "called 'zz'; did you mean 'z'",
        ),
        (
            lambda: Policy.of(network(), {"x": 1, "y": "H", "z": True}),
            "'y', which is left to chance",
        ),
        (lambda: Policy.of(network(), {"x": 1, "z": True}).decision("z"), "say what chance did"),
        (
            lambda: Policy.of(network(), {"x": 0, "z": True}).decision("z", {"y": "H"}),
            "'y' cannot become 'H'",
        ),
        (lambda: Solver(network(), propagation="magic"), "no propagation is called 'magic'"),
        (lambda: Solver(network(), heuristic="luck"), "no heuristic is called 'luck'"),
        (lambda: Solver(network()).restrict("x", [5]), "5 is not in the domain of 'x'"),
        (lambda: Solver(network()).pop(), r"no level is open; call push\(\)"),
        (lambda: Solver(network()).count(limit=-1), "the limit is -1; write how many"),
        (lambda: list(Solver(network()).solutions(limit=-1)), "the limit is -1"),
        (lambda: list(Solver(network()).stream(limit=-1)), "the limit is -1"),
        (lambda: hard_part(network()), "the network has 2 stages; split one stage at a time"),
        (lambda: chance_part(network()), "the network has 2 stages"),
        (
            lambda: decompose(
                Network([X, Z, Variable("w", "a", stage=3)], [Hard(["x", "w"], [(0, "a")])])
            ),
            "shares a constraint or a probability with 'w' of stage 3",
        ),
    ],
)
def test_mistakes_are_named_with_a_remedy(make: Callable[[], object], message: str) -> None:
    with pytest.raises(NetworkError, match=message) as caught:
        make()
    assert isinstance(caught.value, WoodstockError)
    assert isinstance(caught.value, ValueError)


@settings(
    max_examples=50,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(support.networks())
def test_networks_can_be_copied_hashed_and_sent(found: Network) -> None:
    for constraint in found.hard:
        constraint.permits(tuple(found.variable(name).domain[0] for name in constraint.scope))
    str(found)
    for same in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert same == found
        assert same.stages == found.stages
        assert hash(same) == hash(found)
    again = Network.unchecked(
        found.variables, found.constraints, found.probabilities, found.threshold
    )
    assert again == found
    assert list(reference.solutions(again)) == list(reference.solutions(found))


def test_nothing_can_be_changed() -> None:
    with pytest.raises(AttributeError):
        network().threshold = (Fraction(1),)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        network().hard[0].rows = ()  # type: ignore[misc]


def test_tables_look_like_those_of_the_papers() -> None:
    assert str(network()) == text_of(network())
    assert text_of(network()).splitlines() == [
        "Variables and domains",
        " variable │ domain        │ kind       │ stage",
        "──────────┼───────────────┼────────────┼───────",
        " x        │ {0, 1, 2}     │ decision   │ 1",
        " y        │ {H, T}        │ stochastic │ 1",
        " z        │ {False, True} │ decision   │ 2",
        "",
        "c: allowed",
        " x  │ y",
        "────┼───",
        " 0  │ *",
        " ≠1 │ H",
        "",
        "c2: utilities",
        " x │ utility",
        "───┼─────────",
        " 1 │ 1/2",
        "",
        "Probability of y given x",
        " x │ H   │ T",
        "───┼─────┼─────",
        " 0 │ 0   │ 1",
        " 1 │ 1/2 │ 1/2",
        " 2 │ 1   │ 0",
        "",
        "θ = 1/3",
    ]


def test_long_tables_are_cut_and_names_are_escaped() -> None:
    many = Variable("<b>", range(100))
    tables = [Hard([many], [(value,) for value in range(100)], name=f"t{n}") for n in range(60)]
    found = Network([many], tables, threshold=[1, "1/2"])
    text, html = text_of(found, rows=5, tables=3), html_of(found, rows=5, tables=3)
    assert " … 95 more" in text
    assert " … 57 more" in text
    assert "t3" not in text
    assert "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …}" in text
    assert text.endswith("θ = (1, 1/2)")
    assert "<b>" not in html
    assert html.count("<table") == 5
    assert found._repr_html_().startswith("<div><table")


def test_channelled_chance_is_shown_by_its_booleans() -> None:
    h, t = Variable("legal_H", (0, 1)), Variable("legal_T", (0, 1))
    over = UniformOver(Y, {"H": h, "T": t})
    found = Network([h, t, Y], [], [over])
    assert " H     │ legal_H" in str(found)
    assert over.distribution((1, 1)) == {"H": Fraction(1, 2), "T": Fraction(1, 2)}
    assert over.distribution((0, 1)) == {"H": 0, "T": 1}
    # Nothing is legal: the constraints say whether that can be.
    assert over.distribution((0, 0)) == over.distribution((1, 1))


def test_a_policy_is_drawn_as_a_tree() -> None:
    policy = Policy.of(network(), lambda variable, seen: seen["y"] == "H" if "y" in seen else 1)
    assert str(policy).splitlines() == [
        "x = 1",
        "└─ y",
        "   ├─ H: z = True",
        "   └─ T: z = False",
    ]
    assert policy.decision("z", {"y": "T"}) is False
    assert policy._repr_html_().startswith("<pre>x = 1")
    first = Variable("r", "ab", stochastic=True)
    chance_first = Network([first, X], [], [Probability.uniform(first)])
    assert str(Policy.of(chance_first, {"x": 2})) == "r\n├─ a: x = 2\n└─ b: x = 2"


def test_nothing_that_is_printed_moves_a_terminal() -> None:
    odd = Variable("\x1b[31mred\n", ["\x1b]0;t\x07", "\u202e"])
    chance = Variable("\x9bc", "\na", stochastic=True)
    found = Network(
        [odd, chance], [Hard([odd], [odd.domain[:1]], name="\r")], [Probability.uniform(chance)]
    )
    policy = Policy.of(found, {odd.name: odd.domain[0]})
    for text in (str(found), str(policy)):
        assert all(line.isprintable() for line in text.split("\n"))
        assert "\\x1b[31mred\\n" in text
    assert len(str(policy).split("\n")) == 4


def test_an_order_knows_what_later_constraints_look_at() -> None:
    order = Order(network())
    assert [order.frontier(place) for place in range(4)] == [(), (0,), (), ()]
