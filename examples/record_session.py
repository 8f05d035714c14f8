"""Draw the picture of the README: a real terminal session, as SVG.

``python examples/record_session.py`` runs the command below and writes its coloured output to
``docs/images/analyse.svg``. ``--check`` writes nothing; the exit code is 1 when the picture shows
another command, another board or another best move than the command prints now. How often each
move was tried depends on the time and is not compared.
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

COMMAND = ["analyse", "examples/domineering.kif", "--after", "(place 2 2); (place 3 1)"]
ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "analyse.svg"
WIDTH = 84


def session() -> Text:
    """What the terminal shows, in colour."""
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    environment |= {"COLUMNS": str(WIDTH)}
    environment.pop("NO_COLOR", None)
    run = subprocess.run(
        [sys.executable, "-m", "woodstock", *COMMAND],
        capture_output=True,
        check=True,
        env=environment,
        cwd=ROOT,
    )
    typed = " ".join(f'"{word}"' if " " in word else word for word in COMMAND)
    return Text.from_ansi(f"\x1b[1m$ woodstock {typed}\x1b[0m\n{run.stdout.decode()}")


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


def steady(svg: str) -> str:
    """What a picture of the same session always shows: all up to the value of the best move.

    >>> steady("<text>(place&#160;4&#160;2)</text><text>100.0</text><text>672</text>")
    '(place42)'
    """
    return words(svg).partition("100.0")[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the picture, or compare it; returns the exit code."""
    parser = argparse.ArgumentParser(description="Draw a real terminal session as SVG.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    options = parser.parse_args(arguments)
    svg = draw(session())
    if options.check:
        same = PICTURE.is_file() and steady(PICTURE.read_text(encoding="utf-8")) == steady(svg)
        print("the picture is up to date" if same else "the picture shows something else")
        return 0 if same else 1
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(svg, encoding="utf-8")
    print(f"{PICTURE.name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
