from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ziggurat_rules.keyed import below, keyed, mix64, shuffled, splitmix64

# From Vigna's splitmix64.c: the first outputs for two seeds, as many implementations publish them.
PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}
numbers = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("seed", PUBLISHED)
def test_splitmix64_gives_the_published_numbers(seed: int) -> None:
    assert [splitmix64(seed, n) for n in range(1, 6)] == PUBLISHED[seed]


@given(numbers, numbers)
def test_mix64_is_a_bijection_on_64_bits(a: int, b: int) -> None:
    assert 0 <= mix64(a) < 2**64
    assert (mix64(a) == mix64(b)) == (a == b)


@given(st.lists(numbers, max_size=4), st.integers(0, 4), numbers)
def test_a_key_depends_on_every_part(parts: list[int], at: int, other: int) -> None:
    changed = [*parts[:at], other, *parts[at + 1 :]]
    assert (keyed(*changed) == keyed(*parts)) == (changed == parts)


def test_a_key_depends_on_the_order() -> None:
    assert keyed(1, 2) != keyed(2, 1)
    assert keyed(0) != keyed(0, 0)


@given(st.sets(st.integers(0, 400), max_size=60), st.integers(0, 400), numbers)
def test_a_card_more_leaves_the_others_in_their_order(cards: set[int], more: int, seed: int) -> None:
    order = shuffled(sorted(cards), seed, 3, 1)
    assert sorted(order) == sorted(cards)
    assert [card for card in shuffled(sorted(cards | {more}), seed, 3, 1) if card in cards - {more}] == [
        card for card in order if card != more
    ]
    assert shuffled(sorted(cards, reverse=True), seed, 3, 1) == order


def test_other_seeds_piles_and_epochs_shuffle_otherwise() -> None:
    orders = {tuple(shuffled(range(20), *key)) for key in [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)]}
    assert len(orders) == 4


def test_shuffles_are_even() -> None:
    tops = [shuffled(range(6), seed, 1, 1)[0] for seed in range(6000)]
    assert all(850 < tops.count(card) < 1150 for card in range(6))


@given(st.integers(1, 10**6), numbers)
def test_below_stays_below(bound: int, key: int) -> None:
    assert 0 <= below(bound, key) < bound


def test_below_is_even() -> None:
    drawn = [below(5, 7, n) for n in range(5000)]
    assert all(850 < drawn.count(n) < 1150 for n in range(5))
