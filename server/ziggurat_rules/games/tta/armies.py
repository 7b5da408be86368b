"""Armies: how units are grouped under a tactic so that strength is greatest (rulebook, Tactics Cards)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Units = tuple[int, ...]
"""Numbers of units: infantry, cavalry, artillery that are recent enough for the tactic, then the same that
are not,
then air forces."""

Tactic = tuple[int, int, int, int, int]
"""Infantry, cavalry and artillery of one army, its strength, its strength if outdated."""


def grouped(levels: Sequence[Sequence[int]], air: int, tactic_level: int) -> Units:
    """Units by type and level, split by whether they outdate an army of this tactic (two levels older or
    more)."""
    cut = max(0, tactic_level - 1)
    return (*(sum(units[cut:]) for units in levels), *(sum(units[:cut]) for units in levels), air)


@lru_cache(maxsize=65536)
def armies(units: Units, tactic: Tactic, mounted: bool = False) -> tuple[int, int]:
    """How many normal and outdated armies make the greatest strength; `mounted`: infantry may serve as
    cavalry."""
    need = tactic[:3]
    fresh = units[:3]
    every = tuple(a + b for a, b in zip(fresh, units[3:6], strict=True))
    best = (0, 0)
    for normal in range(_most(fresh, need, mounted), -1, -1):
        rest = _left(fresh, every, need, normal, mounted)
        found = (normal, _most(rest, need, mounted))
        if _worth(found, tactic, units[6]) > _worth(best, tactic, units[6]):
            best = found
    return best


def tactical_strength(units: Units, tactic: Tactic, mounted: bool = False) -> int:
    """Strength that the best grouping into armies adds; each air force doubles one army."""
    return _worth(armies(units, tactic, mounted), tactic, units[6])


def _worth(formed: tuple[int, int], tactic: Tactic, air: int) -> int:
    normal, outdated = formed
    doubled = min(air, normal)
    doubled_outdated = min(air - doubled, outdated)
    return (normal + doubled) * tactic[3] + (outdated + doubled_outdated) * tactic[4]


def _most(have: Sequence[int], need: Sequence[int], mounted: bool) -> int:
    """The most armies that these units form."""
    if mounted:
        limits = ((have[0], need[0]), (have[0] + have[1], need[0] + need[1]), (have[2], need[2]))
        return min(has // needs for has, needs in limits if needs)
    return min(has // needs for has, needs in zip(have, need, strict=True) if needs)


def _left(
    fresh: Sequence[int], every: Sequence[int], need: Sequence[int], normal: int, mounted: bool
) -> tuple[int, int, int]:
    """What is left beside so many normal armies, which use cavalry as far as there is enough of it."""
    riders = min(fresh[1], normal * need[1]) if mounted else normal * need[1]
    foot = normal * (need[0] + need[1]) - riders
    return every[0] - foot, every[1] - riders, every[2] - normal * need[2]
