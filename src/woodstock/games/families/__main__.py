"""Write the rulesheets of the families."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from woodstock.games.families import RULES

_LIBRARY = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m woodstock.games.families",
        description="Write the rulesheets of games that differ in size alone.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    check = parser.parse_args().check
    changed = 0
    for name, text in RULES.items():
        path = _LIBRARY / name / "rules.kif"
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        changed += 1
        print(f"{name}/rules.kif {'differs' if check else 'written'}")
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
