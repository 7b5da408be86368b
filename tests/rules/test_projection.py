from __future__ import annotations

from struct import pack
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.small import DECK, DISCARD, HAND, LAYOUT, LOOK, OPEN, PLAY, small_table

from ziggurat_rules.layout import STACK_KEY, TO_ACT_KEY, counter_key, list_key, zone_key
from ziggurat_rules.projection import (
    ARBITER,
    PUBLIC,
    Projector,
    cell_hash,
    read_cell,
    read_view,
    read_zone,
    state_hash,
)

integers = st.integers(-(2**31), 2**31 - 1)


def fmix32(value: int) -> int:
    """MurmurHash3's finalizer, as published."""
    value ^= value >> 16
    value = value * 0x85EBCA6B % 2**32
    value ^= value >> 13
    value = value * 0xC2B2AE35 % 2**32
    return value ^ value >> 16


def test_the_parts_of_the_hash_are_the_published_ones() -> None:
    assert crc32(b"123456789") == 0xCBF43926
    assert [fmix32(n) for n in (0, 1, 0xFFFFFFFF)] == [0, 0x514E28B7, 0x81F16F39]


@given(st.integers(0, 2**32 - 1), st.lists(integers, min_size=1, max_size=6))
def test_a_cell_is_hashed_by_its_bytes(key: int, values: list[int]) -> None:
    expected = fmix32(crc32(pack("<I", key) + b"".join(pack("<i", value) for value in values)))
    assert cell_hash(key, tuple(values)) == (0 if values == [0] and key % 4 == 2 else expected)


def test_cell_hashes_do_not_change() -> None:
    """Every client works them out for itself."""
    assert f"{cell_hash(6, (5,)):08x}" == "4550273f"
    assert f"{cell_hash(13, (3, 1, -2, 4)):08x}" == "b7546247"


def test_empty_cells_do_not_count() -> None:
    assert state_hash({1: (), 2: (0,)}) == 0
    assert state_hash({6: (0,), 1: (4, 5)}) == cell_hash(1, (4, 5))


@pytest.mark.parametrize("key", [zone_key(1), list_key(0), TO_ACT_KEY])
def test_only_a_counter_is_empty_at_zero(key: int) -> None:
    """A zone may hold just the first card of the catalogue, and seat 0 may be the only one to act."""
    assert cell_hash(key, (0,)) != 0
    table = small_table()
    table.move(0, OPEN)
    assert read_view(table, [0], PUBLIC) == {TO_ACT_KEY: (0,), zone_key(OPEN): (0,)}


@given(st.dictionaries(st.integers(0, 500), st.lists(integers, max_size=4).map(tuple), max_size=8))
def test_the_hash_does_not_depend_on_order(cells: dict[int, tuple[int, ...]]) -> None:
    assert state_hash(dict(reversed(cells.items()))) == state_hash(cells)


def test_each_zone_shows_what_its_kind_says() -> None:
    table = small_table(backs=[0, 1] * 6)
    for card, zone in enumerate([OPEN, DECK, DECK, DISCARD, DISCARD, HAND, HAND + 1, LOOK]):
        table.move(card, zone)
    table.reveal(4, 1)
    table.reveal(6)
    assert [read_zone(table, OPEN, one) for one in (0, PUBLIC)] == [(0,), (0,)]
    assert read_zone(table, DECK, 0) == (-1, 1, -2, 1)
    assert read_zone(table, DECK, ARBITER) == (1, 2)
    assert read_zone(table, DISCARD, 0) == (-2, 1, -1, 1)
    assert read_zone(table, DISCARD, 1) == (-2, 1, 4)
    assert [read_zone(table, HAND, one) for one in (0, 1, PUBLIC)] == [(5,), (-2, 1), (-2, 1)]
    assert read_zone(table, HAND + 1, 0) == (6,)
    assert [read_zone(table, LOOK, one) for one in (0, 1, PUBLIC, ARBITER)] == [(7,), (), (), (7,)]


def test_what_belongs_to_nobody_is_no_secret_of_the_public() -> None:
    table = small_table()
    nobodys = next(number for number, cell in enumerate(LAYOUT.zones) if cell.name == "nobody's")
    table.move(3, nobodys)
    table.set(4, 7)
    for audience in (0, 1, PUBLIC):
        assert read_zone(table, nobodys, audience) == ()
        assert read_cell(table, counter_key(4), audience) == ()
    assert read_cell(table, counter_key(4), ARBITER) == (7,)


def test_counters_and_lists_are_shown_to_whom_they_may() -> None:
    table = small_table()
    table.set(2, 5)
    table.set(5, 6)
    table.put(1, [1, 2])
    assert [read_cell(table, counter_key(2), one) for one in (0, 1, PUBLIC, ARBITER)] == [(5,), (), (), (5,)]
    assert [read_cell(table, counter_key(5), one) for one in (0, PUBLIC, ARBITER)] == [(), (), (6,)]
    assert [read_cell(table, list_key(1), one) for one in (0, 1, ARBITER)] == [(), (1, 2), (1, 2)]


def test_the_stack_shows_whose_step_it_is_and_no_other_argument() -> None:
    table = small_table()
    table.push(3)
    table.push(2, 1, 99)
    with table.resolving(0, 8):
        view = read_view(table, [1], PUBLIC)
    assert view[STACK_KEY] == (3, -1, -1, 2, 1, -1, -1, 0, 8)
    assert view[TO_ACT_KEY] == (1,)


def test_a_version_counts_what_its_audience_can_notice() -> None:
    table = small_table()
    projector = Projector(table, [0])
    table.set(2, 1)
    projector.advance(table, [0])
    assert projector.version == {0: 2, 1: 1, PUBLIC: 1, ARBITER: 2}
    table.log(PLAY(3), 1)
    changes = projector.advance(table, [0])
    assert projector.version == {0: 2, 1: 2, PUBLIC: 1, ARBITER: 3}
    assert [projector.events_for(one, changes) for one in (0, 1, PUBLIC)] == [[], [PLAY(3)], []]
    projector.advance(table, [1])
    assert projector.version == {0: 3, 1: 3, PUBLIC: 2, ARBITER: 4}
    table.set(0, 4)
    table.set(0, 0)
    projector.advance(table, [1])
    assert projector.version[PUBLIC] == 2


def test_only_the_arbiter_notices_a_shuffle() -> None:
    table = small_table()
    for card in range(8):
        table.move(card, DECK)
    projector = Projector(table, [0])
    before = dict(projector.version)
    hashes = {audience: projector.hash(audience) for audience in projector.audiences}
    table.shuffle(DECK)
    changes = projector.advance(table, [0])
    assert not changes.shared
    assert list(changes.own.get(ARBITER, {})) == [zone_key(DECK)]
    assert [audience for audience in before if projector.version[audience] > before[audience]] == [ARBITER]
    assert [audience for audience in before if projector.hash(audience) != hashes[audience]] == [ARBITER]


verbs = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 11), st.integers(0, 7)),
    st.tuples(st.just("shuffle"), st.integers(0, 5)),
    st.tuples(st.just("reveal"), st.integers(0, 11), st.integers(0, 1)),
    st.tuples(st.just("set"), st.integers(0, 5), integers),
    st.tuples(st.just("put"), st.integers(0, 1), st.lists(integers, max_size=3)),
    st.tuples(st.just("push"), st.integers(0, 3), st.integers(0, 1)),
)


@pytest.mark.parametrize("every", [1, 3])
@given(st.lists(verbs, max_size=24))
def test_the_incremental_view_is_the_full_view(every: int, calls: list[tuple]) -> None:
    table = small_table(backs=[0, 0, 1] * 4)
    projector = Projector(table, [0])
    for number, (verb, *arguments) in enumerate(calls):
        getattr(table, verb)(*arguments)
        if number % every:
            continue
        projector.advance(table, [number % 2])
        for audience in projector.audiences:
            view = read_view(table, [number % 2], audience)
            assert projector.view(audience) == view
            assert projector.hash(audience) == state_hash(view)
