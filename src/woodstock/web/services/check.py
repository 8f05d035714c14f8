"""The service ``check``: what is to be said about a text that should be rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from woodstock.errors import GdlSyntaxError
from woodstock.gdl import checker
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.keywords import players_of
from woodstock.gdl.reader import read_text
from woodstock.web.services.contract import Stopped, Tell

__all__ = ["check"]

MOST_FINDINGS = 200
WIDEST_RULE = 400


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


def _shown(finding: Diagnostic) -> dict[str, Any]:
    rule = finding.rule
    return {
        "severity": finding.severity,
        "code": finding.code,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "remedy": finding.remedy,
        "text": rule if len(rule) <= WIDEST_RULE else rule[:WIDEST_RULE] + " ...",
    }
