"""Screenshots of every page of ``woodstock web``, in light, dark and phone width.

Run ``python tools/page_screenshots.py FOLDER``. The server runs on a free port with a temporary
folder of its own, so nothing of yours is shown. The pictures are there to be looked at.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from woodstock.web.shelf import file_id

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1366, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1366, "height": 900}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "color_scheme": "light",
        "device_scale_factor": 2,
    },
}
BROKEN = """(role white)
(role black)
(init (cell 1 blank)
(<= (legal ?r (mark ?n)) (role ?r) (true (cell ?n blank)))
(<= (next (cell ?n ?m)) (not (true (cell ?n ?x))))
(<= terminal (not open))
"""
INSIDE = {
    "network": "tic-tac-toe",
    "symmetries": "tic-tac-toe",
    "belief": "kuhn-poker",
    "why": "chess",
    "size": "reversi",
}
"""The tabs of the inside, each with a game that has something to show there."""
CENTRE = [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]]

RECORD, STORE = "connect-four.json", "ring.sqlite"
RING = """
name = "A small ring"
format = "ring"
participants = ["uct", "mac-ucb", "random"]
games = ["tic-tac-toe", "nim"]
store = "{store}"
[clock]
kind = "simulations"
move = 50
[ring]
matches = 6
"""

Page = Any
"""A page of Playwright, which is not needed to read this file."""
Action = Callable[[Page], None]


def main(arguments: list[str] | None = None) -> int:
    """Make the pictures and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    parser.add_argument("--look", action="append", choices=sorted(LOOKS), help="one look only")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with serving() as address:
        problems = photograph(
            address, chosen.folder, chosen.chromium, chosen.look or list(LOOKS), chosen.only
        )
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server that lives as long as the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "records"
        records.mkdir()
        fill_records(records)
        command = [sys.executable, "-m", "woodstock", "web", "--no-open", "--port", str(port)]
        command += ["--folder", str(Path(folder) / "matches"), "--records", str(records)]
        with subprocess.Popen(command) as server:
            try:
                address = f"http://127.0.0.1:{port}"
                wait_for(address, server)
                yield address
            finally:
                server.terminate()


def fill_records(folder: Path) -> None:
    """A match and a tournament to look at."""
    woodstock = [sys.executable, "-m", "woodstock"]
    quick = ["--start-clock", "0.2", "--play-clock", "0.1", "--seed", "1"]
    record = ["--record", str(folder / RECORD)]
    match = [*woodstock, "match", "connect-four", "--players", "uct,mac-ucb", *quick, *record]
    subprocess.run(match, check=True, capture_output=True)
    description = folder.parent / "ring.toml"
    description.write_text(RING.format(store=(folder / STORE).as_posix()), encoding="utf-8")
    tournament = [*woodstock, "tournament", "run", str(description)]
    subprocess.run(tournament, check=True, capture_output=True)


def wait_for(address: str, server: subprocess.Popen[bytes], seconds: float = 30) -> None:
    """Return when the server answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/api/about", timeout=5).close()
            return
        time.sleep(0.2)
    raise SystemExit("the server does not answer")


def photograph(address: str, folder: Path, chromium: str, looks: list[str], only: str) -> list[str]:
    """All pages in these looks; the list has what went wrong."""
    from playwright.sync_api import sync_playwright

    problems: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for look in looks:
            for name, path, action in pages():
                if only not in name:
                    continue
                context = browser.new_context(**LOOKS[look])
                page: Page = context.new_page()
                where = f"{name}-{look}"
                page.on("pageerror", lambda error, at=where: problems.append(f"{at}: {error}"))
                page.on("console", lambda news, at=where: _hear(news, at, problems))
                try:
                    page.goto(address + path)
                    page.wait_for_selector("main > *")
                    action(page)
                    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    if wide > 0:
                        problems.append(f"{where}: {wide} pixels too wide")
                except Exception as problem:  # one page that fails must not hide the others
                    problems.append(f"{where}: {problem}")
                page.screenshot(path=folder / f"{where}.png")
                print(folder / f"{where}.png")
                context.close()
        browser.close()
    return problems


def _hear(news: Any, where: str, problems: list[str]) -> None:
    if news.type == "error":
        problems.append(f"{where}: {news.text} {(news.location or {}).get('url', '')}")


def pages() -> list[tuple[str, str, Action]]:
    """Each page: its name, its address, and what is done before the picture is taken."""
    line = quote(json.dumps(CENTRE))
    return [
        ("home", "/", _rest(2)),
        ("home-filtered", "/?kind=stochastic", _rest(2)),
        ("rules", "/rules", _rest(2)),
        ("rules-errors", "/rules", _broken_rules),
        ("setup", "/play/new?game=chess", _selected("#start")),
        ("play-tic-tac-toe", "/play/new?game=tic-tac-toe", _match(moves=2)),
        ("play-chess", "/play/new?game=chess", _match(moves=0, hint=True)),
        ("play-hidden", "/play/new?game=kuhn-poker", _match(moves=0)),
        ("play-end", "/play/new?game=tic-tac-toe", _match(moves=5)),
        ("play-dice", "/play/new?game=backgammon", _match(moves=1)),
        ("play-two", "/play/new?game=connect-four", _two_people),
        ("analyse", f"/analyse?game=tic-tac-toe&line={line}", _rest(6)),
        ("analyse-compare", "/analyse?game=reversi&against=uct", _rest(8)),
        ("analyse-chance", "/analyse?game=kaseklau", _rest(6)),
        ("analyse-plan", "/analyse?game=eight-puzzle", _rest(8)),
        ("analyse-hidden", "/analyse?game=wumpus", _rest(7)),
        *(
            (f"inside-{tab}", f"/inside?game={game}&tab={tab}", _rest(5))
            for tab, game in INSIDE.items()
        ),
        ("watch", "/watch", _rest(2)),
        ("tournament", f"/watch/{file_id(STORE)}", _rest(3)),
        ("record", f"/record/{file_id(RECORD)}-0", _replay),
    ]


def _replay(page: Page) -> None:
    page.wait_for_selector(".board-svg")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1500)


def _two_people(page: Page) -> None:
    page.select_option("#who-1", "")
    page.click("#start")
    page.wait_for_selector(".board-svg .may")
    page.locator(".board-svg .may").nth(3).click()
    page.wait_for_timeout(700)


def _rest(seconds: float) -> Action:
    def act(page: Page) -> None:
        page.wait_for_timeout(1000 * seconds)

    return act


def _selected(selector: str) -> Action:
    def act(page: Page) -> None:
        page.wait_for_selector(selector)

    return act


def _broken_rules(page: Page) -> None:
    page.fill("#rules-text", BROKEN)
    page.wait_for_selector(".findings .finding")
    page.wait_for_timeout(500)


def _match(moves: int, *, hint: bool = False) -> Action:
    """Begin a match and make some moves, the first that is offered each time."""

    def act(page: Page) -> None:
        page.click("#start")
        page.wait_for_selector(".table-status")
        for _ in range(moves):
            if not _my_turn(page):
                break
            place = page.locator(".board-svg .may").first
            (place if place.count() else page.locator(".board-list button").first).click()
            page.wait_for_timeout(300)
            if page.locator(".board-svg .dot, .board-svg .ring").count():
                page.locator(".board-svg .may:has(> .dot, > .ring)").first.click()
        _my_turn(page)
        if hint:
            page.get_by_role("button", name="Hint").click()
            page.wait_for_selector(".hint table", timeout=15000)
        page.wait_for_timeout(300)

    return act


def _my_turn(page: Page, seconds: float = 15) -> bool:
    """Wait until the person is to move; false when the match is over.

    The page forbids code in texts, so this asks again and again instead of waiting for a function.
    """
    for _ in range(int(10 * seconds)):
        text = page.inner_text(".table-status")
        if text.startswith("Your turn"):
            return True
        if "over" in text:
            return False
        page.wait_for_timeout(100)
    raise TimeoutError(f"not our turn: {text}")


if __name__ == "__main__":
    sys.exit(main())
