"""The engines against the traces of a reference engine, as far as that is quick.

``benchmarks/conformance.py`` replays all traces in full; here every trace is begun on the lifted
engine, a spread of games is played through on the ground engine, and all that are quick to ground
on the circuit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance_folder import FOLDER, TRACES
from effort import all_but, effort
from games_support import load
from woodstock import Game, games
from woodstock.game import EngineName
from woodstock.match import Replay, perft, read_trace, replay

pytestmark = pytest.mark.skipif(not TRACES, reason="no conformance folder beside the project")

# Recursion, `or`, nested terms, rules for init, odd names, simultaneous moves, one to six roles,
# large boards, goals that depend on the absence of others.
SPREAD = [
    "2pffa", "3pConnectFour", "ad_game_2x2", "biddingTicTacToe", "blocksWorldParallel",
    "breakthrough", "bunk_t", "buttons", "chineseCheckers3", "chomp", "connectFour",
    "eightPuzzle", "factoringEasyTurtleBrain", "four_way_battle", "gt_ultimatum",
    "hanoi_6_disks", "hex", "kalaha_2009", "knightThrough", "lightsOnSimultaneous", "maze",
    "nim4", "pancakes", "pawnToQueen", "pentago", "queens08lg", "reversi", "roshambo2",
    "simultaneousWin2", "stateSpaceSmall", "ticTacHeavenFC", "tictactoe_3d_6player", "tpeg",
    "ttcc4", "twisty-passages", "wargame02",
]  # fmt: skip

# These take half a second or more to ground.
COSTLY = {
    "alexChess", "amazons", "atariGo_7x7", "blokbox_simple", "brawl", "checkers",
    "checkers-newgoals", "checkers-suicide-cylinder-mustjump", "chess", "chinook", "crissrace",
    "gt_two_thirds_2p", "gt_two_thirds_4p", "gt_two_thirds_6p", "knightazons", "laikLee_hex",
    "merrills", "mummymaze1p", "othello-comp2007", "othelloHoles", "othelloSuicide", "pancakes88",
    "quad_5x5", "quarto", "racer", "racer4", "ruleDepthExponential", "shogi_ctk", "slaughter",
    "sudoku",
}  # fmt: skip

# A single ply of these takes the lifted engine seconds.
SLOW = {"amazons", "blokbox_simple", "queens31lg", "ruleDepthExponential"}


def _replay(
    name: str, engine: EngineName, plies: int | None = None, seconds: float = 20.0
) -> Replay:
    game = Game.from_file(FOLDER / "games" / f"{name}.kif", engine=engine)
    return replay(
        game, read_trace(FOLDER / "traces" / f"{name}.json"), plies=plies, seconds=seconds
    )


@pytest.mark.parametrize("name", all_but(TRACES, SLOW & set(TRACES)))
def test_lifted_engine_begins_every_trace(name: str) -> None:
    report = _replay(name, "lifted", plies=effort(3, 5), seconds=0.2)
    assert report.difference is None, str(report.difference)
    assert report.plies >= 1


@pytest.mark.parametrize("name", [name for name in SPREAD if name in TRACES])
def test_ground_engine_plays_whole_traces(name: str) -> None:
    report = _replay(name, "ground")
    assert report.difference is None, str(report.difference)
    assert report.engine == "ground"
    assert report.complete


@pytest.mark.parametrize("name", [name for name in TRACES if name not in COSTLY])
def test_circuit_plays_whole_traces(name: str) -> None:
    report = _replay(name, "circuit")
    assert report.difference is None, str(report.difference)
    assert report.engine == "circuit"
    assert report.complete


def test_the_lists_name_real_traces() -> None:
    assert set(SPREAD) <= set(TRACES)
    assert set(TRACES) >= COSTLY | SLOW


def _public_sheet(name: str) -> Path | None:
    tried = [FOLDER / "games" / f"{name}.kif", FOLDER / "gdl2" / f"{name}.gdl"]
    return next((path for path in tried if path.exists()), None)


AGREEING = {
    name: path
    for name in games.names()
    if (path := _public_sheet(games.meta(name).agrees_with)) is not None
}


@pytest.mark.parametrize("name", AGREEING)
def test_library_game_agrees_with_public_sheet(name: str) -> None:
    """The counts of the tree, and lengths and goals of random play."""
    golden = games.perft_counts(name)
    depth = max(d for d, count in enumerate(golden) if count <= 8000)
    ours, theirs = load(name).initial_state(), Game.from_file(AGREEING[name]).initial_state()
    counts = [level.sequences for level in perft(theirs, depth)]
    assert counts == list(golden[: depth + 1])
    played, expected = ours.playouts(2000, seed=1), theirs.playouts(2000, seed=2)
    means = [(played.mean_length, played.length_error, expected.mean_length, expected.length_error)]
    # Players have other names in other sheets, but the same order; chance may stand anywhere.
    for one, other in zip(ours.game.players, theirs.game.players, strict=True):
        means.append(
            (
                played.mean_goals[one],
                played.goal_errors[one],
                expected.mean_goals[other],
                expected.goal_errors[other],
            )
        )
    for mean, error, known, known_error in means:
        assert abs(mean - known) <= 5 * (error**2 + known_error**2) ** 0.5 + 1e-9
