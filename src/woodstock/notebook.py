"""Tables for notebooks: plain HTML, everything in it escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["html_table"]


def html_table(titles: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table with a row of titles; numbers stand at the right, and a caption below.

    >>> html_table(["move", "value"], [["<a>", 0.5]])
    '<table><thead><tr><th>move</th><th>value</th></tr></thead><tbody><tr><td>&lt;a&gt;</td>\
<td style="text-align:right">0.5</td></tr></tbody></table>'
    """
    below = f'<caption style="caption-side:bottom">{escape(caption)}</caption>' if caption else ""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>{below}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, (int, float)):
        return f'<td style="text-align:right">{value:,}</td>'
    return f"<td>{escape(str(value))}</td>"
