"""Block designs: which bots meet at which tables, so that each plays and each pair meets equally often.

Points are 0..v-1, blocks are tables of k of them. A design is developed from a few base blocks by adding 1 to every
point, modulo v, or modulo v - 1 with one point fixed. What a base block adds to a design is the count of its
differences; a design is perfect when all differences are met equally often. The search for such base blocks takes
its tries in an order of its own keyed chance and gives up after a fixed number of steps, so it always ends the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from math import comb, gcd

from ziggurat_rules.keyed import keyed, shuffled
from ziggurat_server.tournaments.formats.colouring import spread_places

Block = tuple[int, ...]

FEW_BLOCKS = 300
"""A perfect design of more blocks than this (and a quarter more than the fewest possible) gives way to one in which
pairs meet nearly equally often."""
_SEARCHED_POINTS = 100
"""For more points the search would take seconds."""
_KEPT_BLOCKS = 2000
_STEPS = 4000
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Design:
    """Blocks of one size. In each, the points stand in seat order: over all, each point is in each place equally
    often, or as near to that as numbers allow (counts differ by 1 at most)."""

    points: int
    size: int
    blocks: tuple[Block, ...]
    perfect: bool
    """Whether all pairs meet equally often."""


def fewest_blocks(points: int, size: int) -> int:
    """No design in which every pair meets has fewer blocks."""
    return -(-points * -(-(points - 1) // (size - 1)) // size) if size > 1 else points


def design(points: int, size: int) -> Design:
    """The perfect design with the fewest blocks that the search finds, else the best balance; 1 <= size <= points."""
    return (_kept if fewest_blocks(points, size) <= _KEPT_BLOCKS else _find)(points, size)


def _find(points: int, size: int) -> Design:
    blocks = _perfect(points, size)
    perfect = blocks is not None
    if blocks is None:
        blocks = [block for base in near_bases(points, size) for block in develop(base, points)]
    return Design(points, size, spread_places(blocks, points), perfect)


# Small designs take a search and little memory; large ones are quickly made and not kept.
_kept = lru_cache(256)(_find)


def _perfect(points: int, size: int) -> list[Block] | None:
    if size in (1, points):
        return [tuple(range(size))] if size == points else [(point,) for point in range(points)]
    if size == 2:
        return [block for step in range(1, points // 2 + 1) for block in develop((0, step), points)]
    if points > _SEARCHED_POINTS:
        return None
    everything = comb(points, size)
    few = max(FEW_BLOCKS, fewest_blocks(points, size) * 5 // 4)
    for meetings in _possible_meetings(points, size):
        blocks = meetings * points * (points - 1) // (size * (size - 1))
        if blocks > few or blocks >= everything:
            break
        for group in (_Cyclic(points, size), _OnePointFixed(points, size)):
            bases = _search(group, meetings)
            if bases is not None:
                return [block for base in bases for block in group.develop(base)]
    return list(combinations(range(points), size)) if everything <= few else None


def _possible_meetings(points: int, size: int) -> Iterator[int]:
    """How often pairs may meet: each point has a whole number of blocks, and there is a whole number of them."""
    for meetings in range(1, size * (size - 1) + 1):
        ends = meetings * (points - 1)
        if ends % (size - 1) == 0 and ends * points % (size * (size - 1)) == 0:
            yield meetings


def develop(base: Block, modulus: int) -> list[Block]:
    """The different blocks that come from adding 0, 1, 2, ... to a base block; points from `modulus` on stay."""
    blocks: dict[frozenset[int], Block] = {}
    for shift in range(modulus):
        block = tuple((point + shift) % modulus if point < modulus else point for point in base)
        blocks.setdefault(frozenset(block), block)
    return list(blocks.values())


class _Cyclic:
    """All points turn. A kind of pair is the difference of its points, 1..v//2."""

    def __init__(self, points: int, size: int) -> None:
        self.modulus = points
        self.points = points
        self.size = size
        self.kinds = range(1, points // 2 + 1)

    def pairs_of(self, kind: int) -> int:
        """How many pairs are of this kind."""
        return self.modulus // 2 if 2 * kind == self.modulus else self.modulus

    def kind(self, a: int, b: int) -> int:
        """Of which kind a pair is."""
        step = (a - b) % self.modulus
        return min(step, self.modulus - step)

    def develop(self, base: Block) -> list[Block]:
        """The blocks that come from a base block."""
        return develop(base, self.modulus)

    def pair(self, kind: int) -> Block:
        """A pair of this kind."""
        return 0, kind


class _OnePointFixed(_Cyclic):
    """All points turn but the last, which is written as the modulus; kind 0 are the pairs with it."""

    def __init__(self, points: int, size: int) -> None:
        super().__init__(points - 1, size)
        self.points = points
        self.kinds = range((points - 1) // 2 + 1)

    def pairs_of(self, kind: int) -> int:
        return super().pairs_of(kind) if kind else self.modulus

    def kind(self, a: int, b: int) -> int:
        return 0 if self.modulus in (a, b) else super().kind(a, b)

    def pair(self, kind: int) -> Block:
        return 0, kind or self.modulus


def _short_blocks(pair: Block, size: int, modulus: int) -> Iterator[Block]:
    """Blocks that a part of a full turn brings back to themselves: evenly spaced points (and the fixed point)."""
    turning = [point for point in pair if point < modulus]
    spaced = size - (len(pair) - len(turning))
    if spaced > 1 and modulus % spaced == 0:
        block = {step * modulus // spaced for step in range(spaced)} | (set(pair) - set(turning))
        if set(pair) <= block:
            yield tuple(sorted(block))
    if size % 2 == 0 and modulus % 2 == 0 and len(turning) == 2:
        half = modulus // 2
        for step in range(1, half):
            block = {0, step, half, half + step}
            if size == 4 and set(pair) <= block and len(block) == 4:
                yield tuple(sorted(block))


def _search(group: _Cyclic, meetings: int) -> list[Block] | None:
    """Base blocks by which every pair meets so often."""
    for attempt in range(_TRIES):
        search = _Search(group, meetings, attempt)
        if search.run():
            return search.chosen
    return None


class _Search:
    """Takes the kind of pair that lacks most meetings, grows a base block that holds it point by point, so that no
    pair meets too often, and steps back where no point fits."""

    def __init__(self, group: _Cyclic, meetings: int, attempt: int) -> None:
        self.group = group
        self.key = keyed(group.modulus, group.size, meetings, attempt)
        self.varied = attempt % 2
        self.lacking = {kind: meetings * group.pairs_of(kind) for kind in group.kinds}
        self.chosen: list[Block] = []
        self.steps = _STEPS

    def run(self) -> bool:
        """Whether `chosen` lets nothing lack."""
        open_kinds = [kind for kind, lack in self.lacking.items() if lack]
        if not open_kinds:
            return True
        pair = self.group.pair(max(open_kinds, key=lambda kind: (self.lacking[kind], -kind)))
        for base in _short_blocks(pair, self.group.size, self.group.modulus):
            if self._whole(base):
                return True
        return self._grow(pair[:1], pair[1:])

    def _whole(self, base: Block) -> bool:
        """Adds a base block with a short orbit and goes on."""
        kinds = [self.group.kind(a, b) for a, b in combinations(base, 2)]
        return self._take(kinds, _orbit_length(base, self.group.modulus), lambda: self._chosen(base))

    def _grow(self, base: Block, points: Sequence[int]) -> bool:
        """Adds one of the points to a base block and goes on."""
        if len(base) == self.group.size:
            return _orbit_length(base, self.group.modulus) == self.group.modulus and self._chosen(base)
        for number, point in enumerate(points):
            if point in base:
                continue
            self.steps -= 1
            if self.steps < 0:
                return False
            kinds = [self.group.kind(point, other) for other in base]
            rest = self._points() if len(base) == 1 else points[number + 1 :]
            if self._take(kinds, self.group.modulus, partial(self._grow, (*base, point), rest)):
                return True
        return False

    def _points(self) -> list[int]:
        """In which order points are tried: in every other attempt a new one for each block. If pairs meet once, one
        order finds more; if they meet often, new ones do."""
        return shuffled(range(self.group.points), self.key, len(self.chosen) * self.varied)

    def _chosen(self, base: Block) -> bool:
        self.chosen.append(base)
        if self.run():
            return True
        self.chosen.pop()
        return False

    def _take(self, kinds: Sequence[int], meetings: int, go_on: Callable[[], bool]) -> bool:
        """Goes on with these kinds of pairs met, if none then meets too often."""
        for kind in kinds:
            self.lacking[kind] -= meetings
        if all(self.lacking[kind] >= 0 for kind in kinds) and go_on():
            return True
        for kind in kinds:
            self.lacking[kind] += meetings
        return False


def _orbit_length(base: Block, modulus: int) -> int:
    """How many different blocks come from a base block."""
    turning = {point for point in base if point < modulus}
    whole = gcd(modulus, len(turning))
    for parts in range(whole, 1, -1):
        if whole % parts == 0 and {(point + modulus // parts) % modulus for point in turning} == turning:
            return modulus // parts
    return modulus


@lru_cache(256)
def near_bases(points: int, size: int) -> tuple[Block, ...]:
    """Base blocks modulo v that hold every difference, few of them twice: each point plays equally often, each pair
    meets. For blocks of 1 or of all points there is one."""
    if size in (1, points):
        return (tuple(range(size)),)
    missing = set(range(1, points // 2 + 1))
    bases: list[Block] = []
    while missing:
        base = _covering(points, size, missing)
        missing -= _steps_in(base, points)
        bases.append(base)
    return tuple(_Evening(points, bases).run() if points <= _SEARCHED_POINTS else bases)


def _steps_in(base: Sequence[int], points: int) -> set[int]:
    return {min((a - b) % points, (b - a) % points) for a, b in combinations(base, 2)}


def _covering(points: int, size: int, missing: set[int]) -> Block:
    """Grows a block point by point, each time by the one that brings most missing differences."""
    base: list[int] = [0, min(missing)]
    while len(base) < size:
        have = _steps_in(base, points)

        def gain(point: int, have: set[int] = have) -> tuple[int, int]:
            new = {min((point - other) % points, (other - point) % points) for other in base}
            return len((new & missing) - have), -len(new & have) - len(base) + len(new)

        base.append(max((point for point in range(points) if point not in base), key=gain))
    return tuple(base)


class _Evening:
    """Moves single points of base blocks as long as that makes the meetings of pairs more even."""

    def __init__(self, points: int, bases: Sequence[Block]) -> None:
        self.group = _Cyclic(points, len(bases[0]))
        self.bases = [list(base) for base in bases]
        self.met = Counter[int]()
        for base in self.bases:
            for a, b in combinations(base, 2):
                self._meet(a, b, 1)

    def run(self) -> list[Block]:
        """The base blocks, when no move helps any more."""
        better = True
        while better:
            better = any([self._move(base, place) for base in self.bases for place in range(1, len(base))])
        return [tuple(sorted(base)) for base in self.bases]

    def _move(self, base: list[int], place: int) -> bool:
        old = base[place]
        costs = {old: self._cost()}
        others = base[:place] + base[place + 1 :]
        self._meet_all(old, others, -1)
        for point in range(self.group.modulus):
            if point not in base:
                self._meet_all(point, others, 1)
                costs[point] = self._cost()
                self._meet_all(point, others, -1)
        base[place] = min(costs, key=lambda point: (costs[point], point != old))
        self._meet_all(base[place], others, 1)
        return base[place] != old

    def _meet_all(self, point: int, others: Sequence[int], times: int) -> None:
        for other in others:
            self._meet(point, other, times)

    def _meet(self, a: int, b: int, times: int) -> None:
        kind = self.group.kind(a, b)
        self.met[kind] += times * self.group.modulus // self.group.pairs_of(kind)

    def _cost(self) -> tuple[bool, int, int]:
        """Whether some pair never meets, the range of meetings, their squares."""
        counts = [self.met[kind] for kind in self.group.kinds]
        return min(counts) == 0, max(counts) - min(counts), sum(count * count for count in counts)
