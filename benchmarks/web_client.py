"""A small browser for the benchmark of the page: requests, events, the server and its memory."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["Client", "LostError", "Server", "Watcher"]

_FAULTS = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, IndexError)


class LostError(Exception):
    """The server is away."""


class Client:
    """One connection to the page, opened again when it was closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Status and JSON (or text) of an answer."""
        for attempt in range(2):
            fresh = self._streams is None
            try:
                reader = await self._send(method, path, body)
                status, headers = await _head(reader)
                data = await reader.readexactly(int(headers.get("content-length", "0")))
            except _FAULTS as problem:
                self.close()
                if fresh or attempt:
                    raise LostError(str(problem)) from None
                continue
            if headers.get("connection") == "close":
                self.close()
            json_type = headers.get("content-type", "").startswith("application/json")
            return status, json.loads(data) if json_type else data.decode()
        raise LostError(path)

    async def events(self, path: str) -> AsyncIterator[tuple[str, Any]]:
        """Server-sent events as they come."""
        try:
            reader = await self._send("GET", path, None)
            status, _ = await _head(reader)
            if status != 200:
                raise LostError(f"{path}: {status}")
            name, text = "", b""
            while size := int((await reader.readline()).strip() or b"0", 16):
                text += await reader.readexactly(size)
                await reader.readline()
                while b"\n\n" in text:
                    block, _, text = text.partition(b"\n\n")
                    for line in block.decode().split("\n"):
                        if line.startswith("event: "):
                            name = line[7:]
                        elif line.startswith("data: "):
                            yield name, json.loads(line[6:])
        except _FAULTS as problem:
            raise LostError(str(problem)) from None
        finally:
            self.close()

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _send(self, method: str, path: str, body: object) -> asyncio.StreamReader:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        kind = "Content-Type: application/json\r\n" if body is not None else ""
        host = f"Host: 127.0.0.1:{self._port}\r\n"
        head = f"{method} {path} HTTP/1.1\r\n{host}{kind}Content-Length: {len(data)}\r\n\r\n"
        writer.write(head.encode() + data)
        await writer.drain()
        return reader


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value.strip() for name, _, value in fields}


class Server:
    """``woodstock web`` in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self._process = process
        self.port = port
        self.pid = process.pid

    @classmethod
    async def start(cls, folder: Path, port: int = 0) -> Server:
        """A server that listens."""
        command = [sys.executable, "-m", "woodstock", "web", "--no-open", "--port", str(port)]
        process = await asyncio.create_subprocess_exec(
            *command,
            "--folder",
            str(folder),
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        )
        assert process.stderr is not None
        said = ""
        while not (found := re.search(r"http://[^\s/]+:(\d+)", said)):
            line = await process.stderr.readline()
            if not line:
                raise RuntimeError(f"the server said no address: {said}")
            said += line.decode()
        server = cls(process, int(found[1]))
        server._pipe = asyncio.create_task(_pass_on(process.stderr))  # type: ignore[attr-defined]
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(LostError):
                await Client(server.port).ask("GET", "/api/about")
                return server
            await asyncio.sleep(0.1)
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        """As if the machine had lost its power."""
        self._family = descendants(self.pid)
        self._process.kill()

    async def orphans(self) -> list[int]:
        """Processes that outlive a killed server by five seconds."""
        await self._process.wait()
        until = time.monotonic() + 5
        while left := [pid for pid in self._family if _runs(pid)]:
            if time.monotonic() > until:
                break
            await asyncio.sleep(0.1)
        return left

    def close(self) -> None:
        """As Ctrl-C does."""
        with suppress(ProcessLookupError):
            self._process.terminate()


async def _pass_on(stream: asyncio.StreamReader) -> None:
    async for line in stream:
        sys.stderr.write(line.decode())


class Watcher:
    """Looks at the memory of the server and of all processes it has started."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.server_mb = self.all_mb = 0.0
        self.processes = 0

    async def watch(self, seconds: float) -> None:
        """Look every two seconds, and say how far it is."""
        begun = time.monotonic()
        while True:
            own = _held(self.pid)
            family = descendants(self.pid)
            whole = own + sum(map(_held, family))
            self.server_mb, self.all_mb = max(self.server_mb, own), max(self.all_mb, whole)
            self.processes = max(self.processes, 1 + len(family))
            spent = time.monotonic() - begun
            sys.stderr.write(f"\r{spent:4.0f} of about {seconds:.0f} s, {whole:5.0f} MB ")
            await asyncio.sleep(2)


def descendants(pid: int) -> list[int]:
    """All processes that a process has started, and those have."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError, ValueError, IndexError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def _runs(pid: int) -> bool:
    with suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _held(pid: int) -> float:
    """The proportional size in megabytes: what processes share is counted once."""
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0
