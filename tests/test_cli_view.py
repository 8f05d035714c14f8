"""``woodstock view`` and ``show RECORD``: a recorded match, position by position."""

from __future__ import annotations

import asyncio
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cli_support import answer, woodstock
from games_support import load
from web_support import CHROMIUM, QUIET
from woodstock import State, games
from woodstock.belief import Situation
from woodstock.gdl.terms import Term
from woodstock.match import MatchRecord, play_match, seat_players
from woodstock.player import Answer, Player
from woodstock.protocol.hosted_players import LocalPlayer
from woodstock.protocol.manager import host_match
from woodstock.search import Decision, MoveValue
from woodstock.web.album import Album, open_record
from woodstock.web.match_page import match_page
from woodstock.web.recorded import read_records

NASTY = "<img src=x onerror=alert(1)>\"'&</script><script>alert(2)</script>"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match of players who do not think, and one value that somebody told."""
    game = load("tic-tac-toe")
    players: dict[str, Player] = seat_players(game, ["legal", "legal"], seed=1)
    names = {"x": NASTY, "o": "legal"}
    played = play_match(game, players, seed=1, names=names)
    played.values[0] = (0.75, None)
    played.errors[1] = ("", f"IL {NASTY}")
    path = tmp_path / "match.json"
    played.write(path)
    return path


class Sure(Player):
    """Says that it expects a quarter, once."""

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        assert isinstance(situation, State)
        move = situation.legal_moves(role)[0]
        if self.last_answer is None:
            found = Decision(move, 0.25, {}, (MoveValue(move, 0.25, 1),))
            self.last_answer = Answer(move, "search", found, 0.0)
        return move


def test_records_keep_what_players_expected() -> None:
    """Here and with players of ours at a game manager; an old answer is not told again."""
    game = load("tic-tac-toe")
    here = play_match(game, {"x": Sure(), "o": Sure()}, seed=1, play_clock=60)
    hosted = asyncio.run(
        host_match(
            game,
            {role: LocalPlayer(Sure, role) for role in game.players},
            seed=1,
            start_clock=60,
            play_clock=60,
        )
    )
    for played in (here, hosted):
        assert played.values == [(0.25, 0.25), *[(None, None)] * (len(played.moves) - 1)]


def test_the_record_comes_back_as_it_was(record: Path) -> None:
    kept = MatchRecord.read(record)
    assert kept.values[0] == (0.75, None)
    assert kept.to_json() == json.loads(record.read_text())


def test_all_positions_are_shown(record: Path) -> None:
    text = woodstock("view", record).stdout
    assert "tic-tac-toe: x = <img" in text
    assert "At the start" in text
    assert text.count("┌") == len(MatchRecord.read(record).states)
    assert "expected here: x 75" in text
    assert "  1. x (mark 1 1)\n" in text
    assert "The game is over: x 100, o 0." in text


def test_one_position(record: Path) -> None:
    text = woodstock("view", record, "--ply", "2").stdout
    assert text.count("┌") == 1
    assert "2. o (mark 1 2)" in text
    assert "[o]" in text
    assert "x: 7 legal moves" in text
    assert "o: IL <img" in text
    assert "The game is over" in woodstock("view", record, "--ply", "-1").stdout
    wrong = woodstock("view", record, "--ply", "70")
    assert wrong.exit_code == 1
    assert "from 0 to 7" in wrong.stderr


def test_show_takes_records_too(record: Path) -> None:
    text = woodstock("show", record, "--ply", "1").stdout
    assert "tic-tac-toe after 1 move" in text
    assert "[x]" in text
    assert answer("show", record)["terminal"] is True
    assert answer("show", record, "--ply", "2")["moves"][1] == ["noop", "(mark 1 2)"]
    assert woodstock("show", "nim", "--ply", "1").exit_code == 2


class Reader(HTMLParser):
    """What a browser would make of a page: tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_page_is_one_file_and_escapes_everything(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "match.html"
    told = woodstock("view", record, "--html", path)
    assert told.exit_code == 0
    assert told.stdout.endswith("8 positions; open it in a browser.\n")
    text = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    names = [tag for tag, _ in reader.tags]
    assert names.count("figure") == 8
    assert names.count("script") == 1
    assert "img" not in names
    assert not [key for _, found in reader.tags for key in found if key.startswith("on")]
    assert not re.findall(r"(?:src|href)=\"(?!#)", text)
    assert "x expects 75" in text
    assert "Content-Security-Policy" in text


def test_moves_and_rules_are_data_too(tmp_path: Path) -> None:
    rules = "(role <b>) (init (cell 1 1 <i>)) (legal <b> (go <u>)) (legal <b> stay)"
    rules += "(<= (next (cell 1 1 <s>)) (does <b> (go <u>))) (<= terminal (true (cell 1 1 <s>)))"
    rules += "(goal <b> 100)"
    data = {"gameMetaURL": "<h6>", "moves": [["(go <u>)"]], "woodstock": {"rules": rules}}
    reader = Reader()
    reader.feed(match_page(Album.of(read_records(json.dumps(data))[0])))
    assert not {"b", "i", "u", "s", "h6"} & {tag for tag, found in reader.tags if tag != "b"}
    # The only bold words are ours, one for each position.
    assert [tag for tag, _ in reader.tags].count("b") == 2


def test_records_of_others(tmp_path: Path) -> None:
    path = games.rules_path("nim").with_name("playthrough.json")
    assert open_record(path).game.name == "nim"
    unknown = tmp_path / "unknown.json"
    unknown.write_text(
        json.dumps({"gameMetaURL": "who knows", "moves": [["(reduce a 0)", "noop"]]})
    )
    told = woodstock("view", unknown)
    assert told.exit_code == 1
    assert "name their file with --rules" in told.stderr
    assert "1. player1 (reduce a 0)" in woodstock("view", unknown, "--rules", "nim").stdout
    wrong = woodstock("view", unknown, "--rules", "tic-tac-toe")
    assert wrong.exit_code == 1
    assert "move 1 of the match is none of tic-tac-toe" in wrong.stderr


@pytest.mark.parametrize("content", ["", "[]", "(role x)", '{"moves": 3}', "[" * 50])
def test_what_is_no_record_is_1(tmp_path: Path, content: str) -> None:
    path = tmp_path / "none.json"
    path.write_text(content)
    result = woodstock("view", path)
    assert result.exit_code == 1
    assert str(path) in result.stderr
    assert woodstock("view", tmp_path / "nowhere.json").exit_code == 2


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_arrow_keys_go_through_the_positions(record: Path, tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api")
    path = tmp_path / "match.html"
    path.write_text(match_page(open_record(record)), encoding="utf-8")
    problems: list[str] = []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page()
        page.on("pageerror", lambda problem: problems.append(str(problem)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.goto(path.as_uri())
        seen = [page.inner_text("figure.now figcaption b")]
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"):
            page.keyboard.press(key)
            seen.append(page.inner_text("figure.now figcaption b"))
        page.click("ol li:nth-child(4) a")
        page.wait_for_function("document.querySelector('figure.now').innerText.startsWith('3')")
        browser.close()
    assert [text.split(".")[0] for text in seen] == [
        "at the start", "1", "2", "1", "7", "7", "at the start",
    ]  # fmt: skip
    assert not problems
