"""Notebooks without Jupyter: run their cells, keep what they show, write them as Markdown.

``python tools/notebooks.py docs/tutorials/python.ipynb`` runs every cell and stores what it shows;
with ``--check`` nothing is written, and the exit code is 1 when a cell shows something else than
the file has. What a cell tagged ``varies`` shows is not compared.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["differences", "executed", "main", "to_markdown"]

Cell = dict[str, Any]


def executed(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs that its code cells give now, run in order in one session.

    >>> cell = {"cell_type": "code", "source": ["1 + 1"]}
    >>> executed({"cells": [cell]})["cells"][0]["outputs"][0]["data"]["text/plain"]
    ['2']
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = list(_run("".join(cell["source"]), names, count))
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _run(source: str, names: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """Run a cell; what it prints and the value of its last line, as notebooks keep them."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {count}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        yield {"output_type": "stream", "name": "stdout", "text": text}
    if value is not None:
        data = _best_of(value)
        about = {"execution_count": count, "metadata": {}}
        yield {"output_type": "execute_result", **about, "data": data}


def _best_of(value: object) -> dict[str, list[str]]:
    """The picture of a value, or its table, or else its text."""
    for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
        if hasattr(value, method):
            return {kind: getattr(value, method)().splitlines(keepends=True)}
    return {"text/plain": repr(value).splitlines(keepends=True)}


def differences(notebook: Mapping[str, Any]) -> list[str]:
    """The cells that show something else now than the notebook has, by their first lines."""
    found = []
    for old, new in zip(notebook["cells"], executed(notebook)["cells"], strict=True):
        tags = old.get("metadata", {}).get("tags", [])
        if old.get("outputs") != new.get("outputs") and "varies" not in tags:
            found.append(old["source"][0].strip())
    return found


def to_markdown(notebook: Mapping[str, Any]) -> str:
    """The notebook as a page: cells as blocks of code, what they show below them.

    >>> print(to_markdown({"cells": [{"cell_type": "markdown", "source": ["# Hello"]}]}), end="")
    # Hello
    """
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_shown(output) for output in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _shown(output: Mapping[str, Any]) -> str:
    data = output.get("data", {})
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            lines = "".join(data[kind]).splitlines()
            # A blank line would end the block of HTML.
            return "<div>\n" + "\n".join(line for line in lines if line.strip()) + "\n</div>"
    return "```text\n" + "".join(output.get("text") or data["text/plain"]).rstrip("\n") + "\n```"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description="Run the cells of notebooks and keep what they show.",
        epilog="example: python tools/notebooks.py docs/tutorials/python.ipynb",
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="NOTEBOOK")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    options = parser.parse_args(arguments)
    wrong = 0
    for file in options.files:
        notebook = json.loads(file.read_text(encoding="utf-8"))
        if options.check:
            for cell in differences(notebook):
                print(f"{file}: {cell}: shows something else now")
                wrong = 1
        else:
            text = json.dumps(executed(notebook), indent=1, ensure_ascii=False)
            file.write_text(text + "\n", encoding="utf-8")
            print(f"{file} written")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
