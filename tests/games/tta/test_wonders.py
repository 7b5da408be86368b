"""Wonders: taken, built stage by stage, completed."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, card

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps

# id, stages, culture, science, strength, happiness, civil, military, colonization, blue tokens
WONDERS = [
    ("colossus", (3, 3), 0, 0, 2, 0, 0, 0, 1, 0),
    ("hanging_gardens", (2, 2, 2), 1, 0, 0, 2, 0, 0, 0, 0),
    ("library_of_alexandria", (1, 4, 1), 1, 1, 0, 0, 0, 0, 0, 0),
    ("pyramids", (3, 2, 1), 0, 0, 0, 0, 1, 0, 0, 0),
    ("great_wall", (2, 2, 3, 2), 1, 0, 1, 1, 0, 0, 0, 0),
    ("st_peters_basilica", (4, 4), 2, 0, 0, 1, 0, 0, 0, 0),
    ("taj_mahal", (2, 4, 2), 3, 0, 0, 0, 0, 0, 0, 1),
    ("universitas_carolina", (3, 3, 3), 1, 2, 0, 0, 0, 0, 0, 0),
    ("eiffel_tower", (3, 7, 3), 4, 0, 0, 1, 0, 0, 0, 0),
    ("kremlin", (4, 4, 4), 2, 0, 0, 0, 1, 1, 0, 0),
    ("ocean_liner_service", (4, 2, 2, 4), 0, 0, 0, 0, 0, 0, 0, 0),
    ("transcontinental_railroad", (3, 3, 3, 3), 0, 0, 4, 0, 0, 0, 0, 0),
    ("fast_food_chains", (4, 4, 4, 4), 0, 0, 0, 0, 0, 0, 0, 0),
    ("first_space_flight", (1, 2, 4, 9), 0, 0, 0, 0, 0, 0, 0, 0),
    ("hollywood", (5, 6, 5), 0, 0, 0, 0, 0, 0, 0, 0),
    ("internet", (2, 3, 4, 3, 2), 0, 0, 0, 0, 0, 0, 0, 0),
]
RATINGS = (
    *(c.CULTURE_RATING, c.SCIENCE_RATING, c.STRENGTH, c.HAPPINESS, c.CA_TOTAL, c.MA_TOTAL, c.COLONIZATION),
    c.BLUE_BANK,
)


@card(*(row[0] for row in WONDERS))
@pytest.mark.parametrize("row", WONDERS, ids=lambda row: row[0])
def test_a_wonder_is_built_stage_by_stage(row: tuple[str, tuple[int, ...]]) -> None:
    card_id, stages, *symbols = row
    p = Position().row(card_id).set(0, c.CA_SPENT, -9).stock(0, resources=sum(stages)).action_phase()
    blue = p.get(0, c.BLUE_BANK)
    before = p.many(0, *RATINGS[:7])
    p.play("take", card_id)
    assert p.ids(0, c.UNFINISHED) == [card_id]
    left = sum(stages)
    for number, cost in enumerate(stages):
        assert p.price("stage", card_id)[1:] == (1, 1, cost, 0)
        assert p.many(0, *RATINGS[:7]) == before
        p.play("stage", card_id)
        left -= cost
        assert p.get(0, c.RESOURCES) == left
        if number + 1 < len(stages):
            assert p.get(0, c.STAGES) == number + 1
    assert p.ids(0, c.WONDERS) == [card_id]
    changes = [new - old for new, old in zip(p.many(0, *RATINGS), (*before, blue + sum(stages)), strict=True)]
    assert changes == symbols


@card("library_of_alexandria")
def test_the_library_of_alexandria_raises_hand_limits() -> None:
    p = Position().wonder(0, "library_of_alexandria")
    assert (p.t.get(0, c.CIVIL_LIMIT), p.t.get(0, c.MILITARY_LIMIT)) == (5, 3)


@card("great_wall")
def test_the_great_wall_strengthens_infantry_and_artillery() -> None:
    p = Position().tech(0, "knights", 1).tech(0, "cannon", 2).tech(0, "swordsmen", 1)
    before = p.t.get(0, c.STRENGTH)
    p.wonder(0, "great_wall")
    assert p.t.get(0, c.STRENGTH) == before + 4


@card("st_peters_basilica", "kremlin")
def test_st_peters_basilica_adds_a_face_to_each_other_source() -> None:
    p = Position().wonder(0, "kremlin")
    assert p.t.get(0, c.HAPPINESS) == 0
    p.workers(0, "religion", 1)
    assert p.t.get(0, c.HAPPINESS) == 0
    p.wonder(0, "st_peters_basilica")
    assert p.t.get(0, c.HAPPINESS) == 2
    p.workers(0, "religion", 2).colony(0, "historic_territory_i")
    assert p.t.get(0, c.HAPPINESS) == -1 + 1 + 2 + 2 + 2


@card("taj_mahal")
def test_taj_mahal_is_cheaper_after_a_leader_was_replaced() -> None:
    p = Position().leader(0, "moses").hand(0, "aristotle").row("taj_mahal", spaces=(10,)).action_phase()
    assert p.price("take", "taj_mahal")[2] == 3
    p.play("play_leader", "aristotle")
    assert p.price("take", "taj_mahal")[2] == 1


@card("ocean_liner_service")
def test_the_ocean_liner_service_brings_a_worker_each_turn() -> None:
    p = Position().wonder(0, "ocean_liner_service").action_phase()
    p.play("grow_free", "ocean_liner_service")
    assert p.many(0, c.UNUSED, c.YELLOW_BANK, c.CA_SPENT) == (2, 17, 0)
    assert not p.offered("grow_free")


@card("transcontinental_railroad", "impact_of_industry")
def test_the_railroad_doubles_one_best_mine() -> None:
    p = Position().wonder(0, "transcontinental_railroad").tech(0, "coal", 2)
    p.start((steps.PRODUCTION, 0), (steps.ACTIONS, 0))
    assert p.get(0, c.RESOURCES) == 2 + 6 + 3
    assert p.now.get(0, p.now.layout.token_of[p.now.layout.library.by_id["coal"].slot]) == 3


@card("fast_food_chains")
def test_fast_food_chains_score_for_workers() -> None:
    p = Position().unfinished(0, "fast_food_chains", 3).stock(0, resources=4).action_phase()
    p.play("stage", "fast_food_chains")
    assert p.get(0, c.CULTURE) == 2 * 4 + 1 + 1


@card("first_space_flight")
def test_first_space_flight_scores_levels_of_technologies() -> None:
    p = Position().unfinished(0, "first_space_flight", 3).stock(0, resources=9)
    p.tech(0, "iron").tech(0, "republic").tech(0, "satellites").tech(0, "movies").action_phase()
    p.play("stage", "first_space_flight")
    assert p.get(0, c.CULTURE) == 1 + 2 + 3 + 3


@card("hollywood", "j_s_bach")
def test_hollywood_scores_theaters_and_libraries_twice() -> None:
    p = Position().unfinished(0, "hollywood", 2).stock(0, resources=5).leader(0, "j_s_bach")
    p.tech(0, "drama", 1).tech(0, "journalism", 1).workers(0, "religion", 1).action_phase()
    p.play("stage", "hollywood")
    assert p.get(0, c.CULTURE) == 2 * (2 + 1 + 2)


@card("internet", "sid_meier")
def test_the_internet_scores_what_urban_buildings_give() -> None:
    p = Position().unfinished(0, "internet", 4).stock(0, resources=2).leader(0, "sid_meier")
    p.tech(0, "computers", 1).tech(0, "team_sports", 1).tech(0, "multimedia", 1).action_phase()
    p.play("stage", "internet")
    culture, science, strength = 3 + 3, (1 - 1) + (5 - 1) + 3, 2
    assert p.get(0, c.CULTURE) == culture + science + strength


def test_wonders_cost_a_civil_action_more_for_each_completed_one() -> None:
    p = Position().wonder(0, "pyramids", "colossus").row("great_wall", spaces=(6,)).action_phase()
    assert p.price("take", "great_wall")[2] == 4
    assert not Position().unfinished(0, "great_wall").row("colossus").action_phase().offered("take")


def test_stages_take_a_token_of_a_card_when_the_bank_is_empty() -> None:
    p = Position().unfinished(0, "first_space_flight").blue(0, 0).tokens(0, "agriculture", 1)
    p.tech(0, "iron").tokens(0, "iron", 1).action_phase()
    p.play("stage", "first_space_flight")
    assert p.many(0, c.STAGES, c.BLUE_BANK, c.RESOURCES, c.FOOD) == (1, 0, 1, 0)
