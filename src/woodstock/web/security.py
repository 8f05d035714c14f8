"""Who may ask what: the guard before everything else the page does.

Strangers reach a page on a person's own machine through that person's browser: another site may
send it requests, or pretend to be it by a name that points here. So requests must name this
machine, those that change something must come from our own page, and where others are let in, they
need a token. The content security policy lets the browser run our script and no other.
"""

from __future__ import annotations

import json
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from woodstock.web.options import WebOptions, is_loopback

__all__ = ["COOKIE", "POLICY", "Guard"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""Our own script, style and pictures; nothing inline, nothing from elsewhere."""

COOKIE = "woodstock"

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SAFE = ("GET", "HEAD")


class _TooLargeError(Exception):
    pass


class Guard:
    """Refuses what should not be asked, and puts the headers on all answers."""

    def __init__(self, app: ASGIApp, options: WebOptions) -> None:
        self._app = app
        self._options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it pass."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        told = _with_headers(scope, send)
        problem = self._host(headers) or self._origin(scope, headers)
        if problem:
            await _refuse(told, *problem)
            return
        if self._options.token is not None and not await self._let_in(scope, headers, told):
            return
        most = self._options.limits.upload_bytes
        begun, size = False, 0

        async def listen() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                raise _TooLargeError
            return message

        async def tell(message: Message) -> None:
            nonlocal begun
            begun = True
            await told(message)

        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await _refuse(told, 413, f"this is more than {most:,} bytes")
            return
        try:
            await self._app(scope, listen, tell)
        except _TooLargeError:
            if not begun:
                await _refuse(told, 413, f"this is more than {most:,} bytes")

    def _host(self, headers: Headers) -> tuple[int, str] | None:
        """A page for this machine alone answers to its own names only (DNS rebinding)."""
        if self._options.remote:
            return None
        name = (urlsplit(f"//{headers.get('host', '')}").hostname or "").lower()
        if is_loopback(name) or name in map(str.lower, self._options.names):
            return None
        return 421, "this page is not known under that name"

    def _origin(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """What changes something comes from our own page, as JSON."""
        if scope["method"] in _SAFE:
            return None
        if scope["method"] != "POST":
            return 405, "only GET and POST"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "requests of other sites are refused"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host"):
            return 403, "requests of other sites are refused"
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "send application/json"
        return None

    async def _let_in(self, scope: Scope, headers: Headers, send: Send) -> bool:
        """Whether somebody has the token; one in the address becomes a cookie."""
        token = self._options.token or ""
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = query.pop("token", [""])[0]
        if given and secrets.compare_digest(given.encode(), token.encode()):
            rest = urlencode(query, doseq=True)
            # A relative path alone: "//elsewhere" would lead to another machine.
            target = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")
            cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
            answer = [(b"location", target.encode("latin-1", "ignore"))]
            answer.append((b"set-cookie", cookie.encode()))
            await send({"type": "http.response.start", "status": 303, "headers": answer})
            await send({"type": "http.response.body", "body": b""})
            return False
        kept = SimpleCookie()
        try:
            kept.load(headers.get("cookie", ""))
        except CookieError:
            kept.clear()
        held = kept[COOKIE].value if COOKIE in kept else ""
        if secrets.compare_digest(held.encode(), token.encode()):
            return True
        await _refuse(send, 401, "this page asks for a token: open the address with ?token=...")
        return False


def _with_headers(scope: Scope, send: Send) -> Send:
    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            if "cache-control" not in headers:
                mine = scope["path"].startswith("/api/")
                headers["Cache-Control"] = "no-store" if mine else "no-cache"
        await send(message)

    return told


async def _refuse(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
