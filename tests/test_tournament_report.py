"""Reports, exports and the command, on small tournaments that are really played."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli_support import answer, woodstock
from woodstock.tournament import Description

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "tournaments"
RING = """
name = "A <ring> & more"
format = "ring"
participants = ["uct", "random", "mac-ucb-paper-of-nobody"]
games = ["nim", "tic-tac-toe"]
[[participant]]
name = "Sancho"
absent = "no address"
[clock]
kind = "simulations"
move = [10, 100]
[ring]
pairs = [["uct", "random"], ["uct", "Sancho"]]
matches = 8
stop = "never"
""".replace(', "mac-ucb-paper-of-nobody"', "")


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ring") / "ring.toml"
    path.write_text(RING)
    found = answer("tournament", "run", path)
    assert found["matches"] == found["played"] == 32
    return path


class Balanced(HTMLParser):
    """Counts tags that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name in ("href", "src") and value:
                self.links.add(value)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_html_report_is_whole_and_needs_nothing_else(ring: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    assert woodstock("tournament", "report", ring, "--html", page).exit_code == 0
    text = page.read_text()
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert all(link.startswith("#") and link[1:] in parser.ids for link in parser.links)
    assert len([one for one in parser.ids if one.startswith("m")]) == 32
    assert "A &lt;ring&gt; &amp; more" in text
    for words in ("Standings", "Pairs", "Cross table", "Games", "Curves", "Seats", "Thoughts"):
        assert f"<h2>{words}</h2>" in text
    assert text.count("<svg") == 2
    assert text.count("nim: uct v random") == 2
    assert "no address" in text


def test_markdown_tables_have_as_many_cells_in_every_line(ring: Path) -> None:
    text = woodstock("tournament", "report", ring, "--markdown", "-").stdout
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    assert len(blocks) >= 6
    for block in blocks:
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_the_report_as_json(ring: Path) -> None:
    data = answer("tournament", "report", ring)
    pairs = {(one["game"], one["second"], one["clock"]): one for one in data["pairs"]}
    assert len(pairs) == 8
    one = pairs["nim", "random", "simulations=100+0"]
    assert one["matches"] == 8
    assert sum(one["pentanomial"]) == 4
    assert pairs["nim", "Sancho", "simulations=100+0"]["problem"] == "no address"
    standing = next(one for one in data["standings"] if one["participant"] == "uct")
    assert standing["wins"] + standing["draws"] + standing["losses"] == 32
    assert answer("tournament", "status", ring) == data


def test_running_again_plays_nothing(ring: Path) -> None:
    assert answer("tournament", "run", ring)["played"] == 0
    text = woodstock("tournament", "status", ring).stdout
    assert "16 of at most 16 rounds, 32 matches" in text
    assert woodstock("tournament", "watch", ring).exit_code == 0


def test_tables_for_other_programs(ring: Path, tmp_path: Path) -> None:
    found = answer("tournament", "export", ring, "--out", tmp_path, "--records", tmp_path / "r")
    assert found["records"] == 32
    with (tmp_path / "matches.csv").open() as stream:
        matches = {row["id"]: row for row in csv.DictReader(stream)}
    with (tmp_path / "seats.csv").open() as stream:
        seats = list(csv.DictReader(stream))
    assert len(matches) == 32
    assert len(seats) == 64
    assert {row["match"] for row in seats} == set(matches)
    record = next((tmp_path / "r").glob("nim@*.json"))
    assert json.loads(record.read_text())["isCompleted"]
    assert woodstock("replay", record, "--rules", "nim").exit_code == 0
    assert woodstock("tournament", "export", ring).exit_code == 2


@pytest.mark.skipif(
    not any(importlib.util.find_spec(name) for name in ("pyarrow", "duckdb")), reason="no Parquet"
)
def test_parquet(ring: Path, tmp_path: Path) -> None:
    answer("tournament", "export", ring, "--out", tmp_path, "--format", "parquet")
    assert {path.name for path in tmp_path.iterdir()} == {"matches.parquet", "seats.parquet"}


def test_without_parquet_the_reason_is_told(
    ring: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    found = woodstock("tournament", "export", ring, "--out", tmp_path, "--format", "parquet")
    assert found.exit_code == 1
    assert "pip install pyarrow" in found.stderr


def test_a_report_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_text(RING)
    assert "Nothing has been played yet." in woodstock("tournament", "report", path).stdout


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_can_be_read(path: Path) -> None:
    assert Description.load(path).format in (path.stem, "swiss")


def test_an_unknown_engine(ring: Path) -> None:
    found = woodstock("tournament", "run", ring, "--engine", "cloud")
    assert found.exit_code == 2
    assert "there are local, dask and dask=ADDRESS" in found.stderr
