"""Players as they are written: a search, options, and perhaps a file of values.

``mac-ucb:values=net`` says what a search does with a net, ``mac-ucb:values=breakthrough.values``
which net it is.

>>> written("mac-ucb:values=my.values,samples=64")
WrittenSearch(name='mac-ucb', options={'values': 'net', 'samples': '64'}, file='my.values')
>>> written("woodstock:values=my.values")
WrittenSearch(name='woodstock', options={}, file='my.values')
>>> written("uct:values=blend").file is None
True
"""

from __future__ import annotations

from typing import NamedTuple

from woodstock.search.options import StageOptions
from woodstock.search.presets import REHEARSED, options_of, parse

__all__ = ["NET_VALUES", "WrittenSearch", "written"]

NET_VALUES = frozenset({"net", "blend"})
"""What `values` may be for which a search needs a net."""
_WORDS = NET_VALUES | {"playouts"}


class WrittenSearch(NamedTuple):
    """The name of a search, the options that are given, and the file its values are in."""

    name: str
    options: dict[str, object]
    file: str | None

    @property
    def needs_net(self) -> bool:
        """Whether its options ask for a net."""
        return self.options.get("values") in NET_VALUES


def written(text: str) -> WrittenSearch:
    """Take a text apart; `UnknownSearchError` or `OptionError` where it cannot be.

    A file behind ``values`` stands for what a search does best with a net: stages take it alone,
    trees blend it with playouts, and `woodstock` finds out.
    """
    name, given = parse(text)
    options: dict[str, object] = dict(given)
    file = given.get("values")
    preset = options_of(name)
    if file is None or file in _WORDS or "values" not in preset.names():
        return WrittenSearch(name, options, None)
    del options["values"]
    if name not in REHEARSED:
        options = {"values": "net" if isinstance(preset, StageOptions) else "blend", **options}
    return WrittenSearch(name, options, file)
