"""Block designs: counts of points, pairs and places."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ziggurat_server.tournaments.formats.colouring import spread_places
from ziggurat_server.tournaments.formats.designs import design, develop, fewest_blocks, near_bases

KNOWN = [
    # bots, seats, tables, how often pairs meet: the smallest designs there are, from the literature
    (7, 3, 7, 1),  # Fano plane
    (9, 3, 12, 1),  # affine plane of order 3
    (13, 3, 26, 1),
    (15, 3, 35, 1),
    (6, 3, 10, 2),
    (13, 4, 13, 1),  # projective plane of order 3
    (16, 4, 20, 1),  # affine plane of order 4
    (7, 4, 7, 2),  # complement of the Fano plane
    (8, 4, 14, 3),
    (37, 4, 111, 1),
    (11, 5, 11, 2),  # biplane
    (21, 5, 21, 1),  # projective plane of order 4
    (25, 5, 30, 1),  # affine plane of order 5
    (9, 5, 18, 5),
    (8, 3, 56, 6),
    (5, 4, 5, 3),
    (6, 2, 15, 1),
    (4, 4, 1, 1),
]
SIZES = [(points, size) for size in range(2, 6) for points in [*range(size, 20), 24, 32]]


def pair_counts(blocks: tuple[tuple[int, ...], ...], points: int) -> Counter[tuple[int, int]]:
    counts = Counter({pair: 0 for pair in combinations(range(points), 2)})
    counts.update(pair for block in blocks for pair in combinations(sorted(block), 2))
    return counts


@pytest.mark.parametrize(("points", "size", "tables", "meetings"), KNOWN)
def test_known_designs_are_found(points: int, size: int, tables: int, meetings: int) -> None:
    found = design(points, size)
    assert found.perfect
    assert len(found.blocks) == tables
    assert set(pair_counts(found.blocks, points).values()) == {meetings}


@pytest.mark.parametrize(("points", "size"), SIZES)
def test_everybody_plays_equally_often_and_in_each_place(points: int, size: int) -> None:
    found = design(points, size)
    assert all(len(set(block)) == size for block in found.blocks)
    plays = Counter(point for block in found.blocks for point in block)
    assert len(plays) == points
    assert len(set(plays.values())) == 1
    places = Counter((point, place) for block in found.blocks for place, point in enumerate(block))
    for point in range(points):
        row = [places[point, place] for place in range(size)]
        assert max(row) - min(row) <= 1
        assert size > 2 or plays[point] % 2 or max(row) == min(row)


@pytest.mark.parametrize(("points", "size"), SIZES)
def test_pairs_meet_and_a_perfect_design_says_so_truly(points: int, size: int) -> None:
    found = design(points, size)
    counts = pair_counts(found.blocks, points).values()
    assert min(counts) >= 1
    assert found.perfect == (min(counts) == max(counts))
    assert max(counts) - min(counts) <= (2 if points > 30 else 1)
    assert len(found.blocks) >= fewest_blocks(points, size)


@pytest.mark.parametrize(("points", "size"), [(23, 5), (26, 3), (40, 5), (64, 4), (200, 4), (101, 3)])
def test_large_fields_get_few_tables_and_near_balance(points: int, size: int) -> None:
    found = design(points, size)
    counts = pair_counts(found.blocks, points).values()
    assert not found.perfect
    assert min(counts) >= 1
    assert max(counts) <= (3 if points <= 100 else 12)
    assert len(found.blocks) <= 2 * fewest_blocks(points, size)


def test_a_base_block_that_maps_to_itself_is_developed_once() -> None:
    assert develop((0, 5, 10), 15) == [(shift, shift + 5, shift + 10) for shift in range(5)]
    assert len(develop((0, 1, 3), 7)) == 7
    assert develop((0, 2, 4), 4) == [(0, 2, 4), (1, 3, 4)]


def test_base_blocks_for_one_seat_and_for_all() -> None:
    assert near_bases(5, 1) == ((0,),)
    assert develop(near_bases(5, 5)[0], 5) == [(0, 1, 2, 3, 4)]


def test_the_search_ends_the_same_way_each_time() -> None:
    script = f"""
from ziggurat_server.tournaments.formats.designs import design
print([design(points, size) for points, size in {SIZES[20:60]}])
"""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("Design(") == 40


@given(st.data())
def test_any_blocks_can_be_seated_evenly(data: st.DataObject) -> None:
    points = data.draw(st.integers(2, 8))
    size = data.draw(st.integers(2, points))
    block = st.permutations(range(points)).map(lambda order: tuple(order[:size]))
    blocks = data.draw(st.lists(block, max_size=20))
    seated = spread_places(blocks, points)
    assert [set(block) for block in seated] == [set(block) for block in blocks]
    for point in range(points):
        row = [sum(block[place] == point for block in seated) for place in range(size)]
        assert max(row) - min(row) <= 1
