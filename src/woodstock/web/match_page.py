"""A match as one HTML file that needs nothing else: boards, moves, and what the players expected.

Whatever comes from a record or from rules is escaped, and the page allows no script but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from itertools import cycle

from woodstock.drawing.colors import SIDES
from woodstock.tournament.report.line_plot import COLOURS
from woodstock.web.album import Album, Page

__all__ = ["match_page"]

_PALE = ("white", "light", "silver", "dark", "black")
"""Names of sides whose colours are lost on a white or on a black page."""
_STYLE = """
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --accent: #c26a00; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.2rem auto; max-width: 76rem;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; }
p { margin: .3rem 0; } .soft { opacity: .75; }
main { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: flex-start; }
#boards { flex: 1 1 26rem; min-width: 0; } aside { flex: 1 1 18rem; min-width: 0; }
figure { margin: .5rem 0; } figcaption { min-height: 3em; overflow-wrap: anywhere; }
figure svg { width: min(100%, 36rem); height: auto; max-height: 74vh; }
.js figure { display: none; } .js figure.now { display: block; }
nav { display: flex; gap: .4rem; align-items: center; margin: .4rem 0; }
:not(.js) > nav { display: none; } .js nav { display: flex; }
button { font: inherit; min-width: 2.6rem; padding: .25rem .5rem; }
input[type=range] { flex: 1; min-width: 4rem; accent-color: var(--accent); }
ol { list-style: none; margin: 0; padding: 0; max-height: 50vh; overflow-y: auto;
  border: 1px solid var(--line); border-radius: 4px; }
ol a { display: block; padding: .1rem .6rem; color: inherit; text-decoration: none;
  overflow-wrap: anywhere; }
ol a:hover, ol a:focus { background: var(--soft); } ol a.now { background: #e08a0044; }
.wrong { color: #d33; } svg.chart { width: 100%; height: auto; cursor: pointer; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .3em; }
table { border-collapse: collapse; margin: .6rem 0; } td, th { padding: .1rem .8rem .1rem 0;
  text-align: left; font-weight: normal; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
"""

_SCRIPT = """
"use strict";
document.documentElement.classList.add("js");
const figures = [...document.querySelectorAll("figure")];
const links = [...document.querySelectorAll("ol a")];
const slider = document.querySelector("input");
const cursor = document.querySelector("#cursor");
const chart = document.querySelector("svg.chart");
const last = figures.length - 1;
let now = -1;
function show(ply) {
  ply = Math.max(0, Math.min(last, ply));
  if (ply === now) return;
  now = ply;
  figures.forEach((one, n) => one.classList.toggle("now", n === now));
  links.forEach((one, n) => one.classList.toggle("now", n === now));
  const link = links[now], list = link.closest("ol");
  if (link.offsetTop < list.scrollTop + list.offsetTop
      || link.offsetTop + link.offsetHeight > list.scrollTop + list.offsetTop + list.clientHeight)
    list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
  slider.value = now;
  if (cursor) {
    const x = 10 + (last ? now / last : 0) * 380;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }
  history.replaceState(null, "", "#" + now);
}
function hash() { return Number.parseInt(location.hash.slice(1), 10) || 0; }
const steps = { ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0, End: () => last,
  PageUp: () => now - 10, PageDown: () => now + 10 };
addEventListener("keydown", (event) => {
  const step = steps[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  show(step());
});
addEventListener("hashchange", () => show(hash()));
slider.addEventListener("input", () => show(Number(slider.value)));
document.querySelectorAll("button").forEach((button) =>
  button.addEventListener("click", () => show(steps[button.value]())));
if (chart) chart.addEventListener("click", (event) => {
  const box = chart.getBoundingClientRect();
  show(Math.round(((event.clientX - box.left) / box.width * 400 - 10) / 380 * last));
});
show(hash());
"""


def match_page(album: Album) -> str:
    """The page: a board for each position, arrow keys between them.

    >>> from woodstock.web.recorded import read_records
    >>> text = '{"gameMetaURL": "nim", "playerNamesFromHost": ["<i>", "me"], "moves": []}'
    >>> page = match_page(Album.of(read_records(text)[0]))
    >>> "&lt;i&gt;" in page, "<i>" in page
    (True, False)
    """
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    title = escape(f"{album.game.name}: {' - '.join(album.players.values())}")
    last = len(album.pages) - 1
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style></head>",
            "<body>",
            f"<h1>{escape(album.game.name)}</h1>",
            *_head(album),
            '<main><section id="boards">',
            "<nav>",
            *(
                f'<button value="{key}" title="{words}" aria-label="{words}">{sign}</button>'
                for key, sign, words in (
                    ("Home", "|◀", "first position (Home)"),
                    ("ArrowLeft", "◀", "back (left arrow)"),
                    ("ArrowRight", "▶", "on (right arrow)"),
                    ("End", "▶|", "last position (End)"),
                )
            ),
            f'<input type="range" min="0" max="{last}" value="0" aria-label="position">',
            "</nav>",
            *(_figure(album, number) for number in range(last + 1)),
            "</section><aside>",
            *_chart(album),
            "<ol>",
            *(_line(album, number) for number in range(last + 1)),
            "</ol>",
            '<p class="soft">Arrow keys go back and on, Home and End to both ends.</p>',
            "</aside></main>",
            f"<script>{_SCRIPT}</script>",
            "</body></html>\n",
        ]
    )


def _head(album: Album) -> Iterator[str]:
    """Who played, and what came of it."""
    goals = album.goals
    yield "<table>"
    colours = _colours(album)
    for role, name in album.players.items():
        key = f'<span class="key" style="background:{colours[role]}"></span>'
        goal = "" if goals is None else "no goal" if goals[role] is None else str(goals[role])
        yield (
            f"<tr><td>{key}{escape(role)}</td><td>{escape(name)}</td>"
            f'<td class="n">{escape(goal)}</td></tr>'
        )
    yield "</table>"
    if goals is None:
        why = album.match.problem or album.match.note
        yield f"<p>The match did not come to its end. {escape(why)}</p>"


def _figure(album: Album, number: int) -> str:
    page = album.pages[number]
    values = ", ".join(
        f"{escape(role)} expects {100 * value:.0f}" for role, value in page.values.items()
    )
    wrong = "".join(
        f'<br><span class="wrong">{escape(f"{role}: {error}")}</span>'
        for role, error in page.errors.items()
    )
    return (
        f"<figure><figcaption><b>{_words(page, number)}</b>{wrong}"
        f'<br><span class="soft">{values}</span></figcaption>{page.svg()}</figure>'
    )


def _line(album: Album, number: int) -> str:
    return f'<li><a href="#{number}">{_words(album.pages[number], number)}</a></li>'


def _words(page: Page, number: int) -> str:
    if not page.made:
        return "at the start"
    told = page.chosen or page.made
    return escape(f"{number}. " + ", ".join(f"{role} {move}" for role, move in told.items()))


def _chart(album: Album) -> Iterator[str]:
    """What each player expected over the match; nothing where nobody said it."""
    last = max(1, len(album.pages) - 1)
    curves = []
    for role, colour in _colours(album).items():
        points = [
            f"{10 + 380 * ply / last:.1f},{10 + 100 * (1 - page.values[role]):.1f}"
            for ply, page in enumerate(album.pages)
            if role in page.values
        ]
        if points:
            curves.append(
                f'<polyline points="{" ".join(points)}" fill="none" '
                f'stroke="{colour}" stroke-width="2"/>'
            )
            curves += [
                f'<circle cx="{x}" cy="{y}" r="2.4" fill="{colour}"/>'
                for x, y in (point.split(",") for point in points)
            ]
    if not curves:
        return
    yield '<svg class="chart" viewBox="0 0 400 120" role="img" aria-label="what players expected">'
    yield '<rect x="10" y="10" width="380" height="100" fill="none" stroke="#8886"/>'
    yield '<line x1="10" y1="60" x2="390" y2="60" stroke="#8886" stroke-dasharray="4 4"/>'
    yield from curves
    yield '<line id="cursor" x1="10" y1="6" x2="10" y2="114" stroke="#e08a00" stroke-width="1.5"/>'
    yield "</svg>"
    yield '<p class="soft">What the players expected, from 0 (below) to 100, when they moved.</p>'


def _colours(album: Album) -> dict[str, str]:
    """A colour for each player: that of its name, if it is one that is seen on any ground."""
    named = {role: SIDES.get(role.lower(), "") for role in album.game.players}
    kept = {role: colour for role, colour in named.items() if colour and role.lower() not in _PALE}
    free = cycle(COLOURS[:-1])
    return {role: kept.get(role) or next(free) for role in album.game.players}
