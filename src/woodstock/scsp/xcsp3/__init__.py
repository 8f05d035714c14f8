"""XCSP3-core, in and out: tables are written; allDifferent, intension, sum and others read too.

>>> from woodstock.scsp import Hard, Network, Variable, xcsp3
>>> network = Network([Variable("move", ["left", "right"])], [Hard(["move"], [("left",)])])
>>> xcsp3.read_text(xcsp3.write_text(network)) == network
True

Files that other tools have written are read with arrays, groups, blocks, compressed tuples and an
objective; constraints that are no tables become tables. Anything else is an `Xcsp3Error` that names
the element and its place.
"""

from __future__ import annotations

from woodstock.errors import Xcsp3Error
from woodstock.scsp.xcsp3.reader import read_file, read_text
from woodstock.scsp.xcsp3.writer import write_file, write_text

__all__ = ["Xcsp3Error", "read_file", "read_text", "write_file", "write_text"]
