"""Which costs in techs can be paid: pure functions of type masks, by Hall's condition."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ziggurat_rules.games.millennia.effects import Group


class Patterns:
    """The tech parts of all costs, numbered; which of them given sources can pay."""

    def __init__(self, patterns: Sequence[tuple[tuple[Group, ...], bool]]) -> None:
        needs = [[] if distinct else unions(groups) for groups, distinct in patterns]
        self.masks = tuple(sorted({mask for pattern in needs for mask, _ in pattern}))
        self.needs = tuple(tuple((self.masks.index(mask), n) for mask, n in pattern) for pattern in needs)
        self.distinct = tuple(groups[0][1] if distinct else 0 for groups, distinct in patterns)
        self.known: dict[tuple[tuple[int, ...], int], int] = {}

    def payable(self, sources: tuple[int, ...], jokers: int) -> int:
        """The patterns that sources (masks of types) and jokers can pay, as a mask. Kept: a pure function."""
        found = self.known.get((sources, jokers))
        if found is None:
            if len(self.known) > 100_000:
                self.known.clear()
            found = self.known[sources, jokers] = self._payable(sources, jokers)
        return found

    def _payable(self, sources: tuple[int, ...], jokers: int) -> int:
        have = [jokers + sum([1 for source in sources if source & mask]) for mask in self.masks]
        result = 0
        for number, needs in enumerate(self.needs):
            if self.distinct[number]:
                result |= distinct_payable(sources, self.distinct[number] - jokers) << number
            else:
                for mask, n in needs:
                    if have[mask] < n:
                        break
                else:
                    result |= 1 << number
        return result


def unions(groups: Sequence[Group]) -> list[Group]:
    """Every choice of groups as one: (all their types, all they need). Hall: if each is met, all can be."""
    found = []
    for size in range(1, len(groups) + 1):
        for some in combinations(groups, size):
            types = need = 0
            for mask, n in some:
                types |= mask
                need += n
            found.append((types, need))
    return found


def distinct_payable(sources: Sequence[int], n: int) -> bool:
    """Whether n of the sources can each stand for another type."""
    singles = {source for source in sources if not source & (source - 1)}
    if n <= len(singles):
        return True
    if n > len(sources):
        return False
    wide = [source for source in sources if source & (source - 1)]
    return any(has_types(some) for some in combinations([*sorted(singles), *wide], n))


def has_types(sources: Sequence[int], taken: int = 0) -> bool:
    """Whether these sources can each stand for another type."""
    if not sources:
        return True
    free = sources[0] & ~taken
    while free:
        kind = free & -free
        if has_types(sources[1:], taken | kind):
            return True
        free ^= kind
    return False
