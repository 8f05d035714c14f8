"""``woodstock check``: is this a rulesheet, what is wrong with it, and how does it play?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from woodstock import games
from woodstock.cli.guard import WRONG, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import Working
from woodstock.errors import GdlSyntaxError
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.playtest import PlayTest, examine

__all__ = ["command"]

_COLOURS = {"error": "bold red", "warning": "yellow"}
_WIDEST_RULE = 400
_MOST_NAMED = 4


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The rules, in KIF or infix form.")],
    play: Annotated[
        bool, typer.Option("--play/--no-play", help="Play random games to see what is wrong.")
    ] = True,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to play, in seconds.")] = 3.0,
    seed: Annotated[int, typer.Option(min=0, help="Another number plays other games.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check rules: by the GDL specification, for oversights, and by playing them.

    Says where something is wrong, what, and what to do; with moves that show it, for 'woodstock
    show FILE --after MOVES'. Then tells how random games go. Exit code 1 when there are errors;
    warnings alone do not keep a game from being played.
    """
    roles: tuple[str, ...] = ()
    findings: Sequence[Diagnostic]
    played = None
    try:
        with Working(f"Checking {file}") as line:
            found = examine(
                games.read_sheet(file)[1],
                play=play,
                seconds=seconds,
                seed=seed,
                on_progress=lambda text, share: line.update(text, share, 1.0),
            )
        roles, findings, played = found.rules.roles, found.findings, found.played
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
                "played": None if played is None else played.to_json(),
            }
        )
    else:
        _show(file, roles, findings, counts, played)
    if counts["error"]:
        raise typer.Exit(WRONG)


def _show(
    file: str,
    roles: Sequence[str],
    findings: Sequence[Diagnostic],
    counts: dict[str, int],
    played: PlayTest | None,
) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for finding in sorted(findings, key=lambda f: (f.line, f.column, f.severity)):
        line = Text(f"{finding.file}:{finding.line}:{finding.column}: ")
        line.append(finding.severity, style=_COLOURS[finding.severity])
        line.append(f": {finding.message}\n    remedy: {finding.remedy}")
        for label, text in (("rule:  ", finding.rule), ("play:  ", finding.play)):
            if text:
                shown = text if len(text) <= _WIDEST_RULE else text[:_WIDEST_RULE] + " ..."
                line.append(f"\n    {label} {shown}", style="dim")
        console.print(line)
    if played is not None:
        _show_play(played)
    said = [f"{n} {kind}{'s' if n != 1 else ''}" for kind, n in counts.items() if n]
    verdict = "cannot be played" if counts["error"] else "can be played"
    who = f" by {', '.join(roles)}" if roles and not counts["error"] else ""
    console.print(f"{file} {verdict}{who}: {', '.join(said) or 'nothing to complain about'}.")


def _show_play(played: PlayTest) -> None:
    console = Console(highlight=False)
    if not played.games:
        console.print(
            f"No random game came to an end in {played.seconds:.0f} s ({played.engine} engine); "
            "give it more time with --seconds."
        )
        return
    console.print(f"{played.games:,} random games ({played.engine} engine):")
    table = Table.grid(padding=(0, 2))
    for label, text in _figures(played):
        table.add_row(Text(f"  {label}"), Text(text))
    console.print(table)


def _figures(played: PlayTest) -> list[tuple[str, str]]:
    """Lines of the screen: what is told of, and what is said of it."""
    rows = []
    lengths = played.lengths
    if lengths is not None and lengths.shortest == lengths.longest:
        rows.append(("length", f"always {lengths.longest:,} move{'s'[: lengths.longest != 1]}"))
    elif lengths is not None:
        half = f"half of them {lengths.quarter:,} to {lengths.three_quarters:,}"
        if lengths.quarter == lengths.three_quarters:
            half = f"most of them {lengths.middle:,}"
        extent = f"{lengths.shortest:,} to {lengths.longest:,} moves, mean {lengths.mean:.1f}"
        rows.append(("length", f"{extent}; {half}"))
    for label, count in (("at the limit", played.cut), ("stuck", played.stuck)):
        if count:
            limit = f" of {played.limit:,} moves" if label == "at the limit" else ""
            rows.append((label, f"{100 * count / played.games:.1f} % of the games{limit}"))
    goals = [f"{r} {g.mean:.1f} ± {g.high - g.mean:.1f}" for r, g in played.goals.items()]
    if goals and all(goal.low == goal.high for goal in played.goals.values()):
        always = ", ".join(f"{role} {goal.mean:.0f}" for role, goal in played.goals.items())
        rows.append(("goals", f"always {always}"))
    else:
        rows.append(("mean goals", ", ".join(goals) or "none"))
    widths = [f"{r} {w.mean:.1f} (at most {w.most:,})" for r, w in played.branching.items()]
    rows.append(("choices", ", ".join(widths) or "none"))
    if played.unused_moves:
        named = [f"{role} {move}" for role, move in played.unused_moves]
        among = f"{len(named):,} of {played.moves:,} moves in {played.walks:,} games"
        rows.append(("never legal", f"{among}: {_some(named)}"))
    if played.unused_rules:
        count = len(played.unused_rules)
        lines = sorted(played.lines.values())
        among = f"{count:,} of {played.rules:,} rules in {played.rule_states:,} states"
        rows.append(
            ("never applied", f"{among}: line{'s' if count > 1 else ''} {_some(lines, 12)}")
        )
    return rows


def _some(items: Sequence[object], most: int = _MOST_NAMED) -> str:
    return ", ".join(map(str, items[:most])) + (", ..." if len(items) > most else "")
