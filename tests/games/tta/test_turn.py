"""The course of a turn: row, limits, decks, draws, production."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, face

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta.turn import lose_to_corruption

ROW = ("iron", "coal", "oil", "alchemy", "drama", "opera")


@pytest.mark.parametrize(("seats", "gone"), [(2, 3), (3, 2), (4, 1)])
def test_the_row_is_replenished(seats: int, gone: int) -> None:
    p = Position(seats, age=1).row(*ROW, spaces=(1, 2, 3, 6, 9, 13)).start((steps.REPLENISH, 0))
    row = p.pile_ids(c.ROW)
    assert row[: 6 - gone] == list(ROW[gone:])
    assert len(row) == 13
    assert p.now.lists[p.now.layout.lists_common] == list(range(1, 14))


def test_the_row_is_not_refilled_in_age_iv() -> None:
    p = Position(2, age=4).row(*ROW, spaces=(1, 2, 4, 6, 9, 13)).start((steps.REPLENISH, 0))
    assert p.pile_ids(c.ROW) == ["oil", "alchemy", "drama", "opera"]
    assert p.now.lists[p.now.layout.lists_common] == [1, 2, 3, 4]


def test_limits_of_taking_cards() -> None:
    p = Position().hand(0, "iron", "coal", "oil").row("moses", "alchemy", "pyramids", "homer", "drama")
    p.action_phase().play("take", "moses")
    assert [p.decision().options[n][1] for n in p.offers("take")] == [face("pyramids")]
    q = Position().row("moses", "homer", "genghis_khan").action_phase().play("take", "moses")
    assert not q.offered("take", "homer") and q.offered("take", "genghis_khan")


def test_spaces_cost_one_two_or_three_civil_actions() -> None:
    names = (
        "iron",
        "coal",
        "oil",
        "alchemy",
        "drama",
        "opera",
        "movies",
        "theology",
        "multimedia",
        "journalism",
    )
    p = Position().row(*names, "computers", "knights", "cannon").action_phase()
    prices = {term[2]: term[3] for n in p.offers("take") for term in (p.decision().options[n],)}
    assert [prices[space] for space in range(1, 14)] == [1] * 5 + [2] * 4 + [3] * 4
    p.play("take", "cannon")
    assert (p.get(0, c.CA_SPENT), p.offered("take", "journalism"), p.offered("take", "drama")) == (
        3,
        False,
        True,
    )


@pytest.mark.parametrize(("bank", "food"), [(18, 2), (17, 2), (16, 3), (12, 4), (8, 5), (4, 7), (1, 7)])
def test_growing_costs_food_by_the_yellow_bank(bank: int, food: int) -> None:
    p = Position().yellow(0, bank).stock(0, food=9).workers(0, "religion", 8).action_phase()
    p.play("grow", 1, food, 0)
    assert p.many(0, c.YELLOW_BANK, c.UNUSED, c.FOOD) == (bank - 1, 2, 9 - food)


def test_nobody_grows_from_an_empty_bank() -> None:
    assert not Position().yellow(0, 0).stock(0, food=9).action_phase().offered("grow")


def test_at_most_three_military_cards_are_drawn() -> None:
    p = Position().set(0, c.MA_SPENT, -4).start((steps.END_TURN, 0))
    assert len(p.ids(0, c.MILITARY_HAND)) == 3
    q = Position().set(0, c.MA_SPENT, 1).start((steps.END_TURN, 0))
    assert (len(q.ids(0, c.MILITARY_HAND)), q.now.civil_left(0), q.now.military_left(0)) == (1, 4, 2)


def test_the_discards_of_the_age_are_shuffled_when_the_last_card_is_drawn() -> None:
    p = Position()
    deck = p.t.pile_number(c.MILITARY_DECK + 1)
    for one in p.t.zones[deck][2:]:
        p.t.remove(one)
    for one in ("spy_ii", "rats", "foray"):
        p.t.discard_military(p.take(one))
    left = 2 - sum(p.t.face(one).id in ("rats", "foray") for one in p.t.zones[deck])
    assert left >= 1
    p.t.draw_military(0, len(p.t.zones[deck]))
    assert {p.t.face(one).id for one in p.t.zones[deck]} == {"rats", "foray"}
    assert [p.t.face(one).id for one in p.t.pile(c.MILITARY_DISCARD)] == ["spy_ii"]


def test_future_events_become_current_by_age() -> None:
    p = Position()
    p.events("rats")
    for one in ("impact_of_variety", "foray", "cold_war", "border_conflict"):
        p.t.hide_prepared(p.take(one))
    p.start((steps.REVEAL_EVENT, 0), (steps.POLITICS, 0))
    ages = [p.now.face(one).level for one in p.now.pile(c.CURRENT_EVENTS)]
    assert ages == [3, 2, 1, 1]  # the last is on top
    assert not p.now.pile(c.FUTURE_EVENTS)


def test_an_event_is_prepared_for_culture_and_another_revealed() -> None:
    p = Position().military(0, "cold_war", "legion").events("development_of_crafts", "rats")
    p.start((steps.POLITICS, 0), (steps.POLITICS, 1)).play("prepare", "cold_war")
    assert (p.get(0, c.CULTURE), p.get(0, c.RESOURCES), p.get(1, c.RESOURCES)) == (2, 2, 2)
    (card,) = p.now.pile(c.FUTURE_EVENTS)
    assert (p.now.known[card], p.now.limit[card]) == (1, 0)
    assert p.pile_ids(c.PAST_EVENTS) == ["development_of_crafts"]


def test_production_takes_best_farms_first_when_tokens_are_short() -> None:
    p = Position().tech(0, "selective_breeding", 1).blue(0, 2).tech(0, "coal", 1)
    p.t.put_counter(0, c.RESOURCES, 0)
    p.start((steps.PRODUCTION, 0))
    # corruption 4 finds nothing, two tokens for food 3 + 1, none left for resources
    assert p.many(0, c.FOOD, c.RESOURCES, c.BLUE_BANK) == (4, 0, 0)


@pytest.mark.parametrize(("bank", "lost"), [(16, 0), (11, 0), (10, 2), (6, 2), (5, 4), (1, 4), (0, 6)])
def test_corruption_by_the_blue_bank(bank: int, lost: int) -> None:
    p = Position().blue(0, bank).tokens(0, "bronze", 3).tokens(0, "agriculture", 4)
    lose_to_corruption(p.t, 0)
    assert p.t.get(0, c.RESOURCES) + p.t.get(0, c.FOOD) == 7 - lost
    assert p.t.get(0, c.RESOURCES) == max(0, 3 - lost)
