"""Reports as one HTML file that needs nothing else: style, pictures and matches are in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from woodstock.tournament.report.blocks import (
    Block,
    Heading,
    Paragraph,
    Picture,
    Replays,
    ReportTable,
)

__all__ = ["html_page", "is_page"]

SHORT = 24
"""Cells of so many signs are not broken."""
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0072b2; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 86rem; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
th { text-align: right; font-weight: 600; background: var(--soft); }
.word { text-align: left; } .short { white-space: nowrap; }
td.mark { font-weight: 700; color: var(--accent); }
tbody tr:hover { background: var(--soft); }
svg { max-width: 46rem; width: 100%; height: auto; background: white; border-radius: 4px; }
figure { margin: 1rem 0; } figcaption { opacity: .75; }
details { margin: .3rem 0; } details:target > summary { font-weight: 700; }
summary { cursor: pointer; } code { font-size: .85em; overflow-wrap: anywhere; }
ol.moves { columns: 18rem; font: 13px/1.4 ui-monospace, monospace; }
a { color: var(--accent); }
"""


_MARK = '<meta name="generator" content="WoodStock">'


def is_page(head: bytes) -> bool:
    """Whether a file that begins so is such a page.

    >>> is_page(html_page("Ring", []).encode()), is_page(b"<!doctype html><title>Home</title>")
    (True, False)
    """
    return _MARK.encode() in head


def html_page(title: str, blocks: Sequence[Block]) -> str:
    """The whole page.

    >>> "<h1>A &amp; B</h1>" in html_page("A & B", [])
    True
    """
    body = "\n".join(_blocks(blocks))
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">\n'
        f"{_MARK}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style></head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Heading):
            yield f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        elif isinstance(block, Paragraph):
            yield f"<p>{_inline(block.text)}</p>"
        elif isinstance(block, ReportTable):
            yield from _table(block)
        elif isinstance(block, Picture):
            yield f"<figure>{block.svg}<figcaption>{escape(block.text)}</figcaption></figure>"
        elif isinstance(block, Replays):
            yield from _replays(block)


def _inline(text: str) -> str:
    """Words between backticks are code, as in Markdown."""
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{one}</code>" if number % 2 else one for number, one in enumerate(parts))


def _table(table: ReportTable) -> Iterator[str]:
    def cells(kind: str, row: Sequence[str], number: int) -> str:
        made = []
        for column, text in enumerate(row):
            classes = ["word"] * (column < table.words)
            classes += ["mark"] * ((number, column) in table.marks)
            classes += ["short"] * (len(text) <= SHORT)
            extra = f' class="{" ".join(classes)}"' if classes else ""
            shown = f'<a href="#{text[1:]}">{text}</a>' if text.startswith("#m") else escape(text)
            made.append(f"<{kind}{extra}>{shown}</{kind}>")
        return f"<tr>{''.join(made)}</tr>"

    yield f'<div class="wide"><table><thead>{cells("th", table.head, -1)}</thead><tbody>'
    for number, row in enumerate(table.rows):
        yield cells("td", row, number)
    yield "</tbody></table></div>"


def _replays(replays: Replays) -> Iterator[str]:
    for number, entry in enumerate(replays.entries, 1):
        yield f'<details id="m{number}"><summary>#{number} {escape(entry.title)}</summary>'
        yield f"<p><code>{escape(entry.id)}</code></p>"
        for note in entry.notes:
            yield f"<p>{escape(note)}</p>"
        yield '<ol class="moves">'
        for joint in entry.moves:
            made = [
                f"{escape(role)} {escape(move)}"
                for role, move in zip(entry.roles, joint)
                if move != "noop"
            ]
            yield f"<li>{', '.join(made) or 'noop'}</li>"
        yield "</ol></details>"
    if replays.more:
        yield f"<p>{replays.more:,} more matches are in the store.</p>"
