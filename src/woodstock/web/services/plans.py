"""Plans for one player or a team, and policies of one player against chance."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from woodstock.game import Game, State
from woodstock.plan import MEMBERS
from woodstock.plan.policy import TurnPolicy, cannot_have_policy, policies
from woodstock.plan.portfolio import make_task, run
from woodstock.plan.task import Task
from woodstock.player.question import Errand, leave_alone
from woodstock.web.services.contract import ServiceError, Stopped, Tell
from woodstock.web.services.position import reach

__all__ = ["number", "plan"]

PULSE = 0.05
GRACE = 5.0
MEMORY_MB = 256
MOST_SECONDS = 3600.0

_WORDS = {
    "proved": "no plan reaches more",
    "bounded": "no plan reaches more than {bound}",
    "unknown": "nobody knows whether there is more",
}


def plan(game: Game, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """The moves to the best end that is found, and what is proved about better ones.

    Progress is ``{"text", "plan"}``: what somebody found, in words, and the best plan so far. Where
    one plays against chance the result has a ``policy`` instead of a plan.

    >>> game = Game.from_library("buttons-and-lights-3")
    >>> found = plan(game, {"seconds": 60}, lambda _: None, lambda: False)
    >>> found["plan"]["goal"], found["plan"]["proof"], len(found["plan"]["moves"])
    (100, 'proved', 6)
    """
    seconds = number(request, "seconds", 10.0, 0.05, MOST_SECONDS)
    seed = int(number(request, "seed", 0, 0, 2**63 - 1))
    state = reach(game, request)[-1]
    if cannot_have_policy(game) is None:
        return _policy(game, state, seconds, tell, stopped)
    begun = time.monotonic()
    goal, horizon = (number(request, name, -1, -1, 1_000_000) for name in ("goal", "horizon"))
    news: list[str] = []
    task = make_task(
        game,
        state,
        seconds=seconds,
        goal=None if goal < 0 else int(goal),
        horizon=None if horizon < 1 else int(horizon),
        memory_mb=MEMORY_MB,
        members=tuple(MEMBERS),
        seed=seed,
        tell=news.append,
    )

    def report() -> None:
        texts, best = list(news), task.plan()
        del news[: len(texts)]
        if texts:
            known = None if best is None else best.to_json()
            tell({"text": texts[-1], "plan": known, "seconds": round(time.monotonic() - begun, 2)})

    errand = Errand(lambda: _run(task))
    while not errand.wait(time.monotonic() + 5 * PULSE):
        report()
        if stopped() or time.monotonic() > begun + seconds + GRACE:
            task.stop()
            if not errand.stop(GRACE):
                leave_alone(errand)
            break
    if errand.problem is not None:
        raise errand.problem
    found = task.plan()
    words = "no plan was found in this time; give it more"
    if found is not None:
        words = _WORDS[found.proof].format(bound=task.bound)
    return {
        "plan": None if found is None else found.to_json(),
        "words": words,
        "bound": task.bound,
        "ceiling": task.ceiling,
        "seconds": round(time.monotonic() - begun, 3),
    }


def _policy(
    game: Game, state: State, seconds: float, tell: Tell, stopped: Stopped
) -> dict[str, Any]:
    """The best that can be expected against chance, for more and more turns."""
    begun, found = time.monotonic(), list[TurnPolicy]()
    wanted = True

    def work() -> None:
        for one in policies(game, state, seconds=seconds):
            found.append(one)
            if not wanted:
                return

    told = 0
    errand = Errand(work)
    while not errand.wait(time.monotonic() + PULSE):
        if len(found) > told:
            told = len(found)
            last = found[-1]
            text = f"{last.horizon} turns: {float(last.value):.2f} expected"
            tell({"text": text, "policy": last.to_json()})
        if stopped() or time.monotonic() > begun + seconds + GRACE:
            wanted = False
            leave_alone(errand)
            break
    if errand.problem is not None:
        raise errand.problem
    if not found:
        raise ServiceError("no policy was found in this time; give it more")
    best = found[-1]
    return {
        "policy": best.to_json(),
        "words": "no policy expects more" if best.proved else "games that take longer count as 0",
        "seconds": round(time.monotonic() - begun, 3),
    }


def _run(task: Task) -> None:
    """Let the members work; those that are still in native code must not be lost at the exit."""
    before = set(threading.enumerate())
    run(task)
    left = [one for one in threading.enumerate() if one not in before and one.daemon]
    if left:
        leave_alone(Errand(lambda: _wait_for(left)))


def _wait_for(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()


def number(request: Mapping[str, Any], name: str, usual: float, least: float, most: float) -> float:
    """A number of a request, within bounds.

    >>> number({"seconds": 2}, "seconds", 5, 0, 60)
    2
    """
    value = request.get(name)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ServiceError(f"{name} is a number")
    if not least <= value <= most:
        raise ServiceError(f"{name} is from {least:g} to {most:g}")
    return value
