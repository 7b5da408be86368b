"""Events: each is revealed, and changes exactly what its card says."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, card

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps


def three(*strengths: int) -> Position:
    """Three players of these strengths."""
    p = Position(3)
    for seat, strength in enumerate(strengths):
        p.strength(seat, strength)
    return p


def everybody(p: Position, *counters: int) -> list[tuple[int, ...]]:
    return [p.many(seat, *counters) for seat in range(p.now.layout.seats)]


# Age A


@card(
    "development_of_agriculture",
    "development_of_crafts",
    "development_of_science",
    "development_of_trade_routes",
)
@pytest.mark.parametrize(
    ("event", "gain"),
    [
        ("development_of_agriculture", (2, 0, 0)),
        ("development_of_crafts", (0, 2, 0)),
        ("development_of_science", (0, 0, 2)),
        ("development_of_trade_routes", (1, 1, 1)),
    ],
)
def test_developments_that_give_something(event: str, gain: tuple[int, int, int]) -> None:
    p = Position(3).events(event, "rats").start((steps.REVEAL_EVENT, 1), current=1)
    assert everybody(p, c.FOOD, c.RESOURCES, c.SCIENCE) == [gain] * 3
    assert p.pile_ids(c.PAST_EVENTS) == [event]


@card("development_of_civilization")
def test_development_of_civilization_offers_one_cheap_action_to_each() -> None:
    p = Position(3).stock(0, food=1).stock(1, resources=1).hand(2, "iron", "monarchy").points(2, science=4)
    p.event("development_of_civilization", current=1)
    assert p.to_act == 1
    assert p.price("build", "bronze")[1:] == (0, 1, 0)
    p.play("build", "bronze")
    assert p.to_act == 2
    assert p.price("revolution", "monarchy")[1:] == (4, 0, 1, 0)
    p.play("develop", "iron", 0, 4)
    assert p.to_act == 0
    p.play("grow", 0, 1)
    assert (p.on(1, "bronze"), p.get(2, c.SCIENCE), p.get(0, c.UNUSED)) == (3, 0, 2)
    assert [p.get(seat, c.CA_SPENT) for seat in range(3)] == [0, 0, 0]
    assert p.to_act is None


@card("development_of_civilization")
def test_a_revolution_by_development_of_civilization_takes_all_civil_actions() -> None:
    p = Position().hand(1, "monarchy").points(1, science=1).event("development_of_civilization", current=1)
    p.play("revolution", "monarchy")
    assert (p.now.civil_left(1), p.get(1, c.SCIENCE), p.get(1, c.CA_TOTAL)) == (0, 0, 5)


@card("development_of_markets")
def test_development_of_markets_lets_each_choose() -> None:
    p = Position().event("development_of_markets").play("split", 2, 0).play("split", 0, 2)
    assert everybody(p, c.FOOD, c.RESOURCES) == [(2, 0), (0, 2)]


@card("development_of_politics")
def test_development_of_politics_draws_three_cards() -> None:
    p = Position(4).event("development_of_politics")
    assert [len(p.ids(seat, c.MILITARY_HAND)) for seat in range(4)] == [3] * 4


@card("development_of_religion")
def test_development_of_religion_builds_a_temple_for_nothing() -> None:
    p = Position().unused(1, 0).event("development_of_religion").play("build", "religion", 0, 0)
    assert everybody(p, c.UNUSED, c.CULTURE_RATING) == [(0, 1), (0, 0)]
    assert p.to_act is None


@card("development_of_settlement")
def test_development_of_settlement_brings_a_worker() -> None:
    p = Position().event("development_of_settlement")
    assert everybody(p, c.UNUSED, c.YELLOW_BANK) == [(2, 17), (2, 17)]


@card("development_of_warfare")
def test_development_of_warfare_builds_warriors_for_nothing() -> None:
    p = Position().event("development_of_warfare").play("pass").play("build_unit", "warriors")
    assert everybody(p, c.UNUSED, c.STRENGTH) == [(1, 1), (0, 2)]


# Age I


@card("barbarians")
@pytest.mark.parametrize(("strengths", "loses"), [((3, 2, 1), False), ((2, 3, 1), True)])
def test_barbarians_come_to_a_weak_leader_in_culture(strengths: tuple[int, ...], loses: bool) -> None:
    p = three(*strengths).points(0, culture=5).event("barbarians")
    assert everybody(p, c.UNUSED) == [(0 if loses else 1,), (1,), (1,)]


@card("border_conflict")
def test_border_conflict() -> None:
    p = three(3, 2, 1).event("border_conflict")
    assert p.to_act == 2
    assert not p.offered("own_card", 2, "warriors")
    p.play("own_card", 2, "bronze")
    assert (p.get(0, c.RESOURCES), p.on(2, "bronze"), p.get(2, c.UNUSED)) == (3, 1, 2)


@card("crusades")
def test_crusades_and_their_ties() -> None:
    p = three(1, 1, 1).points(0, culture=3).points(1, culture=9).event("crusades", current=1)
    assert everybody(p, c.CULTURE) == [(0,), (13,), (0,)]  # seat 1 counts as stronger, seat 0 is the farthest


@card("cultural_influence", "scientific_breakthrough", "popularization_of_science")
@pytest.mark.parametrize(
    ("event", "result"),
    [
        ("cultural_influence", (3, 0)),
        ("scientific_breakthrough", (0, 6)),
        ("popularization_of_science", (6, 0)),
    ],
)
def test_events_that_score_ratings(event: str, result: tuple[int, int]) -> None:
    p = Position().tech(0, "multimedia", 1).workers(0, "philosophy", 3).event(event)
    assert p.many(0, c.CULTURE, c.SCIENCE) == result


@card("foray")
def test_foray_gives_to_the_two_strongest() -> None:
    p = three(1, 2, 3).event("foray").play("split", 1, 2)
    assert p.to_act == 2
    p.play("split", 3, 0)
    assert everybody(p, c.FOOD, c.RESOURCES) == [(0, 0), (1, 2), (3, 0)]
    q = Position().strength(1, 5).event("foray").play("split", 0, 3)
    assert (everybody(q, c.RESOURCES), q.to_act) == ([(0,), (3,)], None)


@card("good_harvest", "new_deposits")
def test_events_of_production() -> None:
    p = Position().blue(0, 3).tech(0, "irrigation", 1).event("good_harvest")
    assert p.many(0, c.FOOD, c.RESOURCES, c.BLUE_BANK) == (4, 0, 0)
    q = Position().tech(0, "iron", 1).event("new_deposits")
    assert q.many(0, c.FOOD, c.RESOURCES, c.BLUE_BANK) == (0, 4, 13)


@card("immigration")
def test_immigration_brings_a_worker_to_the_happiest() -> None:
    p = Position(3).workers(0, "religion", 1).workers(2, "religion", 1).event("immigration")
    assert everybody(p, c.UNUSED) == [(2,), (1,), (2,)]


@card("pestilence")
def test_pestilence_takes_a_worker_from_each() -> None:
    p = Position().unused(1, 0).event("pestilence", current=0)
    assert p.to_act == 1
    p.play("card", "bronze")
    assert (p.get(0, c.UNUSED), p.on(1, "bronze")) == (0, 1)
    assert everybody(p, c.YELLOW_BANK) == [(19,), (19,)]


@card("raiders")
def test_raiders_take_food_or_resources_from_the_two_weakest() -> None:
    p = three(3, 2, 1).stock(1, food=3, resources=3).stock(2, food=1).event("raiders").play("split", 1, 1)
    assert everybody(p, c.FOOD, c.RESOURCES) == [(0, 0), (2, 2), (0, 0)]


@card("rats")
def test_rats_eat_all_food() -> None:
    p = Position().stock(0, food=5, resources=2).event("rats")
    assert p.many(0, c.FOOD, c.RESOURCES) == (0, 2)


@card("rebellion")
def test_rebellion_costs_civil_actions() -> None:
    p = Position().yellow(0, 12).yellow(1, 16).event("rebellion", current=1)
    assert everybody(p, c.DISCONTENT) == [(2,), (1,)]
    assert (p.now.civil_left(0), p.now.civil_left(1)) == (0, 2)


@card("reign_of_terror")
def test_reign_of_terror_takes_a_worker_from_the_weakest() -> None:
    p = three(3, 2, 1).event("reign_of_terror")
    assert everybody(p, c.UNUSED) == [(1,), (1,), (0,)]


@card("uncertain_borders")
def test_uncertain_borders_move_a_yellow_token() -> None:
    p = three(3, 1, 2).event("uncertain_borders")
    assert everybody(p, c.YELLOW_BANK) == [(19,), (17,), (18,)]


# Age II


@card("civil_unrest")
def test_civil_unrest() -> None:
    p = Position(3).yellow(0, 12).yellow(1, 12).yellow(2, 16)
    for seat in range(3):
        p.points(seat, culture=10)
    p.event("civil_unrest")
    assert everybody(p, c.CULTURE, c.BLUE_BANK) == [(2, 15), (2, 15), (6, 16)]
    q = Position().points(0, culture=10).event("civil_unrest")
    assert everybody(q, c.CULTURE, c.BLUE_BANK) == [(10, 16), (0, 16)]


@card("cold_war", "crime_wave")
def test_cold_war_and_crime_wave() -> None:
    p = three(3, 1, 2).event("cold_war")
    assert everybody(p, c.SCIENCE) == [(6,), (0,), (6,)]
    q = (
        three(3, 1, 2)
        .points(1, culture=5)
        .points(2, culture=2)
        .blue(2, 0)
        .tokens(2, "bronze", 1)
        .event("crime_wave")
    )
    assert everybody(q, c.CULTURE, c.BLUE_BANK) == [(0, 16), (2, 15), (0, 0)]
    assert q.get(2, c.RESOURCES) == 0


@card("economic_progress")
def test_economic_progress_runs_the_economy() -> None:
    p = (
        Position()
        .blue(0, 8)
        .yellow(0, 16)
        .stock(0, food=1, resources=3)
        .points(0, science=1)
        .event("economic_progress")
    )
    # corruption 2, +2 food, -1 consumed, +2 resources; no science or culture
    assert p.many(0, c.FOOD, c.RESOURCES, c.SCIENCE, c.CULTURE) == (2, 3, 1, 0)


@card("emigration")
def test_emigration_takes_half_the_discontent() -> None:
    p = Position().yellow(0, 10).unused(0, 5).event("emigration")
    assert p.many(0, c.UNUSED, c.YELLOW_BANK) == (3, 12)


@card("iconoclasm")
@pytest.mark.parametrize(("age", "left"), [(1, ["genghis_khan"]), (2, []), (4, [])])
def test_iconoclasm_removes_leaders_of_other_ages(age: int, left: list[str]) -> None:
    p = Position(age=age).leader(0, "moses").leader(1, "genghis_khan").event("iconoclasm")
    assert (p.ids(0, c.LEADER_ZONE), p.ids(1, c.LEADER_ZONE)) == ([], left)
    assert p.get(0, c.CA_SPENT) == 0


@card("independence_declaration")
def test_independence_declaration_takes_a_colony_with_its_tokens() -> None:
    p = three(3, 2, 1).colony(2, "vast_territory_i", "wealthy_territory_i").event("independence_declaration")
    assert p.many(2, c.YELLOW_BANK, c.BLUE_BANK) == (21, 18)
    p.play("card", "vast_territory_i")
    assert p.many(2, c.YELLOW_BANK, c.BLUE_BANK) == (18, 19)
    assert p.ids(2, c.COLONIES) == ["wealthy_territory_i"]
    assert p.pile_ids(c.MILITARY_DISCARD) == ["vast_territory_i"]


@card("international_agreement")
def test_international_agreement_takes_cards_of_the_row() -> None:
    p = three(1, 3, 2).row(
        "moses", "colossus", "stockpile_a", "iron", "coal", "oil", "irrigation", "alchemy", "drama"
    )
    p.events("international_agreement", "rats")
    p.start((steps.REVEAL_EVENT, 0), (steps.POLITICS, 1), (steps.POLITICS, 1), (steps.ACTIONS, 1))
    assert p.to_act == 1
    assert p.price("take", "alchemy")[1:] == (8, 2)
    p.play("take", "alchemy").play("take", "stockpile_a").play("take", "drama")
    assert p.decision().options[0][0] == p.decision().options[-1][0]  # only done is left
    p.play("done")
    assert p.get(1, c.SKIPS_POLITICS) == 0  # the next politics phase was skipped, the one after is asked
    assert p.offered("pass")
    assert len(p.now.pile(c.ROW)) == 13
    p.play("pass")
    assert p.offered("play_action", "stockpile_a")
    assert p.get(1, c.CA_SPENT) == 0
    q = three(1, 3, 2).row("moses").events("international_agreement", "rats")
    q.start((steps.REVEAL_EVENT, 0), (steps.POLITICS, 1)).play("done")
    assert (q.get(1, c.SKIPS_POLITICS), len(q.now.pile(c.ROW)), q.offered("pass")) == (0, 1, True)


@card("national_pride")
def test_national_pride_scores_for_the_leader_in_culture() -> None:
    p = Position(3).points(1, culture=4).points(2, culture=4).event("national_pride", current=2)
    assert everybody(p, c.CULTURE) == [(0,), (4,), (9,)]


@card("politics_of_strength")
def test_politics_of_strength_draws_and_discards() -> None:
    p = three(3, 2, 1).military(2, "legion", "phalanx", "spy_ii", "foray").event("politics_of_strength")
    assert len(p.ids(0, c.MILITARY_HAND)) == 5
    assert p.to_act == 2
    p.choose("legion", "foray", "spy_ii")
    assert p.ids(2, c.MILITARY_HAND) == ["phalanx"]
    q = three(3, 2, 1)
    q.t.put_common(c.AGE, 4)
    q.points(2, culture=5).military(2, "modern_army").event("politics_of_strength")
    assert everybody(q, c.CULTURE) == [(5,), (0,), (2,)]
    assert q.ids(2, c.MILITARY_HAND) == ["modern_army"]


@card("prosperity")
def test_prosperity_gives_food_for_happiness() -> None:
    p = Position().tech(0, "professional_sports", 3).workers(1, "religion", 1).event("prosperity")
    assert everybody(p, c.FOOD) == [(8,), (1,)]


@card("ravages_of_time")
def test_ravages_of_time_flips_an_old_wonder() -> None:
    p = (
        Position()
        .wonder(0, "pyramids", "taj_mahal", "eiffel_tower")
        .wonder(1, "kremlin")
        .event("ravages_of_time")
    )
    assert not p.offered("card", "eiffel_tower")
    p.play("card", "pyramids")
    assert p.to_act is None
    assert p.many(0, c.CA_TOTAL, c.CULTURE_RATING, c.BLUE_BANK) == (4, 2 + 3 + 4, 17)
    assert p.many(1, c.CA_TOTAL, c.CULTURE_RATING) == (5, 2)


@card("ravages_of_time", "taj_mahal")
def test_a_ruined_wonder_loses_its_token() -> None:
    p = Position().wonder(0, "taj_mahal")
    assert p.t.get(0, c.BLUE_BANK) == 17
    p.event("ravages_of_time")
    assert p.many(0, c.BLUE_BANK, c.CULTURE_RATING) == (16, 2)


@card("refugees")
def test_refugees() -> None:
    p = three(3, 2, 1).points(2, culture=4).event("refugees")
    assert everybody(p, c.CULTURE, c.UNUSED, c.YELLOW_BANK) == [(3, 2, 17), (0, 1, 18), (1, 0, 19)]


@card("terrorism")
def test_terrorism_destroys_a_building_of_each_rival() -> None:
    p = Position(3).points(0, culture=3).points(1, culture=1).points(2, culture=2)
    p.workers(0, "religion", 1).workers(2, "philosophy", 0).event("terrorism")
    assert p.to_act == 1
    p.play("own_card", 0, "philosophy")
    assert (p.on(0, "philosophy"), p.get(0, c.UNUSED), p.on(1, "philosophy"), p.to_act) == (0, 2, 1, None)


# Age III


@card("impact_of_agriculture")
def test_impact_of_agriculture() -> None:
    p = Position(3).tech(0, "selective_breeding", 2).yellow(1, 12).yellow(2, 0).event("impact_of_agriculture")
    assert everybody(p, c.CULTURE) == [(8 + 4,), (2,), (2,)]


IMPACTS = [
    ("impact_of_architecture", 3 + 2 * 2 + 3),
    ("impact_of_balance", 2 * 3),
    ("impact_of_colonies", 3 * 2),
    ("impact_of_competition", 1 + 3 + 3),
    ("impact_of_government", 2 * 7 + 2),
    ("impact_of_happiness", 2 * 8),
    ("impact_of_industry", 2 * 1 + 3),
    ("impact_of_population", 2 * 6),
    ("impact_of_progress", 2 * (2 + 3 + 1)),
    ("impact_of_technology", 4 * 4),
    ("impact_of_variety", 2 * (3 + 4 + 2)),
    ("impact_of_wonders", 5 + 3 + 2),
]


@card(*(row[0] for row in IMPACTS))
@pytest.mark.parametrize(("event", "culture"), IMPACTS)
def test_impacts_of_what_is_in_play(event: str, culture: int) -> None:
    p = Position().tech(0, "computers", 1).tech(0, "opera", 2).tech(0, "knights", 1).tech(0, "air_forces", 1)
    p.tech(0, "professional_sports", 1).workers(0, "religion", 1)
    p.tech(0, "republic").tech(0, "satellites").tech(0, "masonry")
    p.colony(0, "strategic_territory_i", "strategic_territory_ii").wonder(
        0, "colossus", "eiffel_tower", "hollywood"
    )
    p.tech(0, "coal", 1).workers(0, "agriculture", 3).unused(0, 2)
    workers = 1 + 3 + 3 + 1 + 1 + 1 + 1 + 1 + 2 + 1 + 2
    assert workers == 17
    p.unused(0, 1)
    p.event(event)
    assert p.get(0, c.CULTURE) == culture


@card("impact_of_happiness")
def test_impact_of_happiness_counts_discontent_against_it() -> None:
    p = Position().yellow(0, 10).workers(0, "religion", 3).event("impact_of_happiness")
    assert (p.get(0, c.DISCONTENT), p.get(0, c.CULTURE)) == (0, 6)
    q = Position().yellow(0, 10).workers(0, "religion", 2).event("impact_of_happiness")
    assert (q.get(0, c.DISCONTENT), q.get(0, c.CULTURE)) == (1, 2)


@card("impact_of_science", "impact_of_strength")
@pytest.mark.parametrize(("seats", "points"), [(2, [10, 0]), (3, [14, 7, 0]), (4, [15, 10, 5, 0])])
def test_impacts_by_rank(seats: int, points: list[int]) -> None:
    p = Position(seats)
    for seat in range(seats):
        p.workers(seat, "philosophy", 2 + seat)
    p.event("impact_of_science")
    assert [p.get(seat, c.CULTURE) for seat in range(seats)] == points[::-1]
    q = Position(seats).event("impact_of_strength", current=1)
    assert [q.get((1 + n) % seats, c.CULTURE) for n in range(seats)] == points
