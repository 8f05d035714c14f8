"""The encoding by atom names: domains are ground instances, tables the instances of rules."""

from __future__ import annotations

from unittest import mock

import pytest

from games_support import load
from woodstock import Game
from woodstock.scsp.constraints import ANY, Not
from woodstock.scsp.encode import EncodingError, atoms
from woodstock.scsp.encode.atoms import AtomNetwork, atom_network

COINS = """
(role alice) (role bob)
(side heads) (side tails)
(init (coin unset))
(<= (legal alice (lay ?s)) (side ?s) (true (coin unset)))
(<= (legal alice noop) (not (true (coin unset))))
(legal bob noop)
(<= (next (coin ?s)) (does alice (lay ?s)))
(<= (next (coin ?s)) (true (coin ?s)) (distinct ?s unset))
(<= two (true (coin ?s)) (true (coin ?t)) (distinct ?s ?t))
(<= terminal (not (true (coin unset))))
(<= (goal alice 100) (true (coin heads)))
(<= (goal alice 0) (not (true (coin heads))))
(goal bob 0)
"""


@pytest.fixture(scope="module")
def coins() -> AtomNetwork:
    return atom_network(Game.from_text(COINS))


def test_every_atom_name_has_a_variable(coins: AtomNetwork) -> None:
    assert coins.names == ("coin", "coin'", "goal", "lay", "noop", "side", "terminal", "two")
    domains = {variable.name: set(variable.domain) for variable in coins.network.variables}
    assert domains["coin"] == {"unset", "heads", "tails"}
    assert domains["coin'"] == {"heads", "tails"}
    assert domains["lay"] == {"alice heads", "alice tails"}
    assert domains["noop"] == {"alice", "bob"}
    assert domains["goal"] == {"alice 100", "alice 0", "bob 0"}
    assert domains["terminal"] == {"true", "false"}
    # A rule that names coins twice needs a copy.
    assert domains["coin#2"] == domains["coin"]


def test_every_rule_has_a_table_of_its_instances(coins: AtomNetwork) -> None:
    assert len(coins.network.constraints) == 8  # facts have none
    tables = {(one.name, one.scope): set(one.rows) for one in coins.network.hard}
    assert tables["legal", ("lay", "side", "coin")] == {
        ("alice heads", "heads", "unset"),
        ("alice tails", "tails", "unset"),
    }
    assert tables["next", ("coin'", "lay")] == {
        ("heads", "alice heads"),
        ("tails", "alice tails"),
    }
    assert tables["next", ("coin'", "coin")] == {("heads", "heads"), ("tails", "tails")}
    assert tables["terminal", ("terminal", "coin")] == {("true", Not("unset"))}
    assert tables["goal", ("goal", "coin")] in (
        {("alice 100", "heads")},
        {("alice 0", Not("heads"))},
    )
    assert len(tables["two", ("two", "coin", "coin#2")]) == 6


def test_what_can_never_hold_says_nothing() -> None:
    game = Game.from_text(
        COINS.replace("(goal bob 0)", "(<= (goal bob 0) (not (true (coin lost))))")
    )
    (table,) = [one for one in atom_network(game).network.hard if ("bob 0", ANY) in one.rows]
    assert table.scope == ("goal", "coin")


def test_a_variable_for_a_whole_fluent_makes_a_table_for_each_name() -> None:
    game = Game.from_text(
        COINS.replace("(init (coin unset))", "(init (coin unset)) (init (step 1))")
        + "(<= (next ?f) (true ?f) (true (coin unset)) (does bob noop))"
    )
    scopes = {one.scope for one in atom_network(game).network.hard if one.name == "next"}
    assert ("step'", "step", "coin", "noop") in scopes
    assert ("coin'", "coin", "coin#2", "noop") in scopes


def test_too_large_rules_are_refused() -> None:
    with mock.patch.object(atoms, "MOST_ROWS", 100), pytest.raises(EncodingError, match="100 rows"):
        atom_network(load("tic-tac-toe"))
    with mock.patch.object(atoms, "MOST_ROWS", 10), pytest.raises(EncodingError, match="too many"):
        atom_network(load("connect-four"))
