"""What players get to know, proved on the rules or shown by an example."""

from __future__ import annotations

import random

import pytest

from cli_support import answer, woodstock
from conformance_folder import FOLDER
from games_support import load
from woodstock import Game, games
from woodstock.information import information_of

TOSS = """(role a) (role b) (role random) (init begin)
(<= (legal random heads) (true begin)) (<= (legal random tails) (true begin))
(<= (legal random noop) (not (true begin)))
(legal a noop) (legal b noop)
(<= (next (lies ?c)) (does random ?c) (side ?c)) (side heads) (side tails)
(<= terminal (not (true begin))) (goal a 50) (goal b 50)
SEES"""


@pytest.mark.parametrize(
    ("sees", "kind"),
    [
        ("", "complete"),
        ("(<= (sees ?p ?c) (role ?p) (does random ?c))", "complete"),
        # The other side is what is not told.
        ("(<= (sees ?p heads) (role ?p) (does random heads))", "shared"),
        ("(<= (sees a ?c) (does random ?c))", "private"),
        # The same, said in two ways.
        (
            "(<= (sees a up) (up a)) (<= (sees b up) (up b))"
            "(<= (up ?p) (role ?p) (does random heads))",
            "shared",
        ),
        # Nobody ever sees anything, but that takes a proof of its own.
        (
            "(<= (sees a up) (does random heads) (true (lies tails)))"
            "(<= (sees b up) (does random tails) (true (lies tails)))",
            "unknown",
        ),
    ],
)
def test_kinds(sees: str, kind: str) -> None:
    game = Game.from_text(TOSS.replace("SEES", sees))
    assert game.information == kind
    lifted = Game.from_text(TOSS.replace("SEES", sees), engine="lifted")
    assert lifted.information in (kind, "unknown")


def test_silence_tells_one_move() -> None:
    """Heads are told, tails are not: who hears nothing knows, but the rules have a third move."""
    sheet = TOSS.replace("(<= (legal random noop) (not (true begin)))", "")
    sees = "(<= (sees ?p heads) (role ?p) (does random heads))"
    assert Game.from_text(sheet.replace("SEES", sees)).information == "complete"


@pytest.mark.parametrize("name", games.names())
def test_the_library_tells_what_the_rules_say(name: str) -> None:
    assert load(name).information == games.meta(name).information


@pytest.mark.parametrize(
    "name", [n for n in games.names() if games.meta(n).information == "shared"]
)
def test_what_is_shared_is_perceived_by_all(name: str) -> None:
    game = load(name)
    state, rng = game.initial_state(), random.Random(1)
    while not state.is_terminal:
        state = state.apply(state.random_joint_move(rng))
        percepts = {frozenset(state.percepts(r)) for r in game.roles if r != "random"}
        assert len(percepts) == 1


def test_it_is_shown() -> None:
    assert (
        "Information: shared: whatever one player perceives"
        in woodstock("show", "monty-hall").stdout
    )
    assert answer("show", "tic-tac-toe")["information"] == "complete"
    rows = {row["name"]: row for row in answer("games")["games"]}
    assert rows["war"]["information"] == "shared"


@pytest.mark.skipif(not FOLDER.exists(), reason="the public rulesheets are not there")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("backgammon.gdl", "complete"),
        ("blindtictactoe.gdl", "private"),
        ("kriegTTT_5x5.gdl", "private"),
        ("mastermind.gdl", "shared"),
        ("meier.gdl", "private"),
        ("montyhall.gdl", "shared"),
    ],
)
def test_public_rulesheets(name: str, kind: str) -> None:
    found = information_of(Game.from_file(FOLDER / "gdl2" / name))
    assert found.kind == kind
    assert kind != "private" or "does not" in found.why
