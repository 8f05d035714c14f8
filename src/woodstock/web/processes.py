"""A process of the page: it knows the rules of one game and answers services about it.

Rules come from strangers and may need all the time and memory there is, so the server evaluates
none. A process has a limit on its memory, is killed when it is late, and ends when the server does,
however that ends. It answers one request after the other; a request can be told to stop.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import multiprocessing
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, Literal, NamedTuple, TypeAlias

from woodstock.errors import GdlError, WoodstockError
from woodstock.lifeline import hold_line, sheltered
from woodstock.web.rulesheets import Rulesheet
from woodstock.web.services import SERVICES, find_service

__all__ = ["Process", "ProcessSetup", "Said", "processes_context", "warm_up"]

NICENESS = {"known": 0, "pasted": 5, "thinker": 10}
"""By how much processes give way to the server: rules of strangers to games that are known, and
what takes long to what somebody waits for."""

_log = logging.getLogger("woodstock.web")

# A server of processes has imported everything once, so that a process is there in milliseconds,
# and shares no threads and locks with the page's server.
_starting = threading.Lock()
processes_context: Any = multiprocessing.get_context(
    "spawn" if sys.platform == "win32" else "forkserver"
)
PRELOADED = ("woodstock.web.processes", "woodstock.circuit.engine", "woodstock.ground.grounder")
"""What every process needs, beside the services."""


def warm_up() -> None:
    """Get ready to start processes quickly; takes about a second, in which none can be started."""
    with _starting, sheltered():
        if sys.platform != "win32":
            services = {place.partition(":")[0] for place in SERVICES.values()}
            processes_context.set_forkserver_preload([*PRELOADED, *sorted(services)])
        first = processes_context.Process(target=_nothing, daemon=True)
        first.start()
    first.join()


def _nothing() -> None:
    return


@dataclass(frozen=True)
class ProcessSetup:
    """What a process works on. Without rules it answers services that need no game."""

    rules: Rulesheet | None
    memory_mb: int
    grounding_seconds: float = 20.0
    nice: int = 0
    answer_bytes: int = 4_000_000


class ServiceOrder(NamedTuple):
    """A request to a process; one without a service tells the running one to stop."""

    number: int
    service: str
    request: dict[str, Any]


Kind: TypeAlias = Literal["ready", "progress", "done", "refused", "failed", "memory"]


class Said(NamedTuple):
    """What a process says: about which request, and what.

    ``refused`` is a mistake of the person, ``failed`` one of ours; then `data` is
    ``{"error": ...}``.
    """

    number: int
    kind: Kind
    data: dict[str, Any]


class Process:
    """A running process, seen from the server's loop.

    `hear` is called in the loop for everything it says, and once with None when it has ended
    without being asked to.
    """

    _numbers = itertools.count(1)

    def __init__(self, setup: ProcessSetup, hear: Callable[[Said | None], None]) -> None:
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._open = True
        self._outbox: queue.SimpleQueue[ServiceOrder | ProcessSetup | None] = queue.SimpleQueue()
        self._connection, other = processes_context.Pipe()
        self._process = processes_context.Process(target=work, args=(other,), daemon=True)
        self._outbox.put(setup)
        self._started = threading.Event()
        # Neither a process that does not listen nor one that takes long to start must keep the loop
        # waiting: threads carry what is said.
        self._sender = threading.Thread(target=self._send, args=(other,), daemon=True)
        self._sender.start()
        threading.Thread(target=self._receive, daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process; 0 as long as it has not started."""
        return int(self._process.pid or 0) if self._started.is_set() else 0

    def order(self, service: str, request: dict[str, Any]) -> int:
        """Ask for a service; the number that its answers will carry."""
        number = next(self._numbers)
        self._outbox.put(ServiceOrder(number, service, request))
        return number

    def stop(self, number: int) -> None:
        """Tell a request that nobody wants its answer any more."""
        self._outbox.put(ServiceOrder(number, "", {}))

    def close(self) -> None:
        """End the process at once, whatever it does; nothing is heard of it any more."""
        self._open = False
        self._outbox.put(None)
        self._kill()

    def _send(self, other: Connection) -> None:
        try:
            with _starting, sheltered():
                if self._open:
                    self._process.start()
                    self._started.set()
        except Exception:
            _log.exception("a process could not be started")
        finally:
            other.close()
        if not self._open:
            self._kill()  # nobody wanted it any more before it was there
        try:
            while (said := self._outbox.get()) is not None:
                self._connection.send(said)
        except Exception:
            self._kill()  # whoever receives is told by that

    def _receive(self) -> None:
        try:
            while True:
                self._pass_on(self._connection.recv())
        except (EOFError, OSError):
            self._pass_on(None)
        self._outbox.put(None)
        self._kill()
        self._sender.join()
        if self._started.is_set():
            self._process.join()
        self._connection.close()

    def _kill(self) -> None:
        if self._started.is_set():
            self._process.kill()

    def _pass_on(self, said: Said | None) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody wants to know
            self._loop.call_soon_threadsafe(self._in_loop, said)

    def _in_loop(self, said: Said | None) -> None:
        if self._open:
            self._open = said is not None
            self._hear(said)


def work(connection: Connection) -> None:
    """What a process does until the other end hangs up."""
    hold_line()
    try:
        setup: ProcessSetup = connection.recv()
    except (EOFError, OSError):
        return
    limit_process(setup.memory_mb)
    _let_go()
    if setup.nice and hasattr(os, "nice"):
        os.nice(setup.nice)
    _Worker(connection, setup).work()


def limit_process(memory_mb: int) -> None:
    """Limit the memory of this process."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not a Unix
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        size = memory_mb << 20
        if hard != resource.RLIM_INFINITY:
            size = min(size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def _let_go() -> None:
    """Let the server of processes end with the page, and us with it.

    It ends when nobody holds a certain pipe any more, and every process is given an end of it to
    start others; one that is stopped, or deaf with work, would hold all of them.
    """
    held = getattr(forkserver, "_forkserver", None)
    end = getattr(held, "_forkserver_alive_fd", None)
    if held is not None and isinstance(end, int):
        held._forkserver_alive_fd = None
        with suppress(OSError):
            os.close(end)


class _Worker:
    """The inside of a process."""

    def __init__(self, connection: Connection, setup: ProcessSetup) -> None:
        self._connection = connection
        self._setup = setup
        self._orders: queue.SimpleQueue[ServiceOrder] = queue.SimpleQueue()
        self._stopped: set[int] = set()
        self._game: Any = None
        threading.Thread(target=self._read, daemon=True).start()

    def work(self) -> None:
        while True:
            order = self._orders.get()
            self._say(self._answer(order))
            self._stopped.discard(order.number)

    def _read(self) -> None:
        try:
            while True:
                order: ServiceOrder = self._connection.recv()
                if order.service:
                    self._orders.put(order)
                else:
                    self._stopped.add(order.number)
        except (EOFError, OSError):
            os._exit(0)

    def _say(self, said: Said) -> None:
        data = ForkingPickler.dumps(said)
        most = self._setup.answer_bytes
        if len(data) > most:
            if said.kind == "progress":
                return
            # The server would have to take it in, and so would the browser.
            text = f"the answer would be larger than {most // 1_000_000} MB"
            data = ForkingPickler.dumps(Said(said.number, "refused", {"error": text}))
        try:
            self._connection.send_bytes(data)
        except OSError:
            os._exit(0)

    def _answer(self, order: ServiceOrder) -> Said:
        number = order.number
        try:
            service = find_service(order.service)
            game = self._load(number)
            result = service(
                game,
                order.request,
                lambda data: self._say(Said(number, "progress", data)),
                lambda: number in self._stopped,
            )
            return Said(number, "done", result)
        except MemoryError:
            self._game = None
            return Said(number, "memory", {})
        except GdlError as problem:
            return Said(number, "refused", {"error": "; ".join(map(str, problem.diagnostics))})
        except WoodstockError as problem:
            return Said(number, "refused", {"error": str(problem)})
        except Exception as problem:
            _log.exception("the service %s failed", order.service)
            return Said(number, "failed", {"error": type(problem).__name__})

    def _load(self, number: int) -> Any:
        rules = self._setup.rules
        if self._game is None and rules is not None:
            from woodstock.game import Game
            from woodstock.gdl.reader import read_text
            from woodstock.ground.limits import GroundingLimits

            self._game = Game(
                read_text(rules.text),
                name=rules.name,
                drawing=rules.hints,
                limits=GroundingLimits(
                    seconds=self._setup.grounding_seconds, memory_mb=self._setup.memory_mb
                ),
            )
            self._say(Said(number, "ready", {"engine": self._game.engine.name}))
        return self._game
