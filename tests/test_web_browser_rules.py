"""One's own rules in a real browser: pasted, wrong in every way, hostile, and played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from page_support import Seat, begin, people, play_on
from web_support import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

OWN = """
(role left) (role right)
(init (turn left)) (init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
(<= (legal ?r (mark ?x ?y)) (true (turn ?r)) (true (cell ?x ?y b)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn right)) (true (turn left)))
(<= (next (turn left)) (true (turn right)))
(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?r (mark ?u ?v))
    (or (distinct ?x ?u) (distinct ?y ?v)))
(<= open (true (cell ?x ?y b)))
(<= terminal (not open))
(<= (goal left 50) (not open)) (<= (goal right 50) (not open))
"""
GOOD = "(role x) (init (a 1)) (legal x go) (next (a 1)) (<= terminal (true (a 1))) (goal x 100)\n"

WRONG = {
    "an open parenthesis": ("(role left\n(init (a 1))", r"never closed"),
    "a closed one too many": (GOOD + ")", r"'\)'"),
    "a keyword as a head": (GOOD + "(<= (true (a 2)) (true (a 1)))", r"cannot be the head"),
    "a wrong number of arguments": (GOOD + "(<= (legal x) (true (a 1)))", r"takes 2 arguments"),
    "a variable that nothing binds": (GOOD + "(<= (next (a ?n)) (true (a 1)))", r"bound by no"),
    "a negation through itself": (
        GOOD + "(<= p (not q)) (<= q (not p)) (<= (next (a 2)) p)",
        r"negat|depends on",
    ),
    "no role": ("(init (a 1)) (<= terminal (true (a 1)))", r"role"),
    "no end": ("(role x) (init (a 1)) (legal x go) (goal x 100)", r"over|terminal"),
    "nobody can move": (
        "(role x) (init (a 1)) (<= (legal x go) (true (a 2))) (<= terminal (true (a 2)))"
        "(goal x 100)",
        r"no legal move|without a move|no move",
    ),
}
"""Each kind of mistake, and words of what is said about it."""

GROWING = """
(role x) (init (size zero))
(<= (legal x grow) (true (size ?n)))
(<= (next (size (s ?n))) (true (size ?n)))
(<= terminal (true (size never)))
(goal x 100)
"""
"""A term without an end: it has no finite grounding."""
DIGITS = "".join(f"(d {n})" for n in range(10))
VARIABLES = " ".join(f"?v{n}" for n in range(9))
EXPLODING = f"""
(role x) {DIGITS} (init (at 0))
(<= (legal x (go {VARIABLES})) {" ".join(f"(d ?v{n})" for n in range(9))})
(<= (next (at ?v0)) (does x (go {VARIABLES})))
(<= terminal (true (at 1))) (goal x 100)
"""
"""A thousand million moves."""


def state_of(page: Page) -> Locator:
    return page.locator("#rules-state")


def paste(page: Page, text: str) -> None:
    page.locator("#rules-text").fill(text)


def is_playable(page: Page) -> bool:
    return page.locator(".page-rules a.primary").get_attribute("href") is not None


def test_each_kind_of_mistake_is_told_at_its_line(page: Page) -> None:
    from playwright.sync_api import expect

    page.goto("/rules")
    expect(state_of(page)).to_have_text(re.compile("fine"))
    for kind, (text, words) in WRONG.items():
        paste(page, text)
        expect(state_of(page)).to_have_text(re.compile(r"\d+ error"), timeout=30_000)
        said = page.locator(".findings .finding.bad")
        expect(said.filter(has_text=re.compile(words)).first, kind).to_be_visible()
        assert not is_playable(page), kind
        paste(page, GOOD)
        expect(state_of(page)).to_have_text(re.compile("fine"))
    # A click on what is said leads to its place.
    paste(page, GOOD + "(<= (next (a ?n)) (true (a 1)))")
    finding = page.locator(".findings button.finding.bad").first
    finding.click()
    marked = page.locator("#rules-text").evaluate(
        "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    )
    assert "?n" in marked
    assert page.locator(".gutter .bad").inner_text() == "2"


def test_own_rules_are_pasted_and_played(page: Page) -> None:
    from playwright.sync_api import expect

    page.goto("/rules")
    expect(state_of(page)).to_have_text(re.compile("fine"))
    paste(page, OWN)
    # What can be played is what was checked, not what stood there before.
    assert not is_playable(page)
    expect(page.locator(".first-drawing [data-place]")).to_have_count(4)
    expect(state_of(page)).to_have_text(re.compile("fine"))
    page.get_by_role("link", name="Play", exact=True).click()
    page.wait_for_url("**/play/new**")
    for role in ("left", "right"):
        page.get_by_label(f"Who plays {role}").select_option("")
    page.locator("#start").click()
    page.wait_for_selector(".board-svg .may")
    table, _, key = page.url.partition("/play/")[2].partition("?key=")
    done = play_on(Seat(page, table, key))
    assert (done.by_board, done.by_list) == (4, 0)
    assert done.end is not None
    assert done.end["goals"] == {"left": 50, "right": 50}
    assert "draw" in page.locator(".end").inner_text()


def test_what_was_typed_is_there_after_a_reload(page: Page) -> None:
    from playwright.sync_api import expect

    page.goto("/rules")
    paste(page, OWN)
    expect(page.locator(".first-drawing [data-place]")).to_have_count(4)
    page.reload()
    expect(page.locator("#rules-text")).to_have_value(OWN)


@pytest.mark.parametrize(("text", "kind"), [(GROWING, "endless"), (EXPLODING, "exploding")])
def test_hostile_rules_are_refused_or_played_and_nobody_else_notices(
    page: Page, text: str, kind: str
) -> None:
    from playwright.sync_api import expect

    page.goto("/rules")
    expect(state_of(page)).to_have_text(re.compile("fine"))
    paste(page, text)
    expect(state_of(page)).to_have_text("Checking …", timeout=30_000)
    # While it is being looked at, others play.
    other = page.context.new_page()
    other.set_default_timeout(30_000)
    seat = begin(other, "tic-tac-toe", people(("x", "o")))
    seat.cell("0,1,1").click()
    assert seat.until_ply(1)["ply"] == 1
    other.close()
    expect(state_of(page)).not_to_have_text("Checking …", timeout=120_000)
    said = state_of(page).inner_text()
    if kind == "endless":
        # It has no finite grounding, but each of its positions is small.
        assert "fine" in said or "played" in said or "error" in said
    else:
        assert "fine" not in said
        assert not is_playable(page)
    about = page.request.get("/api/about").json()
    assert about["now"]["memory_mb"] < about["limits"]["total_mb"]
