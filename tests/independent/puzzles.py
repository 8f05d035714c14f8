"""Nim and the eight puzzle."""

from __future__ import annotations

from typing import NamedTuple

from .protocol import cells, winner_takes_all


class Heaps(NamedTuple):
    sizes: tuple[int, int, int, int]
    mover: int


class Nim:
    roles = ("player1", "player2")

    def initial(self) -> Heaps:
        return Heaps((1, 5, 4, 2), 0)

    def mover(self, heaps: Heaps) -> int:
        return heaps.mover

    def moves(self, heaps: Heaps) -> dict[str, Heaps]:
        found = {}
        for index, size in enumerate(heaps.sizes):
            for left in range(size):
                sizes = list(heaps.sizes)
                sizes[index] = left
                after = Heaps((sizes[0], sizes[1], sizes[2], sizes[3]), 1 - heaps.mover)
                found[f"(reduce {'abcd'[index]} {left})"] = after
        return found

    def scores(self, heaps: Heaps) -> tuple[int, ...] | None:
        return None if any(heaps.sizes) else winner_takes_all(1 - heaps.mover)

    def fluents(self, heaps: Heaps) -> set[str]:
        sizes = {f"(heap {name} {size})" for name, size in zip("abcd", heaps.sizes, strict=True)}
        return sizes | {f"(control {self.roles[heaps.mover]})"}


class Frame(NamedTuple):
    tiles: str  # row by row, "b" is the hole
    step: int


class EightPuzzle:
    roles = ("player",)
    order = "12345678b"
    shortest = 30
    limit = 60

    def initial(self) -> Frame:
        return Frame("87654321b", 0)

    def mover(self, frame: Frame) -> int:
        return 0

    def moves(self, frame: Frame) -> dict[str, Frame]:
        hole = frame.tiles.index("b")
        found = {}
        for place, tile in enumerate(frame.tiles):
            if abs(place // 3 - hole // 3) + abs(place % 3 - hole % 3) == 1:
                tiles = frame.tiles.translate(str.maketrans("b" + tile, tile + "b"))
                found[f"(move {place // 3 + 1} {place % 3 + 1})"] = Frame(tiles, frame.step + 1)
        return found

    def scores(self, frame: Frame) -> tuple[int, ...] | None:
        if frame.tiles == self.order:
            return (100 if frame.step == self.shortest else 99,)
        return (0,) if frame.step == self.limit else None

    def fluents(self, frame: Frame) -> set[str]:
        tiles = cells((i // 3 + 1, i % 3 + 1, tile) for i, tile in enumerate(frame.tiles))
        return tiles | {f"(step {frame.step})"}
