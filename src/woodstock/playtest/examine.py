"""`examine`: everything that can be said about a sheet, read and played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from woodstock.errors import EvaluationError, GdlError, GroundingError
from woodstock.game import EngineName, Game
from woodstock.gdl.checker import check
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.rules import Rules
from woodstock.gdl.sheet import Sheet
from woodstock.ground.limits import GroundingLimits
from woodstock.playtest.figures import PlayTest
from woodstock.playtest.play import MOST_GAMES, playtest

__all__ = ["Examination", "examine"]

GROUNDING = GroundingLimits(seconds=10, memory_mb=2048)
_ENDLESS = frozenset({"growth", "recursion"})
_PROVED = frozenset({"base", "input"})


@dataclass(frozen=True)
class Examination:
    """The rules of a sheet, all findings about them, and what playing them showed.

    `played` is None where they were not played: they cannot be, or nobody asked for it.
    """

    rules: Rules
    findings: tuple[Diagnostic, ...]
    played: PlayTest | None = None

    @property
    def ok(self) -> bool:
        """Whether the rules can be played."""
        return not any(finding.severity == "error" for finding in self.findings)


def examine(
    sheet: Sheet,
    *,
    play: bool = True,
    seconds: float = 3.0,
    seed: int = 0,
    games: int = MOST_GAMES,
    on_progress: Callable[[str, float], None] = lambda text, share: None,
) -> Examination:
    """Check a sheet and, where that finds no error, play it for some seconds.

    >>> from woodstock.gdl.reader import read_text
    >>> found = examine(read_text('''(role x) (init (n 0)) (legal x a) (legal x b)
    ...     (<= (next (n 1)) (true (n 0))) (<= (next won) (does x a))
    ...     (<= terminal (true (n 1))) (<= (goal x 100) (true won))'''))
    >>> for one in found.findings:
    ...     print(one, one.play, sep=" | ")
    <text>:3:36: x has no goal at the end after 1 move; add a rule for (goal x value) that applies \
there | b
    """
    rules, findings = check(sheet)
    found = Examination(rules, tuple(findings))
    if not play or not found.ok:
        return found
    on_progress("Getting the game ready", 0.0)
    codes = {finding.code for finding in findings}
    # What grows for ever is never ground; what takes too long lifted may be played ground.
    engine: EngineName = "auto"
    if "evaluation" in codes:
        engine = "circuit"
    elif codes & _ENDLESS:
        engine = "lifted"
    try:
        game = Game(sheet, engine=engine, limits=GROUNDING)
    except GdlError as problem:
        return Examination(rules, (*findings, *problem.diagnostics))
    except (GroundingError, EvaluationError) as problem:
        message = f"the game was not played: {problem}"
        lost = sheet.source.diagnostic("warning", "evaluation", 0, message, "simplify the rules")
        return Examination(rules, (*findings, lost))
    played = playtest(game, seconds=seconds, seed=seed, games=games, on_progress=on_progress)
    # What is proved needs no game to show it.
    new = [one for one in played.findings if one.code not in codes & _PROVED]
    return Examination(rules, (*findings, *new), played)
