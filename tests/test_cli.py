"""The command: exit codes, clean output, no traceback for what a user does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli_support import answer, woodstock
from woodstock import __version__, games
from woodstock.cli.guard import guarded
from woodstock.errors import GroundingError

runner = CliRunner()

GOOD = """
(role x) (init a) (<= (legal x go) (true a))
(<= (next b) (true a)) (<= terminal (true b)) (goal x 100)
"""


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A pipeline of the real command."""
    return subprocess.run(
        ["bash", "-c", command.replace("woodstock", f"{sys.executable} -m woodstock")],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=600,
        check=False,
    )


def test_version_and_help() -> None:
    assert woodstock("--version").stdout == f"woodstock {__version__}\n"
    names = ("games", "check", "show", "match", "replay", "perft", "ground", "bench")
    overview = woodstock("--help")
    assert overview.exit_code == 0
    for name in names:
        assert name in overview.stdout
        page = woodstock(name, "--help")
        assert page.exit_code == 0
        assert f"Example: woodstock {name}" in " ".join(page.stdout.split())
    page = woodstock("bench", "playouts", "--help")
    assert "Example: woodstock bench playouts" in " ".join(page.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["show"],
        ["show", "nim", "--nonsense"],
        ["show", "nim", "--engine", "steam"],
        ["show", "no-such-game"],
        ["perft", "nim", "--depth", "-1"],
        ["check", "no/such/file.kif"],
        ["check", "."],
        ["replay", "no-such-trace.json", "--rules", "nim"],
        ["match", "nim", "--players", "random"],
        ["match", "nim", "--players", "random,nobody"],
        ["match", "nim", "--players", "random,random", "--record", "no/such/folder/x.json"],
        ["show", "nim", "--svg", "no/such/folder/x.svg"],
        ["bench", "playouts"],
        ["bench", "steam"],
        ["bench", "playouts", "nim", "no-such-game"],
        ["bench", "playouts", "nim", "--isa", "steam"],
        ["bench", "playouts", "nim", "--threads", "0"],
        ["bench", "playouts", "nim", "--seconds", "0"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    result = woodstock(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr
    assert "Traceback" not in result.stderr


def test_games() -> None:
    listed = answer("games")["games"]
    assert [row["name"] for row in listed] == list(games.names())
    assert all(row["roles"] and row["rules"] > 0 for row in listed)
    text = woodstock("games").stdout
    assert all(name in text for name in games.names())


def test_games_are_filtered_by_kind_players_and_paper() -> None:
    def names(*options: str) -> set[str]:
        return {row["name"] for row in answer("games", *options)["games"]}

    hidden = names("--kind", "hidden")
    assert {"mastermind", "hidden-matching-pennies"} <= hidden
    assert hidden == {n for n in games.names() if games.meta(n).kind == "hidden"}
    assert names("--players", "4") == {"battlebrushes"}
    assert {"chess", "yahtzee"} <= names("--paper", "ijcai 2017") - hidden
    assert names("--paper", "Table 9", "--players", "2") >= {"majorities", "breakthrough"}
    assert names("--kind", "stochastic", "--players", "1") == {"pacman"}
    assert "7 games" not in woodstock("games", "--players", "9").stdout
    assert "IJCAI 2017 (symmetry detection)" in woodstock("games", "--players", "9").stdout
    assert woodstock("games", "--kind", "funny").exit_code == 2


@pytest.mark.parametrize("name", games.names())
def test_library_games_check_without_errors(name: str) -> None:
    assert answer("check", name, "--no-play")["errors"] == 0


def test_check_says_where_and_what_to_do(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.kif", "(role x)\n(<= (legal x ?m)\n    (not (true ?m)))\n")
    result = woodstock("check", path)
    assert result.exit_code == 1
    assert f"{path}:2:5: error" in result.stdout
    assert "remedy: add a condition" in result.stdout
    assert "(<= (legal x ?m) (not (true ?m)))" in result.stdout
    found = answer("check", path, code=1)
    assert not found["ok"]
    assert found["errors"] == sum(f["severity"] == "error" for f in found["findings"])
    assert {"line", "column", "message", "remedy", "rule", "code"} <= set(found["findings"][0])


def test_warnings_alone_are_fine(tmp_path: Path) -> None:
    path = write(tmp_path / "warn.kif", GOOD + "(<= (spare ?x) (never ?x))")
    found = answer("check", path, "--no-play")
    assert found["ok"]
    assert found["warnings"] >= 1
    assert found["played"] is None


def test_check_plays_and_shows_the_moves(tmp_path: Path) -> None:
    rules = """(role x) (init (n 0)) (legal x a) (legal x b) (<= (next (n 1)) (true (n 0)))
        (<= (next won) (does x a)) (<= terminal (true (n 1))) (<= (goal x 100) (true won))"""
    path = write(tmp_path / "draw.kif", rules)
    shown = woodstock("check", path, "--seconds", "0.5")
    assert shown.exit_code == 0
    assert "x has no goal at the end after 1 move" in shown.stdout
    assert "play:   b\n" in shown.stdout
    assert "always 1 move" in shown.stdout
    found = answer("check", path, "--seconds", "0.5")
    assert [(one["code"], one["play"]) for one in found["findings"]] == [("goal", "b")]
    assert found["played"]["lengths"]["longest"] == 1
    assert found["played"]["branching"] == {"x": {"mean": 2.0, "most": 2}}


@pytest.mark.parametrize(
    "content",
    [
        "(role x",
        "(role x))",
        "",
        "; nothing but a comment",
        bytes(range(256)) * 4,
        "; caf\xe9".encode("latin-1"),
        "(" * 100_000,
        "(role [bold]x[/bold]) (legal [/oops] a)",
        "\0",
        pytest.param(b"(role x)\n" * 6_000_000, id="50 MB"),
    ],
)
def test_broken_files_are_1(tmp_path: Path, content: str | bytes) -> None:
    path = write(tmp_path / "broken.kif", content)
    result = woodstock("check", path)
    assert result.exit_code == 1
    assert str(path) in result.stdout
    assert answer("check", path, code=1)["findings"]
    shown = woodstock("show", path)
    assert shown.exit_code == 1
    assert shown.stdout == ""
    assert str(path) in shown.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "secret.kif", GOOD)
    path.chmod(0)
    assert woodstock("check", path).exit_code == 2


def test_show(tmp_path: Path) -> None:
    text = woodstock("show", "tic-tac-toe", "--after", "(mark 2 2); (mark 1 1)").stdout
    assert "tic-tac-toe after 2 moves" in text
    assert "x: 7 legal moves" in text
    assert "│ x │" in text
    assert "\x1b" not in text
    picture = tmp_path / "board.svg"
    found = answer("show", "tic-tac-toe", "--after", "(mark 2 2)", "--svg", picture)
    assert found["legal"]["x"] == ["noop"]
    assert found["moves"] == [["(mark 2 2)", "noop"]]
    assert found["goals"] is None
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_show_the_end_and_what_was_seen(tmp_path: Path) -> None:
    path = write(tmp_path / "tiny.kif", GOOD + "(<= (sees x news) (does x go))")
    result = woodstock("show", path, "--after", "go", "--engine", "lifted")
    assert "The game is over: x 100." in result.stdout
    assert "x perceives news" in result.stdout
    assert "(lifted engine)" in result.stdout
    assert answer("show", path, "--after", "go")["goals"] == {"x": 100}


def test_an_illegal_move_is_1() -> None:
    result = woodstock("show", "tic-tac-toe", "--after", "(mark 4 4)")
    assert result.exit_code == 1
    assert "not legal for x; legal: (mark 1 1)" in result.stderr
    assert "error" in answer("show", "tic-tac-toe", "--after", "(mark 4 4)", code=1)


def test_replay_agrees_and_differs(tmp_path: Path) -> None:
    source = games.rules_path("nim").with_name("playthrough.json")
    for engine in ("circuit", "ground", "lifted"):
        found = answer("replay", source, "--rules", "nim", "--engine", engine)
        assert found["ok"]
        assert found["engine"] == engine
    assert answer("replay", source, "--rules", "nim")["engine"] == "circuit"
    data = json.loads(source.read_text(encoding="utf-8"))
    data["plies"][2]["new"].append("(control nobody)")
    path = write(tmp_path / "trace.json", json.dumps(data))
    result = woodstock("replay", path, "--rules", "nim")
    assert result.exit_code == 1
    assert "match 1, ply 2, state" in result.stdout
    assert "missing: (control nobody)" in result.stdout
    difference = answer("replay", path, "--rules", "nim", code=1)["difference"]
    assert difference["missing"] == ["(control nobody)"]
    assert answer("replay", path, "--rules", "nim", "--plies", "2")["complete"] is False


@pytest.mark.parametrize("engine", ["auto", "circuit", "ground"])
def test_replay_falls_back_and_says_so(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise GroundingError("memory", "grounding takes more than 64 MB")

    monkeypatch.setattr("woodstock.ground.grounder.ground_rules", refuse)
    source = games.rules_path("nim").with_name("playthrough.json")
    arguments = ("replay", source, "--rules", "nim", "--engine", engine)
    found = answer(*arguments)
    assert (found["ok"], found["engine"]) == (True, "lifted")
    assert found["notes"] == ["plays on the lifted engine: grounding takes more than 64 MB"]
    assert "Note: plays on the lifted engine" in woodstock(*arguments).stdout


def test_replay_without_a_circuit(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("woodstock._core.Circuit", refuse)
    source = games.rules_path("nim").with_name("playthrough.json")
    found = answer("replay", source, "--rules", "nim", "--engine", "circuit")
    assert (found["ok"], found["engine"]) == (True, "ground")
    assert "more memory than there is" in found["notes"][0]
    grounded = answer("ground", "nim", "--stats")
    assert "gates" not in grounded
    assert grounded["notes"][0].startswith("there is no circuit: ")
    assert "Note: there is no circuit" in woodstock("ground", "nim", "--stats").stdout
    result = woodstock("bench", "playouts", "nim")
    assert result.exit_code == 1
    assert "woodstock: nim: the circuit needs more memory than there is" in result.stderr


def test_a_trace_that_is_none_is_1(tmp_path: Path) -> None:
    for content in ("", "[]", b"\xff"):
        path = write(tmp_path / "trace.json", content)
        result = woodstock("replay", path, "--rules", "nim")
        assert result.exit_code == 1
        assert str(path) in result.stderr


def test_perft() -> None:
    found = answer("perft", "nim", "--depth", "3", "--divide")
    assert found["depth_counts"] == list(games.perft_counts("nim")[:4])
    assert sum(found["divide"].values()) == found["depth_counts"][3]
    for engine in ("circuit", "ground"):
        text = woodstock("perft", "tic-tac-toe", "--depth", "5", "--engine", engine).stdout
        assert "15,120" in text
        assert "1,440" in text
        assert f"({engine} engine, " in text


def test_match_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    def match(*more: str | Path) -> dict[str, Any]:
        found = answer("match", "tic-tac-toe", "--players", "random,legal", "--seed", "4", *more)
        return {k: v for k, v in found.items() if k not in ("startTime", "stateTimes")}

    path = tmp_path / "match.json"
    first = match("--record", path)
    assert first == match("--watch") == match("--no-watch")
    assert json.loads(path.read_text(encoding="utf-8"))["moves"] == first["moves"]
    assert answer("replay", path, "--rules", "tic-tac-toe")["complete"]


def test_match_can_be_watched() -> None:
    arguments = ["match", "tic-tac-toe", "--players", "legal,legal", "--seed", "1"]
    text = woodstock(*arguments).stdout
    assert "1. x (mark 1 1)   o noop" in text
    assert text.count("┌") == 8
    assert "goal" in text
    quiet = woodstock(*arguments, "--no-watch").stdout
    assert "┌" not in quiet
    assert "100" in quiet


def test_a_match_that_cannot_go_on_is_1(tmp_path: Path) -> None:
    path = write(tmp_path / "stuck.kif", GOOD.replace("(true b)", "(true c)"))
    result = woodstock("match", path, "--players", "random", "--no-watch")
    assert result.exit_code == 1
    assert "broken off: x has no legal move" in result.stderr


def test_ground(tmp_path: Path) -> None:
    found = answer("ground", "tic-tac-toe")
    assert found["ok"]
    assert found["fluents"] == 29
    assert "gates" not in found
    text = woodstock("ground", "hex", "--stats", "--no-split").stdout
    assert "hex, not split" in text
    assert "atoms in the largest recursive one" in text
    assert "gates of the circuit" in text
    stats = answer("ground", "hex", "--stats")
    assert stats["gates"] > stats["gate_depth"] > 1
    assert stats["components"] > stats["recursive_components"] == stats["recursions"] == 2
    assert stats["lanes"] % 512 == 0
    assert stats["notes"] == []
    # Over a million ground rules, whichever way they are grounded.
    numbers = " ".join(f"(n {i})" for i in range(2_000))
    pairs = "(<= (legal x (go ?a ?b)) (n ?a) (n ?b))"
    path = write(tmp_path / "huge.kif", numbers + GOOD + pairs)
    stopped = answer("ground", path, "--memory-mb", "200", code=1)
    assert stopped["reason"] in ("memory", "time")
    assert "the lifted engine still plays it" in stopped["error"]


BENCH_KEYS = {
    "game", "playouts_per_second", "playouts_per_cpu_second", "plies_per_cpu_second",
    "mean_length", "mean_goals", "fluents", "moves", "ground_rules", "gates", "isa", "threads",
    "prepare_cpu_seconds", "peak_memory_mb",
}  # fmt: skip


def test_bench_playouts() -> None:
    found = answer("bench", "playouts", "tic-tac-toe", "--seconds", "0.05", "--isa", "base")
    assert set(found) == {"games"}
    (row,) = found["games"]
    assert set(row) == BENCH_KEYS
    assert (row["game"], row["isa"], row["threads"]) == ("tic-tac-toe", "base", 1)
    assert row["mean_goals"]["x"] == pytest.approx(64.8, abs=2)
    assert row["mean_length"] == pytest.approx(7.63, abs=0.1)
    plies = row["playouts_per_cpu_second"] * row["mean_length"]
    assert row["plies_per_cpu_second"] == pytest.approx(plies, rel=1e-3)
    assert row["gates"] > 20
    assert row["prepare_cpu_seconds"] > 0.01
    assert row["peak_memory_mb"] > 10
    text = woodstock("bench", "playouts", "nim", "--seconds", "0.05", "--threads", "2").stdout
    assert "playouts/s" in text
    assert text.splitlines()[1].startswith("nim ")
    assert "2 threads" in text


def test_bench_goes_on_where_a_game_has_no_circuit(tmp_path: Path) -> None:
    wrong = write(tmp_path / "wrong.kif", "(role x")
    arguments = ("bench", "playouts", wrong, "nim", "--seconds", "0.05")
    found = answer(*arguments, code=1)
    assert [row["game"] for row in found["games"]] == ["nim"]
    result = woodstock(*arguments)
    assert result.exit_code == 1
    assert "nim" in result.stdout
    one = woodstock("bench", "playouts", wrong, "--json")
    assert one.exit_code == 1
    assert json.loads(one.stdout) == {"games": []}
    assert "'(' is never closed" in one.stderr


def test_bench_measures_every_game_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Files are found from where the user is, and modules that lie there are not ours."""
    write(tmp_path / "woodstock.py", "raise SystemExit('not me')")
    write(tmp_path / "tiny.kif", GOOD)
    program = "import sys; sys.path.pop(0); from woodstock.cli import main; main()"
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            *["bench", "playouts", "tiny.kif", "nim", "--seconds", "0.05", "--json"],
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
        check=True,
    )
    rows = {row["game"]: row for row in json.loads(run.stdout)["games"]}
    assert rows["tiny"]["mean_goals"] == {"x": 100.0}
    assert rows["nim"]["gates"] > rows["tiny"]["gates"]


def test_bench_can_be_interrupted() -> None:
    for names in (["hex"], ["hex", "nim"]):
        with subprocess.Popen(
            [sys.executable, "-m", "woodstock", "bench", "playouts", *names, "--seconds", "600"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # Whoever runs the tests in the background may have the signal ignored.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        ) as child:
            assert child.stderr is not None
            assert b"hex" in child.stderr.readline()  # two seconds have gone
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does
            try:
                out, _ = child.communicate(timeout=600)
            finally:
                child.kill()
        assert (child.returncode, out) == (130, b"")


def test_a_closed_pipe_is_quiet() -> None:
    result = shell("woodstock games | true; woodstock show nim --json | head -c 1")
    assert result.stderr == ""


def test_a_poor_terminal_gets_a_board() -> None:
    result = shell("woodstock show tic-tac-toe", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert "control" in result.stdout


def test_the_module_runs_and_carries_the_exit_code() -> None:
    assert shell("woodstock show no-such-game").returncode == 2
    assert shell("woodstock check nim --no-play").returncode == 0


def test_an_interrupt_is_130_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as stopped:
        guarded(interrupted)()
    assert stopped.value.code == 130
    assert capsys.readouterr() == ("", "woodstock: interrupted\n")


def test_our_own_mistakes_are_not_hidden() -> None:
    def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        guarded(broken)()
