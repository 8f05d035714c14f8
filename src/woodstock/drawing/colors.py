"""Colours: of sides, of names that have none, and what reads well on them.

>>> SIDES["white"], ink_on(SIDES["white"])
('#ffffff', '#1d1d1f')
"""

from __future__ import annotations

import colorsys
import re
import zlib
from collections.abc import Mapping

# Side words from the lightest to the darkest. In text, where two sides meet, the lighter one is
# drawn hollow and the darker one solid, so that the picture needs no colour.
SIDES: Mapping[str, str] = {
    "white": "#ffffff",
    "light": "#f4ead2",
    "silver": "#c8ccd0",
    "yellow": "#f2c230",
    "gold": "#d9a521",
    "orange": "#e67e22",
    "pink": "#ec7fb1",
    "red": "#c8372d",
    "magenta": "#b5359c",
    "cyan": "#35b8c9",
    "teal": "#1f8f8a",
    "green": "#2f9e4f",
    "blue": "#2c66c4",
    "purple": "#7540a8",
    "brown": "#7a4d2b",
    "grey": "#6f757b",
    "gray": "#6f757b",
    "dark": "#3a3430",
    "black": "#1d1d1f",
}


def color_of(name: str) -> str:
    """A pleasant colour that depends on the spelling alone.

    >>> color_of("mummy") == color_of("mummy") != color_of("exit")
    True
    """
    code = zlib.crc32(name.encode("utf-8", "replace"))
    hue = (code % 360) / 360
    lightness = 0.42 + (code >> 16) % 5 * 0.05
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, 0.45)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def ink_on(fill: str) -> str:
    """Black or white, whichever reads better on a colour.

    >>> ink_on("#ffffff"), ink_on("#1d1d1f"), ink_on("navy")
    ('#1d1d1f', '#ffffff', '#1d1d1f')
    """
    rgb = rgb_of(fill)
    if rgb is None:
        return "#1d1d1f"
    red, green, blue = rgb
    return "#1d1d1f" if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"


def mixed(fill: str, ground: str) -> str:
    """A colour spread thinly on another one.

    >>> mixed("#000000", "#ffffff")
    '#737373'
    """
    over, below = rgb_of(fill), rgb_of(ground)
    if over is None or below is None:
        return fill
    parts = (round(0.55 * a + 0.45 * b) for a, b in zip(over, below))
    return "#" + "".join(f"{part:02x}" for part in parts)


def rgb_of(fill: str) -> tuple[int, int, int] | None:
    """Red, green and blue of ``#rrggbb``; None for another spelling."""
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", fill)
    return (int(match[1], 16), int(match[2], 16), int(match[3], 16)) if match else None
