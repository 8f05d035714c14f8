"""Tests may import benchmarks and tools, which are scripts and no part of the package."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path += [
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tools")
]
