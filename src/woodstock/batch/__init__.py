"""Many states of a game side by side, as arrays: for who trains, evaluates or simulates.

* `Batch`: states that are advanced together; what is legal, what holds and what it is worth.
* `Spaces`: what the columns of these arrays stand for.

>>> from woodstock import Game
>>> from woodstock.batch import Batch
>>> batch = Batch(Game.load("tic-tac-toe"), 1000, seed=1)
>>> batch.legal_mask().shape
(1000, 2, 10)

It needs the extra ``batch``: NumPy.
"""

from __future__ import annotations

from woodstock.batch.batch import Batch, BatchError
from woodstock.batch.spaces import Spaces

__all__ = ["Batch", "BatchError", "Spaces"]
