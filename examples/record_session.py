"""Draw the picture of the README: a real terminal session, as SVG.

``python examples/record_session.py`` runs the command below, with a fixed seed, and writes its
coloured output to ``docs/images/match.svg``. Only the middle of the match is left out, and the
picture says so. ``--check`` writes nothing; the exit code is 1 when the picture shows other text
than the command prints now.
"""

from __future__ import annotations

import argparse
import html
import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

COMMAND = "match connect-four --players random,random --seed 5"
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "match.svg"
WIDTH = 64
FIRST_LINES = 2
_MOVE = re.compile(r"(\x1b\[\d+m)* *\d+\. ")


def session() -> Text:
    """What the terminal shows, in colour, without the middle of the match."""
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    run = subprocess.run(
        [sys.executable, "-m", "woodstock", *COMMAND.split()],
        stdout=subprocess.PIPE,
        check=True,
        env=environment,
    )
    lines = run.stdout.decode().splitlines()
    last_move = max(number for number, line in enumerate(lines) if _MOVE.match(line))
    middle = f"\x1b[2m[... {last_move - FIRST_LINES} lines ...]\x1b[0m"
    shown = [*lines[:FIRST_LINES], "", middle, "", *lines[last_move:]]
    return Text.from_ansi("\n".join([f"\x1b[1m$ woodstock {COMMAND}\x1b[0m", *shown]))


def draw(text: Text) -> str:
    """The text in a terminal window, as SVG that loads nothing from elsewhere."""
    # Written to nowhere: a recording console must not print the session a second time.
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(text)
    svg = console.export_svg(title="WoodStock", unique_id="session")
    svg = re.sub(r"@font-face \{.*?\}\n?", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def words(svg: str) -> str:
    """The text a picture shows, without white space: how it is drawn may change with Rich.

    >>> words('<text x="1">red&#160;</text><text x="2">(drop 4)</text>')
    'red(drop4)'
    """
    found = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    return "".join(html.unescape(found).split())


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the picture, or compare it; returns the exit code."""
    parser = argparse.ArgumentParser(description="Draw a real terminal session as SVG.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    options = parser.parse_args(arguments)
    svg = draw(session())
    if options.check:
        same = PICTURE.is_file() and words(PICTURE.read_text(encoding="utf-8")) == words(svg)
        print("the picture is up to date" if same else "the picture shows something else")
        return 0 if same else 1
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(svg, encoding="utf-8")
    print(f"{PICTURE.name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
