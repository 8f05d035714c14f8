"""What cannot be read is refused: with its place, its size, and before it takes time or memory."""

from __future__ import annotations

import time

import pytest

from test_scsp_xcsp3 import instance
from woodstock.scsp import Solver, xcsp3
from woodstock.scsp.xcsp3 import Xcsp3Error, compiler, lists

VARIABLES = '<array id="x" size="[3]"> 0..3 </array> <var id="y"> 0..9 </var>'
WIDE = '<array id="x" size="[4]"> 0..1999 </array> <array id="z" size="[200]"> 0..9 </array>'


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        ("<intension> eq(x[0],q) </intension>", "3:14: <intension>: no variable is called 'q'"),
        ("<intension> eq(x[0]) </intension>", "'eq' does not take 1 arguments"),
        ("<intension> exp(x[0]) </intension>", "the operator 'exp' is not supported"),
        ("<intension> eq(x[0],1 </intension>", "'eq(' is never closed"),
        ("<intension> eq(x[0],1) y </intension>", "'y' follows the end"),
        ("<intension> eq(x[0] 1) </intension>", "',' or ')' is expected, not '1'"),
        ("<intension> </intension>", "an expression is expected, not nothing"),
        ("<intension> eq(x[],1) </intension>", "no variable is called 'x[]'"),
        ("<intension> in(y,x[0]) </intension>", "'in' takes a set as argument 1"),
        ("<intension> add(set(1),y) </intension>", "'add' takes no set as argument 0"),
        (f"<intension> {'not(' * 60}y{')' * 60} </intension>", "nested more than 50 deep"),
        ("<intension> eq(sqr(sqr(sqr(mul(y,99999999)))),1) </intension>", "beyond 18 digits"),
        ("<sum> <list> x[] </list> </sum>", "<sum>: it takes a <condition>"),
        ("<sum> <condition> (le,1) </condition> </sum>", "<sum>: it takes a <list>"),
        (
            "<sum> <list> x[] </list> <coeffs> 1 </coeffs> <condition> (le,1) </condition> </sum>",
            "there are 1 coefficients for 3 entries",
        ),
        ("<sum> <list> x[] </list> <condition> le 1 </condition> </sum>", "is no condition such"),
        ("<sum> <list> x[] </list> <condition> (in,1) </condition> </sum>", "is no set such as"),
        ("<sum> <list/> <list/> <condition> (le,1) </condition> </sum>", "this element stands twi"),
        ("<sum> <terms/> </sum>", "<terms>: only <list>, <coeffs>, <condition> are supported in"),
        ("<sum> <list rank='1'> y </list> </sum>", "<list>: the attribute 'rank' is not supported"),
        ("<count> <list> y </list> <condition> (le,1) </condition> </count>", "takes a <values>"),
        ("<element> <list> y </list> <value> y </value> </element>", "1 variables as <index>"),
        ("<allDifferent> <list> x[] </list> <list> y </list> </allDifferent>", "equally long"),
        ("<allDifferent zeroIgnored='true'> x[] </allDifferent>", "attribute 'zeroIgnored' is not"),
        ("<ordered> <list> x[] </list> <operator> up </operator> </ordered>", "'up' is not suppor"),
        (
            "<group> <intension> eq(%0,%2) </intension> <args> y 1 </args> </group>",
            "3:57: <args>: there is no argument for %2",
        ),
        (
            "<group> <intension> eq(%0,q) </intension> <args> y </args> </group>",
            "3:56: <intension>: no variable is called 'q'",
        ),
        ("<regular> <list> x[] </list> </regular>", "there are extension, intension, allDifferent"),
    ],
)
def test_wrong_constraints_are_named_with_their_place(constraint: str, message: str) -> None:
    with pytest.raises(Xcsp3Error) as found:
        xcsp3.read_text(instance(VARIABLES, constraint), "file.xml")
    assert str(found.value).startswith("file.xml:3:")
    assert message in str(found.value)
    assert len(str(found.value)) < 300


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("<objectives/>", "<objectives>: one objective is supported; there are 0"),
        ("<objectives> <minimize> y </minimize> <minimize> y </minimize> </objectives>", "are 2"),
        ("<objectives> <best> y </best> </objectives>", "<best>: only <minimize> and <maximize>"),
        ("<objectives> <minimize> q </minimize> </objectives>", "<minimize>: no variable is"),
        ("<objectives> <minimize type='lex'> y </minimize> </objectives>", "type 'lex' are not"),
        ("", "an instance of type COP has one <objectives>"),
    ],
)
def test_wrong_objectives(objective: str, message: str) -> None:
    text = instance(VARIABLES, "", objective).replace('"CSP"', '"COP"')
    with pytest.raises(Xcsp3Error) as found:
        xcsp3.read_text(text, "file.xml")
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("constraint", "size"),
    [
        ("<intension> eq(mul(x[0],x[1]),77) </intension>", "4,000,000"),
        ("<intension> lt(x[0],x[1]) </intension>", "4,000,000"),
        ("<sum> <list> x[] </list> <condition> (eq,3999) </condition> </sum>", "4,000,000"),
        ("<element> <list> x[] </list> <index> z[0] </index> <condition> (lt,x[0]) </condition>"
         " </element>", "16,000,000"),
    ],
)  # fmt: skip
def test_what_is_too_large_is_refused_with_its_size(constraint: str, size: str) -> None:
    with pytest.raises(Xcsp3Error, match=f"{size} .*; 1,000,000 are the most"):
        xcsp3.read_text(instance(WIDE, constraint))


CELLS = '<array id="x" size="[10000]"> 0..1 </array>'
HOSTILE = {
    "many pairs": instance(CELLS, "<allDifferent> x[] </allDifferent>"),
    "many zeros": instance(
        VARIABLES,
        "<sum> <list> y </list> <coeffs> 0x999999999 </coeffs>"
        "<condition> (le,1) </condition> </sum>",
    ),
    "many values": instance(
        VARIABLES,
        "<count> <list> y </list> <values> 0..99999999999 </values>"
        "<condition> (le,1) </condition> </count>",
    ),
    "many lists": instance(
        CELLS, "<sum> <list> x[] </list> <condition> (le,1) </condition> </sum>" * 1000
    ),
    "many steps": instance(
        '<array id="x" size="[2]"> 0..999 </array>',
        "".join(f"<intension> eq(mul(x[0],x[1]),{n}) </intension>" for n in range(500)),
    ),
    "long groups": instance(
        CELLS,
        f"<group> <allDifferent> {'%... ' * 100_000} </allDifferent> <args> x[] </args> </group>",
    ),
    "many groups": instance(
        CELLS,
        "<group> <sum> <list> %... </list> <condition> (le,1) </condition> </sum>"
        + "<args> x[] </args>" * 1000
        + "</group>",
    ),
    "large numbers": instance(
        VARIABLES, f"<intension> eq(mul({'999999999,' * 50_000}y),1) </intension>"
    ),
    "large powers": instance(VARIABLES, "<intension> eq(pow(y,99999999999),1) </intension>"),
    "deep": instance(VARIABLES, f"<intension> {'not(' * 200_000} </intension>"),
    "wide sums": instance(
        '<array id="x" size="[2000]"> 0..999 </array>',
        "<sum> <list> x[] </list> <condition> (eq,999) </condition> </sum>",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_constraints_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "MOST_WORK", 4_000_000)
    monkeypatch.setattr(lists, "MOST_LISTED", 30_000)
    begun = time.process_time()
    with pytest.raises(Xcsp3Error) as found:
        xcsp3.read_text(HOSTILE[name])
    assert len(str(found.value)) < 300
    # Far above what is needed; a bomb would take for ever.
    assert time.process_time() - begun < 20


def test_what_can_never_hold() -> None:
    for constraint in (
        "<intension> eq(1,2) </intension>",
        "<intension> gt(y,99) </intension>",
        "<intension> eq(div(y,0),1) </intension>",
        "<sum> <list> y 3 </list> <condition> (gt,99) </condition> </sum>",
        "<element> <list> 1 2 </list> <index> 7 </index> <value> 1 </value> </element>",
    ):
        assert Solver(xcsp3.read_text(instance(VARIABLES, constraint))).count() == 0
        with_nothing = instance("", constraint.replace("y", "5"))
        with pytest.raises(Xcsp3Error, match="there is no variable"):
            xcsp3.read_text(with_nothing)


def test_large_constraints_are_taken_apart() -> None:
    constraint = "<sum> <list> z[] </list> <condition> (le,3) </condition> </sum>"
    network = xcsp3.read_text(instance(WIDE, constraint))
    assert len(network.auxiliary) == 198
    assert max(len(found.rows) for found in network.hard) < 100
    wide = "<intension> eq(add(z[0],z[1],z[2],z[3],z[4],z[5],z[6]),63) </intension>"
    network = xcsp3.read_text(instance('<array id="z" size="[7]"> 0..9 </array>', wide))
    assert network.auxiliary
    assert Solver(network).count() == 1


def test_names_of_auxiliary_variables_are_free() -> None:
    variables = '<var id="aux1"> 0..9 </var> <array id="z" size="[7]"> 0..9 </array>'
    constraint = "<sum> <list> z[] </list> <condition> (eq,62) </condition> </sum>"
    note = '{"woodstock": 1, "variables": {"z[0]": {"name": "aux2"}}}'
    text = instance(variables, constraint, f'<annotations class="woodstock"> {note} </annotations>')
    network = xcsp3.read_text(text)
    assert [v.name for v in network.named][:2] == ["aux1", "aux2"]
    assert len({v.name for v in network.variables}) == len(network.variables)
    assert Solver(network).count() == 70
