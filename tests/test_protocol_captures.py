"""Bytes captured between the reference server and its players: ours are the same."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from woodstock import Game
from woodstock.protocol.hosted_players import MatchFacts
from woodstock.protocol.http import read_reply, read_request, reply, request
from woodstock.protocol.messages import Start, read_message

PAPER = Path(__file__).resolve().parents[2] / "shared" / "PROTOCOL.md"
pytestmark = pytest.mark.skipif(not PAPER.exists(), reason="the captures are not here")


def blocks() -> list[bytes]:
    """The captured requests and replies; their lines end with a written CR LF."""
    text = PAPER.read_text(encoding="utf-8") if PAPER.exists() else ""
    found = re.findall(r"```http\n(.*?)\n```", text, re.DOTALL)
    return [block.replace("\\r\\n\n", "\r\n").encode() for block in found]


def fed(data: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


async def message_of(data: bytes) -> str:
    found = (await read_request(fed(data))).message
    assert found is not None
    return found


async def body_of(data: bytes) -> str:
    return await read_reply(fed(data))


def test_there_are_captures() -> None:
    kinds = [block.partition(b" ")[0] for block in blocks()]
    assert kinds.count(b"POST") >= 5
    assert kinds.count(b"HTTP/1.0") >= 4


@pytest.mark.parametrize("data", [block for block in blocks() if block.startswith(b"POST")])
def test_requests(data: bytes) -> None:
    message = asyncio.run(message_of(data))
    assert str(read_message(message)) == message
    receiver = re.search(rb"Receiver: (\w+)", data)
    if receiver is not None:
        assert request(message, "localhost", receiver.group(1).decode()) == data


@pytest.mark.parametrize("data", [block for block in blocks() if block.startswith(b"HTTP")])
def test_replies(data: bytes) -> None:
    assert reply(asyncio.run(body_of(data))) == data


def test_rules_are_written_as_they_were_sent() -> None:
    starts = [message for data in blocks() if b"START" in data for message in [data]]
    start = read_message(asyncio.run(message_of(starts[0])))
    assert isinstance(start, Start)
    game = Game.from_text(start.rules)
    facts = MatchFacts(game, start.match, {})
    assert facts.rules("gdl") == start.rules
    assert str(Start(start.match, start.role, facts.rules("gdl"), 5, 3)) == str(start)
