"""No rulesheet, killed process or closed tab takes the page down, and nothing outlives it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("starlette")

from effort import effort
from web_asgi import PATIENCE, Page, running
from web_support import Server
from woodstock import games
from woodstock.web.options import PageLimits, WebOptions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at in /proc")

SMALL = PageLimits(
    process_mb=600, total_mb=2500, load_seconds=6.0, answer_seconds=5.0, thinkers=2, keepers=4
)
"""Limits that a test reaches soon."""

FRAME = """
(role x) (init (at 0))
(<= (next (at ?n)) (does x (go ?n)))
(<= terminal (true (at end)))
(goal x 50)
"""


def digits(count: int) -> str:
    return " ".join(f"(digit {one})" for one in range(count))


def explosion() -> str:
    """10^8 ground rules and more: every move is seven digits."""
    variables = " ".join(f"?v{one}" for one in range(7))
    body = " ".join(f"(digit ?v{one})" for one in range(7))
    return f"""{FRAME.replace("(go ?n)", f"(go {variables} ?n)")} {digits(40)}
    (<= (legal x (go {variables} a)) {body})"""


def endless() -> str:
    """A state that grows for ever: terms as deep as the match is long, found by grounding."""
    return f"""{FRAME} (<= (legal x (go (s ?n))) (true (at ?n)))"""


def shared() -> str:
    """A term of 2^20 leaves, written in twenty lines."""
    levels = "\n".join(f"(<= (t{n + 1} (f ?x ?x)) (t{n} ?x))" for n in range(20))
    return f"""{FRAME} (t0 a) {levels} (<= (legal x (go ?t)) (t20 ?t))"""


def crowd() -> str:
    """2 * 10^6 legal moves."""
    return f"""{FRAME.replace("(go ?n)", "(go ?a ?b ?c ?n)")} {digits(126)}
    (<= (legal x (go ?a ?b ?c 1)) (digit ?a) (digit ?b) (digit ?c))"""


def hog() -> str:
    """Fluents by the million, all true from the beginning."""
    return f"""{FRAME.replace("(at ?n)) (does x (go ?n))", "(at 1)) (does x go)")}
    {digits(120)} (legal x go)
    (<= (init (f ?a ?b ?c)) (digit ?a) (digit ?b) (digit ?c))
    (<= (next (f ?a ?b ?c)) (true (f ?a ?b ?c)))"""


def deep() -> str:
    """A term nested a hundred thousand times."""
    return f"{FRAME} (init {'(f ' * 100_000}a{')' * 100_000})"


HOSTILE: dict[str, Callable[[], str]] = {
    "explosion": explosion,
    "endless": endless,
    "shared": shared,
    "crowd": crowd,
    "hog": hog,
    "deep": deep,
}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 4 * PATIENCE))


async def wait_for(found: Callable[[], Any], what: str) -> None:
    """Until something holds, with a limit that only matters when something is wrong."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, what
        await asyncio.sleep(0.05)


async def table(page: Page, game: str = "tic-tac-toe", **more: Any) -> tuple[str, str]:
    made = (await page.post("/api/tables", {"game": game, **more})).json
    return f"/api/tables/{made['table']}", made["owner"]


@pytest.mark.parametrize("kind", effort(["crowd", "shared"], sorted(HOSTILE)))
def test_a_hostile_rulesheet_harms_nobody_else(kind: str) -> None:
    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            at, key = await table(page)
            crew = page.app.state.crew
            # From here on, reading rules may take less: what is known already is read.
            crew.limits = replace(SMALL, load_seconds=2.0)
            text = HOSTILE[kind]()
            game = page.app.state.rules.keep(text).ref
            asked = [page.post("/api/position", {"game": game})]
            if kind != "crowd":
                asked.append(page.post("/api/rules", {"text": text}))
            asking = asyncio.gather(*asked)
            order = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 1), (2, 3), (3, 2), (3, 1), (3, 3)]
            plies = 0
            while not asking.done() or plies < len(order):
                if plies == len(order):
                    await page.post(f"{at}/undo", {"key": key})
                    plies = (await page.get(f"{at}?key={key}")).json["ply"]
                move = "(mark {} {})".format(*order[plies])
                body = {"key": key, "role": "xo"[plies % 2], "ply": plies, "move": move}
                moved = await page.post(f"{at}/move", body)
                assert moved.status == 200, moved.body
                plies = moved.json["ply"]
                assert (await page.get("/")).status == 200
                await asyncio.sleep(0.1)
            for found in asking.result():
                assert found.status in (200, 400, 502, 504, 507), found.body[:300]
                assert len(found.body) < SMALL.answer_bytes
            await crew.look()
            assert crew.memory_mb < SMALL.total_mb
            assert (await page.get(f"{at}?key={key}")).json["over"]

    run(work())


def keepers(page: Page) -> dict[str, int]:
    """The processes that know rules, by the name of the rules' digest."""
    return {digest: one.hand.pid for digest, one in page.app.state.crew._keepers.items()}


def thinkers(page: Page) -> list[int]:
    return [hand.pid for hand in page.app.state.crew._thinkers if not hand.dead]


def state_of(pid: int) -> str:
    """The letter of a process's state; empty when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def _ended(pid: int) -> bool:
    return not runs(pid)


def runs(pid: int) -> bool:
    return state_of(pid) not in ("", "Z", "X")


def spent(pid: int) -> int:
    """CPU time of a process, in ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_a_keeper_that_is_killed_is_replaced_before_anybody_notices() -> None:
    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            at, key = await table(page)
            for ply in range(3):
                [pid] = keepers(page).values()
                os.kill(pid, signal.SIGKILL)
                if ply == 1:
                    await wait_for(partial(_ended, pid), "killed")
                body = {
                    "key": key,
                    "role": "xo"[ply % 2],
                    "ply": ply,
                    "move": f"(mark 1 {ply + 1})",
                }
                moved = await page.post(f"{at}/move", body)
                assert moved.status == 200, moved.body
                assert list(keepers(page).values()) != [pid]

    run(work())


def test_a_keeper_that_is_stopped_is_replaced_within_its_limit() -> None:
    async def work() -> None:
        limits = PageLimits(answer_seconds=1.0, thinkers=1)
        async with running(WebOptions(limits=limits)) as page:
            assert (await page.post("/api/position", {"game": "nim"})).status == 200
            [pid] = keepers(page).values()
            os.kill(pid, signal.SIGSTOP)
            late = await page.post("/api/position", {"game": "nim"})
            assert late.status == 504
            await wait_for(lambda: not runs(pid), "the stopped one is ended")
            assert (await page.post("/api/position", {"game": "nim"})).status == 200

    run(work())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_thinker_that_is_lost_costs_no_more_than_its_time(
    how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("woodstock.web.table.SPARE_SECONDS", 2.0)

    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            seat = {"kind": "player", "player": "uct", "seconds": 1.5}
            at, key = await table(page, "breakthrough", seats={"black": seat}, start_seconds=0.1)
            view = (await page.get(f"{at}?key={key}")).json["view"]
            [me] = view["turn"]
            assert me != "black"
            stream = page.open("GET", f"{at}/events?key={key}")
            move = view["moves"][me][0]["move"]
            await page.post(f"{at}/move", {"key": key, "role": me, "ply": 0, "move": move})
            await wait_for(lambda: thinkers(page) != [] and thinkers(page)[0] > 0, "it thinks")
            [pid] = thinkers(page)
            os.kill(pid, how)
            while True:
                _, told = await stream.event("table")
                if told["ply"] >= 2:
                    break
            # Killed, it is asked again; stopped, it is late, as any player may be.
            assert bool(told["errors"]) == (how == signal.SIGSTOP), told["errors"]
            await wait_for(lambda: not runs(pid), "it is ended")
            await stream.close()

    run(work())


def test_a_closed_tab_stops_its_analysis() -> None:
    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            body = {"game": "breakthrough", "player": "uct", "seconds": 300}
            job = (await page.post("/api/analyse", body)).json["job"]
            stream = page.open("GET", f"/api/jobs/{job}/events")
            await stream.event("progress")
            [pid] = thinkers(page)
            await stream.close()
            crew = page.app.state.crew
            await wait_for(lambda: crew.figures()["running"] == 0, "the analysis stops")
            if runs(pid):
                before = spent(pid)
                await asyncio.sleep(1)
                assert spent(pid) - before <= 5  # of about a hundred
            assert (await page.get(f"/api/jobs/{job}/events")).status == 404

    run(work())


def test_an_analysis_that_nobody_listens_to_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.web.questions.UNHEARD_SECONDS", 0.5)

    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            body = {"game": "breakthrough", "player": "uct", "seconds": 300}
            assert (await page.post("/api/analyse", body)).status == 200
            crew = page.app.state.crew
            await wait_for(lambda: crew.figures()["running"] == 0, "it is stopped")
            assert not page.app.state.jobs

    run(work())


@pytest.mark.parametrize("what", ["inside", "hint"])
def test_whoever_hangs_up_is_not_worked_for(what: str) -> None:
    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            at, key = await table(page, "breakthrough")
            body: dict[str, Any] = {"game": "breakthrough", "what": "symmetries"}
            path = "/api/inside"
            if what == "hint":
                path, body = f"{at}/hint", {"key": key, "role": "white", "seconds": 100}
            asked = page.open("POST", path, body)
            crew = page.app.state.crew
            await wait_for(lambda: crew.figures()["running"] == 1, "somebody works")
            await asked.close()
            await wait_for(lambda: crew.figures()["running"] == 0, "nobody works")

    run(work())


def test_moves_do_not_wait_behind_analyses() -> None:
    async def work() -> None:
        limits = PageLimits(thinkers=2, waiting_jobs=3)
        async with running(WebOptions(limits=limits)) as page:
            body = {"game": "tic-tac-toe", "player": "uct", "seconds": 100}
            found = [(await page.post("/api/analyse", body)).status for _ in range(8)]
            assert found == [200] * 4 + [503] * 4
            seat = {"kind": "player", "player": "random", "seconds": 0.1}
            at, key = await table(page, seats={"x": seat})
            stream = page.open("GET", f"{at}/events?key={key}")
            while (await stream.event("table"))[1]["ply"] < 1:
                pass
            await stream.close()

    run(work())


def test_an_answer_may_not_be_larger_than_a_page_can_take() -> None:
    async def work() -> None:
        async with running(WebOptions(limits=PageLimits(answer_bytes=2000, thinkers=1))) as page:
            found = await page.post("/api/position", {"game": "breakthrough"})
            assert found.status == 400
            assert "larger" in found.json["error"]
            assert (await page.post("/api/tables", {"game": "nim"})).status == 200

    run(work())


def test_too_much_memory_of_all_ends_those_that_rest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.web.crew.WATCH_SECONDS", 1e6)

    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            body = {"game": "breakthrough", "player": "uct", "seconds": 100}
            job = (await page.post("/api/analyse", body)).json["job"]
            stream = page.open("GET", f"/api/jobs/{job}/events")
            await stream.event("progress")
            for game in ("nim", "tic-tac-toe"):
                assert (await page.post("/api/position", {"game": game})).status == 200
            crew = page.app.state.crew
            await crew.look()
            assert len(crew._hands()) == 3
            # Two megabytes too much: one that rests has to go, the one that works may stay.
            crew.limits = replace(SMALL, total_mb=int(crew.memory_mb) - 2)
            await crew.look()
            assert len(crew._hands()) == 2
            assert crew.figures()["running"] == 1
            crew.limits = replace(SMALL, total_mb=1)
            await crew.look()
            _, told = await stream.event("failed")
            assert "memory" in told["error"]
            assert (await page.get("/")).status == 200

    run(work())


# However the server ends --------------------------------------------------------------------------


def post(server: Server, path: str, body: object) -> Any:
    data = json.dumps(body).encode()
    request = Request(server.address + path, data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def family(pid: int) -> list[int]:
    """All processes below one."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            children = (task / "children").read_text().split()
            for child in map(int, children):
                found += [child, *family(child)]
    return found


@pytest.mark.parametrize(
    "how", effort([signal.SIGKILL, signal.SIGINT], [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
)
def test_nothing_outlives_the_server(how: signal.Signals, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        with suppress(OSError):
            post(server, "/api/rules", {"text": "(role"})
        post(server, "/api/analyse", {"game": "breakthrough", "player": "uct", "seconds": 200})
        made = post(server, "/api/tables", {"game": "nim"})
        # One that cannot hear that the server has gone.
        below = family(server.process.pid)
        assert len(below) >= 3
        os.kill(below[-1], signal.SIGSTOP)
        server.process.send_signal(how)
        server.process.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while left := [pid for pid in below if runs(pid)]:
            assert time.monotonic() < end, left
            time.sleep(0.05)
    finally:
        server.close()
    if how == signal.SIGKILL:
        again = Server(tmp_path)
        try:
            body = {"key": made["owner"]}
            at = f"/api/tables/{made['table']}"
            with urlopen(f"{again.address}{at}?key={body['key']}", timeout=PATIENCE) as answer:
                assert json.load(answer)["ply"] == 0
        finally:
            again.close()


def test_every_move_is_written_before_it_is_told(tmp_path: Path) -> None:
    """A move that was answered is in the journal, whatever comes next."""

    async def work() -> None:
        async with running(WebOptions(folder=tmp_path, limits=SMALL)) as page:
            at, key = await table(page)
            journal = tmp_path / "tables" / f"{at.rpartition('/')[2]}.jsonl"
            for ply in range(4):
                body = {
                    "key": key,
                    "role": "xo"[ply % 2],
                    "ply": ply,
                    "move": f"(mark {ply // 3 + 1} {ply % 3 + 1})",
                }
                assert (await page.post(f"{at}/move", body)).status == 200
                lines = [json.loads(line) for line in journal.read_text().splitlines()]
                assert sum("joint" in line for line in lines) == ply + 1

    run(work())


def test_the_library_is_not_crowded_out_by_pasted_rules() -> None:
    async def work() -> None:
        async with running(WebOptions(limits=SMALL)) as page:
            text = games.rules_text("nim")
            for number in range(4):
                found = await page.post("/api/rules", {"text": f"; {number}\n{text}"})
                assert found.json["ok"]
            mine = [one for one in page.app.state.crew._keepers.values() if one.hand.pasted]
            assert len(mine) <= 2
            assert (await page.post("/api/position", {"game": "tic-tac-toe"})).status == 200

    run(work())


def test_rules_that_were_too_much_are_not_tried_again_at_once() -> None:
    async def work() -> None:
        limits = replace(SMALL, load_seconds=0.5, answer_seconds=0.5)
        async with running(WebOptions(limits=limits)) as page:
            game = page.app.state.rules.keep(explosion()).ref
            assert (await page.post("/api/position", {"game": game})).status == 504
            hired: list[object] = []
            crew = page.app.state.crew
            crew._hire = hired.append  # nobody is to be hired for it
            for _ in range(3):
                assert (await page.post("/api/position", {"game": game})).status == 504
            assert not hired

    run(work())
