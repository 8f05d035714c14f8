"""Icons: things with a shape everybody knows, by the words that name them.

>>> icon_of(["red", "ghost"]).symbol, icon_of(["nonsense"]) is None
('Ω', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Icon:
    """A shape in a square of 24 by 24.

    ``symbol`` stands for it in text, where there is a sign of one column; ``color`` is its colour
    unless the name speaks of another; ``marks`` are drawn upon it, each in a colour of its own, and
    ``lines`` are only stroked.
    """

    shape: str
    symbol: str = ""
    color: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    lines: str = ""


def icon_of(words: Iterable[str]) -> Icon | None:
    """The icon one of these words names."""
    return next((_BY_WORD[word] for word in words if word in _BY_WORD), None)


def draw_icon(icon: Icon, fill: str, edge: str) -> str:
    """The icon as SVG, its middle at the origin; colours must be fit for an attribute.

    >>> draw_icon(Icon("M0 0h24v24z"), "#c8372d", "#000000").count("<path")
    1
    """
    stroke = f'stroke="{edge}" stroke-width="0.9" stroke-linejoin="round"'
    out = f'<path d="{icon.shape}" fill="{fill}" {stroke}/>' if icon.shape else ""
    out += "".join(f'<path d="{path}" fill="{color}"/>' for path, color in icon.marks)
    if icon.lines:
        thin, color = ("1.1", edge) if icon.shape else ("2.2", fill)
        style = f'stroke="{color}" stroke-width="{thin}" stroke-linecap="round"'
        out += f'<path d="{icon.lines}" fill="none" {style}/>'
    return f'<g transform="translate(-12 -12)">{out}</g>'


def _dot(x: float, y: float, r: float) -> str:
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"


_WHITE, _BLACK, _GREY, _STEM = "#ffffff", "#1d1d1f", "#7d838a", "#5f4328"
_STALK = ("M11.3 7q0-4 2.8-5l.9 1.2q-2 1-2.2 4z", _STEM)
_EYES = _dot(9, 10.5, 2.4) + _dot(15, 10.5, 2.4)
_PUPILS = _dot(9.8, 10.8, 1.1) + _dot(15.8, 10.8, 1.1)
_HEAD = "M4 3l5 4h6l5-4v9l-4 3l-1 5l-3 2l-3-2l-1-5l-4-3z"
_NOSE = ("M10.2 18h3.6L12 20.4z", _BLACK)
_ORB = "M12 4.5c5 0 8 4 8 8.2s-3 8.3-8 8.3s-8-4-8-8.3s3-8.2 8-8.2z"
_APPLE = "M12 7c-3-3-9-1-8 6c.7 5 4 9.5 8 7.5c4 2 7.3-2.5 8-7.5c1-7-5-9-8-6z"
_PEAR = "M12 4c2.5 0 3.2 2 3.5 4.5c.4 2.5 3.5 4 3.5 7.5c0 3.5-3 5.5-7 5.5"
_PEAR += "s-7-2-7-5.5c0-3.5 3.1-5 3.5-7.5c.3-2.5 1-4.5 3.5-4.5z"
_CHERRY = _dot(7.2, 17, 4.6) + _dot(17.2, 17.6, 4.6)
_CHERRY_STEMS = "M7 12.8Q8.5 6 15.2 2.5l.8 1Q10.3 7.5 8.2 13zM17 13.6q-.5-6-2-10l1.2-.4"
_CHERRY_STEMS += "q1.6 4 2 10.4z"
_GHOST = "M4 21V11a8 8 0 0 1 16 0v10l-2.7-2.2l-2.6 2.2l-2.7-2.2l-2.7 2.2l-2.6-2.2z"
_FLAME = "M12.5 2c1 4 6 6 6 12a6.3 7 0 0 1-12.6 0c0-3 1.6-4 2.1-6c1 1 1.6 1.7 2 3c1.5-2 3-5 2.5-9z"
_MONSTER = "M4 21V10L3 3l5 3.5q4-1.5 8 0L21 3l-1 7v11l-3-2l-2.5 2l-2.5-2l-2.5 2l-2.5-2z"
_FLEECE = "M7 8a4 4 0 0 1 7-2a4 4 0 0 1 6 4a4 4 0 0 1-1 7a4 4 0 0 1-7 2a4 4 0 0 1-7-1"
_FLEECE += "a4 4 0 0 1-1-7a3 3 0 0 1 3-3z"
_MOUSE = "M12 22c-4.5-1-7-4-7-8a4.5 4.5 0 1 1 4-7q3-1 6 0a4.5 4.5 0 1 1 4 7c0 4-2.5 7-7 8z"
_BIRD = "M2 15l7-3q1-6 6-7q3-.5 4 1.5l3.5 1l-3.5 1.2q0 8-7 10l1 3h-2l-1-3q-3 0-4-1.5l-4 .8z"
_PERSON = _dot(12, 6.5, 4.5) + "M3 22q0-9.5 9-9.5t9 9.5z"
_TREE = "M12 2l7 9h-4l5 7H4l5-7H5zM10.5 18h3v4h-3z"
_SHIP = "M12 2l4 12l5 4v2l-9-3l-9 3v-2l5-4z"
_CAR = "M2 16v-2.5l3-1l2.5-4.5h8.5l3.5 4.5l2.5 1v2.5z"
_STAR = "M12 2l2.9 6.6l7.1.7l-5.4 4.8l1.6 7l-6.2-3.7l-6.2 3.7l1.6-7L2 9.3l7.1-.7z"
_HEART = "M12 21C4 15 2 12 2 8.5a5 5 0 0 1 10-1.5a5 5 0 0 1 10 1.5C22 12 20 15 12 21z"
_FISH = "M2 12q6-8 14-2l6-4l-1.5 6l1.5 6l-6-4Q8 20 2 12z"
_LAMP = "M12 2a7 7 0 0 1 4 12.7V18H8v-3.3A7 7 0 0 1 12 2zM9 19h6v3H9z"
_SPIKES = "M12 1v22M1 12h22M4.2 4.2l15.6 15.6M19.8 4.2L4.2 19.8"
_ROBOT = "M4.5 8h15v12.5h-15zM11.2 8V3.5h1.6V8z"


def _ghost(color: str) -> Icon:
    return Icon(_GHOST, "Ω", color, ((_EYES, _WHITE), (_PUPILS, "#27408b")))


def _beast(color: str, eyes: str) -> Icon:
    return Icon(_HEAD, "", color, ((_dot(9, 11, 1.3) + _dot(15, 11, 1.3), eyes), _NOSE))


_BOMB = Icon(
    _dot(11, 14, 8),
    "☌",
    "#33363b",
    (("M15.2 8l3-4l1.5 1.1l-3 4z", _STEM), (_dot(19.8, 3.8, 2.2), "#f2902e")),
)
_FIRE = Icon(
    _FLAME, "✹", "#e8641b", (("M12 12c.5 2 3 2.5 3 5a3 3 0 0 1-6 0c0-2 2-3 3-5z", "#f7cf4a"),)
)
_BEETLE = Icon(_MONSTER, "☠", "#6b3f86", ((_EYES, _WHITE), (_PUPILS, _BLACK)))
_RAVEN = Icon(_BIRD, "", "#26262c", ((_dot(16.6, 7.4, 0.9), "#f4e04d"),))
_FIGURE = Icon(_PERSON)
_CHEESE = Icon(
    "M2 13L16 4q5 2 6 9v7H2z",
    "◣",
    "#f0c330",
    ((_dot(7, 16.5, 1.8) + _dot(13.5, 14, 2.2) + _dot(18, 17, 1.5), "#c9961a"),),
    "M2 13h20",
)
_MICE = Icon(
    _MOUSE, "", "#9aa0a6", ((_dot(9.2, 14, 1.1) + _dot(14.8, 14, 1.1) + _dot(12, 21, 1.3), _BLACK),)
)
_CAT = Icon(
    "M4 3l5 4q3-1 6 0l5-4v10a8 8.5 0 0 1-16 0z",
    "",
    "#d98b3a",
    ((_dot(9, 12, 1.4) + _dot(15, 12, 1.4) + "M10.8 15.5h2.4l-1.2 1.6z", _BLACK),),
    "M2 15l5 .8M2 18.5l5-1M22 15l-5 .8M22 18.5l-5-1",
)
_RABBIT = Icon(
    "M8 11C4.5 5 5 1.5 7 1.5s4 3.5 4.3 7.5h1.4C13 5 15 1.5 17 1.5s2.5 3.5-1 9.5"
    "c2.5 2 3 4 3 5.5c0 3.5-3 6-7 6s-7-2.5-7-6c0-1.5.5-3.5 3-5.5z",
    "",
    "#c9ab86",
    ((_dot(9.2, 15, 1.1) + _dot(14.8, 15, 1.1) + "M10.8 18h2.4l-1.2 1.5z", _BLACK),),
)
_WORM = Icon(
    "M3 19.5a2.8 2.8 0 0 1 0-5.6c3 0 2.6-7.9 8.5-7.9s4 8 6.5 8c1.5 0 1.2-2.5 1.2-4"
    "a2.3 2.3 0 0 1 4.6 0c0 5-1.5 9.5-6 9.5c-6.5 0-4-8-6.5-8s-1.8 8-8.3 8z",
    "",
    "#e08a8a",
    ((_dot(21.5, 9.5, 0.8), _BLACK),),
)
_SHEEP = Icon(
    _FLEECE,
    "",
    "#fbf8ef",
    (("M2.5 9q4-2.5 6.5 1l-1 5.5q-2.2 2-4.5 0z", "#3b3733"), (_dot(5.6, 11.3, 0.8), _WHITE)),
)
_MACHINE = Icon(
    _ROBOT,
    "",
    "#8fa3b5",
    ((_dot(9, 13, 1.9) + _dot(15, 13, 1.9), _WHITE), ("M8 17h8v1.6H8z", _BLACK)),
)
_PIT = Icon("M12 5.5c6 0 10 3 10 7s-4 7-10 7s-10-3-10-7s4-7 10-7z", "◎", "#2b2621")
_GEM = Icon("M6 4h12l4 6l-10 11L2 10z", "◆", "#3fb6d3", (), "M2 10h20M8.5 10L12 21l3.5-11L12 4z")
_DOOR = Icon("M5 22V3h14v19z", "∩", "#8a5a2f", ((_dot(16, 12.5, 1.2), "#f2c230"),))
_CRATE = Icon("M3 3h18v18H3z", "▣", "#c1935a", (), "M3 3l18 18M21 3L3 21M6 3v18M18 3v18")
_WIND = Icon("", "≈", "#5d93b8", (), "M3 8q4.5-4 9 0t9 0M3 13q4.5-4 9 0t9 0M3 18q4.5-4 9 0t9 0")
_SMELL = Icon(
    "", "≋", "#7c9a2c", (), "M7 21q-4-4.5 0-9t0-9M12 21q-4-4.5 0-9t0-9M17 21q-4-4.5 0-9t0-9"
)
_MINE = Icon(_dot(12, 12, 7), "✱", "#33363b", ((_dot(9.6, 9.6, 1.6), _WHITE),), _SPIKES)
_WHEELS = ((_dot(7, 16.5, 2.6) + _dot(17, 16.5, 2.6), _BLACK),)
_FLAG = Icon("M6 2v20h1.8v-8h11l-3-5.5l3-5.5H7.8V2z", "⚑", "#c8372d")
_SPARK = Icon("M12 2l2 8l8 2l-8 2l-2 8l-2-8l-8-2l8-2z", "✧", "#f2c230")

_BY_WORD: Mapping[str, Icon] = {
    "pacman": Icon(
        "M12 12l9-5.5a10.2 10.2 0 1 0 0 11z", "◕", "#f2c230", ((_dot(13, 6.4, 1.4), _BLACK),)
    ),
    "ghost": _ghost("#8f9bd6"),
    "blinky": _ghost("#d9483b"),
    "pinky": _ghost("#ee93bb"),
    "inky": _ghost("#45b8cc"),
    "clyde": _ghost("#e8943a"),
    **dict.fromkeys(("dot", "pellet", "food", "crumb"), Icon(_dot(12, 12, 3), "•", "#c9873a")),
    "power": Icon(_dot(12, 12, 6), "◉", "#e0a13e"),
    "apple": Icon(_APPLE, "●", "#c8372d", (_STALK,)),
    "pear": Icon(_PEAR, "▲", "#a8bf3a", (("M11.3 5q0-3 2-4l.9 1.2q-1.3.8-1.4 3z", _STEM),)),
    "plum": Icon(_ORB, "◆", "#6a4a9c", (("M11.3 5q0-3 2.8-4l.9 1.2q-2 1-2.2 3z", _STEM),)),
    **dict.fromkeys(
        ("cherry", "cherries", "fruit"), Icon(_CHERRY, "♥", "#b81f35", ((_CHERRY_STEMS, _STEM),))
    ),
    **dict.fromkeys(("bomb", "grenade"), _BOMB),
    **dict.fromkeys(("fire", "flame", "explosion", "blast"), _FIRE),
    **dict.fromkeys(("wumpus", "monster", "dragon", "alien", "zombie"), _BEETLE),
    **dict.fromkeys(("pit", "chasm"), _PIT),
    **dict.fromkeys(("treasure", "gem", "diamond", "jewel"), _GEM),
    **dict.fromkeys(("breeze", "wind", "breezy"), _WIND),
    **dict.fromkeys(("stench", "smell", "smelly"), _SMELL),
    **dict.fromkeys(("glitter", "sparkle"), _SPARK),
    "wolf": _beast("#737b84", "#f4e04d"),
    "fox": _beast("#d9742b", _BLACK),
    **dict.fromkeys(("dog", "hound"), _beast("#a87945", _BLACK)),
    **dict.fromkeys(("sheep", "lamb"), _SHEEP),
    **dict.fromkeys(("mouse", "mice", "rat"), _MICE),
    "cat": _CAT,
    **dict.fromkeys(("rabbit", "hare", "bunny"), _RABBIT),
    "cheese": _CHEESE,
    **dict.fromkeys(("raven", "crow", "bird"), _RAVEN),
    "worm": _WORM,
    "fish": Icon(_FISH, "", "#4a90b8", ((_dot(6.5, 11, 1), _BLACK),)),
    **dict.fromkeys(("robot", "vacuum", "rover"), _MACHINE),
    **dict.fromkeys(("player", "person", "worker", "explorer", "hunter", "agent"), _FIGURE),
    **dict.fromkeys(("thief", "farmer", "human", "pusher"), _FIGURE),
    **dict.fromkeys(("door", "exit", "gate"), _DOOR),
    **dict.fromkeys(("box", "crate", "chest"), _CRATE),
    "tree": Icon(_TREE, "♣", "#3d8a46"),
    "flag": _FLAG,
    "star": Icon(_STAR, "★", "#f2c230"),
    "heart": Icon(_HEART, "♥", "#c8372d"),
    "mine": _MINE,
    **dict.fromkeys(("ship", "plane", "spaceship"), Icon(_SHIP, "")),
    "car": Icon(_CAR, "", "", _WHEELS),
    **dict.fromkeys(("lamp", "bulb", "lantern"), Icon(_LAMP, "☼", "#f2c230")),
}
