"""Random walks through a tree that come to every leaf once.

Each walk goes down by random choices; a dead end is left backwards. Whatever is exhausted is not
entered again, so that walks that go on for long enough have seen all leaves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

__all__ = ["Leaves", "Walk"]

PATIENCE = 30
"""Dead ends after which a walk begins anew at the root; each time it takes some more."""

C = TypeVar("C")


class Walk(Protocol[C]):
    """A place in a tree, at the root to begin with."""

    def options(self) -> Sequence[C] | None:
        """The choices here, always the same ones; None at a leaf."""

    def enter(self, choice: C) -> bool:
        """Go down. False where there is nothing below after all: then nothing has changed."""

    def leave(self, barren: bool) -> None:
        """Go up again; `barren` tells that there is no leaf below, as far as all was seen."""


class _Node(Generic[C]):
    __slots__ = ("barren", "below", "left")

    def __init__(self) -> None:
        self.left: list[C] | None = None
        self.below: dict[C, _Node[C]] = {}
        self.barren = True


class Leaves(Generic[C]):
    """The leaves of a tree in random order, as long as `go_on` says so.

    The walk stands at a leaf whenever one is given. `complete` tells, after the last, that there
    are no others.

    >>> class Words:
    ...     def __init__(self) -> None:
    ...         self.word = ""
    ...     def options(self) -> str | None:
    ...         return "ab" if len(self.word) < 2 else None
    ...     def enter(self, choice: str) -> bool:
    ...         self.word += choice
    ...         return True
    ...     def leave(self, barren: bool) -> None:
    ...         self.word = self.word[:-1]
    >>> words = Words()
    >>> leaves = Leaves(words, random.Random(1), lambda: True)
    >>> sorted(words.word for _ in leaves), leaves.complete
    (['aa', 'ab', 'ba', 'bb'], True)
    """

    def __init__(self, walk: Walk[C], rng: random.Random, go_on: Callable[[], bool]) -> None:
        self._walk = walk
        self._rng = rng
        self._go_on = go_on
        self.complete = False

    def __iter__(self) -> Iterator[None]:
        nodes: list[_Node[C]] = [_Node()]
        taken: list[C] = []
        homeward, ends, patience = False, 0, PATIENCE
        while self._go_on():
            node = nodes[-1]
            if node.left is None:
                found = self._walk.options()
                node.left = list(found or ())
                if found is None:
                    # The next leaf is looked for from the root on: neighbours would be alike.
                    homeward = True
                    for one in nodes:
                        one.barren = False
                    yield
            if not node.left:
                if not taken:
                    self.complete = True
                    return
                # Many dead ends in a row tell that a choice far above was wrong.
                ends += node.barren
                homeward = homeward or ends > patience
                self._up(nodes, taken, node.barren)
            elif homeward and taken:
                self._walk.leave(False)
                nodes.pop()
                taken.pop()
            else:
                if homeward:
                    patience += patience // 8 if ends > patience else 0
                    homeward, ends = False, 0
                self._down(nodes, taken)

    def _down(self, nodes: list[_Node[C]], taken: list[C]) -> None:
        node = nodes[-1]
        assert node.left
        choice = self._rng.choice(node.left)
        if self._walk.enter(choice):
            nodes.append(node.below.setdefault(choice, _Node()))
            taken.append(choice)
        else:
            node.left.remove(choice)

    def _up(self, nodes: list[_Node[C]], taken: list[C], barren: bool) -> None:
        """Leave a node for good."""
        self._walk.leave(barren)
        nodes.pop()
        choice = taken.pop()
        above = nodes[-1]
        assert above.left
        above.left.remove(choice)
        del above.below[choice]
