"""``woodstock check``: is this a rulesheet, and what is wrong with it?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from woodstock import games
from woodstock.cli.guard import WRONG, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import Working
from woodstock.errors import GdlSyntaxError
from woodstock.gdl.checker import check
from woodstock.gdl.diagnostics import Diagnostic

__all__ = ["command"]

_COLOURS = {"error": "bold red", "warning": "yellow"}
_WIDEST_RULE = 400


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The rules, in KIF or infix form.")],
    as_json: AsJson = False,
) -> None:
    """Check rules against the GDL specification.

    Says where something is wrong, what, and what to do. Exit code 1 when there are errors;
    warnings alone do not keep a game from being played.
    """
    roles: tuple[str, ...] = ()
    findings: Sequence[Diagnostic]
    try:
        with Working(f"Checking {file}"):
            rules, findings = check(games.read_sheet(file)[1])
        roles = rules.roles
    except GdlSyntaxError as problem:
        findings = problem.diagnostics
    counts = {kind: sum(f.severity == kind for f in findings) for kind in ("error", "warning")}
    if as_json:
        print_json(
            {
                "file": file,
                "ok": not counts["error"],
                "errors": counts["error"],
                "warnings": counts["warning"],
                "roles": list(roles),
                "findings": [finding.to_json() for finding in findings],
            }
        )
    else:
        _show(file, roles, findings, counts)
    if counts["error"]:
        raise typer.Exit(WRONG)


def _show(
    file: str, roles: Sequence[str], findings: Sequence[Diagnostic], counts: dict[str, int]
) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for finding in sorted(findings, key=lambda f: (f.line, f.column, f.severity)):
        line = Text(f"{finding.file}:{finding.line}:{finding.column}: ")
        line.append(finding.severity, style=_COLOURS[finding.severity])
        line.append(f": {finding.message}\n    remedy: {finding.remedy}")
        if finding.rule:
            rule = finding.rule
            shown = rule if len(rule) <= _WIDEST_RULE else rule[:_WIDEST_RULE] + " ..."
            line.append(f"\n    rule:   {shown}", style="dim")
        console.print(line)
    said = [f"{n} {kind}{'s' if n != 1 else ''}" for kind, n in counts.items() if n]
    verdict = "cannot be played" if counts["error"] else "can be played"
    who = f" by {', '.join(roles)}" if roles and not counts["error"] else ""
    console.print(f"{file} {verdict}{who}: {', '.join(said) or 'nothing to complain about'}.")
