"""How the page is served, and what everybody on it may use together."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError

__all__ = ["PageLimits", "WebOptions", "WebOptionsError", "is_loopback", "state_folder"]


_TOKEN = re.compile(r"[A-Za-z0-9_.~-]{8,200}")
MOST_MB = 8192


class WebOptionsError(WoodstockError, ValueError):
    """A page that would let in whoever comes by."""


def _thinkers() -> int:
    return max(4, os.cpu_count() or 1)


def _total_mb() -> int:
    """Three quarters of the machine's memory, and no more than `MOST_MB`."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, OSError, ValueError):  # not a Unix
        return MOST_MB
    return max(512, min(MOST_MB, whole * 3 // 4))


@dataclass(frozen=True)
class PageLimits:
    """The bounds of the page; ``/api/about`` states them.

    A *keeper* is a process that knows the rules of one game and answers at once, a *thinker* one
    that plays or analyses. Memory is in megabytes, for one process and for all together.

    >>> PageLimits().upload_bytes
    2000000
    """

    connections: int = 800
    """Browsers have a handful each."""
    sessions: int = 200
    """Open streams of events: about one a tab."""
    tables: int = 200
    """Matches in memory; others sleep in their journals."""
    kept_tables: int = 5000
    """Matches in the folder of journals; the oldest go first."""
    kept_mb: int = 1000
    """What these may take of the disk."""
    rulesheets: int = 500
    """Pasted rules that are remembered."""
    keepers: int = 16
    thinkers: int = field(default_factory=_thinkers)
    """Those that work at once."""
    warm_thinkers: int = 16
    """Those that wait with their rules read, beside these."""
    waiting_jobs: int = 64
    """Analyses that may wait for a thinker, and as many moves."""
    threads: int = 1
    """Threads of a thinker's search."""
    search_mb: int = 256
    process_mb: int = 2048
    total_mb: int = field(default_factory=_total_mb)
    answer_bytes: int = 4_000_000
    """What a process may answer to one question."""
    answer_seconds: float = 10.0
    """What a keeper may take for one answer."""
    load_seconds: float = 40.0
    """What reading and grounding rules may take."""
    job_seconds: float = 300.0
    """The longest analysis."""
    move_seconds: float = 120.0
    """The most a player may be given for a move."""
    upload_bytes: int = 2_000_000
    rules_bytes: int = 1_000_000
    line_moves: int = 5000
    """The longest match."""

    def to_json(self) -> dict[str, Any]:
        """The limits as a JSON object."""
        return asdict(self)


@dataclass(frozen=True)
class WebOptions:
    """Where the page is served, where it keeps its matches, and its limits.

    Without a `folder` nothing outlives the server. A `token` is asked of everybody where it is
    set; a page that others than this machine can reach has to have one, and `woodstock web` makes
    one then. `records` is a folder of match records and tournaments to look at. `names` are more
    names of this machine under which the page may be reached.

    >>> WebOptions(host="0.0.0.0")
    Traceback (most recent call last):
    ...
    woodstock.web.options.WebOptionsError: a page that others can reach needs a token
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str | None = None
    folder: Path | None = None
    records: Path | None = None
    names: tuple[str, ...] = ()
    limits: PageLimits = field(default_factory=PageLimits)

    def __post_init__(self) -> None:
        if self.token is None and self.remote:
            raise WebOptionsError("a page that others can reach needs a token")
        if self.token is not None and not _TOKEN.fullmatch(self.token):
            raise WebOptionsError("a token has 8 to 200 letters, digits or signs of -._~")

    @property
    def origin(self) -> str:
        """The address under which other machines reach the page, as far as one can tell.

        >>> WebOptions(host="192.168.1.7", port=80, token="long-enough").origin
        'http://192.168.1.7:80'
        """
        host = own_address() if self.host in ("0.0.0.0", "::") else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def remote(self) -> bool:
        """Whether other machines can reach the page."""
        return not is_loopback(self.host)


def own_address() -> str:
    """The address of this machine in its network; that of the loopback where there is none.

    >>> own_address().count(".")
    3
    """
    # Nothing is sent: the system only says from where it would be.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether a name or address is that of this machine, to itself.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    >>> is_loopback("127.elsewhere.org")
    False
    """
    plain = host.strip("[]").lower().rstrip(".")
    if plain == "localhost":
        return True
    try:
        return ipaddress.ip_address(plain).is_loopback
    except ValueError:
        return False


def state_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """Where the matches of a user are kept if no other folder is named; None if nowhere.

    >>> state_folder({"XDG_STATE_HOME": "/home/me/.state"}).as_posix()
    '/home/me/.state/woodstock/web'
    """
    given = os.environ if environment is None else environment
    base = given.get("XDG_STATE_HOME") or given.get("LOCALAPPDATA")
    if base:
        return Path(base) / "woodstock" / "web"
    try:
        return Path.home() / ".local" / "state" / "woodstock" / "web"
    except RuntimeError:
        return None
