"""Which game a recorded match is of: found by rules, first state or name, never by guessing alone.

A record names its game as it likes: by our name, by an address of ggp.org, or not at all. A game
of the library is taken where the rules are the same, or where the first state is; a name counts
only where nothing recorded speaks against it. Nothing is evaluated for that: the library has the
first state of every game written down.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from urllib.parse import urlsplit

from woodstock import games
from woodstock.web.recorded import Recorded
from woodstock.web.rulesheets import PASTED, Rulesheets, UnknownRulesError, digest_of

__all__ = ["game_of", "roles_of", "same_rules"]

MOST_RULES = 1_000_000
MOST_COMPARED = 2000
"""Rulesheets of which is remembered whether they are one of the library."""
_compared: dict[str, str | None] = {}
TELLING = 4
"""Fluents that a first state has at least, for a game to be known by it alone."""
_TOKEN = re.compile(r"[()]|;[^\n\r]*|[^\s();]+")
_ROLE = re.compile(r"\(\s*role\s+([^\s()?;]+)\s*\)", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+(?:x[0-9]+)?")


def game_of(match: Recorded, rules: Rulesheets, *, keep: bool = False) -> str | None:
    """The reference of the game of a match, as requests take it; None where nobody can tell.

    Rules that came with the match are kept only if somebody wants to see it: a long list must not
    crowd out what others have pasted.
    """
    if match.rules is not None and 0 < len(match.rules) <= MOST_RULES:
        digest = digest_of(match.rules)
        if digest not in _compared:
            _compared[digest] = same_rules(match.rules)
            while len(_compared) > MOST_COMPARED:
                _compared.pop(next(iter(_compared)), None)
        return _compared.get(digest) or (rules.keep(match.rules).ref if keep else PASTED + digest)
    if match.rules_sha256:
        if (name := _digests().get(match.rules_sha256)) is not None:
            return name
        try:
            return rules.find(PASTED + match.rules_sha256).ref
        except UnknownRulesError:
            pass
    named = _named(match.game)
    if named is not None and _fits(match, named):
        return named
    if match.first is None or len(match.first) < TELLING:
        return None
    alike = [
        name
        for name, first in _first_states().items()
        if first == match.first and _fits(match, name)
    ]
    return alike[0] if len(alike) == 1 else None


def _fits(match: Recorded, name: str) -> bool:
    """Whether nothing in a record speaks against a game."""
    roles = roles_of(games.rules_text(name))
    return (
        (match.first is None or match.first == _first_states()[name])
        and (not match.roles or match.roles == roles)
        and (not match.line or len(match.line[0]) == len(roles))
    )


def roles_of(text: str) -> list[str]:
    """The roles that a rulesheet states as facts, in order.

    >>> roles_of("(role x) (ROLE o) (role ?p)")
    ['x', 'o']
    """
    plain = re.sub(r";[^\n\r]*", "", text[:MOST_RULES])
    return list(dict.fromkeys(_ROLE.findall(plain)))[:64]


def same_rules(text: str) -> str | None:
    """The game of the library with the same rules, but for comments, blanks and their order.

    >>> same_rules(games.rules_text("nim").replace(chr(10), "  " + chr(10)))
    'nim'
    """
    return _skeletons().get(_skeleton(text))


def _named(named: str) -> str | None:
    """The game of the library that a name or an address means.

    >>> _named("http://games.ggp.org/base/games/ticTacToe/v0/"), _named("nim"), _named("my game")
    ('tic-tac-toe', 'nim', None)
    """
    if named in games.names():
        return named
    try:
        path = urlsplit(named).path if "://" in named else named
    except ValueError:
        return None
    parts = [one for one in path.split("/") if one and not re.fullmatch(r"v[0-9]+", one)]
    if not parts:
        return None
    last = re.sub(r"\.(kif|gdl)$", "", parts[-1][:100])
    kebab = "-".join(word.lower() for word in _WORDS.findall(last))
    return next((name for name in (last.lower(), kebab) if name in games.names()), None)


def _skeleton(text: str) -> str:
    """A digest of the rules alone."""
    rules: list[str] = []
    words: list[str] = []
    depth = 0
    for token in _TOKEN.findall(text):
        if token[0] == ";":
            continue
        depth += (token == "(") - (token == ")")
        words.append(token.lower())
        if depth <= 0:
            rules.append(" ".join(words))
            words = []
    return hashlib.sha256("\n".join(sorted(rules)).encode(errors="replace")).hexdigest()


@cache
def _skeletons() -> dict[str, str]:
    return {_skeleton(games.rules_text(name)): name for name in games.names()}


@cache
def _digests() -> dict[str, str]:
    return {digest_of(games.rules_text(name)): name for name in games.names()}


@cache
def _first_states() -> dict[str, frozenset[str]]:
    return {name: frozenset(games.playthrough(name)["plies"][0]["state"]) for name in games.names()}
