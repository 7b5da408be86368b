from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.small import DECK, DISCARD, HAND, LOOK, OPEN, PILE, PLAY, at, small_table, worlds
from tests.rules.small import faces as faces_in

from ziggurat_rules.layout import STACK_KEY, counter_key, list_key, zone_key
from ziggurat_rules.table import NOWHERE, Table

ALL, SEAT_0, SEAT_1 = 0b111, 0b001, 0b010


def dealt(zone: int, cards: range, table: Table | None = None) -> Table:
    table = table or small_table()
    for card in cards:
        table.move(card, zone)
    return table


def test_a_card_lies_where_it_was_moved() -> None:
    table = dealt(DECK, range(4))
    table.move(1, OPEN)
    table.move(3, DECK, 0)
    assert (table.zones[DECK], table.zones[OPEN]) == ([3, 0, 2], [1])
    assert [table.place[card] for card in range(5)] == [DECK, OPEN, DECK, DECK, NOWHERE]
    assert table.dirty == {zone_key(DECK), zone_key(OPEN)}


@pytest.mark.parametrize(
    ("zone", "known"),
    [(OPEN, ALL), (HAND, SEAT_0), (HAND + 1, SEAT_1), (LOOK + 1, SEAT_1), (PILE, 0), (DISCARD, 0)],
)
def test_whoever_may_look_there_knows_the_card(zone: int, known: int) -> None:
    table = small_table()
    table.move(5, zone)
    assert table.known[5] == known


def test_what_was_seen_stays_known_until_shuffled() -> None:
    table = dealt(DECK, range(3))
    table.move(0, HAND)
    table.reveal(0, 1)
    table.reveal(1)
    table.move(0, DECK)
    assert table.known[:3] == [SEAT_0 | SEAT_1, ALL, 0]
    table.shuffle(DECK)
    assert table.known[:3] == [0, 0, 0]


def test_the_top_card_is_drawn_until_there_is_none() -> None:
    table = dealt(DECK, range(2))
    assert [table.draw(DECK, HAND) for _ in range(3)] == [1, 0, None]
    assert table.zones[HAND] == [1, 0]


def test_a_removed_card_is_nowhere_and_stays_known() -> None:
    table = dealt(OPEN, range(2))
    table.remove(0)
    assert (table.place[0], table.zones[OPEN], table.known[0]) == (NOWHERE, [1], ALL)


def test_one_seed_is_one_deal_whatever_else_is_in_the_pile() -> None:
    orders = []
    for absent in (0, 5):
        table = dealt(DECK, range(12))
        if absent:
            table.move(absent, OPEN)
        table.shuffle(DECK)
        orders.append(table.zones[DECK])
    assert [card for card in orders[0] if card != 5] == orders[1]


def test_each_shuffle_and_each_pile_has_its_own_order() -> None:
    table = dealt(DECK, range(12))
    orders = []
    for _ in range(3):
        table.shuffle(DECK)
        orders.append(tuple(table.zones[DECK]))
    for card in range(12):
        table.move(card, PILE)
    table.shuffle(PILE)
    assert len({*orders, tuple(table.zones[PILE])}) == 4


def test_a_shuffle_ends_the_limits_of_its_cards() -> None:
    table = dealt(DECK, range(3))
    table.limit = {0: 1, 7: 1}
    table.shuffle(DECK)
    assert table.limit == {7: 1}


def test_random_numbers_are_keyed_by_purpose_and_count() -> None:
    def drawn(table: Table, purpose: int) -> list[int]:
        return [table.random_below(1000, purpose) for _ in range(3)]

    assert drawn(small_table(), -1) == drawn(small_table(), -1)
    assert len({*drawn(small_table(), -1), *drawn(small_table(), -2), *drawn(small_table(seed=2), -1)}) > 6


def test_counters_and_lists_note_only_changes() -> None:
    table = small_table()
    table.set(0, 0)
    table.add(1, 0)
    assert table.dirty == set()
    table.set(0, 3)
    table.put(0, iter([1, 2]))
    assert table.lists[0] == [1, 2]
    assert table.dirty == {counter_key(0), list_key(0)}


@pytest.mark.parametrize(("amount", "moved"), [(2, 2), (9, 5), (0, 0), (-3, 0)])
def test_a_transfer_moves_at_most_what_is_there(amount: int, moved: int) -> None:
    table = small_table()
    table.set(0, 5)
    assert table.transfer(0, 1, amount) == moved
    assert table.counters[:2] == [5 - moved, moved]


def test_the_agenda_is_a_stack() -> None:
    table = small_table()
    table.push(1, 0)
    table.push(2, 1, 7)
    assert table.drop() == (2, 1, 7)
    assert table.agenda == [(1, 0)]
    assert table.dirty == {STACK_KEY}


def test_effects_that_interleave_each_end_themselves() -> None:
    table = small_table()
    first, second = table.resolving(0, 3), table.resolving(1, 4)
    with first:
        second.__enter__()
    assert table.frames == [(1, 4)]
    second.__exit__(None, None, None)
    assert table.frames == []


def test_events_have_an_audience() -> None:
    table = small_table()
    table.log(PLAY(1))
    table.log(PLAY(2), 0)
    assert table.events == [(ALL, PLAY(1)), (SEAT_0, PLAY(2))]


def test_a_clone_is_independent() -> None:
    table = dealt(DECK, range(12))
    table.shuffle(DECK)
    table.push(0, 1)
    table.log(PLAY(1))
    copy = table.clone()
    before = [copy.zones[DECK][:], copy.agenda[:], copy.known[:], copy.sure[:]]
    assert (copy.events, copy.dirty) == ([], set())
    table.draw(DECK, HAND)
    table.shuffle(DECK)
    table.drop()
    assert [copy.zones[DECK], copy.agenda, copy.known, copy.sure] == before


# What seats are sure of after shuffles. Cards 0..5 lie in a pile nobody ever looked into.


def shuffled_in(known: range, seats: tuple[int, ...] = ()) -> Table:
    """Cards 6..11 go into the deck and are shuffled; these seats (or all) saw some of them first."""
    table = dealt(DECK, range(6, 12), dealt(PILE, range(6)))
    for card in known:
        table.reveal(card, *seats)
    table.shuffle(DECK)
    return table


def all_in_deck(table: Table, faces: set[int], seat: int) -> bool:
    return all(faces <= faces_in(world, DECK) for world in worlds(at(table), seat))


def test_known_discards_stay_in_the_deck_they_became() -> None:
    table = shuffled_in(range(6, 12))
    for seat in (0, 1):
        assert all(faces_in(world, PILE) == set(range(6)) for world in worlds(at(table), seat))


def test_only_who_saw_a_card_is_sure_of_it() -> None:
    table = shuffled_in(range(6, 9), (0,))
    assert all_in_deck(table, {6, 7, 8}, 0)
    assert not all_in_deck(table, {6}, 1)
    assert not all_in_deck(table, {9}, 0)


def test_the_places_of_known_faces_in_a_lot_are_not_known() -> None:
    table = shuffled_in(range(6, 8))
    tops = {world.ident[world.zones[DECK][-1]] for world in worlds(at(table), 0)}
    assert len(tops) > 8
    assert {6, 7} <= tops


def test_a_seen_card_is_no_longer_in_the_lot() -> None:
    table = shuffled_in(range(6, 9), (0,))
    while True:
        drawn = table.draw(DECK, OPEN)
        if drawn in (6, 7, 8):
            break
    left = {6, 7, 8} - {drawn}
    assert {table.ident[card] for card, _ in table.still_sure(0)} == left
    assert all(left <= faces_in(world, DECK) for world in worlds(at(table), 0))


def test_a_second_shuffle_of_the_whole_lot_keeps_what_is_known() -> None:
    table = shuffled_in(range(6, 9), (0,))
    table.shuffle(DECK)
    assert all_in_deck(table, {6, 7, 8}, 0)


def test_after_a_partial_reshuffle_a_known_face_is_in_either_lot_and_nowhere_else() -> None:
    table = shuffled_in(range(6, 9), (0,))
    for _ in range(3):
        table.draw(DECK, HAND + 1)
    table.move(table.zones[HAND + 1][0], DECK)
    table.shuffle(DECK)
    imagined = worlds(at(table), 0, 200)
    assert all({6, 7, 8} <= faces_in(world, DECK) | faces_in(world, HAND + 1) for world in imagined)
    assert any(6 in faces_in(world, DECK) for world in imagined)
    assert any(6 in faces_in(world, HAND + 1) for world in imagined)


def test_what_goes_in_known_by_a_partial_reshuffle_is_in_the_new_lot() -> None:
    table = shuffled_in(range(6, 9), (0,))
    for _ in range(2):
        table.draw(DECK, HAND + 1)
    shown = table.zones[HAND + 1][0]
    table.reveal(shown)
    table.move(shown, DECK)
    table.shuffle(DECK)
    assert all_in_deck(table, {table.ident[shown]}, 0)
    assert all_in_deck(table, {table.ident[shown]}, 1)


def test_copies_of_a_card_are_counted() -> None:
    table = Table(small_table().layout, 3, [0, 1, 2, 3, 9, 9, 9, 4], [0] * 8)
    for card in range(8):
        table.move(card, PILE if card < 4 else DECK)
    for card in (4, 5, 6):
        table.reveal(card)
    table.shuffle(DECK)
    table.move(next(card for card in table.zones[DECK] if table.ident[card] == 9), OPEN)
    for world in worlds(at(table), 0):
        assert sum(world.ident[card] == 9 for card in world.zones[DECK]) == 2


steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("move"), st.integers(0, 11), st.sampled_from([OPEN, DECK, DISCARD, HAND, HAND + 1])
        ),
        st.tuples(st.just("reveal"), st.integers(0, 11), st.integers(0, 1)),
        st.tuples(st.just("shuffle"), st.sampled_from([DECK, DISCARD])),
    ),
    max_size=30,
)


@given(steps, st.integers(0, 1))
def test_what_a_seat_is_sure_of_is_true_and_holds_in_every_world(calls: list[tuple], seat: int) -> None:
    table = dealt(DECK, range(6, 12), dealt(PILE, range(6)))
    for verb, *arguments in calls:
        getattr(table, verb)(*arguments)
    sure = [(table.ident[card], lots) for card, lots in table.still_sure(seat)]
    unseen = [card for card, known in enumerate(table.known) if not known >> seat & 1]
    for world in [table, *worlds(at(table), seat, 4)]:
        for face, lots in sure:
            assert any(world.ident[card] == face and world.lot[card] in lots for card in unseen)
        assert all(world.ident[card] == table.ident[card] for card in range(12) if card not in unseen)
