"""Tactics, bonus cards, territories, aggressions, wars and pacts."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, card, face

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w

# id, level, infantry, cavalry, artillery, strength, outdated strength
TACTICS = [
    ("fighting_band", 1, 2, 0, 0, 1, 1),
    ("legion", 1, 3, 0, 0, 2, 2),
    ("medieval_army", 1, 1, 1, 0, 2, 2),
    ("phalanx", 1, 2, 1, 0, 3, 3),
    ("heavy_cavalry", 1, 0, 3, 0, 4, 4),
    ("conquistadors", 2, 1, 2, 0, 5, 3),
    ("fortifications", 2, 0, 0, 2, 5, 3),
    ("mobile_artillery", 2, 0, 1, 1, 5, 3),
    ("defensive_army", 2, 2, 0, 1, 6, 3),
    ("napoleonic_army", 2, 1, 1, 1, 7, 4),
    ("classic_army", 2, 2, 2, 0, 8, 4),
    ("entrenchments", 3, 1, 0, 2, 9, 5),
    ("mechanized_army", 3, 0, 1, 2, 10, 5),
    ("shock_troops", 3, 1, 3, 0, 11, 6),
    ("modern_army", 3, 2, 1, 1, 13, 7),
]
UNIT_OF = {
    "infantry": ("warriors", "swordsmen", "riflemen", "modern_infantry"),
    "cavalry": ("knights", "knights", "cavalrymen", "tanks"),
    "artillery": ("cannon", "cannon", "cannon", "rockets"),
}
STRENGTH_OF = {
    **{
        "warriors": 1,
        "swordsmen": 2,
        "riflemen": 3,
        "modern_infantry": 5,
        "knights": 2,
        "cavalrymen": 3,
        "tanks": 5,
    },
    **{"cannon": 3, "rockets": 5},
}


def army(p: Position, level: int, numbers: tuple[int, ...]) -> int:
    """Put one army of this level on the table; returns the strength of its units."""
    p.workers(0, "warriors", 0)
    units = 0
    for kind, number in zip(UNIT_OF, numbers, strict=True):
        if number:
            p.tech(0, UNIT_OF[kind][level], number)
            units += number * STRENGTH_OF[UNIT_OF[kind][level]]
    return units


@card(*(row[0] for row in TACTICS))
@pytest.mark.parametrize("row", TACTICS, ids=lambda row: row[0])
def test_a_tactic_is_played_becomes_common_and_is_copied(
    row: tuple[str, int, int, int, int, int, int],
) -> None:
    card_id, level, *numbers, strength, _ = row
    p = Position().military(0, card_id)
    units = army(p, level, tuple(numbers))
    p.start((steps.ACTIONS, 0), (steps.OPEN_TACTICS, 0), (steps.ACTIONS, 1))
    p.play("play_tactic", card_id)
    assert p.many(0, c.STRENGTH, c.MA_SPENT) == (units + strength, 1)
    assert p.ids(0, c.EXCLUSIVE) == [card_id]
    assert not p.offered("play_tactic") and not p.offered("copy_tactic")
    p.play("end")
    assert p.pile_ids(c.COMMON_TACTICS) == [card_id]
    assert p.get(0, c.STRENGTH) == units + strength
    p.play("copy_tactic", card_id)
    assert p.get(1, c.MA_SPENT) == 2
    assert p.now.list_of(1, c.TACTIC_LIST) == [face(card_id)]


@card(*(row[0] for row in TACTICS))
@pytest.mark.parametrize(
    "row", [row for row in TACTICS if row[1] > 1 and (row[1] == 3 or not row[4])], ids=lambda row: row[0]
)
def test_an_old_unit_outdates_an_army(row: tuple[str, int, int, int, int, int, int]) -> None:
    card_id, level, *numbers, _, outdated = row
    p = Position()
    units = army(p, level, tuple(numbers))
    kind = "infantry" if numbers[0] else "cavalry"
    p.workers(0, UNIT_OF[kind][level], numbers[0 if numbers[0] else 1] - 1).tech(
        0, UNIT_OF[kind][level - 2], 1
    )
    units += STRENGTH_OF[UNIT_OF[kind][level - 2]] - STRENGTH_OF[UNIT_OF[kind][level]]
    p.tactic(0, card_id)
    assert p.t.get(0, c.STRENGTH) == units + outdated


def test_a_second_copy_of_a_common_tactic_leaves_the_game() -> None:
    p = Position().military(0, "legion").military(1, "legion")
    p.start(
        (steps.ACTIONS, 0),
        (steps.OPEN_TACTICS, 0),
        (steps.ACTIONS, 1),
        (steps.OPEN_TACTICS, 1),
        (steps.ACTIONS, 1),
    )
    p.play("play_tactic", "legion").play("end").play("play_tactic", "legion").play("end")
    assert p.pile_ids(c.COMMON_TACTICS) == ["legion"]
    assert p.ids(1, c.EXCLUSIVE) == []


@card("air_forces")
def test_tactics_outdated_armies_and_one_air_force_for_each() -> None:
    """Case TTA-15."""
    p = Position().tech(0, "riflemen", 1).tech(0, "knights", 4).tactic(0, "conquistadors")
    found = [p.t.get(0, c.STRENGTH)]
    for number in (1, 2, 3):
        p.tech(0, "air_forces", number)
        found.append(p.t.get(0, c.STRENGTH))
    p.tech(0, "air_forces", 2).workers(0, "knights", 3)
    found.append(p.t.get(0, c.STRENGTH))
    assert found == [20, 30, 38, 43, 30]


# Bonus cards


@card("military_bonus_i", "military_bonus_ii", "military_bonus_iii")
@pytest.mark.parametrize(
    ("card_id", "defence", "colonization"),
    [("military_bonus_i", 2, 1), ("military_bonus_ii", 4, 2), ("military_bonus_iii", 6, 3)],
)
def test_a_bonus_card_defends_or_colonizes(card_id: str, defence: int, colonization: int) -> None:
    p = Position().military(0, "spy_ii").military(1, card_id).strength(0, 1 + defence).points(1, science=5)
    p.politics_phase().play("aggression", "spy_ii", 1)
    assert p.price("bonus_card", card_id)[1] == defence
    p.play("bonus_card", card_id)
    assert (p.get(1, c.SCIENCE), p.ids(1, c.MILITARY_HAND)) == (5, [])
    assert sorted(p.pile_ids(c.MILITARY_DISCARD)) == sorted([card_id, "spy_ii"])
    q = Position().military(0, card_id).workers(1, "warriors", 0).event("vast_territory_i")
    assert max(term[1] for term in q.decision().options if len(term) > 1) == 1 + colonization
    q.play("bid", 1 + colonization).play("send_unit", "warriors").play("bonus_card", card_id).play("done")
    assert q.ids(0, c.COLONIES) == ["vast_territory_i"]
    assert q.pile_ids(c.MILITARY_DISCARD) == [card_id]


# Territories

# id, immediate changes, permanent changes
TERRITORIES = [
    ("developed_territory_i", {c.SCIENCE: 3}, {c.YELLOW_BANK: 1, c.BLUE_BANK: 1}),
    ("developed_territory_ii", {c.SCIENCE: 5}, {c.YELLOW_BANK: 2, c.BLUE_BANK: 2}),
    ("historic_territory_i", {c.CULTURE: 6}, {c.HAPPINESS: 1}),
    ("historic_territory_ii", {c.CULTURE: 11}, {c.HAPPINESS: 2}),
    ("inhabited_territory_i", {c.UNUSED: 1}, {c.YELLOW_BANK: 2 - 1}),
    ("inhabited_territory_ii", {c.UNUSED: 2}, {c.YELLOW_BANK: 3 - 2}),
    ("strategic_territory_i", {}, {c.STRENGTH: 2}),
    ("strategic_territory_ii", {}, {c.STRENGTH: 4}),
    ("vast_territory_i", {c.FOOD: 3}, {c.YELLOW_BANK: 3, c.BLUE_BANK: -1 - 3}),
    ("vast_territory_ii", {c.FOOD: 4}, {c.YELLOW_BANK: 4, c.BLUE_BANK: -1 - 4}),
    ("wealthy_territory_i", {c.RESOURCES: 5}, {c.BLUE_BANK: 3 - 5}),
    ("wealthy_territory_ii", {c.RESOURCES: 9}, {c.BLUE_BANK: 4 - 9}),
]
CELLS = (
    *(
        c.SCIENCE,
        c.CULTURE,
        c.FOOD,
        c.RESOURCES,
        c.UNUSED,
        c.YELLOW_BANK,
        c.BLUE_BANK,
        c.HAPPINESS,
        c.STRENGTH,
    ),
    *(c.CULTURE_RATING, c.SCIENCE_RATING, c.CA_TOTAL),
)


@card(*(row[0] for row in TERRITORIES))
@pytest.mark.parametrize("row", TERRITORIES, ids=lambda row: row[0])
def test_a_territory_is_colonized(row: tuple[str, dict[int, int], dict[int, int]]) -> None:
    card_id, immediate, permanent = row
    p = Position().workers(0, "warriors", 1).workers(1, "warriors", 0)
    before = [p.t.get(0, cell) for cell in CELLS]
    p.event(card_id).play("bid", 1).play("send_unit", "warriors").play("done")
    changes = {
        cell: new - old for cell, new, old in zip(CELLS, p.many(0, *CELLS), before, strict=True) if new != old
    }
    expected = immediate | permanent
    expected[c.YELLOW_BANK] = expected.get(c.YELLOW_BANK, 0) + 1  # the Warriors sent
    expected[c.STRENGTH] = expected.get(c.STRENGTH, 0) - 1
    assert changes == {cell: change for cell, change in expected.items() if change}
    assert p.ids(0, c.COLONIES) == [card_id]
    cards = {"strategic_territory_i": 3, "strategic_territory_ii": 5}.get(card_id, 0)
    assert len(p.ids(0, c.MILITARY_HAND)) == cards


@card("inhabited_territory_i", "cartography", "warfare", "fighting_band")
def test_colonization_what_may_be_bid_sent_and_is_lost() -> None:
    """Case TTA-10."""
    p = Position(3).tech(0, "knights", 3).workers(1, "warriors", 2).tactic(1, "fighting_band")
    p.tech(1, "cartography").tech(1, "warfare").leader(1, "alexander_the_great").military(
        1, "military_bonus_i"
    )
    p.yellow(1, 5).unused(1, 0).workers(2, "warriors", 0).tech(2, "navigation")
    p.military(2, "military_bonus_i", "military_bonus_i")
    assert p.t.get(1, c.STRENGTH) == 7
    p.event("inhabited_territory_i").play("bid", 2)
    assert p.to_act == 1
    assert [term[1] for term in p.decision().options if len(term) > 1] == [3, 4, 5, 6]
    p.play("bid", 5)
    assert p.to_act == 0  # seat 2 has no unit: it cannot bid
    p.play("pass")
    assert p.to_act == 1
    p.play("send_unit", "warriors")
    assert not p.offered("done") and not p.offered("bonus_card")  # 1 + 2 + 1 = 4 is not enough
    p.play("send_unit", "warriors").play("done")
    assert p.many(1, c.YELLOW_BANK, c.UNUSED, c.STRENGTH, c.MA_SPENT, c.CA_SPENT) == (8, 1, 2, 0, 0)
    assert p.ids(1, c.MILITARY_HAND) == ["military_bonus_i"]


def test_a_territory_that_nobody_wants_is_past() -> None:
    p = Position().event("vast_territory_i").play("pass").play("pass")
    assert p.pile_ids(c.PAST_EVENTS) == ["vast_territory_i"]
    assert p.to_act is None


# Aggressions


def attack(p: Position, card_id: str) -> Position:
    """Seat 0, by far the stronger, attacks seat 1, which has no cards."""
    return (
        p.military(0, card_id)
        .set(0, c.MA_SPENT, -3)
        .strength(0, 9)
        .politics_phase()
        .play("aggression", card_id, 1)
    )


@card("plunder_i", "plunder_ii", "plunder_iii")
@pytest.mark.parametrize(("card_id", "amount"), [("plunder_i", 3), ("plunder_ii", 5), ("plunder_iii", 7)])
def test_plunder(card_id: str, amount: int) -> None:
    p = attack(Position().stock(1, food=2, resources=6), card_id)
    assert p.get(0, c.MA_SPENT) == -3 + 1
    p.play("split", 1, amount - 1)
    assert p.many(0, c.FOOD, c.RESOURCES) == (1, amount - 1)
    assert p.many(1, c.FOOD, c.RESOURCES) == (1, 6 - amount + 1)
    q = attack(Position().stock(1, food=2), card_id)
    assert q.many(0, c.FOOD, c.RESOURCES) == (2, 0)


@card("raid_i", "raid_ii", "raid_iii")
def test_raids_destroy_urban_buildings_for_half_their_printed_cost() -> None:
    p = attack(Position().tech(1, "alchemy", 1).tech(1, "opera", 1).tech(1, "masonry"), "raid_i")
    assert not p.offered("own_card", 1, "opera")
    p.play("own_card", 1, "alchemy")
    assert (p.on(1, "alchemy"), p.get(1, c.UNUSED), p.get(0, c.RESOURCES)) == (0, 2, 3)
    q = attack(Position().workers(1, "philosophy", 0).tech(1, "opera", 1).tech(1, "theology", 1), "raid_ii")
    q.play("own_card", 1, "opera")
    assert (q.get(0, c.RESOURCES), q.get(1, c.UNUSED)) == ((8 + 5 + 1) // 2, 3)
    r = attack(
        Position().tech(1, "computers", 1).tech(1, "theology", 1).workers(1, "philosophy", 0), "raid_iii"
    )
    r.play("own_card", 1, "computers")
    assert (r.get(0, c.RESOURCES), r.get(1, c.SCIENCE_RATING)) == ((11 + 5) // 2, 0)
    assert [q.get(0, c.MA_SPENT), r.get(0, c.MA_SPENT)] == [-1, 0]


@card("enslave_i")
def test_enslave() -> None:
    p = attack(Position(), "enslave_i")
    assert (p.many(0, c.FOOD, c.RESOURCES), p.many(1, c.UNUSED, c.YELLOW_BANK)) == ((2, 2), (0, 19))
    q = attack(Position().unused(1, 0), "enslave_i")
    assert q.to_act == 1
    q.play("card", "philosophy")
    assert q.many(1, c.SCIENCE_RATING, c.YELLOW_BANK) == (0, 19)


@card("annex_ii")
def test_annex_takes_a_colony_without_its_immediate_effect() -> None:
    p = Position().military(0, "annex_ii").strength(0, 5).politics_phase()
    assert not p.offered("aggression")
    q = attack(Position().colony(1, "vast_territory_i", "historic_territory_i"), "annex_ii")
    q.play("card", "vast_territory_i")
    assert (q.many(0, c.YELLOW_BANK, c.BLUE_BANK, c.FOOD), q.many(1, c.YELLOW_BANK, c.BLUE_BANK)) == (
        (21, 15, 0),
        (18, 16),
    )
    assert (q.ids(0, c.COLONIES), q.ids(1, c.COLONIES)) == (["vast_territory_i"], ["historic_territory_i"])


@card("infiltrate_ii")
def test_infiltrate_removes_a_leader_or_an_unfinished_wonder() -> None:
    p = attack(Position().leader(1, "isaac_newton").unfinished(1, "taj_mahal", 1), "infiltrate_ii")
    p.play("card", "taj_mahal")
    assert (p.get(0, c.CULTURE), p.ids(1, c.UNFINISHED), p.many(1, c.STAGES, c.BLUE_BANK)) == (3, [], (0, 16))
    q = attack(Position().leader(1, "isaac_newton"), "infiltrate_ii")
    assert (q.get(0, c.CULTURE), q.ids(1, c.LEADER_ZONE)) == (6, [])
    r = Position().military(0, "infiltrate_ii").strength(0, 5).politics_phase()
    assert not r.offered("aggression")


@card("spy_ii", "armed_intervention_iii")
@pytest.mark.parametrize("has", [3, 10])
def test_spy_and_armed_intervention(has: int) -> None:
    p = attack(Position().points(1, science=has), "spy_ii")
    assert (p.get(0, c.SCIENCE), p.get(1, c.SCIENCE)) == (min(5, has), has - min(5, has))
    q = attack(Position().points(1, culture=has), "armed_intervention_iii")
    assert (q.get(0, c.CULTURE), q.get(1, c.CULTURE)) == (min(7, has), has - min(7, has))


def defended(strength: int, *steps_: tuple[str, str]) -> Position:
    """Case TTA-12: an attack on a defender of strength 6 with two military actions, both spent."""
    p = Position().strength(0, strength).strength(1, 6).set(1, c.MA_SPENT, 2).points(1, science=5)
    p.military(0, "spy_ii").military(1, "military_bonus_i", "military_bonus_ii", "legion", "rats", "phalanx")
    p.politics_phase().play("aggression", "spy_ii", 1)
    for step in steps_:
        p.play(*step)
    return p


def test_defence_is_all_or_nothing_and_limited() -> None:
    """Case TTA-12."""
    a = defended(10, ("bonus_card", "military_bonus_i"), ("bonus_card", "military_bonus_ii"))
    assert (a.get(1, c.SCIENCE), len(a.ids(1, c.MILITARY_HAND)), a.get(0, c.MA_SPENT)) == (5, 3, 1)
    assert len(a.pile_ids(c.MILITARY_DISCARD)) == 3
    b = defended(10, ("bonus_card", "military_bonus_ii"))
    assert b.to_act is None  # 4 alone is enough
    d = defended(11, ("bonus_card", "military_bonus_ii"))
    assert not d.offered("bonus_card")
    d.play("discard_card", "rats")
    assert (d.get(1, c.SCIENCE), d.ids(1, c.MILITARY_HAND)) == (5, ["military_bonus_i", "legion", "phalanx"])
    e = defended(11)
    assert not e.offered(
        "discard_card", "legion"
    )  # 1 + 4 is reached in canonical order, the bonus card first
    f = defended(12, ("bonus_card", "military_bonus_i"))
    assert not f.offered("discard_card") and f.offered("bonus_card", "military_bonus_ii")
    g = defended(13)
    assert len(g.decision().options) == 1  # asked although only pass is legal
    g.play("pass")
    assert (g.get(0, c.SCIENCE), len(g.ids(1, c.MILITARY_HAND))) == (5, 5)
    h = defended(9, ("bonus_card", "military_bonus_i"), ("discard_card", "legion"))
    assert h.get(1, c.SCIENCE) == 5


# Wars


@card("war_over_culture")
def test_war_over_culture() -> None:
    p = Position().war(0, "war_over_culture", 1).strength(0, 12).strength(1, 9).points(1, culture=20)
    p.start((steps.RESOLVE_WAR, 0))
    assert (p.get(0, c.CULTURE), p.get(1, c.CULTURE)) == (8, 12)
    assert (p.ids(0, c.WARS), p.pile_ids(c.MILITARY_DISCARD)) == ([], ["war_over_culture"])
    q = (
        Position()
        .war(0, "war_over_culture", 1)
        .strength(1, 3)
        .points(0, culture=4)
        .start((steps.RESOLVE_WAR, 0))
    )
    assert (q.get(0, c.CULTURE), q.get(1, c.CULTURE)) == (0, 4)
    r = Position().war(0, "war_over_culture", 1).points(1, culture=9).start((steps.RESOLVE_WAR, 0))
    assert (r.get(0, c.CULTURE), r.get(1, c.CULTURE)) == (0, 9)


@card("war_over_territory")
def test_war_over_territory() -> None:
    p = (
        Position()
        .war(0, "war_over_territory", 1)
        .strength(0, 12)
        .strength(1, 1)
        .start((steps.RESOLVE_WAR, 0))
    )
    assert (p.get(0, c.YELLOW_BANK), p.get(1, c.YELLOW_BANK)) == (18 + 3, 18 - 3)


@card("war_over_technology")
def test_war_over_technology() -> None:
    p = Position(3).war(0, "war_over_technology", 1).points(1, science=20)
    for one in ("navigation", "warfare", "architecture", "code_of_laws"):
        p.tech(1, one)
    p.tech(0, "architecture").hand(0, "code_of_laws").tech(0, "strategy")
    p.strength(0, 17).strength(1, 5).start((steps.RESOLVE_WAR, 0))
    assert p.price("steal_card", "navigation") == (face("navigation"), 6)
    assert not p.offered("steal_card", "architecture") and not p.offered("steal_card", "code_of_laws")
    p.play("steal_card", "navigation").play("steal_card", "warfare")
    assert "navigation" in p.ids(0, c.TECHNOLOGIES) and "navigation" not in p.ids(1, c.TECHNOLOGIES)
    assert "warfare" not in p.ids(0, c.TECHNOLOGIES) and "strategy" in p.ids(0, c.TECHNOLOGIES)
    assert (p.get(0, c.SCIENCE), p.get(1, c.SCIENCE)) == (1, 19)


def test_a_war_is_declared_and_resolved_at_the_next_turn() -> None:
    p = Position(age=2).military(0, "war_over_territory").strength(0, 9).politics_phase()
    p.play("declare_war", "war_over_territory", 1)
    assert (p.ids(0, c.WARS), p.now.list_of(0, c.WAR_RIVALS), p.get(0, c.MA_SPENT)) == (
        ["war_over_territory"],
        [1],
        2,
    )


# Pacts


def agreed(card_id: str, side: int = 2, seats: int = 3) -> Position:
    """Seat 0 offers the pact to seat 1, which accepts."""
    p = Position(seats).military(0, card_id).workers(0, "warriors", 3).workers(1, "warriors", 3)
    for seat in (0, 1):
        p.tech(seat, "multimedia", 1)
    p.start((steps.POLITICS, 0), (steps.POLITICS, 1), (steps.POLITICS, 0))
    p.play("offer_pact", card_id, 1, w.SIDE_WORDS[side])
    assert p.to_act == 1
    p.play("accept")
    assert p.ids(0, c.PACT_ZONE) == [card_id]
    return p


# id, own side, then for owner and partner: culture, strength, military actions, food and resource production
PACTS = [
    ("open_borders_agreement", 2, (0, 0, 1, 0, 0), (0, 0, 1, 0, 0)),
    ("acceptance_of_supremacy", 0, (0, 0, 0, 0, 1), (0, 0, 0, 0, -1)),
    ("acceptance_of_supremacy", 1, (0, 0, 0, 0, -1), (0, 0, 0, 0, 1)),
    ("international_trade_agreement", 0, (0, 0, 0, 0, 1), (0, 0, 0, 1, 0)),
    ("promise_of_military_protection", 1, (-1, 4, 0, 0, 0), (1, 0, 0, 0, 0)),
    ("loss_of_sovereignty", 0, (2, 0, 0, 0, 0), (-2, 0, 0, 0, 0)),
    ("military_alliance", 2, (0, 3, 0, 0, 0), (0, 3, 0, 0, 0)),
    ("peace_treaty", 2, (1, 0, 0, 0, 0), (1, 0, 0, 0, 0)),
]
PACT_CELLS = (c.CULTURE_RATING, c.STRENGTH, c.MA_TOTAL, c.FOOD_PRODUCTION, c.RESOURCE_PRODUCTION)


@card(*(row[0] for row in PACTS))
@pytest.mark.parametrize("row", PACTS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_pact_gives_each_side_its_part_until_cancelled(
    row: tuple[str, int, tuple[int, ...], tuple[int, ...]],
) -> None:
    card_id, side, owner, partner = row
    p = agreed(card_id, side)
    base = (3, 3, 2, 2, 2)
    assert p.many(0, *PACT_CELLS) == tuple(a + b for a, b in zip(base, owner, strict=True))
    assert p.many(1, *PACT_CELLS) == tuple(a + b for a, b in zip(base, partner, strict=True))
    p.play("cancel_pact", card_id, 0)
    assert p.many(0, *PACT_CELLS) == p.many(1, *PACT_CELLS) == base
    assert p.ids(0, c.PACT_ZONE) == []
    assert p.pile_ids(c.MILITARY_DISCARD) == [card_id]


@card("international_tourism")
def test_international_tourism_counts_the_partners_wonders() -> None:
    p = (
        Position(3)
        .wonder(0, "pyramids")
        .wonder(1, "colossus", "taj_mahal")
        .pact(0, "international_tourism", 1)
    )
    assert (p.t.get(0, c.CULTURE_RATING), p.t.get(1, c.CULTURE_RATING)) == (2, 3 + 1)


@card("trade_routes_agreement")
def test_trade_routes_let_food_pay_for_a_resource_and_the_reverse() -> None:
    p = Position(3).pact(0, "trade_routes_agreement", 1, 0).stock(0, food=3, resources=1).action_phase(0)
    assert next(term[1:] for term in p.decision().options if term[0] == w.BUILD.number) == (
        face("agriculture"),
        1,
        1,
        1,
    )
    p.play("build", "agriculture", 1, 1, 1)
    assert p.many(0, c.FOOD, c.RESOURCES, c.TRADE_USED) == (2, 0, 1)
    assert not p.offered("build")
    q = Position(3).pact(0, "trade_routes_agreement", 1, 0).stock(1, food=1, resources=1).action_phase(1)
    q.play("grow", 1, 1, 1)
    assert q.many(1, c.FOOD, c.RESOURCES, c.UNUSED) == (0, 0, 2)


@card("scientific_cooperation")
def test_scientific_cooperation_makes_the_partner_pay() -> None:
    p = Position(3).pact(1, "scientific_cooperation", 0).hand(0, "iron", "alchemy").points(0, science=5)
    p.points(1, science=1).action_phase(0)
    assert p.price("develop", "iron")[1:] == (1, 3, 0, 1)
    p.play("develop", "iron")
    assert (p.get(0, c.SCIENCE), p.get(1, c.SCIENCE)) == (2, 0)
    assert not p.offered("develop", "alchemy")  # 4 without the partner


@card("open_borders_agreement")
def test_open_borders_help_an_attack_on_the_partner() -> None:
    p = (
        Position(3)
        .pact(0, "open_borders_agreement", 1)
        .military(0, "spy_ii")
        .strength(1, 2)
        .points(1, science=5)
    )
    p.politics_phase()
    assert p.offered("aggression", "spy_ii", 1) and not p.offered("aggression", "spy_ii", 2)
    p.play("aggression", "spy_ii", 1)
    assert (p.get(0, c.SCIENCE), p.ids(0, c.PACT_ZONE)) == (5, ["open_borders_agreement"])


@card("peace_treaty", "acceptance_of_supremacy", "loss_of_sovereignty", "military_alliance")
def test_pacts_that_forbid_attacks_or_end_by_them() -> None:
    for card_id in ("peace_treaty", "acceptance_of_supremacy", "loss_of_sovereignty"):
        p = Position(3, age=2).pact(1, card_id, 0).military(0, "spy_ii", "war_over_territory").strength(0, 9)
        p.politics_phase()
        assert not p.offered("aggression", "spy_ii", 1) and not p.offered(
            "declare_war", "war_over_territory", 1
        )
        assert p.offered("aggression", "spy_ii", 2) and p.offered("declare_war", "war_over_territory", 2)
    q = (
        Position(3, age=2)
        .pact(1, "loss_of_sovereignty", 2, 1)
        .military(0, "war_over_territory", "spy_ii")
        .strength(0, 9)
    )
    q.politics_phase()
    assert q.offered("aggression", "spy_ii", 1) and not q.offered("declare_war", "war_over_territory", 1)
    r = Position(3).military(0, "spy_ii").strength(0, 3).strength(1, 2).points(1, science=5)
    r.pact(1, "military_alliance", 0).politics_phase()
    assert r.many(0, c.STRENGTH) == (6,)
    r.play("aggression", "spy_ii", 1)
    assert (r.get(0, c.SCIENCE), r.ids(1, c.PACT_ZONE), r.get(0, c.STRENGTH)) == (5, [], 3)


def test_a_refused_pact_stays_in_hand_known_to_all() -> None:
    p = (
        Position(3)
        .military(0, "peace_treaty", "legion")
        .start((steps.POLITICS, 0), (steps.DISCARD, 0), (steps.POLITICS, 1))
    )
    p.play("offer_pact", "peace_treaty", 2).play("refuse")
    hand = {p.now.face(one).id: p.now.known[one] for one in p.now.zone_of(0, c.MILITARY_HAND)}
    assert hand == {"peace_treaty": p.now.layout.everyone, "legion": 1}


def test_a_new_own_pact_ends_the_old_one() -> None:
    p = Position(3).pact(0, "military_alliance", 2).military(0, "peace_treaty").politics_phase()
    p.play("offer_pact", "peace_treaty", 1).play("accept")
    assert p.ids(0, c.PACT_ZONE) == ["peace_treaty"]
    assert (p.get(2, c.STRENGTH), p.get(0, c.STRENGTH), p.get(1, c.CULTURE_RATING)) == (1, 1, 1)
