"""XCSP3-core with extension constraints, in and out.

>>> from woodstock.scsp import Hard, Network, Variable, xcsp3
>>> network = Network([Variable("move", ["left", "right"])], [Hard(["move"], [("left",)])])
>>> xcsp3.read_text(xcsp3.write_text(network)) == network
True

Files that other tools have written are read as far as they consist of extension constraints, with
arrays, groups, blocks and compressed tuples; anything else is an `Xcsp3Error` that names the
element and its place.
"""

from __future__ import annotations

from woodstock.errors import Xcsp3Error
from woodstock.scsp.xcsp3.reader import read_file, read_text
from woodstock.scsp.xcsp3.writer import write_file, write_text

__all__ = ["Xcsp3Error", "read_file", "read_text", "write_file", "write_text"]
