"""Commands that write files: a full disk loses nothing that was finished, --force is asked for."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from cli_support import woodstock

SERIES = ("match", "nim", "--players", "random,legal", "--games", "20", "--seed", "3")
SMALL = 4096


def on_a_full_disk(folder: Path, *arguments: str, size: int = SMALL) -> tuple[int, str, str]:
    """Run a command where no file gets larger than some size."""
    done = subprocess.run(
        [sys.executable, "-m", "woodstock", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size)),
    )
    return done.returncode, done.stdout, done.stderr


def test_a_full_disk_keeps_whole_lines_and_shows_the_standings(tmp_path: Path) -> None:
    code, out, err = on_a_full_disk(tmp_path, *SERIES, "--record", "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    assert 1 <= len(kept) < 20
    assert all(one["isCompleted"] for one in kept)
    assert code == 2
    assert err.splitlines()[-1].startswith("woodstock: all.jsonl: ")
    assert f"random {len(kept) + 1:6}" in out  # the one that was not kept was played all the same
    assert [file.name for file in tmp_path.iterdir()] == ["all.jsonl"]


def test_a_full_disk_leaves_the_old_network(tmp_path: Path) -> None:
    network = tmp_path / "network.xml"
    network.write_text('<instance format="XCSP3" type="CSP"/>')
    code, _, err = on_a_full_disk(tmp_path, "scsp", "nim", "--xcsp3", "network.xml")
    assert (code, err.splitlines()[-1][:24]) == (2, "woodstock: network.xml: ")
    assert network.read_text() == '<instance format="XCSP3" type="CSP"/>'
    assert [file.name for file in tmp_path.iterdir()] == ["network.xml"]


def test_full_standard_output_is_told(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "woodstock", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=600,
        )
    assert done.returncode == 2
    assert done.stderr == "woodstock: standard output: No space left on device\n"


def test_lines_are_not_glued_to_half_a_line(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text('{"matchId": "nim.1"}\n{"matchId": "ni')
    assert woodstock(*SERIES, "--games", "2", "--record", path).exit_code == 0
    found = [json.loads(line)["matchId"] for line in path.read_text().splitlines()]
    assert found == ["nim.1", "nim.3", "nim.4"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("one.json", ("match", "nim", "--players", "random,legal", "--record")),
        ("all.jsonl", (*SERIES, "--games", "2", "--record")),
        ("net.xml", ("scsp", "nim", "--xcsp3")),
        ("board.svg", ("show", "nim", "--svg")),
        ("orbits.svg", ("symmetries", "nim", "--svg")),
        ("net.values", ("train", "nim", "--seconds", "0.1", "--out")),
        ("page.md", ("reproduce", "002-T3", "--hours", "0", "--store", "STORE", "--markdown")),
        ("page.html", ("reproduce", "002-T3", "--hours", "0", "--store", "STORE", "--html")),
    ],
)
def test_what_is_no_file_of_ours_is_only_overwritten_by_force(
    tmp_path: Path, name: str, arguments: tuple[str, ...]
) -> None:
    path = tmp_path / name
    store = str(tmp_path / "papers.sqlite")
    command = [store if word == "STORE" else word for word in arguments]
    path.write_text("Dear diary\n")
    result = woodstock(*command, path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"woodstock: {path}: is there already, and no ")
    assert path.read_text() == "Dear diary\n"
    if arguments[0] == "train":
        return  # it takes its time
    assert woodstock(*command, path, "--force").exit_code == 0
    assert b"Dear diary" not in path.read_bytes()
    assert woodstock(*command, path).exit_code == 0  # now it is ours


def test_a_folder_of_records_is_not_one_of_diaries(tmp_path: Path) -> None:
    path = tmp_path / "nim.4.json"
    path.write_text("Dear diary")
    result = woodstock(*SERIES, "--record", tmp_path)
    assert (result.exit_code, path.read_text()) == (2, "Dear diary")
    assert "add --force" in result.stderr
    assert json.loads((tmp_path / "nim.3.json").read_text())["isCompleted"]
