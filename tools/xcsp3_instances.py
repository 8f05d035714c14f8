"""Instances of XCSP3 that pycsp3 writes, and what ACE says of them: golden data of the tests.

``python tools/xcsp3_instances.py [NAME ...]`` writes ``tests/golden/xcsp3/NAME.xml`` for the models
of ``xcsp3_models.py`` and asks ACE how many solutions each has, or which value is best, for
``answers.json``. It needs pycsp3 and Java. With ``--check`` nothing is written, and the exit code
says whether ACE gives the same answers to the files that are there.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xcsp3_models import MODELS

from woodstock.scsp.outside import ace_output

__all__ = ["FOLDER", "ask_ace", "main"]

FOLDER = Path(__file__).parents[1] / "tests" / "golden" / "xcsp3"


def ask_ace(path: Path) -> dict[str, int | None]:
    """The number of solutions, or for an instance with an objective the best value, by ACE."""
    optimum = 'type="COP"' in path.read_text(encoding="utf-8")
    output = ace_output(path, quick=True)
    if "d COMPLETE EXPLORATION" not in output:
        raise RuntimeError(f"{path.name}: ACE gave no answer: {output[-400:]}")
    if not optimum:
        count = re.search(r"^d FOUND SOLUTIONS +([\d,]+)", output, re.MULTILINE)
        return {"count": int(count[1].replace(",", "")) if count else 0}
    # Of an objective, ACE tells each value that is better than the last.
    bounds = re.findall(r"^o (-?\d+)", output, re.MULTILINE)
    return {"best": int(bounds[-1]) if bounds else None}


def _write(name: str, path: Path) -> None:
    """Let pycsp3 write one model; it keeps all it was told, so it gets a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--write", str(path), name]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ)
        )
    if done.returncode or not path.exists():
        raise RuntimeError(f"{name}: pycsp3 failed: {done.stdout[-300:]}{done.stderr[-600:]}")


def _write_here(name: str, path: Path) -> None:
    sys.argv = [name]
    module: Any = importlib.import_module("pycsp3")
    MODELS[name](module)
    module.compile(str(path))
    os._exit(0)  # at exit pycsp3 would write once more


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.write:
        _write_here(options.names[0], options.write)
    file = FOLDER / "answers.json"
    known: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    found = dict(known)
    for name in options.names or MODELS:
        path = FOLDER / f"{name}.xml"
        if not options.check:
            FOLDER.mkdir(exist_ok=True)
            _write(name, path)
        found[name] = ask_ace(path)
        print(f"{name}: {found[name]}", flush=True)
    if options.check:
        return int(found != known)
    lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in MODELS if name in found]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
