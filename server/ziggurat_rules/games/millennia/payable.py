"""Which costs in techs can be paid: pure functions of type masks, by Hall's condition."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ziggurat_rules.games.millennia.effects import TYPES, Group


def payable_patterns(patterns: Sequence[tuple[tuple[Group, ...], bool]], sources: Sequence[int], jokers: int) -> int:
    """The patterns that sources (masks of types) and jokers can pay, as a mask of pattern numbers."""
    result = 0
    for number, (groups, distinct) in enumerate(patterns):
        ok = distinct_payable(sources, groups[0][1] - jokers) if distinct else groups_payable(groups, sources, jokers)
        result |= ok << number
    return result


def groups_payable(groups: Sequence[Group], sources: Sequence[int], jokers: int) -> bool:
    """Whether every group gets its number of sources; a joker stands in for any."""
    for size in range(1, len(groups) + 1):
        for some in combinations(groups, size):
            mask = need = 0
            for types, n in some:
                mask |= types
                need += n
            if need > jokers + sum(1 for source in sources if source & mask):
                return False
    return True


def distinct_payable(sources: Sequence[int], n: int) -> bool:
    """Whether n of the sources can each stand for another type."""
    return n <= 0 or any(has_types(some) for some in combinations(sources, n))


def has_types(sources: Sequence[int], taken: int = 0) -> bool:
    """Whether these sources can each stand for another type."""
    if not sources:
        return True
    free = sources[0] & ~taken
    return any(free >> kind & 1 and has_types(sources[1:], taken | 1 << kind) for kind in range(len(TYPES)))
