"""Traces: every kind is read, every kind of difference is found."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games_support import load, recorded_states
from woodstock import games
from woodstock.errors import TraceError
from woodstock.match import RecordedSet, read_trace, replay
from woodstock.match.trace import digest, parse_trace

NAME = "tic-tac-toe"


def conformance_trace(spelled: bool = True) -> dict[str, Any]:
    """The library's playthrough in the format of the reference traces."""
    plies = []
    for ply, state in zip(games.playthrough(NAME)["plies"], recorded_states(NAME), strict=True):
        found: dict[str, Any] = {
            "n": len(state),
            "sha256": digest(state),
            "terminal": ply.get("terminal", False),
        }
        if spelled:
            found["state"] = state
        if "legal" in ply:
            moves = list(ply["legal"].values())
            found["legal"] = (
                moves if spelled else [{"n": len(m), "sha256": digest(m)} for m in moves]
            )
            found["move"] = ply["moves"]
        else:
            found["goals"] = list(ply["goals"].values())
        plies.append(found)
    return {
        "roles": ["x", "o"],
        "initial_state": games.playthrough(NAME)["plies"][0]["state"],
        "matches": [{"seed": 1, "truncated": None, "plies": plies}],
    }


@pytest.mark.parametrize("spelled", [True, False])
def test_a_true_trace_agrees(spelled: bool) -> None:
    trace = parse_trace(conformance_trace(spelled))
    report = replay(load(NAME), trace)
    assert report.ok
    assert report.complete
    assert report.plies == trace.plies
    assert report.matches == 1


@pytest.mark.parametrize("name", games.names())
def test_playthroughs_of_the_library_agree(name: str) -> None:
    report = replay(load(name), parse_trace(games.playthrough(name)))
    assert report.difference is None
    assert report.complete


def _spoil(path: list[str | int], value: object, spelled: bool = True) -> dict[str, Any]:
    data = copy.deepcopy(conformance_trace(spelled))
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


PLY = ["matches", 0, "plies", 2]
LAST = ["matches", 0, "plies", -1]


@pytest.mark.parametrize(
    ("path", "value", "spelled", "what"),
    [
        (["roles"], ["o", "x"], True, "roles"),
        (["initial_state"], ["(control x)"], True, "initial state"),
        ([*PLY, "n"], 3, False, "state"),
        ([*PLY, "sha256"], "0" * 64, False, "state"),
        ([*PLY, "sha256"], "0" * 64, True, "state"),
        ([*PLY, "terminal"], True, True, "end"),
        ([*LAST, "terminal"], False, True, "end"),
        ([*PLY, "legal"], [["noop"], ["noop"]], True, "legal moves of x"),
        ([*PLY, "legal"], [{"n": 7, "sha256": "0"}, ["noop"]], True, "legal moves of x"),
        ([*PLY, "move"], ["noop", "noop"], True, "move"),
        ([*PLY, "move"], ["noop"], True, "move"),
        ([*PLY, "move"], None, True, "move"),
        ([*LAST, "goals"], [7, 0], True, "goal of x"),
        ([*LAST, "goals"], [None, None], True, "goal of x"),
    ],
)
def test_every_kind_of_difference_is_found(
    path: list[str | int], value: object, spelled: bool, what: str
) -> None:
    report = replay(load(NAME), parse_trace(_spoil(path, value, spelled)))
    assert not report.ok
    assert report.difference is not None
    assert report.difference.what == what
    if path[:3] == PLY[:3] and path[3] == 2:
        assert (report.difference.match, report.difference.ply) == (0, 2)


def test_a_difference_names_what_is_missing_and_what_is_extra() -> None:
    data = conformance_trace()
    state = data["matches"][0]["plies"][1]["state"]
    gone, state[0] = state[0], "(cell 9 9 z)"
    difference = replay(load(NAME), parse_trace(data)).difference
    assert difference is not None
    assert difference.missing == ("(cell 9 9 z)",)
    assert difference.extra == (gone,)
    assert "missing: (cell 9 9 z)" in str(difference)
    assert json.loads(json.dumps(difference.to_json()))["extra"] == [gone]


def test_a_role_without_a_goal_agrees_with_null() -> None:
    from woodstock import Game

    game = Game.from_text(
        "(role x) (init a) (legal x go) (<= (next b) (true a)) (<= terminal (true b))"
    )
    ends = {"n": 1, "sha256": digest(["b"]), "terminal": True}
    start = {"n": 1, "sha256": digest(["a"]), "terminal": False, "legal": [["go"]], "move": ["go"]}
    for goals, agrees in (([None], True), ([0], False)):
        plies = [start, {**ends, "goals": goals}]
        trace = parse_trace({"roles": ["x"], "matches": [{"plies": plies}]})
        assert replay(game, trace).ok is agrees


def test_limits_leave_the_replay_incomplete() -> None:
    trace = parse_trace(conformance_trace())
    some = replay(load(NAME), trace, plies=2)
    assert (some.ok, some.complete, some.plies, some.matches) == (True, False, 2, 0)
    none = replay(load(NAME), trace, seconds=-1.0)
    assert (none.ok, none.complete, none.plies) == (True, False, 0)


def test_a_trace_cut_off_by_time_ends_with_a_move() -> None:
    data = conformance_trace()
    data["matches"][0]["plies"] = data["matches"][0]["plies"][:3]
    assert replay(load(NAME), parse_trace(data)).complete


def test_percepts_are_compared() -> None:
    data = games.playthrough("hidden-matching-pennies")
    data["plies"][1]["percepts"]["alice"] = ["(coins both)"]
    difference = replay(load("hidden-matching-pennies"), parse_trace(data)).difference
    assert difference is not None
    assert difference.what == "percepts of alice"


def test_records_of_other_servers_are_read() -> None:
    plies = games.playthrough(NAME)["plies"]
    spaced = [
        "( " + " ".join(f.replace("(", "( ").replace(")", " )") for f in state) + " )"
        for state in recorded_states(NAME)
    ]
    record: dict[str, Any] = {
        "states": spaced,
        "moves": [[m.replace("(", "( ") for m in ply["moves"]] for ply in plies[:-1]],
        "isCompleted": True,
        "goalValues": list(plies[-1]["goals"].values()),
    }
    assert replay(load(NAME), parse_trace(record)).complete
    record["states"][3] = record["states"][2]
    assert not replay(load(NAME), parse_trace(record)).ok


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        "x",
        {"matches": []},
        {"matches": [{"plies": []}], "roles": []},
        {"matches": [{}], "roles": ["x"]},
        {"matches": 3, "roles": ["x"]},
        {"matches": [{"plies": [{"n": "many", "sha256": "", "terminal": False}]}], "roles": ["x"]},
        {
            "matches": [{"plies": [{"n": 1, "sha256": "", "terminal": False, "legal": []}]}],
            "roles": ["x"],
        },
        {"plies": [{}]},
        {"states": ["nonsense"], "moves": []},
        {"states": [], "moves": [["a"], ["b"]]},
        {"states": ["((a)"], "moves": []},
    ],
)
def test_what_is_no_trace_is_refused(data: object) -> None:
    with pytest.raises(TraceError):
        parse_trace(data)


def test_files_that_are_no_traces_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    for content in (b"", b"{", b"\xff\xfe\x00", b"[" * 200_000):
        path.write_bytes(content)
        with pytest.raises(TraceError):
            read_trace(path)
    with pytest.raises(FileNotFoundError):
        read_trace(tmp_path / "none.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "matches",
                    "plies",
                    "states",
                    "moves",
                    "roles",
                    "n",
                    "sha256",
                    "state",
                    "terminal",
                    "legal",
                    "move",
                    "goals",
                    "isCompleted",
                    "woodstock",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_a_trace_or_a_trace_error(data: object) -> None:
    try:
        trace = parse_trace(data)
    except TraceError:
        return
    assert trace.plies > 0


@given(st.sets(st.text(min_size=1, max_size=4)))
def test_a_set_matches_itself_only(texts: set[str]) -> None:
    hidden = RecordedSet(len(texts), digest(texts))
    assert hidden.matches(sorted(texts))
    assert RecordedSet.of(texts).matches(sorted(texts))
    more = [*texts, "longer than four"]
    assert not hidden.matches(more)
    assert not RecordedSet.of(texts).matches(more)
