"""How much a rulesheet may cost to ground."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GroundingLimits"]


@dataclass(frozen=True)
class GroundingLimits:
    """Bounds of the grounding child process: CPU seconds, megabytes, ground rules.

    >>> GroundingLimits(seconds=5).memory_mb
    4096
    """

    seconds: float = 60.0
    memory_mb: int = 4096
    rules: int = 100_000_000
