"""``woodstock web``: the page."""

from __future__ import annotations

import secrets
import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from woodstock.cli.guard import UsageError
from woodstock.cli.progress import errors
from woodstock.web.options import PageLimits, WebOptions, WebOptionsError, is_loopback, state_folder

__all__ = ["command"]


def command(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets others in, who need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8080,
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = True,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where matches are kept. By default a folder of yours for such things.",
            show_default=False,
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Records and tournaments to look at."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Ask everybody for it; others need one in any case."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads of a search.")] = 1,
) -> None:
    """Open a page in your browser: play, watch and analyse any game (Ctrl-C ends it)."""
    try:
        import uvicorn

        from woodstock.web.app import create_app
    except ImportError as missing:
        raise UsageError(f"the page needs {missing.name}: pip install 'woodstock[web]'") from None
    if records is not None and not records.is_dir():
        raise UsageError(f"there is no folder {records}")
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    sock = _listen(host, port)
    bound = sock.getsockname()[1]
    try:
        options = WebOptions(
            host=host,
            port=bound,
            token=token,
            folder=folder or state_folder(),
            records=records,
            limits=PageLimits(threads=threads),
        )
    except WebOptionsError as problem:
        raise UsageError(str(problem)) from None
    address = f"http://{_shown(host)}:{bound}/{f'?token={token}' if token else ''}"
    errors.print(f"The page is at {address} (Ctrl-C ends it).", markup=False, soft_wrap=True)
    if not is_loopback(host):
        others = f"Others in your network reach it at {options.origin}/?token={token}."
        errors.print(others, markup=False, soft_wrap=True)
    config = uvicorn.Config(
        create_app(options),
        log_level="warning",
        access_log=False,
        ws="none",
        limit_concurrency=options.limits.connections,
        # Streams of events stay open as long as their tabs.
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    if show:
        threading.Thread(target=_open, args=(server, address), daemon=True).start()
    server.run(sockets=[sock])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host.strip("[]"), port))
        sock.listen(128)
    except OSError as problem:
        sock.close()
        raise UsageError(f"cannot listen on {host}:{port}: {problem}") from None
    return sock


def _shown(host: str) -> str:
    """The host as an address has it; who listens everywhere is reached here, too."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _open(server: object, address: str) -> None:
    for _ in range(200):
        if getattr(server, "started", False):
            webbrowser.open(address)
            return
        time.sleep(0.05)
