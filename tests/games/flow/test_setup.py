"""Setup for each number of seats, and what holds all through random play."""

from __future__ import annotations

import pytest

from ziggurat_rules.errors import BadSeats
from ziggurat_rules.games.flow import GAME
from ziggurat_rules.games.flow.game import FlowOptions
from ziggurat_rules.games.flow.icons import icon_totals
from ziggurat_rules.games.flow.symbols import AGES
from ziggurat_rules.games.flow.table import DECK, FlowTable
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match

SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])


def _name(t: FlowTable, card: int) -> str:
    return GAME.catalogue.cards[t.ident[card]].id


def _age(t: FlowTable, card: int) -> str:
    return AGES[t.back[card]]


@SEATS
def test_the_table_at_the_start(seats: int) -> None:
    t = Match(GAME, 3, seats).table
    market = [t.zones[zone][0] for zone in t.layout.market]
    assert [_age(t, card) for card in market] == ["A"] * 5 + ["I"] * (seats == 5)
    # R45: with five the current age is 1 from the start.
    assert t.counters[t.layout.age] == (1 if seats == 5 else 0)
    assert [t.tokens(seat) for seat in range(seats)] == [4] * seats
    # R12
    assert t.counters[t.layout.reserve] == (60 if seats == 2 else 72 - 4 * seats)
    assert t.counters[t.layout.supply] == (2 if seats == 2 else 0)
    if seats > 2:
        for seat in range(seats):
            (card,) = [card for zone in t.layout.nation[seat] for card in t.zones[zone]]
            assert _age(t, card) == "S"


@SEATS
def test_the_deck_is_in_order_of_ages_with_the_internet_and_the_future_last(seats: int) -> None:
    t = Match(GAME, 3, seats).table
    deck = t.zones[DECK][::-1]
    ages = [_age(t, card) for card in deck]
    assert ages == ["I"] * (11 if seats == 5 else 12) + ["II"] * 12 + ["III"] * 12 + ["IV"] * 12 + [
        "V"
    ] * 7 + ["future"]
    assert [_name(t, card) for card in deck[-2:]] == ["the_internet", "the_future"]


def test_each_age_is_shuffled_by_the_seed() -> None:
    decks = [[_name(t, c) for c in t.zones[DECK]] for t in (Match(GAME, seed, 3).table for seed in (1, 1, 2))]
    assert decks[0] == decks[1] != decks[2]


def test_one_seed_is_one_deal_whatever_the_edition() -> None:
    tables = [Match(GAME, 9, 4, FlowOptions(edition=edition)).table for edition in ("en", "ko")]
    assert tables[0].zones == tables[1].zones


@SEATS
def test_only_the_order_within_an_age_is_hidden(seats: int) -> None:
    """The Internet and The Future are known where they lie; with two so are the starting cards left out."""
    t = Match(GAME, 3, seats).table
    in_box = 0 if seats == 2 else 6 - seats
    for seat in range(seats):
        unseen = {_name(t, card) for group in GAME.hidden(t, seat) for card in group.handles}
        assert not unseen & {"the_internet", "the_future"}
        assert len(unseen) == len(t.zones[DECK]) - 2 + in_box


def test_any_seat_may_begin() -> None:
    assert {Match(GAME, seed, 4).to_act for seed in range(30)} == {(0,), (1,), (2,), (3,)}


def test_one_or_six_cannot_play() -> None:
    for seats in (1, 6):
        with pytest.raises(BadSeats):
            Match(GAME, 1, seats)


@SEATS
def test_a_game_of_defaults_comes_to_an_end(seats: int) -> None:
    match = Match(GAME, 3, seats)
    while not match.over:
        match.apply(match.to_act[0], match.decision(match.to_act[0]).default)
    assert match.answers < 400


@SEATS
@pytest.mark.parametrize("edition", ["en", "ko"])
def test_tokens_cards_and_totals_hold_in_random_play(seats: int, edition: str) -> None:
    for seed in range(6):
        match = Match(GAME, seed, seats, FlowOptions(edition=edition))
        while not match.over:
            seat = match.to_act[0]
            match.apply(seat, match.decision(seat).sample(keyed(seed, match.answers)))
            _check(match.table)
        t = match.table
        assert t.counters[t.layout.ending] == 1
        assert min(score.place for score in match.scores()) == 1


def _check(t: FlowTable) -> None:
    """72 tokens, each card in one place, icons and age as if counted afresh, at most one Leader."""
    layout = t.layout
    tokens = [t.counters[layout.supply], t.counters[layout.reserve]]
    tokens += [t.tokens(seat) for seat in range(t.seats)]
    tokens += [t.counters[layout.invested + owner] for owner in layout.investors]
    assert sum(tokens) == 72
    assert min(tokens) >= 0
    lying = sorted(card for zone in t.zones for card in zone)
    assert len(lying) == len(set(lying))
    for seat in range(t.seats):
        assert t.icon_counts(seat) == icon_totals(t, seat)
        assert len(t.zones[layout.nation[seat][4]]) <= 1
    out = [t.face(card).age for zone in (*layout.market, *layout.home) for card in t.zones[zone]]
    assert t.counters[layout.age] == max(out)
    for owner in layout.investors:
        assert bool(t.counters[layout.marker + owner]) == (t.invested_card(owner) is not None)
