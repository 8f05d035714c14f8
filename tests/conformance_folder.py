"""Where the public rulesheets and traces lie, when they lie beside the project at all."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "conformance"
TRACES = sorted(path.stem for path in (FOLDER / "traces").glob("*.json"))
