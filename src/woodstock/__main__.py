"""``python -m woodstock`` is the same as ``woodstock``."""

from __future__ import annotations

import sys

from woodstock.cli import main

if __name__ == "__main__":
    sys.exit(main())
