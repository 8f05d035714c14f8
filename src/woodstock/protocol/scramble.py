"""Scrambling: the same rules in other words, so that no player can go by their meaning.

All constants but the words of GDL and numbers are replaced by made-up ones, variables too.
Everybody in a match gets the same words, and answers in them.

>>> scrambler = Scrambler(seed=1)
>>> word = scrambler.term("noop")
>>> word != "noop", scrambler.unscramble(word) == "noop"
(True, True)
>>> scrambler.term("random"), scrambler.term("42")
('random', '42')
"""

from __future__ import annotations

import random

from woodstock.gdl.keywords import KEYWORDS
from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Compound, Term, Variable

__all__ = ["Scrambler"]

_ONSETS = "b br c cl d dr f fl g gr h j k l m n p pl qu r s st t tr v w z"
_VOWELS = "a e i o u ai ea ou"
_ENDINGS = "b ck d g l m n nd r rt s st t x"


class Scrambler:
    """Gives every constant and variable another word, always the same one."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._words: dict[str, str] = {}
        self._meanings: dict[str, str] = {}
        self._taken = set(KEYWORDS)

    def term(self, term: Term) -> Term:
        """A term in scrambled words."""
        if isinstance(term, Variable):
            return Variable(self._word(f"?{term.name}"))
        if isinstance(term, str):
            return self._word(term)
        return Compound(self.term(part) for part in term)

    def clause(self, clause: Clause) -> Clause:
        """A fact or rule in scrambled words."""
        return Clause(self.term(clause.head), tuple(map(self.term, clause.body)))

    def unscramble(self, term: Term) -> Term | None:
        """A scrambled term in the words of the rules; None where it has a word that is none."""
        if isinstance(term, str):
            return term if _stays(term) else self._meanings.get(term)
        if isinstance(term, Variable):
            return None
        parts = [self.unscramble(part) for part in term]
        return Compound(part for part in parts if part is not None) if all(parts) else None

    def _word(self, meaning: str) -> str:
        if _stays(meaning):
            return meaning
        word = self._words.get(meaning)
        if word is None:
            word = self._new_word()
            self._words[meaning] = word
            if not meaning.startswith("?"):
                self._meanings[word] = meaning
        return word

    def _new_word(self) -> str:
        while True:
            syllables = self._rng.randint(2, 3)
            word = "".join(self._part(_ONSETS) + self._part(_VOWELS) for _ in range(syllables))
            word += self._part(_ENDINGS)
            if word not in self._taken:
                self._taken.add(word)
                return word

    def _part(self, parts: str) -> str:
        return self._rng.choice(parts.split())


def _stays(word: str) -> bool:
    return word in KEYWORDS or word.lstrip("+-").isdigit()
