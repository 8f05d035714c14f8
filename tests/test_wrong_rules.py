"""`check` names what is wrong with rules, and says nothing about rules that are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance_folder import FOLDER
from effort import effort
from woodstock import games
from woodstock.errors import GdlSyntaxError
from woodstock.gdl import checker
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.reader import read_file, read_text
from woodstock.playtest import examine
from wrong_rules import GOOD, MISTAKES, Mistake

PUBLIC = sorted((FOLDER / "games").glob("*"))

PROVED = {
    "alexChess.kif": {"never"},  # asks for (move wk ...), where moves say king
    "mummymaze1p.kif": {"role"},  # goals for a mummy that does not play
    "quad_5x5.kif": {"never"},  # a variant without the pieces that the rule is about
    "slidingpieces.kif": {"never"},  # asks for row 4, where rows are y4
    "wargame02.kif": {"never"},  # a variant without the items that the rules are about
    "wargame03.kif": {"never"},  # the same
}
"""What is said of public sheets without playing them, and is true of each."""

SHOWN = {
    "alexChess.kif": {"input"},  # without black pawns that become knights
    "checkers.kif": {"frame"},  # squares that nobody can enter are there at the start alone
    "factoringGeorgeForman.kif": {"endless"},  # one may press the same lamp for ever
    "racetrackcorridor.kif": {"frame"},  # walls are gone when the next one is placed
    "ticTacHeavenFC.kif": {"endless"},  # both may pass for ever
}
"""What games show of public sheets, and is true of each."""

SOME = ["tic-tac-toe", "kuhn-poker", "eight-puzzle"]


def findings(text: str, *, play: bool = False) -> tuple[Diagnostic, ...]:
    try:
        return examine(read_text(text, "g.kif"), play=play, seconds=30, games=200).findings
    except GdlSyntaxError as problem:
        return tuple(problem.diagnostics)


def names_it(mistake: Mistake, found: tuple[Diagnostic, ...]) -> bool:
    return any(
        one.code in mistake.codes and mistake.words in f"{one.message} {one.remedy} {one.rule}"
        for one in found
    )


def test_there_are_forty_mistakes() -> None:
    assert len(MISTAKES) == len({mistake.text for mistake in MISTAKES}) == 40
    assert sum(bool(mistake.codes) for mistake in MISTAKES) >= 36


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_the_mistake_is_named(mistake: Mistake) -> None:
    found = findings(mistake.text)
    if not names_it(mistake, found):
        found = findings(mistake.text, play=True)
    if mistake.codes:
        assert names_it(mistake, found), [str(one) for one in found]
        assert all(one.remedy and one.line for one in found)
    else:
        assert not found, "can be named now: say how"


@pytest.mark.parametrize("name", GOOD)
def test_nothing_is_said_about_the_games_without_mistakes(name: str) -> None:
    assert not findings(GOOD[name], play=True)


@pytest.fixture
def without_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Initial states of hundreds of sheets take minutes, and have tests of their own."""
    monkeypatch.setattr(checker, "_check_start", lambda rules, report: None)


@pytest.mark.usefixtures("without_start")
def test_library_games_have_no_findings() -> None:
    wrong = {name: findings(games.rules_text(name)) for name in games.names()}
    assert not {name: found for name, found in wrong.items() if found}


@pytest.mark.skipif(not PUBLIC, reason="there are no public rulesheets here")
@pytest.mark.usefixtures("without_start")
def test_few_public_sheets_have_findings_and_those_are_right() -> None:
    found = {
        path.name: {one.code for one in examine(read_file(path), play=False).findings}
        for path in PUBLIC
    }
    assert {name: codes for name, codes in found.items() if codes} == PROVED


@pytest.mark.parametrize("name", effort(SOME, games.names()))
def test_games_of_the_library_play_without_findings(name: str) -> None:
    found = examine(read_text(games.rules_text(name)), seconds=2, games=100)
    assert found.played is not None
    assert found.findings == ()


@pytest.mark.parametrize("path", effort(PUBLIC[5::90], PUBLIC), ids=lambda path: path.name)
def test_public_sheets_play_without_findings_but_for_right_ones(path: Path) -> None:
    found = {one.code for one in examine(read_file(path), seconds=2, games=100).findings}
    assert found <= PROVED.get(path.name, set()) | SHOWN.get(path.name, set())
