"""Where rounds are played: processes of this machine, or workers of a Dask cluster."""

from __future__ import annotations

from woodstock.tournament.engines.contract import Finished, RoundEngine
from woodstock.tournament.engines.local import LocalEngine

__all__ = ["Finished", "LocalEngine", "RoundEngine", "make_engine"]


def make_engine(text: str, jobs: int) -> RoundEngine:
    """``local``, ``dask`` (a cluster of so many workers here) or ``dask=ADDRESS`` (one there).

    >>> with make_engine("local", 2) as engine:
    ...     engine.slots
    2
    """
    name, _, address = text.partition("=")
    if name == "local" and not address:
        return LocalEngine(jobs)
    if name == "dask":
        from woodstock.tournament.engines.dask import DaskEngine

        return DaskEngine(address or None, jobs)
    raise ValueError(f"no engine {text!r}; there are local, dask and dask=ADDRESS")
