"""Box-drawing characters: corners whose arms are light, heavy or missing.

>>> corner(1, 2, 1, 0)
'┝'
"""

from __future__ import annotations

from itertools import product

# For each set of arms (up, right, down, left) the characters, the last arm turning heavy first.
_CORNERS = {
    "": " ",
    "u": "╵╹",
    "r": "╶╺",
    "d": "╷╻",
    "l": "╴╸",
    "ur": "└┕┖┗",
    "ud": "│╽╿┃",
    "ul": "┘┙┚┛",
    "rd": "┌┎┍┏",
    "rl": "─╾╼━",
    "dl": "┐┑┒┓",
    "urd": "├┟┝┢┞┠┡┣",
    "url": "┴┵┶┷┸┹┺┻",
    "udl": "┤┥┧┪┦┩┨┫",
    "rdl": "┬┭┰┱┮┯┲┳",
    "urdl": "┼┽╁╅┾┿╆╈╀╃╂╉╄╇╊╋",
}


def _table() -> dict[tuple[int, ...], str]:
    table = {}
    for arms, characters in _CORNERS.items():
        weights = product((1, 2), repeat=len(arms))
        for heavy, character in zip(weights, characters, strict=True):
            by_arm = dict(zip(arms, heavy, strict=True))
            table[tuple(by_arm.get(arm, 0) for arm in "urdl")] = character
    return table


_BY_WEIGHT = _table()


def corner(up: int, right: int, down: int, left: int) -> str:
    """The corner with arms of these weights: 0 none, 1 light, 2 heavy.

    >>> corner(0, 1, 1, 0), corner(2, 2, 2, 2)
    ('┌', '╋')
    """
    return _BY_WEIGHT[up, right, down, left]
