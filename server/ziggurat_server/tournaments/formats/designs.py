"""Block designs: which bots meet at which tables, so that each plays and each pair meets equally often.

Points are 0..v-1, blocks are tables of k of them. A design is developed from a few base blocks by adding 1 to every
point, modulo v, or modulo v - 1 with one point fixed. What a base block adds to a design is the count of its
differences; a design is perfect when all differences are met equally often. The search for such base blocks takes
its tries in an order of its own keyed chance and gives up after a fixed number of steps, so it always ends the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, gcd

from ziggurat_rules.keyed import keyed
from ziggurat_server.tournaments.formats.colouring import spread_places

Block = tuple[int, ...]

FEW_BLOCKS = 400
"""A perfect design of more blocks than this gives way to one in which pairs meet nearly equally often."""
_STEPS = 4000
_TRIES = 4


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


@cache
def design(points: int, size: int) -> Design:
    """The perfect design with the fewest blocks that the search finds, else the best balance; 1 <= size <= points."""
    blocks = _perfect(points, size)
    perfect = blocks is not None
    if blocks is None:
        blocks = [block for base in near_bases(points, size) for block in develop(base, points)]
    return Design(points, size, spread_places(blocks, points), perfect)


def _perfect(points: int, size: int) -> list[Block] | None:
    if size in (1, points):
        return [tuple(range(size))] if size == points else [(point,) for point in range(points)]
    if size == 2:
        return [block for step in range(1, points // 2 + 1) for block in develop((0, step), points)]
    everything = comb(points, size)
    for meetings in _possible_meetings(points, size):
        blocks = meetings * points * (points - 1) // (size * (size - 1))
        if blocks > FEW_BLOCKS or blocks >= everything:
            break
        for group in (_Cyclic(points, size), _OnePointFixed(points, size)):
            bases = _search(group, meetings)
            if bases is not None:
                return [block for base in bases for block in group.develop(base)]
    return list(combinations(range(points), size)) if everything <= FEW_BLOCKS else None


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

    def candidates(self, kind: int, key: int) -> Iterator[Block]:
        """Base blocks that hold a pair of this kind, shorter orbits first, then in keyed order."""
        rest = [point for point in range(self.modulus) if point not in (0, kind)]
        return _blocks_with((0, kind), rest, self.size, key, self.modulus)


class _OnePointFixed(_Cyclic):
    """All points turn but the last, which is written as the modulus; kind 0 are the pairs with it."""

    def __init__(self, points: int, size: int) -> None:
        super().__init__(points - 1, size)
        self.kinds = range((points - 1) // 2 + 1)

    def pairs_of(self, kind: int) -> int:
        return super().pairs_of(kind) if kind else self.modulus

    def kind(self, a: int, b: int) -> int:
        return 0 if self.modulus in (a, b) else super().kind(a, b)

    def candidates(self, kind: int, key: int) -> Iterator[Block]:
        if kind:
            return super().candidates(kind, key)
        return _blocks_with((0, self.modulus), range(1, self.modulus), self.size, key, self.modulus)


_WIDTH = 60
"""Most base blocks tried at one step of the search."""


def _blocks_with(pair: Block, rest: Sequence[int], size: int, key: int, modulus: int) -> Iterator[Block]:
    """Blocks that hold a pair: those with short orbits, then all if they are few, else a keyed choice of them."""
    yield from _short_blocks(pair, size, modulus)
    need = size - len(pair)
    if comb(len(rest), need) <= _WIDTH:
        more = sorted(combinations(rest, need), key=lambda chosen: keyed(key, *chosen))
    else:
        more = [_draw(rest, need, keyed(key, number)) for number in range(_WIDTH)]
    for chosen in more:
        yield tuple(sorted((*pair, *chosen)))


def _draw(items: Sequence[int], count: int, key: int) -> Block:
    """Some of the items, by keyed chance."""
    chosen: list[int] = []
    turn = 0
    while len(chosen) < count:
        item = items[keyed(key, turn) % len(items)]
        turn += 1
        if item not in chosen:
            chosen.append(item)
    return tuple(chosen)


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
    """Takes the kind of pair that lacks most meetings, adds a base block that holds it, and steps back if none fits."""

    def __init__(self, group: _Cyclic, meetings: int, attempt: int) -> None:
        self.group = group
        self.key = keyed(group.modulus, group.size, meetings, attempt)
        self.lacking = {kind: meetings * group.pairs_of(kind) for kind in group.kinds}
        self.chosen: list[Block] = []
        self.steps = _STEPS

    def run(self) -> bool:
        """Whether `chosen` lets nothing lack."""
        kind = self._scarcest()
        if kind is None:
            return True
        for base in self.group.candidates(kind, keyed(self.key, len(self.chosen), self.steps)):
            if self.steps <= 0:
                return False
            self.steps -= 1
            if self._add(base):
                if self.run():
                    return True
                self._remove()
        return False

    def _scarcest(self) -> int | None:
        open_kinds = [kind for kind, lack in self.lacking.items() if lack]
        return max(open_kinds, key=lambda kind: (self.lacking[kind], -kind), default=None)

    def _add(self, base: Block) -> bool:
        used = self._meetings(base)
        if any(self.lacking[kind] < count for kind, count in used.items()):
            return False
        for kind, count in used.items():
            self.lacking[kind] -= count
        self.chosen.append(base)
        return True

    def _remove(self) -> None:
        for kind, count in self._meetings(self.chosen.pop()).items():
            self.lacking[kind] += count

    def _meetings(self, base: Block) -> dict[int, int]:
        """How many meetings of each kind come from a base block."""
        length = _orbit_length(base, self.group.modulus)
        used: dict[int, int] = {}
        for a, b in combinations(base, 2):
            kind = self.group.kind(a, b)
            used[kind] = used.get(kind, 0) + length
        return used


def _orbit_length(base: Block, modulus: int) -> int:
    """How many different blocks come from a base block."""
    turning = {point for point in base if point < modulus}
    whole = gcd(modulus, len(turning))
    for parts in range(whole, 1, -1):
        if whole % parts == 0 and {(point + modulus // parts) % modulus for point in turning} == turning:
            return modulus // parts
    return modulus


@cache
def near_bases(points: int, size: int) -> tuple[Block, ...]:
    """Base blocks modulo v that hold every difference, few of them twice: each point plays equally often, each pair
    meets. For blocks of 1 or of all points there is one."""
    if size in (1, points):
        return (tuple(range(size)),)
    missing = set(range(1, points // 2 + 1))
    bases: list[Block] = []
    while missing:
        base = _covering(points, size, missing)
        missing -= _differences(base, points)
        bases.append(base)
    return tuple(bases)


def _differences(base: Block, points: int) -> set[int]:
    return {min((a - b) % points, (b - a) % points) for a, b in combinations(base, 2)}


def _covering(points: int, size: int, missing: set[int]) -> Block:
    """Grows a block point by point, each time by the one that brings most missing differences."""
    base: list[int] = [0, min(missing)]
    while len(base) < size:
        have = _differences(tuple(base), points)

        def gain(point: int, have: set[int] = have) -> tuple[int, int]:
            new = {min((point - other) % points, (other - point) % points) for other in base}
            return len((new & missing) - have), -len(new & have) - len(base) + len(new)

        base.append(max((point for point in range(points) if point not in base), key=gain))
    return tuple(base)
