"""Guards: predicates that only limit what is instantiated.

What a guard says is repeated by other conditions wherever it matters, so the native side takes
guards as true and they vanish from the ground program (`first_guard_predicate` in core/ground).
"""

from __future__ import annotations

__all__ = ["GUARD"]

GUARD = "guard "
"""Names of guards begin so; the blank keeps them apart from a sheet's own names."""
