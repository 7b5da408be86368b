"""Who sits with whom: tables of like bots without rematches.

The cost of a pair says how little it should meet; a rematch costs more than all else together. Two seats are an exact
matching; more are found by local search, and by a bounded exact search where that leaves a rematch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import networkx as nx

REMATCH = 10**15
"""Cost of one rematch, above all sums of other costs."""
_MATCHING_BOTS = 256
"""Above, the exact matching takes seconds."""
_REACH = 12
"""A swap is tried with so many tables further down."""
_SEARCH_STEPS = 4000

Costs = Sequence[Sequence[int]]
Tables = list[list[int]]


def pair_up(costs: Costs, seats: int) -> Tables:
    """Tables of 0..n-1, n a multiple of the seats, with little cost. The numbers are in an order in which neighbours
    go well together."""
    if seats == 2 and len(costs) <= _MATCHING_BOTS:
        return _matching(costs)
    tables = [list(range(start, start + seats)) for start in range(0, len(costs), seats)]
    _improve(tables, costs)
    if rematches(tables, costs):
        free = without_rematch(costs, seats)
        if free:
            tables = free
            _improve(tables, costs)
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
    graph = nx.Graph()
    top = 1 + max((max(row) for row in costs), default=0)
    graph.add_weighted_edges_from((a, b, top - costs[a][b]) for a, b in combinations(range(len(costs)), 2))
    return sorted(sorted(pair) for pair in nx.max_weight_matching(graph, maxcardinality=True))


def _improve(tables: Tables, costs: Costs) -> None:
    """Swaps two bots of different tables as long as that lowers the cost."""
    better = True
    while better:
        better = False
        for number, left in enumerate(tables):
            for right in tables[number + 1 : number + 1 + _REACH]:
                better |= _swap(left, right, costs)


def _swap(left: list[int], right: list[int], costs: Costs) -> bool:
    better = False
    for i in range(len(left)):
        for j in range(len(right)):
            a, b = costs[left[i]], costs[right[j]]
            gain = sum(a[x] - b[x] for k, x in enumerate(left) if k != i)
            gain += sum(b[y] - a[y] for k, y in enumerate(right) if k != j)
            if gain > 0:
                left[i], right[j] = right[j], left[i]
                better = True
    return better


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
