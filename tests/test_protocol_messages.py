"""Messages of the Game Communication Language: read generously, written as servers write them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from woodstock.gdl.terms import Compound, Term, parse_term
from woodstock.protocol.messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    read_message,
    read_move,
    spaced,
)

MARK = parse_term("(mark 2 1)")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("( INFO )", Info()),
        ("(info)", Info()),
        ("ping", Ping()),
        ("( PLAY match.ticTacToe.1 NIL )", Play("match.ticTacToe.1", None)),
        ("( PLAY m (( mark 2 1 ) noop ) )", Play("m", (MARK, "noop"))),
        ("(PLAY\tm\r\n((mark 2 1)noop))", Play("m", (MARK, "noop"))),
        ("(play m ())", Play("m", ())),
        ("(PLAY m 0 NIL NIL)", Play("m", None, 0, None)),
        ("(PLAY m 3 (mark 2 1) ((did x noop)))", Play("m", (parse_term("(did x noop)"),), 3, MARK)),
        ("( STOP m (noop ( mark 2 1 ) ) )", Stop("m", ("noop", MARK))),
        ("(Stop m 4 noop nil)", Stop("m", None, 4, "noop")),
        ("( ABORT t2 )", Abort("t2")),
        ("(PREVIEW ((role x)) 10)", Preview("(role x)", 10)),
        (
            "( START m x (( role x ) ( role o ) ) 5 3)",
            Start("m", "x", "( role x ) ( role o )", 5, 3),
        ),
        ("(START m x ((role x)) 5 3 extra (things))", Start("m", "x", "(role x)", 5, 3)),
        (
            "(START m x ((role x) ; it's x\n (role o)) 1.5 0.5)",
            Start("m", "x", "(role x) ; it's x\n (role o)", 1.5, 0.5),
        ),
    ],
)
def test_messages_are_read(text: str, wanted: Message) -> None:
    assert read_message(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "(",
        ")",
        "( INFO",
        "(INFO) (INFO)",
        "(HELLO)",
        "(PLAY)",
        "(PLAY m)",
        "(PLAY (m) NIL)",
        "(PLAY m noop)",
        "(PLAY m x noop NIL)",
        "(START m x)",
        "(START m x rules 5 3)",
        "(START m x ((role x)) five 3)",
        "(START m x ((role x)) -1 3)",
        "(START m x ((role x)) nan 3)",
        "(START m x ((role x)) inf 3)",
        "(ABORT)",
        "((INFO))",
        "(PLAY m ((()) noop))",
        "nonsense",
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(MessageError):
        read_message(text)


def test_depth_has_an_end() -> None:
    with pytest.raises(MessageError):
        read_message(f"(PLAY m ({'(a ' * 5000}{')' * 5000}))")
    with pytest.raises(MessageError):
        read_move("(" * 100_000)


def test_messages_are_written_as_servers_write_them() -> None:
    assert str(Play("match.ticTacToe.1", None)) == "( PLAY match.ticTacToe.1 NIL )"
    moves: tuple[Term, ...] = (MARK, "noop")
    assert str(Play("m", moves)) == "( PLAY m (( mark 2 1 ) noop ) )"
    assert str(Stop("m", ("noop", MARK))) == "( STOP m (noop ( mark 2 1 ) ) )"
    assert str(Abort("t2")) == "( ABORT t2 )"
    assert str(Start("m", "x", "( role x )", 5, 3)) == "( START m x (( role x ) ) 5 3)"
    assert str(Play("m", None, 0)) == "( PLAY m 0 NIL NIL )"


@pytest.mark.parametrize("text", ["", "noop noop", "(mark 1", "(mark 1))", "()", "((a c) b)"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MessageError):
        read_move(text)


words = st.text("abcxyz0123456789_+-", min_size=1, max_size=6).filter(lambda w: w.lower() != "nil")
terms: st.SearchStrategy[Term] = st.recursive(
    words, lambda inner: st.tuples(words, inner, inner).map(Compound), max_leaves=6
)
told = st.none() | st.lists(terms, max_size=4).map(tuple)
clocks = st.integers(0, 10_000) | st.floats(0, 100).map(lambda x: round(x, 3))


@given(
    st.one_of(
        st.builds(Play, words, told),
        st.builds(Stop, words, told, st.integers(0, 999), st.none() | terms),
        st.builds(Abort, words),
        st.builds(Start, words, words, terms.map(spaced), clocks, clocks),
    )
)
def test_what_is_written_is_read_again(message: Message) -> None:
    found = read_message(str(message))
    if isinstance(message, Start):
        assert isinstance(found, Start)
        assert re.sub(r"\s", "", found.rules) == re.sub(r"\s", "", message.rules)
        assert found.start_clock == pytest.approx(message.start_clock, rel=1e-5)
    else:
        assert found == message


@given(st.text(max_size=60) | st.text("() PLAYstop;nil\n09", max_size=60))
def test_nothing_but_a_message_error_comes_out(text: str) -> None:
    for read in (read_message, read_move):
        try:
            read(text)
        except MessageError:
            continue


@given(terms)
def test_a_spaced_move_is_the_same_move(term: Term) -> None:
    assert read_move(spaced(term)) == term
