"""From a file or a text to a `Sheet`, whichever spelling it is written in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from woodstock.gdl.infix import read_infix
from woodstock.gdl.kif import read_kif
from woodstock.gdl.sheet import Sheet, SourceText

__all__ = ["MAX_BYTES", "Format", "decode", "read_file", "read_text"]

MAX_BYTES = 8 << 20
"""Largest rulesheet that is read, far above any we have met."""

Format = Literal["auto", "kif", "infix"]

_COMMENT = re.compile(r"\s+|[;%][^\n\r]*")


def read_file(path: str | Path, form: Format = "auto") -> Sheet:
    """Read a rulesheet from a file (UTF-8, or UTF-16 with its mark).

    Raises `GdlSyntaxError` for text that is no rulesheet, `OSError` when the file cannot be read.
    """
    path = Path(path)
    with path.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    return read_text(decode(data, str(path)), str(path), form)


def read_text(text: str, name: str = "<text>", form: Format = "auto") -> Sheet:
    """Read a rulesheet from a text; `name` stands in messages.

    >>> read_text("role(x).").clauses == read_text("(role x)").clauses
    True
    """
    source = SourceText(text, name)
    if len(text) > MAX_BYTES:
        raise _too_large(source)
    nul = text.find("\0")
    if nul >= 0:
        raise source.syntax_error(nul, "this is not text", "give a rulesheet in KIF or infix form")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise source.syntax_error(
            error.start, "half a character (a lone surrogate)", "save the text as UTF-8"
        ) from None
    if form == "auto":
        form = _guess(text)
    sheet = read_kif(source) if form == "kif" else read_infix(source)
    if not sheet.clauses:
        raise source.syntax_error(0, "there are no rules here", "write at least (role name)")
    return sheet


def decode(data: bytes, name: str = "<text>") -> str:
    """The text of a file's bytes; `GdlSyntaxError` when it is in no encoding we know."""
    if len(data) > MAX_BYTES:
        raise _too_large(SourceText("", name))
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        good = SourceText(data[: error.start].decode(encoding, "replace"), name)
        raise good.syntax_error(
            len(good.text), f"byte {data[error.start]:#04x} is not UTF-8", "save the file as UTF-8"
        ) from None


def _too_large(source: SourceText) -> Exception:
    return source.syntax_error(
        0, f"larger than {MAX_BYTES >> 20} MB", "is this a rulesheet? Leave out what is none"
    )


def _guess(text: str) -> Literal["kif", "infix"]:
    """The spelling of a text by its first sign that is neither blank nor comment."""
    at = 0
    while True:
        match = _COMMENT.match(text, at)
        if match is None:
            break
        at = match.end()
    if at < len(text) and text[at] != "(" and re.search(r":-|←|\)\s*\.|\.\s*(?:%|\Z)", text[at:]):
        return "infix"
    return "kif"
