"""Commands are disturbed: Ctrl-C at some moment, a disk that gets full.

A part of what ``tools/disturb.py`` does to all of them, ten times each.
"""

from __future__ import annotations

import random
from pathlib import Path

import disturb
import pytest

from effort import effort

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are found as Linux shows them"
)

BY_NAME = {command.name: command for command in disturb.COMMANDS}
WRITERS = [command.name for command in disturb.COMMANDS if command.writes]
USUAL = ["play, preparing", "match, a series", "plan", "tournament run", "web"]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    disturb.make_inputs(folder)
    return folder


@pytest.mark.parametrize("name", effort(USUAL, list(BY_NAME)))
def test_ctrl_c_ends_a_command_and_loses_nothing(inputs: Path, name: str) -> None:
    rng = random.Random(name)
    for ended in disturb.interrupts(BY_NAME[name], inputs, rng, effort(1, 5), 3.0):
        assert not ended.problems, (ended.after, ended.err)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_ctrl_c_while_the_program_is_loaded(tmp_path: Path, share: float) -> None:
    ready = disturb.seconds_to_load()
    ended = disturb.interrupt(BY_NAME["games"], tmp_path, share * ready)
    assert not ended.problems or disturb.before_us(ended), ended.err


@pytest.mark.parametrize("name", effort(["match, a folder", "tournament report"], WRITERS))
def test_a_full_disk_leaves_whole_files(tmp_path: Path, inputs: Path, name: str) -> None:
    disturb.copy_inputs(inputs, tmp_path)
    ended = disturb.fill(BY_NAME[name], tmp_path, 4096)
    assert not ended.problems, ended.err


def test_half_files_are_found(tmp_path: Path) -> None:
    """What this all relies on."""
    wrong = {"a.json": '{"a": 1', "b.jsonl": '{"a": 1}\n{"b', "c.xml": "<a><b/>", ".d.json.12": ""}
    for name, text in wrong.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "fine.json").write_text("{}")
    found = list(disturb.half_files(tmp_path, set()))
    assert len(found) == len(wrong), found
    assert list(disturb.half_files(tmp_path, {Path(name) for name in wrong})) == []
