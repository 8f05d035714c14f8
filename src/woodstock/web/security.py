"""Who may ask what: the guard before everything else the page does.

Strangers reach a page on a person's own machine through that person's browser: another site may
send it requests, or pretend to be it by a name that points here. So requests must name this
machine, those that ask for more than a page must come from our own page, and where others are let
in, they need a token. The content security policy lets the browser run our script and no other.
"""

from __future__ import annotations

import json
import logging
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote, urlencode, urlsplit

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
_OTHERS = (403, "requests of other sites are refused")
_DIGITS = 18

_log = logging.getLogger("woodstock.web")


class _TooLargeError(Exception):
    pass


class Guard:
    """Refuses what should not be asked, and puts the headers on all answers."""

    def __init__(self, app: ASGIApp, options: WebOptions) -> None:
        self._app = app
        self._options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it pass."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        told = _with_headers(scope, send)
        problem = self._host(headers) or self._origin(scope, headers) or self._size(headers)
        if problem:
            await _refuse(told, *problem)
            return
        if self._options.token is not None and not await self._let_in(scope, headers, told):
            return
        await self._pass(scope, receive, told)

    async def _pass(self, scope: Scope, receive: Receive, told: Send) -> None:
        """Let a request through; what it sends is counted, what goes wrong is told in a word."""
        begun, size = False, 0

        async def listen() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._options.limits.upload_bytes:
                raise _TooLargeError
            return message

        async def tell(message: Message) -> None:
            nonlocal begun
            begun = True
            await told(message)

        try:
            await self._app(scope, listen, tell)
        except _TooLargeError:
            if not begun:
                await _refuse(told, *self._too_large())
        except Exception:
            # Here and not further out, where an answer would lack the headers.
            _log.exception("a request failed")
            if begun:
                raise
            await _refuse(told, 500, "a mistake of ours; please tell us")

    def _host(self, headers: Headers) -> tuple[int, str] | None:
        """A page for this machine alone answers to its own names only (DNS rebinding)."""
        if self._options.remote:
            return None
        name = _name(headers.get("host", ""))
        if is_loopback(name) or name in map(str.lower, self._options.names):
            return None
        return 421, "this page is not known under that name"

    def _origin(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """What asks for more than a page comes from our own page, and what changes it as JSON."""
        method = scope["method"]
        if method not in (*_SAFE, "POST"):
            return 405, "only GET and POST"
        # Links from elsewhere lead to pages; a picture or a script of theirs opens no stream.
        inside = method == "POST" or scope["path"].startswith("/api/")
        if inside and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return _OTHERS
        origin = headers.get("origin")
        if inside and origin is not None and _place(origin) != headers.get("host"):
            return _OTHERS
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            return 415, "send application/json"
        return None

    def _size(self, headers: Headers) -> tuple[int, str] | None:
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) <= _DIGITS):
            return 400, "this has no length that makes sense"
        return self._too_large() if int(length) > self._options.limits.upload_bytes else None

    def _too_large(self) -> tuple[int, str]:
        return 413, f"this is more than {self._options.limits.upload_bytes:,} bytes"

    async def _let_in(self, scope: Scope, headers: Headers, send: Send) -> bool:
        """Whether somebody has the token; one in the address becomes a cookie."""
        token = self._options.token or ""
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = query.pop("token", [""])[0]
        if _same(given, token):
            rest = urlencode(query, doseq=True)
            # A relative path alone, and quoted: "//elsewhere" would lead to another machine.
            target = "/" + quote(scope["path"].lstrip("/\\")) + (f"?{rest}" if rest else "")
            cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Lax; Path=/"
            answer = [(b"location", target.encode()), (b"set-cookie", cookie.encode())]
            answer.append((b"content-length", b"0"))
            await send({"type": "http.response.start", "status": 303, "headers": answer})
            await send({"type": "http.response.body", "body": b""})
            return False
        kept = SimpleCookie()
        try:
            kept.load(headers.get("cookie", ""))
        except CookieError:
            kept.clear()
        if COOKIE in kept and _same(kept[COOKIE].value, token):
            return True
        await _refuse(send, 401, "this page asks for a token: open the address with ?token=...")
        return False


def _same(given: str, token: str) -> bool:
    """Whether this is the token, told in the same time whatever it is; nothing is none."""
    return bool(token) and secrets.compare_digest(given.encode(errors="replace"), token.encode())


def _name(host: str) -> str:
    """The name of a host without its port; empty where it makes no sense."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _place(origin: str) -> str:
    """Host and port of an origin; empty where there is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


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
