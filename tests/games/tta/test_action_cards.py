"""Action cards: played, with the exact change of each."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, card

from ziggurat_rules.games.tta import cells as c

RICH_LAND = [("rich_land_a", 1), ("rich_land_i", 2), ("rich_land_ii", 3)]
URBAN_GROWTH = [("urban_growth_a", 1), ("urban_growth_i", 2), ("urban_growth_ii", 3), ("urban_growth_iii", 4)]
FRUGALITY = [("frugality_a", 1), ("frugality_i", 2), ("frugality_ii", 3)]
GENIUS = [
    ("engineering_genius_a", 2),
    ("engineering_genius_i", 3),
    ("engineering_genius_ii", 4),
    ("engineering_genius_iii", 5),
]
PATRIOTISM = [("patriotism_a", 1), ("patriotism_i", 2), ("patriotism_ii", 3), ("patriotism_iii", 4)]
GAINS = [
    ("cultural_heritage_a", 4, 1, 0, 0),
    ("cultural_heritage_i", 2, 2, 0, 0),
    ("stockpile_a", 0, 0, 1, 1),
    ("revolutionary_idea_ii", 0, 4, 0, 0),
    ("revolutionary_idea_iii", 0, 6, 0, 0),
]
RESERVES = [("reserves_i", 2), ("reserves_ii", 3), ("reserves_iii", 4)]
BREAKTHROUGH = [("breakthrough_i", 2), ("breakthrough_ii", 3)]
EFFICIENT = [("efficient_upgrade_ii", 3), ("efficient_upgrade_iii", 4)]


def played(p: Position, card_id: str) -> Position:
    """The card was played for one civil action; it is gone."""
    p.hand(0, card_id).action_phase().play("play_action", card_id)
    return p


def gone(p: Position, card_id: str) -> bool:
    """The card cost one civil action and left the game."""
    return p.get(0, c.CA_SPENT) == 1 and card_id not in p.ids(0, c.CIVIL_HAND)


@card(*(row[0] for row in RICH_LAND))
@pytest.mark.parametrize(("card_id", "less"), RICH_LAND)
def test_rich_land_builds_or_upgrades_a_farm_or_mine_cheaper(card_id: str, less: int) -> None:
    p = played(Position().tech(0, "iron").stock(0, resources=5), card_id)
    assert p.price("build", "iron")[1:] == (0, 5 - less, 0)
    assert p.price("build", "agriculture")[1:] == (0, max(0, 2 - less), 0)
    assert not p.offered("build", "philosophy")
    assert p.price("upgrade", "bronze", "iron")[2:] == (0, max(0, 3 - less), 0)
    p.play("build", "iron")
    assert (p.on(0, "iron"), p.get(0, c.RESOURCES), gone(p, card_id)) == (1, less, True)


@card(*(row[0] for row in URBAN_GROWTH))
@pytest.mark.parametrize(("card_id", "less"), URBAN_GROWTH)
def test_urban_growth_builds_or_upgrades_an_urban_building_cheaper(card_id: str, less: int) -> None:
    p = played(Position().tech(0, "computers").stock(0, resources=11), card_id)
    assert p.price("upgrade", "philosophy", "computers")[2:] == (0, 8 - less, 0)
    assert not p.offered("build", "bronze")
    p.play("build", "computers")
    assert (p.on(0, "computers"), p.get(0, c.RESOURCES), gone(p, card_id)) == (1, less, True)


@card(*(row[0] for row in FRUGALITY))
@pytest.mark.parametrize(("card_id", "amount"), FRUGALITY)
def test_frugality_grows_and_gives_food(card_id: str, amount: int) -> None:
    p = played(Position().stock(0, food=2), card_id)
    assert (*p.many(0, c.FOOD, c.UNUSED, c.YELLOW_BANK), gone(p, card_id)) == (amount, 2, 17, True)
    q = Position().hand(0, card_id).stock(0, food=1).action_phase()
    assert not q.offered("play_action")


@card(*(row[0] for row in GENIUS))
@pytest.mark.parametrize(("card_id", "less"), GENIUS)
def test_engineering_genius_builds_one_stage_cheaper(card_id: str, less: int) -> None:
    p = Position().tech(0, "engineering").unfinished(0, "eiffel_tower", 1).stock(0, resources=9)
    played(p, card_id)
    assert (*p.many(0, c.STAGES, c.RESOURCES), gone(p, card_id)) == (2, 9 - 7 + less, True)


@card(*(row[0] for row in PATRIOTISM))
@pytest.mark.parametrize(("card_id", "amount"), PATRIOTISM)
def test_patriotism_gives_a_military_action_and_resources_for_units(card_id: str, amount: int) -> None:
    p = played(Position().stock(0, resources=4).unused(0, 2), card_id)
    assert (p.now.military_left(0), p.get(0, c.MA_TOTAL), p.get(0, c.POOL_UNITS)) == (3, 2, amount)
    first = min(2, amount)
    assert p.price("build_unit", "warriors")[1:] == (1, 2 - first, first, 0)
    p.play("build_unit", "warriors")
    assert p.get(0, c.POOL_UNITS) == amount - first
    p.play("build_unit", "warriors")
    assert p.get(0, c.RESOURCES) == 4 - (4 - min(amount, 4))
    assert gone(p, card_id)


@card(*(row[0] for row in GAINS))
@pytest.mark.parametrize(("card_id", "culture", "science", "food", "resources"), GAINS)
def test_cards_that_give_something_at_once(
    card_id: str, culture: int, science: int, food: int, resources: int
) -> None:
    p = played(Position(), card_id)
    assert p.many(0, c.CULTURE, c.SCIENCE, c.FOOD, c.RESOURCES) == (culture, science, food, resources)
    assert gone(p, card_id)


@card(*(row[0] for row in RESERVES))
@pytest.mark.parametrize(("card_id", "amount"), RESERVES)
def test_reserves_give_food_or_resources(card_id: str, amount: int) -> None:
    p = played(Position(), card_id).play("split", amount, 0)
    assert p.many(0, c.FOOD, c.RESOURCES) == (amount, 0)
    q = played(Position(), card_id).play("split", 0, amount)
    assert (*q.many(0, c.FOOD, c.RESOURCES), gone(q, card_id)) == (0, amount, True)


@card(*(row[0] for row in BREAKTHROUGH))
@pytest.mark.parametrize(("card_id", "science"), BREAKTHROUGH)
def test_breakthrough_develops_then_gives_science(card_id: str, science: int) -> None:
    p = played(Position().hand(0, "iron", "alchemy").points(0, science=5), card_id)
    p.play("develop", "iron", 0, 5)
    assert (p.get(0, c.SCIENCE), gone(p, card_id)) == (science, True)
    q = Position().hand(0, card_id, "iron").points(0, science=4).action_phase()
    assert not q.offered("play_action")


@card(*(row[0] for row in EFFICIENT))
@pytest.mark.parametrize(("card_id", "less"), EFFICIENT)
def test_efficient_upgrade_makes_an_upgrade_cheaper(card_id: str, less: int) -> None:
    p = Position().tech(0, "oil").tech(0, "swordsmen").tech(0, "computers").stock(0, resources=8)
    played(p, card_id)
    assert not p.offered("upgrade_unit") and not p.offered("build")
    p.play("upgrade", "philosophy", "computers", 0, 8 - less)
    assert (p.on(0, "computers"), p.get(0, c.RESOURCES), gone(p, card_id)) == (1, less, True)


@card("wave_of_nationalism_ii", "military_build_up_iii")
@pytest.mark.parametrize(
    ("card_id", "each"), [("wave_of_nationalism_ii", (6, 3, 2)), ("military_build_up_iii", (8, 5, 3))]
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_resources_for_units_by_stronger_rivals(card_id: str, each: tuple[int, int, int], seats: int) -> None:
    p = Position(seats)
    for seat in range(1, seats):
        p.strength(seat, 1 if seat == 3 else 2)
    played(p, card_id)
    ahead = min(seats - 1, 2)
    assert (p.get(0, c.POOL_UNITS), gone(p, card_id)) == (each[seats - 2] * ahead, True)


@card("endowment_for_the_arts_iii")
@pytest.mark.parametrize(("seats", "culture"), [(2, 6), (3, 6), (4, 4)])
def test_endowment_for_the_arts_scores_by_rivals_ahead_in_culture(seats: int, culture: int) -> None:
    p = Position(seats)
    for seat in range(1, seats):
        p.points(seat, culture=0 if seat == 3 else 9)
    played(p, "endowment_for_the_arts_iii")
    assert (p.get(0, c.CULTURE), gone(p, "endowment_for_the_arts_iii")) == (culture, True)


def test_an_action_card_is_not_played_in_the_turn_it_was_taken() -> None:
    p = Position().row("stockpile_a", "reserves_i", "reserves_i").hand(0).action_phase()
    p.play("take", "stockpile_a").play("take", "reserves_i", 2)
    assert not p.offered("play_action")
    q = Position().hand(0, "reserves_i").row("reserves_i").action_phase().play("take", "reserves_i")
    q.play("play_action", "reserves_i").play("split", 2, 0)
    assert q.ids(0, c.CIVIL_HAND) == ["reserves_i"]
    assert not q.offered("play_action")
