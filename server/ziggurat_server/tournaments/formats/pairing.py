"""Who sits with whom: tables of like bots without rematches.

The cost of a pair says how little it should meet; a rematch costs more than all else together. Two seats are an exact
matching; more are found by local search, and by a bounded exact search where that leaves a rematch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import networkx as nx

from ziggurat_rules.keyed import below, keyed

REMATCH = 10**15
"""Cost of one rematch, above all sums of other costs."""
_MATCHING_BOTS = 256
"""Above, a matching takes a second; local search does as well."""
_EXACT_BOTS = 64
_PARTNERS = 24
_REACH = 12
"""A swap is tried with so many tables further down."""
_SEARCH_STEPS = 4000
_MOST_KICKS = 16
_KICKED_BOTS = 1000
"""The local search is begun anew 16 times, for many bots less often."""
_SWAPS = 2

Costs = Sequence[Sequence[int]]
Tables = list[list[int]]


def pair_up(costs: Costs, seats: int) -> Tables:
    """Tables of 0..n-1, n a multiple of the seats, with little cost. The numbers are in an order in which neighbours
    go well together."""
    if seats == 2 and len(costs) <= _MATCHING_BOTS:
        pairs = _matching(costs)
        if 2 * len(pairs) == len(costs):
            return pairs
    tables = [list(range(start, start + seats)) for start in range(0, len(costs), seats)]
    tables = _best_of_kicks(tables, costs)
    if rematches(tables, costs) and (free := without_rematch(costs, seats)):
        tables = _best_of_kicks(free, costs)
    return tables


def rematches(tables: Tables, costs: Costs) -> int:
    """Rematches at these tables."""
    return sum(costs[a][b] // REMATCH for table in tables for a, b in combinations(table, 2))


def without_rematch(costs: Costs, seats: int, members: Sequence[int] | None = None) -> Tables | None:
    """Tables without a rematch, bots near in order together; None if there are none, or none is found in time."""
    search = _Search(costs, seats)
    everybody = list(range(len(costs))) if members is None else list(members)
    return search.tables if search.fill(everybody, []) else None


def _matching(costs: Costs) -> Tables:
    """The cheapest pairs, exactly; for many bots, with each one's cheapest partners alone."""
    everybody = range(len(costs))
    partners = len(costs) if len(costs) <= _EXACT_BOTS else _PARTNERS
    edges = {
        (min(a, b), max(a, b))
        for a in everybody
        for b in sorted(everybody, key=lambda b: (a == b, costs[a][b], b))[: min(partners, len(costs) - 1)]
    }
    graph = nx.Graph()
    top = 1 + max(map(max, costs), default=0)
    graph.add_weighted_edges_from((a, b, top - costs[a][b]) for a, b in sorted(edges))
    return sorted(sorted(pair) for pair in nx.max_weight_matching(graph, maxcardinality=True))


def _best_of_kicks(tables: Tables, costs: Costs) -> Tables:
    """Local search, again and again from the best tables so far with a few bots swapped by keyed chance."""
    best = [list(table) for table in tables]
    _improve(best, costs, set(range(len(best))))
    least = _cost(best, costs)
    for kick in range(min(_MOST_KICKS, _KICKED_BOTS // len(costs)) if len(tables) > 1 else 0):
        tried = [list(table) for table in best]
        changed = {table for swap in range(_SWAPS) for table in _exchange(tried, keyed(kick, swap))}
        _improve(tried, costs, changed)
        if (cost := _cost(tried, costs)) < least:
            best, least = tried, cost
    return best


def _cost(tables: Tables, costs: Costs) -> int:
    return sum(costs[a][b] for table in tables for a, b in combinations(table, 2))


def _exchange(tables: Tables, key: int) -> tuple[int, int]:
    """Two bots of different tables change places; gives the tables."""
    left = below(len(tables), key, 0)
    right = (left + 1 + below(len(tables) - 1, key, 1)) % len(tables)
    i, j = below(len(tables[left]), key, 2), below(len(tables[right]), key, 3)
    tables[left][i], tables[right][j] = tables[right][j], tables[left][i]
    return left, right


def _improve(tables: Tables, costs: Costs, changed: set[int]) -> None:
    """Swaps two bots of different tables, one of them changed, as long as that lowers the cost."""
    while changed:
        again: set[int] = set()
        for left in sorted(changed):
            for right in range(max(0, left - _REACH), min(len(tables), left + _REACH + 1)):
                if left != right and _swap(tables[left], tables[right], costs):
                    again.update((left, right))
        changed = again


def _swap(left: list[int], right: list[int], costs: Costs) -> bool:
    better = False
    while (best := _best_swap(left, right, costs)) is not None:
        i, j = best
        left[i], right[j] = right[j], left[i]
        better = True
    return better


def _best_swap(left: list[int], right: list[int], costs: Costs) -> tuple[int, int] | None:
    """Which two bots should change tables; None if no swap lowers the cost."""
    leaving = [sum(costs[a][x] for x in left) - sum(costs[a][y] for y in right) for a in left]
    coming = [sum(costs[b][y] for y in right) - sum(costs[b][x] for x in left) for b in right]
    gain, i, j = max(
        (out + back + 2 * costs[left[i]][right[j]], -i, -j)
        for i, out in enumerate(leaving)
        for j, back in enumerate(coming)
    )
    return (-i, -j) if gain > 0 else None


class _Search:
    """Fills tables one after the other with bots that have not met, and steps back where none is left."""

    def __init__(self, costs: Costs, seats: int) -> None:
        self.costs = costs
        self.seats = seats
        self.tables: Tables = []
        self.steps = _SEARCH_STEPS

    def fill(self, waiting: list[int], table: list[int]) -> bool:
        """Whether all who wait find a place; `table` is half full."""
        if len(table) == self.seats:
            self.tables.append(table)
            if self.fill(waiting, []):
                return True
            self.tables.pop()
            return False
        if not waiting:
            return not table
        if not table:
            return self.fill(waiting[1:], waiting[:1])
        return self._join(waiting, table)

    def _join(self, waiting: list[int], table: list[int]) -> bool:
        for bot in waiting:
            # A table is filled in rising order: each set of bots is tried once.
            if bot < table[-1] or any(self.costs[bot][other] >= REMATCH for other in table):
                continue
            self.steps -= 1
            if self.steps < 0:
                return False
            if self.fill([other for other in waiting if other != bot], [*table, bot]):
                return True
        return False
