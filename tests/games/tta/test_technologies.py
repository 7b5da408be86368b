"""Technologies: developed, built on, counted."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, card

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps

INITIAL = {
    "farm": "agriculture",
    "mine": "bronze",
    "lab": "philosophy",
    "temple": "religion",
    "infantry": "warriors",
}

# id, kind, science cost, resource cost, output per worker
PRODUCERS = [
    ("agriculture", 0, 2, "food", 1),
    ("irrigation", 3, 4, "food", 2),
    ("selective_breeding", 5, 6, "food", 3),
    ("mechanized_agriculture", 7, 8, "food", 5),
    ("bronze", 0, 2, "resources", 1),
    ("iron", 5, 5, "resources", 2),
    ("coal", 7, 8, "resources", 3),
    ("oil", 9, 11, "resources", 5),
]

# id, science cost, resource cost, culture, science, strength, happiness per worker
BUILDINGS = [
    ("philosophy", 0, 3, 0, 1, 0, 0),
    ("alchemy", 4, 6, 0, 2, 0, 0),
    ("scientific_method", 6, 8, 0, 3, 0, 0),
    ("computers", 8, 11, 0, 5, 0, 0),
    ("religion", 0, 3, 1, 0, 0, 1),
    ("theology", 2, 5, 1, 0, 0, 2),
    ("organized_religion", 4, 7, 1, 0, 0, 3),
    ("printing_press", 3, 3, 1, 1, 0, 0),
    ("journalism", 6, 8, 2, 2, 0, 0),
    ("multimedia", 9, 11, 3, 3, 0, 0),
    ("drama", 3, 4, 2, 0, 0, 1),
    ("opera", 7, 8, 3, 0, 0, 1),
    ("movies", 10, 11, 4, 0, 0, 1),
    ("bread_and_circuses", 3, 3, 0, 0, 1, 2),
    ("team_sports", 5, 5, 0, 0, 2, 3),
    ("professional_sports", 7, 8, 0, 0, 3, 4),
]

# id, science cost, resource cost, strength
UNITS = [
    ("warriors", 0, 2, 1),
    ("swordsmen", 4, 3, 2),
    ("riflemen", 6, 5, 3),
    ("modern_infantry", 10, 7, 5),
    ("knights", 5, 3, 2),
    ("cavalrymen", 6, 5, 3),
    ("tanks", 9, 7, 5),
    ("cannon", 6, 5, 3),
    ("rockets", 8, 7, 5),
    ("air_forces", 12, 7, 5),
]

# id, peaceful, revolution, civil, military, urban limit, culture, science, strength, happiness
GOVERNMENTS = [
    ("monarchy", 8, 2, 5, 3, 3, 0, 0, 0, 0),
    ("theocracy", 6, 1, 4, 3, 3, 1, 0, 1, 1),
    ("constitutional_monarchy", 12, 6, 6, 4, 3, 0, 0, 0, 0),
    ("republic", 13, 3, 7, 2, 3, 0, 0, 0, 0),
    ("communism", 19, 5, 7, 5, 4, 0, 0, 0, -1),
    ("fundamentalism", 18, 7, 6, 5, 4, 0, -2, 5, 0),
    ("democracy", 17, 9, 7, 3, 4, 3, 0, 0, 0),
]

# id, science cost, changes of civil and military actions, strength, colonization, blue tokens
SPECIALS = [
    ("code_of_laws", 6, 1, 0, 0, 0, 0),
    ("justice_system", 7, 1, 0, 0, 0, 3),
    ("civil_service", 10, 2, 0, 0, 0, 3),
    ("warfare", 5, 0, 1, 1, 0, 0),
    ("strategy", 8, 0, 2, 3, 0, 0),
    ("military_theory", 11, 0, 3, 5, 0, 0),
    ("cartography", 4, 0, 0, 1, 2, 0),
    ("navigation", 6, 0, 0, 2, 3, 0),
    ("satellites", 8, 0, 0, 3, 4, 0),
    ("masonry", 3, 0, 0, 0, 0, 0),
    ("architecture", 6, 0, 0, 0, 0, 0),
    ("engineering", 9, 0, 0, 0, 0, 0),
]

# construction card, discounts of urban buildings by level, stages at once
CONSTRUCTION = [
    ("masonry", (0, 1, 1, 1), 2),
    ("architecture", (0, 1, 2, 2), 3),
    ("engineering", (0, 1, 2, 3), 4),
]


def developed(card_id: str, science: int) -> Position:
    """The action phase after the technology was developed for exactly its price."""
    p = Position().stock(0, resources=11)
    if science:
        p.hand(0, card_id).points(0, science=science).action_phase()
        assert p.price("develop", card_id)[1:] == (1, science, 0, 0)
        p.play("develop", card_id)
        assert p.get(0, c.SCIENCE) == 0
        assert p.now.civil_left(0) == 3
        assert card_id in p.ids(0, c.TECHNOLOGIES)
    else:
        p.action_phase()
    return p


@card(*(row[0] for row in PRODUCERS))
@pytest.mark.parametrize("row", PRODUCERS, ids=lambda row: row[0])
def test_a_worker_on_a_farm_or_mine_produces(row: tuple[str, int, int, str, int]) -> None:
    card_id, science, cost, what, amount = row
    p = developed(card_id, science)
    counter = c.FOOD_PRODUCTION if what == "food" else c.RESOURCE_PRODUCTION
    before = p.many(0, counter, c.RESOURCES, c.UNUSED)
    p.play("build", card_id)
    assert p.many(0, counter, c.RESOURCES, c.UNUSED) == (before[0] + amount, before[1] - cost, before[2] - 1)
    p.play("end")
    q = Position().tech(0, card_id, 3).unused(0, 4).start((steps.PRODUCTION, 0))
    stored = {"food": c.FOOD, "resources": c.RESOURCES}[what]
    others = 0 if card_id in ("agriculture", "bronze") else 2
    assert q.get(0, stored) == 3 * amount + others


@card(*(row[0] for row in BUILDINGS))
@pytest.mark.parametrize("row", BUILDINGS, ids=lambda row: row[0])
def test_an_urban_building_gives_its_symbols(row: tuple[str, int, int, int, int, int, int]) -> None:
    card_id, science, cost, *symbols = row
    p = developed(card_id, science)
    ratings = (c.CULTURE_RATING, c.SCIENCE_RATING, c.STRENGTH, c.HAPPINESS)
    before = p.many(0, *ratings)
    p.play("build", card_id)
    assert [new - old for new, old in zip(p.many(0, *ratings), before, strict=True)] == symbols
    assert p.get(0, c.RESOURCES) == 11 - cost


@card(*(row[0] for row in UNITS))
@pytest.mark.parametrize("row", UNITS, ids=lambda row: row[0])
def test_a_unit_adds_strength(row: tuple[str, int, int, int]) -> None:
    card_id, science, cost, strength = row
    p = developed(card_id, science)
    assert p.price("build_unit", card_id)[1:] == (1, cost, 0, 0)
    p.play("build_unit", card_id)
    assert p.many(0, c.STRENGTH, c.RESOURCES, c.MA_SPENT) == (1 + strength, 11 - cost, 1)


@card("despotism", *(row[0] for row in GOVERNMENTS))
@pytest.mark.parametrize("row", GOVERNMENTS, ids=lambda row: row[0])
def test_a_government_is_developed_or_comes_by_revolution(row: tuple[str, ...]) -> None:
    card_id, peaceful, revolution, civil, military, limit, *symbols = row
    p = Position().hand(0, card_id).points(0, science=int(peaceful)).tech(0, "computers", 1).action_phase()
    totals = (c.CA_TOTAL, c.MA_TOTAL, c.URBAN_LIMIT)
    assert p.many(0, *totals) == (4, 2, 2)  # Despotism
    ratings = (c.CULTURE_RATING, c.SCIENCE_RATING, c.STRENGTH)
    before = p.many(0, *ratings)
    assert p.price("develop", card_id)[1:] == (1, peaceful, 0, 0)
    p.play("develop", card_id)
    assert p.many(0, *totals) == (civil, military, limit)
    assert p.now.civil_left(0) == int(civil) - 1
    assert [new - old for new, old in zip(p.many(0, *ratings), before, strict=True)] == symbols[:3]
    assert p.get(0, c.HAPPINESS) == max(0, int(symbols[3]))
    assert "despotism" not in p.ids(0, c.TECHNOLOGIES)

    q = Position().hand(0, card_id).points(0, science=int(revolution)).action_phase()
    assert q.price("revolution", card_id)[1:] == (4, 0, revolution, 0)
    q.play("revolution", card_id)
    assert (q.get(0, c.SCIENCE), q.now.civil_left(0), q.now.military_left(0)) == (0, 0, military)


@card(*(row[0] for row in SPECIALS))
@pytest.mark.parametrize("row", SPECIALS, ids=lambda row: row[0])
def test_a_special_technology_gives_its_symbols(row: tuple[str, ...]) -> None:
    card_id, science, civil, military, strength, colonization, blue = row
    p = Position().hand(0, card_id).points(0, science=int(science)).action_phase()
    cells = (c.CA_TOTAL, c.MA_TOTAL, c.STRENGTH, c.COLONIZATION, c.BLUE_BANK)
    before = p.many(0, *cells)
    p.play("develop", card_id)
    changes = [new - old for new, old in zip(p.many(0, *cells), before, strict=True)]
    assert changes == [civil, military, strength, colonization, blue]


@card(*(row[0] for row in CONSTRUCTION))
@pytest.mark.parametrize("row", CONSTRUCTION, ids=lambda row: row[0])
def test_construction_makes_urban_buildings_cheaper_and_stages_faster(
    row: tuple[str, tuple[int, ...], int],
) -> None:
    card_id, discounts, stages = row
    p = Position().tech(0, card_id).stock(0, resources=30)
    for one in ("alchemy", "scientific_method", "computers", "iron"):
        p.tech(0, one, 0)
    p.unfinished(0, "internet").action_phase()
    for one, cost, discount in zip(
        ("philosophy", "alchemy", "scientific_method", "computers"), (3, 6, 8, 11), discounts, strict=True
    ):
        assert p.price("build", one)[2] == cost - discount
    assert p.price("build", "iron")[2] == 5
    assert p.price("upgrade", "philosophy", "computers")[3] == 8 - discounts[3]
    sums = [2, 5, 9, 12]
    assert [p.decision().options[n][2:] for n in p.offers("stage", "internet")] == [
        (n + 1, 1, sums[n], 0) for n in range(stages)
    ]


def test_of_two_special_technologies_of_a_type_the_higher_stays() -> None:
    p = (
        Position()
        .tech(0, "justice_system")
        .hand(0, "code_of_laws", "civil_service")
        .points(0, science=30)
        .action_phase()
    )
    assert p.get(0, c.BLUE_BANK) == 19
    p.play("develop", "code_of_laws")
    assert p.get(0, c.CA_TOTAL) == 5
    assert "code_of_laws" not in p.ids(0, c.TECHNOLOGIES)
    p.play("develop", "civil_service")
    assert p.many(0, c.CA_TOTAL, c.BLUE_BANK) == (6, 19)
    assert "justice_system" not in p.ids(0, c.TECHNOLOGIES)


def test_upgrades_cost_the_difference_and_destroying_gives_the_worker_back() -> None:
    p = Position().tech(0, "iron").tech(0, "swordsmen").stock(0, resources=4).action_phase()
    assert p.price("upgrade", "bronze", "iron")[2:] == (1, 3, 0)
    p.play("upgrade", "bronze", "iron")
    assert (p.on(0, "bronze"), p.on(0, "iron"), p.get(0, c.RESOURCES)) == (1, 1, 1)
    assert p.price("upgrade_unit", "warriors", "swordsmen")[2:] == (1, 1, 0, 0)
    p.play("upgrade_unit", "warriors", "swordsmen")
    assert p.many(0, c.STRENGTH, c.RESOURCES) == (2, 0)
    p.play("destroy", "iron").play("disband", "swordsmen")
    assert p.many(0, c.UNUSED, c.STRENGTH, c.CA_SPENT, c.MA_SPENT) == (3, 0, 2, 2)


def test_the_urban_limit_holds_for_each_type() -> None:
    p = Position().workers(0, "philosophy", 2).stock(0, resources=9).action_phase()
    assert not p.offered("build", "philosophy")
    assert p.offered("build", "religion")


def test_a_technology_of_a_name_one_has_cannot_be_taken() -> None:
    p = Position().tech(0, "iron").hand(0, "alchemy").row("iron", "alchemy", "irrigation").action_phase()
    assert [p.decision().options[n][1] for n in p.offers("take")] == [p.now.ident[p.now.pile(c.ROW)[2]]]
