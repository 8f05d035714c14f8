"""Write the rulesheets of games that differ in size alone.

``python tools/game_families.py`` writes the ``rules.kif`` of every member of a family into the
library; with ``--check`` it writes nothing and says which files would change.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from families import RULES
from written import write_changed

from woodstock import games

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description="Write the rulesheets of games that differ in size alone.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    check = parser.parse_args(arguments).check
    texts = {f"{name}/rules.kif": text for name, text in RULES.items()}
    changed = list(write_changed(Path(games.__file__).parent, texts, check=check))
    for file in changed:
        print(f"{file} {'differs' if check else 'written'}")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
