"""XCSP3: what is written is read back, what others write is read, and nothing else gets through."""

from __future__ import annotations

import random
import re
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import effort
from woodstock.scsp import ANY, Hard, Network, Not, Probability, Soft, Variable, xcsp3
from woodstock.scsp.xcsp3 import (
    Xcsp3Error,
    compiler,
    document,
    expressions,
    lists,
    reader,
    tables,
    variables,
)
from xcsp3_support import brute_force, csps, networks

FOREIGN = (Path(__file__).parent / "golden" / "pycsp3-tables.xml").read_text(encoding="utf-8")


def instance(variables: str, constraints: str = "", rest: str = "") -> str:
    return (
        f'<instance format="XCSP3" type="CSP">\n<variables>{variables}</variables>\n'
        f"<constraints>{constraints}</constraints>\n{rest}</instance>"
    )


def extension(scope: str, rows: str, kind: str = "supports") -> str:
    return f"<extension><list> {scope} </list><{kind}> {rows} </{kind}></extension>"


def types(network: Network) -> list[list[type]]:
    return [[type(value) for value in variable.domain] for variable in network.variables]


@settings(max_examples=effort(100, 300), suppress_health_check=[HealthCheck.too_slow])
@given(networks())
def test_what_is_written_is_read_back(network: Network) -> None:
    found = xcsp3.read_text(xcsp3.write_text(network))
    assert found == network
    # Equal is not the same: True equals 1.
    assert types(found) == types(network)
    assert [c.name for c in found.constraints] == [c.name for c in network.constraints]


@settings(max_examples=effort(60, 150))
@given(csps())
def test_without_the_annotation_the_solutions_stay(network: Network) -> None:
    text = xcsp3.write_text(network, annotate=False)
    assert "annotations" not in text
    found = xcsp3.read_text(text)
    assert brute_force(found) == brute_force(network)
    assert [v.domain for v in found.variables] == [v.domain for v in network.variables]
    # What other tools do not know is not there.
    assert "≠" not in text
    for constraint in found.hard:
        assert constraint.allowed or not any(ANY in row for row in constraint.rows)
        assert len(set(constraint.rows)) == len(constraint.rows)


def test_files(tmp_path: Path) -> None:
    network = Network([Variable("x", "ab")], [Hard(["x"], [("b",)], name="only b")])
    path = tmp_path / "n.xml"
    xcsp3.write_file(network, path)
    assert xcsp3.read_file(path) == network
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert xcsp3.read_file(path) == network
    path.write_text("<instance>")
    with pytest.raises(Xcsp3Error, match=r"n\.xml:1:11: not well-formed"):
        xcsp3.read_file(path)


def test_values_that_cannot_be_written() -> None:
    with pytest.raises(Xcsp3Error, match="of variable 'x' cannot be written"):
        xcsp3.write_text(Network([Variable("x", [b"bytes"])]))
    many = [Variable(f"x{i}", range(1000)) for i in range(4)]
    with pytest.raises(Xcsp3Error, match="auxiliary variables"):
        xcsp3.write_text(Network(many, [Hard(many, [[Not(0)] * 4])]))
    # Not(...) alone multiplies; stars are as good as values.
    xcsp3.write_text(Network(many, [Hard(many, [[Not(0), ANY, ANY, 3]])]))


LONG = 10**1000
X, Y = Variable("x", (0, 1)), Variable("y", (0, 1), stochastic=True)


@pytest.mark.parametrize(
    ("network", "place"),
    [
        (Network([Variable("x", [10**5000])]), "a value of variable 'x'"),
        (Network([Variable("x", [(-LONG, 1)])]), "a value of variable 'x'"),
        (Network([Variable("x", [Fraction(1, LONG)])]), "a value of variable 'x'"),
        (Network([X], threshold=Fraction(1, LONG)), "the threshold"),
        (Network([X], [Soft([X], {(0,): Fraction(1, LONG)})]), r"soft constraint\(x\)"),
        (
            Network([Y], [], [Probability.of(Y, {0: Fraction(1, LONG), 1: 1 - Fraction(1, LONG)})]),
            "the probability of 'y'",
        ),
    ],
)
def test_numbers_that_are_too_long(network: Network, place: str) -> None:
    with pytest.raises(Xcsp3Error, match=f"{place} has a number of more than 1000 digits"):
        xcsp3.write_text(network)


def test_the_longest_numbers() -> None:
    most = LONG - 1
    values = [most, -most, Fraction(most - 1, most)]
    network = Network([Variable("x", values)], threshold=Fraction(1, most))
    text = xcsp3.write_text(network)
    assert xcsp3.read_text(text) == network
    with pytest.raises(Xcsp3Error, match="more than 1000 digits"):
        xcsp3.read_text(text.replace(str(most), str(most) + "0"))


def test_the_empty_network() -> None:
    assert xcsp3.read_text(xcsp3.write_text(Network([]))) == Network([])


def test_errors_do_not_quote_what_moves_a_terminal() -> None:
    """Neither what XML lets pass nor what JSON spells out."""
    odd = Variable("\x1b[2J", (0, 1))
    text = xcsp3.write_text(Network([odd], [Soft([odd], {(0,): 1})]))
    for broken in (
        text.replace('"utilities": [[[0], ["1"]]]', '"utilities": [[[0], ["1", "1"]]]'),
        text.replace('"utilities": [[[0], ["1"]]]', '"utilities": [[[0], ["2"]]]'),
        '<instance format="XCSP3" type="CSP"> <variables> <var id="\x9b"> x </var> </variables>'
        " </instance>",
    ):
        with pytest.raises(Xcsp3Error) as caught:
            xcsp3.read_text(broken)
        assert str(caught.value).isprintable()
        assert "\\x" in str(caught.value)


def test_a_network_made_unchecked() -> None:
    broken = Network.unchecked([Variable("x", (0, 1))], [Hard(["x"], [(2,)])])
    with pytest.raises(Xcsp3Error, match="does not hold together"):
        xcsp3.write_text(broken)


def test_files_of_pycsp3() -> None:
    network = xcsp3.read_text(FOREIGN)
    names = [variable.name for variable in network.variables]
    assert names[:2] == ["x[0][0]", "x[0][1]"]
    assert names[12:14] == ["y", "z[0]"]
    assert network.variable("y").domain == (-1, 2, 3, 7, 8, 9)
    assert network.variable("z[1]").domain == (0, 1, 2)
    assert network.variable("z[4]").domain == (1, 5, 7)
    assert network.hard[0] == Hard(
        ["x[0][0]", "x[0][1]", "x[0][2]"], [(1, 2, 3), (4, ANY, ANY), (ANY, 2, 5)]
    )
    assert network.hard[3] == Hard.forbid(["x[0][3]", "y"], [(1, 2), (2, -1)])
    assert network.hard[4] == Hard(["y"], [(2,), (3,), (7,)])
    # A shared table keeps the rows that the domains have.
    assert network.hard[5].rows == ((0, 1), (1, 2))
    assert network.hard[6].rows == ((0, 1), (1, 5))
    assert network.hard[7].rows == ((1, 5), (5, 7), (7, 1))
    assert network.hard[9].rows == (
        *((2, Not(3)),),
        *((x, ANY) for x in (3, 4, 5)),
        *((1, y) for y in (2, 3, 4)),
    )
    assert network.hard[10].scope == ("w[0]", "w[1]", "w[2]", "w[3]")
    assert network.hard[11].rows == (
        *((1, y) for y in (3, 4, 5)),
        *((2, y) for y in (0, 1, 2, 3)),
    )
    assert len(network.hard) == 12
    assert xcsp3.read_text(xcsp3.write_text(network)) == network


def test_blocks_parameters_and_likenesses() -> None:
    network = xcsp3.read_text(
        instance(
            '<var id="a"> 0 1 </var><var id="b" as="a"/>'
            '<array id="t" size="[2]" startIndex="[1]"> 0..1 </array>',
            "<block note='all'><block>"
            + extension("t[] b", "(0,1,1)")
            + "</block><group>"
            + extension("a %...", "(0,0)(1,1)", "conflicts")
            + "<args> b </args><args> t[2] </args></group></block>",
        )
    )
    assert [c.scope for c in network.hard] == [("t[1]", "t[2]", "b"), ("a", "b"), ("a", "t[2]")]
    assert not network.hard[1].allowed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: not well-formed XML: no element found"),
        ("<a/>", "1:1: <a>: the root must be <instance"),
        ('<instance format="XCSP2"/>', "the root must be"),
        ('<instance format="XCSP3" type="WCSP"/>', "type 'WCSP' are not supported, only CSP"),
        ("<instance/>", "there is no <variables>"),
        (instance("", "", "<objectives/>"), "an instance of type CSP has no <objectives>"),
        (instance("", "", "<costs/>"), "4:1: <costs>: only <variables>"),
        (instance("", "", "<constraints/>"), "4:1: <constraints>: this element stands twice"),
        (instance('<var id="x"/>'), "2:12: <var id=\"x\">: the domain is empty"),
        (instance("<var> 0 </var>"), "<var>: the attribute 'id' is missing"),
        (instance('<var id="x y"> 0 </var>'), "'id' is missing or no name"),
        (instance('<var id="x"> 0 </var><var id="x"> 0 </var>'), "used twice"),
        (instance('<var id="x" type="symbolic"> a </var>'), "only integer variables"),
        (instance('<var id="x"> a </var>'), "'a' is no integer of at most 18 digits"),
        (instance('<var id="x"> 0..+infinity </var>'), "'+infinity' is no integer"),
        (instance(f'<var id="x"> {"9" * 5000} </var>'), "no integer of at most 18 digits"),
        (instance('<var id="x"> 0..999999999999 </var>'), "more than 1,000,000 values"),
        (instance('<var id="x" as="y"/>'), "as='y' names no variable"),
        (instance('<set id="x"> 0 </set>'), "<set id=\"x\">: only <var> and <array>"),
        (instance('<array id="x"> 0 </array>'), "'size' must be like [3][4]"),
        (instance('<array id="x" size="3"> 0 </array>'), "no list of sizes"),
        (instance('<array id="x" size="[0]"> 0 </array>'), "between 1 and 500,000 cells"),
        (instance('<array id="x" size="[99999][99999]"> 0 </array>'), "500,000 cells"),
        (
            instance('<array id="x" size="[99][99]"> 0..9999 </array>'),
            "or 5,000,000 values",
        ),
        (
            instance('<array id="x" size="[2]"><domain for="x[2]"> 0 </domain></array>'),
            "'x[2]' is outside of the array",
        ),
        (
            instance('<array id="x" size="[2]"><domain for="x[] x[1]"> 0 </domain></array>'),
            "<domain>: 'x[1]' has a domain already",
        ),
        (instance("", "<circuit> x y </circuit>"), "3:14: <circuit>: this constraint is not supp"),
        (instance("", "<allDifferent> x y </allDifferent>"), "3:14: <allDifferent>: no variable"),
        (instance("", "<group/>"), "<group>: a <group> begins with a constraint"),
        (instance("", "<group><circuit/></group>"), "<circuit>: a <group> begins with a const"),
        (instance("", "<extension/>"), "one <list> and either <supports> or <conflicts>"),
        (instance("", "<extension><list/><mdd/></extension>"), "<mdd>: only <supports> and"),
        (instance("", extension("", "")), "<list>: the list is empty"),
        (instance("", extension("x", "1")), "<list>: no variable is called 'x'"),
        (instance('<var id="x"> 0 </var>', extension("x x", "")), "names a variable twice"),
        (instance('<var id="x"> 0 </var>', extension("x[0]", "")), "no variable is called 'x[0]'"),
        (instance('<var id="x"> 0 </var>', extension("%0", "")), "no variable is called '%0'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Xcsp3Error) as found:
        xcsp3.read_text(text, "file.xml")
    assert str(found.value).startswith("file.xml:")
    assert message in str(found.value)
    assert len(str(found.value)) < 300


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("(1,2", "a tuple is not closed: '(1,2'"),
        ("(1)", "(1) has 1 entries for 2 variables"),
        ("1,2)", "a tuple must begin with '('"),
        ("(1,2)x(1,3)", "a tuple must begin with '(', not with 'x'"),
        ("(1,b)", "'b' is no entry"),
        ("(1,≥y)", "'≥y' is no entry"),
        ("(1,{1,x})", "'x' is no integer"),
        ("(1,1..x)", "'x' is no integer"),
    ],
)
def test_wrong_rows(rows: str, message: str) -> None:
    text = instance('<array id="x" size="[2]"> 0..3 </array>', extension("x[]", rows))
    with pytest.raises(Xcsp3Error, match=re.escape(f"<supports>: {message}")):
        xcsp3.read_text(text)


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ("", "no JSON"),
        ("[]", "'[]' should be a JSON object"),
        ("{}", "version None"),
        ('{"woodstock": 2}', "version 2 of the annotation is unknown"),
        ("[" * 100_000, "nested too deeply"),
        ('{"woodstock": 1, "else": 1}', "'else' is unknown here"),
        ('{"woodstock": 1, "threshold": [0.5]}', "'0.5' is no fraction"),
        ('{"woodstock": 1, "threshold": ["1/0"]}', "'1/0' is no fraction"),
        ('{"woodstock": 1, "threshold": ["1e99999999"]}', "is no fraction"),
        ('{"woodstock": 1, "threshold": []}', "the threshold is empty"),
        ('{"woodstock": 1, "variables": {"z": {}}}', "no variable is called 'z'"),
        ('{"woodstock": 1, "variables": {"x": {"stage": 1000000000}}}', "between 1 and 100,000"),
        ('{"woodstock": 1, "variables": {"x": {"values": [1]}}}', "1 values here and 2 in"),
        ('{"woodstock": 1, "variables": {"x": {"values": [1, 1]}}}', "names a value twice"),
        ('{"woodstock": 1, "variables": {"x": {"values": [1, {}]}}}', "'{}' is no value"),
        ('{"woodstock": 1, "variables": {"x": {"stochastic": true}}}', "has no probability"),
        ('{"woodstock": 1, "constraints": [{"at": 9, "list": "x"}]}', "beyond the last"),
        ('{"woodstock": 1, "constraints": [{"ids": ["c9"], "list": "x", "supports": ""}]}',
         "there is no <extension> for 'c9'"),
        ('{"woodstock": 1, "constraints": [{"ids": ["c"], "list": "x", "supports": "1"}]}',
         "the rows of constraint(x) differ from those of 'c'"),
        ('{"woodstock": 1, "constraints": [{"ids": ["c"], "list": "x", "supports": "0..1"}]}',
         "is not in the domain of 'x'"),
        ('{"woodstock": 1, "probabilities": [{"variable": "x", "rows": [[[], {"7": "1"}]]}]}',
         "'7' is not in the domain of 'x'"),
    ],
)  # fmt: skip
def test_wrong_annotations(annotation: str, message: str) -> None:
    text = instance(
        '<var id="x"> 0 1 </var>',
        extension("x", "0").replace("<extension>", '<extension id="c">'),
        f'<annotations class="woodstock"> {annotation} </annotations>',
    )
    with pytest.raises(Xcsp3Error) as found:
        xcsp3.read_text(text, "file.xml")
    assert str(found.value).startswith("file.xml:")
    assert message in str(found.value)


def test_annotations_of_others_are_passed_over() -> None:
    text = instance(
        '<var id="x"> 0 1 </var>', "", "<annotations><decision> x </decision></annotations>"
    )
    assert xcsp3.read_text(text) == Network([Variable("x", (0, 1))])


LAUGHS = '<!DOCTYPE a [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij")
)
HOSTILE = {
    "billion laughs": LAUGHS + "]><instance>&j;</instance>",
    "file of another": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><instance>&x;</instance>',
    "outer document type": '<!DOCTYPE a SYSTEM "http://localhost/a.dtd"><instance/>',
    "unknown entity": instance("&nbsp;"),
    "deep": "<a>" * 100_000,
    "deep blocks": instance("", "<block>" * 1000 + "</block>" * 1000),
    "other encoding": '<?xml version="1.0" encoding="rot13"?><instance/>',
    "no text": "\ud800",
    "zero": "<instance>\0</instance>",
    "many cells": instance(
        "".join(f'<array id="x{i}" size="[500][600]"> 0 </array>' for i in "ab")
    ),
    "many values": instance(f'<var id="x"> {"0..999998 " * 1000} </var>'),
    "many rows": instance(
        '<array id="x" size="[8]"> 0..99 </array>', extension("x[]", f"({','.join(['1..99'] * 8)})")
    ),
    "many scopes": instance(
        '<array id="x" size="[100000]"> 0 </array>',
        "<group>" + extension("%...", "") + "<args> x[] </args>" * 1000 + "</group>",
    ),
    "long list": instance(
        '<array id="x" size="[100000]"> 0 </array>', extension("x[] " * 10_000, "")
    ),
    "many arguments": instance(
        '<array id="x" size="[2]"> 0..9 </array>',
        "<group>"
        + extension("%0 %1", "".join(f"({i},{j})" for i in range(10) for j in range(10)) * 100)
        + "<args> x[] </args>" * 2000
        + "</group>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_ENTRIES", 2_000_000)
    begun = time.process_time()
    with pytest.raises(Xcsp3Error) as found:
        xcsp3.read_text(HOSTILE[name])
    assert len(str(found.value)) < 300
    # Far above what is needed; a bomb would take for ever.
    assert time.process_time() - begun < 10


def test_a_file_in_bytes_that_are_no_text() -> None:
    with pytest.raises(Xcsp3Error, match="not UTF-8"):
        xcsp3.read_text(b"\xff\xfe<\0a\0")


PIECES = [
    *sorted(set(re.findall(r"<[^>]*>|[\w.]+|\S", FOREIGN))),
    "&", "&amp;", "<!--", "-->", "<![CDATA[", "]]>", "<?x?>", "{", "}", "≠", "..", "%0", "%...",
    "[]", "9" * 30, "\0", "\ud800", "null", '"', "1/0", "-1", "true",
]  # fmt: skip


def mutated(text: str, seed: int) -> str:
    """The text with a few pieces lost, doubled, swapped or put in."""
    rng = random.Random(seed)
    parts = re.findall(r"<[^>]*>|[\w.]+|\s+|\S", text)
    for _ in range(rng.randint(1, 4)):
        place, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(5):
            case 0:
                del parts[place : place + rng.randint(1, 3)]
            case 1:
                parts.insert(place, rng.choice(PIECES))
            case 2:
                parts[place] = rng.choice(PIECES)
            case 3:
                parts[place], parts[other] = parts[other], parts[place]
            case _:
                parts[place:place] = parts[other : other + rng.randint(1, 8)]
        parts = parts or [""]
    return "".join(parts)


def read_or_refuse(text: str | bytes) -> None:
    try:
        network = xcsp3.read_text(text)
    except Xcsp3Error:
        return
    assert xcsp3.read_text(xcsp3.write_text(network)) == network


def test_mutated_files_of_others() -> None:
    for seed in range(1500):
        read_or_refuse(mutated(FOREIGN, seed))


@settings(max_examples=effort(60, 150), suppress_health_check=[HealthCheck.too_slow])
@given(networks(), st.integers(0, 10**6))
def test_mutated_files_of_ours(network: Network, seed: int) -> None:
    read_or_refuse(mutated(xcsp3.write_text(network), seed))


@given(st.text() | st.binary())
def test_any_text_is_refused(text: str | bytes) -> None:
    with pytest.raises(Xcsp3Error):
        xcsp3.read_text(text)


def test_soft_constraints_keep_their_place() -> None:
    x = Variable("x", range(2))
    constraints: list[Hard | Soft] = [
        Soft([x], {(1,): 1}),
        Hard([x], [(1,), (0,)]),
        Soft([x], {}),
        Hard([x], [(0,)]),
    ]
    network = Network([x], constraints)
    assert xcsp3.read_text(xcsp3.write_text(network)).constraints == tuple(constraints)


def test_limits_are_what_the_page_says() -> None:
    page = (Path(__file__).parents[1] / "docs" / "xcsp3.md").read_text(encoding="utf-8")
    for limit in (
        tables.MOST_ENTRIES,
        variables.MOST_VARIABLES,
        variables.MOST_VALUES,
        variables.LARGEST_DOMAIN,
        document.DEEPEST,
        compiler.SMALL_TABLE,
        compiler.LARGEST_TABLE,
        compiler.MOST_WORK,
        lists.MOST_LISTED,
        expressions.DEEPEST_EXPRESSION,
    ):
        assert f"{limit:,}" in page
