"""Rulesheets with mistakes in them: a seeded mutator that knows the tokens of GDL."""

from __future__ import annotations

import random
import re

from woodstock import games
from woodstock.gdl.infix import write_infix
from woodstock.gdl.reader import read_text

TOKEN = re.compile(rb"[()]|[^\s()]+")
PARENTHESIS = re.compile(rb"[()]")

# What readers stumble over: structure, both spellings' signs, encodings, other scripts' letters.
SPARKS = [
    *(text.encode() for text in (
        "(", ")", "()", "((", "))", "(<=", "<=", "<-", ":-", "←", ".", ",", "'", '"', "''", "'a",
        ";", "%", "?", "?x", "??", "_", "_1", "X", " ", "\n", "\r", "\t", "\0", "\x1c", "\x85",
        "\u2028", "\ufeff", "é", "İ", "ß", "ΑΣ", "٣", "²", "🙂", "a" * 500, "0", "100", "101", "-1",
        "1" * 400, "(not", "(or", "(and", "(distinct", "(or)", "(not)", "(not (not", "(distinct ?x",
        "(true", "(does", "(next", "(legal", "(goal", "(role", "(init", "(sees", "terminal",
        "RANDOM", "Role", "true", "does", "not", "or", "and", "distinct", "not(", "or(", "base",
        "input", "(role ?x)", "(<= (p ?x))", "(<= p (not p))", "(<= (p (f ?x)) (p ?x))",
        "(not (distinct ?x (f ?x)))", "(not (distinct ?x ?y))", "(or (p ?x) (q ?y))",
    )),
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", b"\xf4\x90\x80\x80",
    b"(" * 201, b"(f " * 180, b"(not " * 120, b"(or (a) (b)) " * 12, b")" * 5,
]  # fmt: skip


class Mutator:
    """Makes inputs from a seeded generator: the same seed, the same inputs."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self.sheets, self.clauses = _seeds()

    def small(self) -> bytes:
        """A few clauses of real rules with one to eight mistakes: quick to read."""
        rng = self._random
        # One spelling an input: mixed ones would all fail at the first sign of the other.
        pool = self.clauses[rng.random() < 0.3]
        data = b"\n".join(rng.choice(pool) for _ in range(rng.randint(1, 4)))
        for _ in range(rng.randint(1, 8)):
            data = self._mutate(data, pool)
        return repaired(data) if rng.random() < 0.5 else data

    def whole(self) -> bytes:
        """A whole rulesheet with one to three mistakes: most of it still means something."""
        rng = self._random
        spelling = rng.random() < 0.3
        data = rng.choice(self.sheets[spelling])
        for _ in range(rng.randint(1, 3)):
            data = self._mutate(data, self.clauses[spelling])
        return repaired(data) if rng.random() < 0.8 else data

    def _mutate(self, data: bytes, pool: list[bytes]) -> bytes:
        rng = self._random
        kind = rng.randrange(9)
        at = rng.randint(0, len(data))
        if kind == 0:  # one bit
            if not data:
                return b"("
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        if kind == 1:
            return data[:at] + rng.choice(SPARKS) + data[at:]
        if kind == 2:  # a blank on both sides keeps the tokens around it whole
            return data[:at] + b" " + rng.choice(SPARKS) + b" " + data[at:]
        if kind == 3:
            return data[:at] + data[at + rng.choice((1, 1, 2, 8, 40)) :]
        if kind == 4:
            size = rng.choice((1, 4, 20, 100))
            return data[:at] + data[at : at + size] * rng.choice((2, 3, 8)) + data[at + size :]
        if kind == 5:  # end of one input, beginning of another
            other = rng.choice(pool)
            return data[:at] + other[rng.randint(0, len(other)) :]
        return self._tokens(data, kind, pool)

    def _tokens(self, data: bytes, kind: int, pool: list[bytes]) -> bytes:
        rng = self._random
        spans = [match.span() for match in TOKEN.finditer(data)]
        if not spans:
            return rng.choice(pool)
        a, b = sorted((rng.choice(spans), rng.choice(spans)))
        first, second = data[a[0] : a[1]], data[b[0] : b[1]]
        if kind == 6 and a != b:  # two tokens change places
            return data[: a[0]] + second + data[a[1] : b[0]] + first + data[b[1] :]
        if kind == 7:  # one token stands in for another
            return data[: b[0]] + first + data[b[1] :]
        return data[: a[0]] + rng.choice(SPARKS) + data[a[1] :]


def repaired(data: bytes) -> bytes:
    """Text with its parentheses in balance: so more inputs get past the reader, to what follows."""
    data = data.decode("utf-8", "ignore").replace("\0", "").encode()
    kept: list[bytes] = []
    depth = last = 0
    for match in PARENTHESIS.finditer(data):
        if match.group() == b"(":
            depth += 1
        elif depth:
            depth -= 1
        else:
            kept.append(data[last : match.start()])
            last = match.end()
    kept.append(data[last:])
    return b"".join(kept) + b")" * depth


def _seeds() -> tuple[tuple[list[bytes], list[bytes]], tuple[list[bytes], list[bytes]]]:
    """The library's rules, as sheets and as clauses, each in KIF and in infix spelling."""
    kif: list[bytes] = []
    infix: list[bytes] = []
    kif_clauses: set[bytes] = set()
    infix_clauses: set[bytes] = set()
    for name in games.names():
        sheet = read_text(games.rules_text(name))
        as_kif, as_infix = sheet.to_kif().encode(), write_infix(sheet).encode()
        # Large sheets differ from small ones in length, which costs time and finds nothing.
        if len(as_kif) < 8000:
            kif.append(as_kif)
            infix.append(as_infix)
        kif_clauses.update(line for line in as_kif.splitlines() if len(line) < 400)
        infix_clauses.update(line for line in as_infix.splitlines() if len(line) < 400)
    return (kif, infix), (sorted(kif_clauses), sorted(infix_clauses))
