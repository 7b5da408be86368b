"""Places in blocks: every set of blocks can be ordered so that each point is in each place equally often.

Points and blocks are the two sides of a graph; a place is a colour of the edges between them. A point's blocks are cut
into portions of as many as there are places, so no node has more edges than there are colours, and such a graph can
always be coloured so that no two edges at a node share a colour (König).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Block = tuple[int, ...]
_Node = tuple[str, int, int]


def spread_places(blocks: Sequence[Block], points: int) -> tuple[Block, ...]:
    """The blocks with their points in such an order that the counts of a point by place differ by 1 at most."""
    if not blocks or _is_spread(blocks, points):
        return tuple(blocks)
    size = len(blocks[0])
    colours: dict[_Node, dict[int, _Node]] = {}
    seen = [0] * points
    for number, block in enumerate(blocks):
        for point in block:
            portion: _Node = ("point", point, seen[point] // size)
            seen[point] += 1
            _colour(colours, portion, ("block", number, 0), size)
    return tuple(
        tuple(colours["block", number, 0][place][1] for place in range(size)) for number in range(len(blocks))
    )


def _is_spread(blocks: Sequence[Block], points: int) -> bool:
    counts = [[0] * len(blocks[0]) for _ in range(points)]
    for block in blocks:
        for place, point in enumerate(block):
            counts[point][place] += 1
    return all(max(row) - min(row) <= 1 for row in counts)


def _colour(colours: dict[_Node, dict[int, _Node]], point: _Node, block: _Node, size: int) -> None:
    """Colours one more edge; along one path, two colours change places if they must."""
    at_point, at_block = colours.setdefault(point, {}), colours.setdefault(block, {})
    free = next(colour for colour in range(size) if colour not in at_point)
    wanted = next(colour for colour in range(size) if colour not in at_block)
    if free in at_block:
        _swap_path(colours, block, free, wanted)
    colours[point][free] = block
    colours[block][free] = point


def _swap_path(colours: dict[_Node, dict[int, _Node]], start: _Node, a: int, b: int) -> None:
    """Exchanges colours a and b along the path that leaves `start` by a; b is free at `start`."""
    path = [start]
    colour = a
    while (following := colours[path[-1]].get(colour)) is not None:
        path.append(following)
        colour = b if colour == a else a
    edges = list(itertools.pairwise(path))
    for number, (left, right) in enumerate(edges):
        old = a if number % 2 == 0 else b
        del colours[left][old], colours[right][old]
    for number, (left, right) in enumerate(edges):
        new = b if number % 2 == 0 else a
        colours[left][new], colours[right][new] = right, left
