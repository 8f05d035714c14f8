"""The services ``check`` and ``playtest``: what is to be said about a text that should be rules.

The first needs no game and answers at once; the second plays, and takes some seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from woodstock import playtest as trial
from woodstock.errors import GdlSyntaxError
from woodstock.game import Game
from woodstock.gdl import checker
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.keywords import players_of
from woodstock.gdl.reader import read_text
from woodstock.web.services.contract import Stopped, Tell

__all__ = ["check", "playtest"]

MOST_FINDINGS = 200
WIDEST_RULE = 400
PLAY_SECONDS = 2.0


def check(game: object, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """The findings of the checker for ``text``, with their places; needs no game.

    >>> found = check(None, {"text": "(role x"}, print, bool)
    >>> found["ok"], found["findings"][0]["line"], found["findings"][0]["message"]
    (False, 1, "'(' is never closed")
    """
    del game, tell, stopped
    roles: tuple[str, ...] = ()
    findings: Sequence[Diagnostic]
    try:
        rules, findings = checker.check(read_text(str(request["text"])))
        roles = rules.roles
    except GdlSyntaxError as problem:
        findings = problem.diagnostics
    ordered = sorted(findings, key=lambda f: (f.severity, f.line, f.column))
    return {
        "ok": not any(finding.severity == "error" for finding in findings),
        "roles": list(roles),
        "players": list(players_of(roles)),
        "findings": [_shown(finding) for finding in ordered[:MOST_FINDINGS]],
        "more": max(0, len(findings) - MOST_FINDINGS),
    }


def playtest(game: Game, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """What random games show of the rules, and how they go.

    >>> found = playtest(Game.load("nim"), {}, print, bool)
    >>> found["findings"], found["games"] > 100, sorted(found["goals"])
    ([], True, ['player1', 'player2'])
    """
    del request, tell, stopped
    played = trial.playtest(game, seconds=PLAY_SECONDS)
    return {**played.to_json(), "findings": [_shown(finding) for finding in played.findings]}


def _shown(finding: Diagnostic) -> dict[str, Any]:
    rule = finding.rule
    return {
        "severity": finding.severity,
        "code": finding.code,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "remedy": finding.remedy,
        "play": finding.play,
        "text": rule if len(rule) <= WIDEST_RULE else rule[:WIDEST_RULE] + " ...",
    }
