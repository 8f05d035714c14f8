"""The members of the portfolio that ask an answer set solver: clingo, in a child process."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import threading
import time
from typing import IO, Any

from woodstock.lifeline import Child
from woodstock.plan.task import Task

__all__ = ["clingo", "parallel"]

MEMORY_MB = 1024

PULSE = 0.05
"""Seconds between two looks at the task."""


def clingo(task: Task, *, memory_mb: int = MEMORY_MB, options: list[str] | None = None) -> None:
    """Look for plans until the task is over, or all is known. Failures are told, not raised."""
    _run(task, "clingo", memory_mb, options)


def parallel(task: Task, *, memory_mb: int = MEMORY_MB, options: list[str] | None = None) -> None:
    """The same with several moves in a stage, where one role has moves that are independent."""
    if len(task.game.roles) == 1:
        _run(task, "parallel", memory_mb, options)


def _run(task: Task, name: str, memory_mb: int, options: list[str] | None) -> None:
    if task.over:
        return
    program = task.circuit.grounding.program.to_bytes()
    request = json.dumps(_request(task, name, len(program), memory_mb, options)).encode() + b"\n"
    news: queue.Queue[dict[str, Any] | None] = queue.Queue()
    with Child(
        "woodstock.plan.asp_child",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        sent = threading.Event()
        talk = threading.Thread(
            target=_talk, args=(child.stdin, child.stdout, request + program, sent, news)
        )
        talk.start()
        try:
            told = _listen(task, name, child.stdin, sent, news)
        finally:
            code = child.poll()
            child.kill()
            talk.join()
            with contextlib.suppress(OSError):
                child.stdin.close()  # what it did not read is lost
    if not told and not task.over:
        task.tell(f"{name}: {_why(code if code is not None else child.returncode)}")


def _why(code: int) -> str:
    """What became of a child that has not said why it ended."""
    if code == 0:
        return "nothing left to try"
    if code in (-signal.SIGABRT, -signal.SIGSEGV, 1):
        return "it failed, probably for want of memory"
    return f"it was ended with {code}"


def _request(
    task: Task, name: str, size: int, memory_mb: int, options: list[str] | None
) -> dict[str, Any]:
    numbering = task.circuit.numbering
    role = task.game.roles.index(task.game.players[0])
    request: dict[str, Any] = {
        "bytes": size,
        "seconds": max(1.0, task.until - time.monotonic()) + 1,
        "memory_mb": memory_mb,
        "fluents": task.fluents,
        "goals": [(n, v) for n, (who, v) in enumerate(numbering.goals) if who == role and v],
        "movers": numbering.movers,
        "roles": len(numbering.roles),
        "parallel": name == "parallel",
        "turns": task.horizon,
        "best": task.best,
        "wanted": task.wanted,
    }
    if options is not None:
        request["options"] = options
    return request


def _talk(
    stdin: IO[bytes],
    stdout: IO[bytes],
    request: bytes,
    sent: threading.Event,
    news: queue.Queue[dict[str, Any] | None],
) -> None:
    """Send the request, then hand on what the child says; None at the end."""
    try:
        stdin.write(request)
        stdin.flush()
        sent.set()
        for line in stdout:
            news.put(json.loads(line))
    except (OSError, ValueError):
        pass  # the child is gone, in the midst of a line or before
    news.put(None)


def _listen(
    task: Task,
    name: str,
    stdin: IO[bytes],
    sent: threading.Event,
    news: queue.Queue[dict[str, Any] | None],
) -> bool:
    """Hand on what the child says until its end, or the task's; whether it told an error."""
    best, told = task.best, False
    unit = "stages" if name == "parallel" else "turns"
    while not task.over:
        if sent.is_set() and task.best > best:
            best = task.best
            try:
                stdin.write(json.dumps({"best": best}).encode() + b"\n")
                stdin.flush()
            except OSError:
                pass  # it has ended; its last words may still wait
        try:
            said = news.get(timeout=PULSE)
        except queue.Empty:
            continue
        if said is None:
            break
        if "plan" in said:
            task.offer([tuple(joint) for joint in said["plan"]], name)
        elif "bound" in said:
            task.lower_bound_to(said["bound"], name)
        elif "turns" in said:
            task.tell(f"{name}: looking at {said['turns']} {unit}")
        elif "error" in said:
            task.tell(f"{name}: {said['error']}")
            told = True
    return told
