"""Values learned from self-play: a small net that tells what a state is worth to everybody.

* `values`: a trained net, for which rules it is, how it was trained; its file;
* `training`: self-play that makes one, and can be gone on with;
* `cache`: nets that were trained before, by the digest of their rules;
* `features`: what a net is shown of a state, and which states are worth the same;
* `digest`: what rules are told apart by.

>>> from woodstock import Game
>>> values = train(Game.load("tic-tac-toe"), positions=2000)
>>> values.about.seed, values.fits(Game.load("tic-tac-toe"))
(0, True)
"""

from __future__ import annotations

from woodstock.learn.cache import ValuesCache, cache_folder, default_cache
from woodstock.learn.digest import rules_digest
from woodstock.learn.training import Training, TrainingError, cannot_learn, train
from woodstock.learn.values import Values, ValuesError, ValuesRecord

__all__ = [
    "Training",
    "TrainingError",
    "Values",
    "ValuesCache",
    "ValuesError",
    "ValuesRecord",
    "cache_folder",
    "cannot_learn",
    "default_cache",
    "rules_digest",
    "train",
]
