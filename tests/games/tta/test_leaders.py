"""Leaders: each is played, and does what its card says."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, card, face

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps

LEADERS = (
    *("alexander_the_great", "aristotle", "hammurabi", "homer", "julius_caesar", "moses"),
    *("christopher_columbus", "frederick_barbarossa", "genghis_khan", "joan_of_arc", "leonardo_da_vinci"),
    *(
        "michelangelo",
        "isaac_newton",
        "j_s_bach",
        "james_cook",
        "maximilien_robespierre",
        "napoleon_bonaparte",
    ),
    *(
        "william_shakespeare",
        "albert_einstein",
        "bill_gates",
        "charlie_chaplin",
        "mahatma_gandhi",
        "sid_meier",
    ),
    "winston_churchill",
)


@pytest.mark.parametrize("card_id", LEADERS)
def test_a_leader_is_played_for_a_civil_action_and_replaces_the_old_one(card_id: str) -> None:
    other = "aristotle" if card_id != "aristotle" else "moses"
    p = Position().hand(0, card_id, other).action_phase()
    p.play("play_leader", card_id)
    assert p.ids(0, c.LEADER_ZONE) == [card_id]
    assert p.get(0, c.CA_SPENT) == 1
    p.play("play_leader", other)
    assert p.ids(0, c.LEADER_ZONE) == [other]
    assert p.many(0, c.CA_SPENT, c.LEADER_REPLACED) == (1, 1)
    assert p.now.place[p.take(card_id)] == -1


@card("alexander_the_great")
def test_alexander_strengthens_units_and_leaves_for_a_yellow_token() -> None:
    p = Position().tech(0, "knights", 2).leader(0, "alexander_the_great").politics_phase()
    assert p.get(0, c.STRENGTH) == (1 + 2 + 2) + 3
    p.play("dismiss_leader", "alexander_the_great")
    assert p.many(0, c.YELLOW_BANK, c.STRENGTH) == (19, 5)
    assert p.ids(0, c.LEADER_ZONE) == []


@card("aristotle")
def test_aristotle_scores_science_for_a_technology_taken() -> None:
    p = Position().leader(0, "aristotle").row("iron", "moses", "monarchy").action_phase()
    p.play("take", "iron")
    assert p.get(0, c.SCIENCE) == 1
    p.play("take", "moses")
    assert p.get(0, c.SCIENCE) == 1
    p.play("take", "monarchy")
    assert p.get(0, c.SCIENCE) == 2


@card("hammurabi")
def test_hammurabi_used_and_replaced_in_the_same_turn() -> None:
    """Case TTA-06."""
    p = Position().leader(0, "hammurabi").hand(0, "moses").stock(0, resources=9).unused(0, 6).action_phase()
    for _ in range(3):
        p.play("build", "bronze")
    p.play("convert")
    assert not p.offered("convert")
    p.play("play_leader", "moses")
    p.play("build", "agriculture").play("destroy", "bronze")
    assert (p.now.civil_left(0), p.now.military_left(0)) == (0, 1)
    assert not p.offered("destroy")


@card("hammurabi")
def test_hammurabi_prices_of_the_row() -> None:
    """Case TTA-06, C and D."""
    p = Position().leader(0, "hammurabi").hand(0, "aristotle")
    p.row("genghis_khan", "michelangelo", spaces=(3, 7)).action_phase()
    assert p.price("take", "genghis_khan")[2] == 0
    assert p.price("take", "michelangelo")[2] == 1
    p.play("play_leader", "aristotle")
    assert p.price("take", "genghis_khan")[2] == 1


@card("homer")
def test_homer_gives_a_resource_for_units_each_turn() -> None:
    p = Position().leader(0, "homer").stock(0, resources=2)
    p.start((steps.BEGIN_TURN, 0)).play("pass")
    assert p.get(0, c.POOL_LEADER) == 1
    assert p.price("build_unit", "warriors")[1:] == (1, 1, 1, 0)
    p.play("build_unit", "warriors")
    assert p.many(0, c.POOL_LEADER, c.RESOURCES, c.HAPPINESS) == (0, 1, 1)
    p.play("end")
    assert p.get(0, c.POOL_LEADER) == 0


@card("homer", "hanging_gardens", "st_peters_basilica", "ravages_of_time", "impact_of_wonders")
@pytest.mark.parametrize("basilica", [False, True])
def test_homer_under_a_wonder_that_crumbles(basilica: bool) -> None:
    """Case TTA-04."""
    p = (
        Position()
        .wonder(0, "hanging_gardens")
        .leader(0, "homer")
        .hand(0, "moses")
        .row("pyramids", spaces=(1,))
    )
    if basilica:
        p.wonder(0, "st_peters_basilica")
    p.action_phase().play("play_leader", "moses").play("tuck_under", "hanging_gardens")
    assert p.now.civil_left(0) == 3
    assert p.get(0, c.HAPPINESS) == (5 if basilica else 3)
    t = p.now.clone()
    t.agenda.clear()
    p.t = t
    p.events("ravages_of_time", "rats").start((steps.REVEAL_EVENT, 0), (steps.ACTIONS, 0))
    if basilica:
        p.play("card", "hanging_gardens")
    assert p.get(0, c.HAPPINESS) == (3 if basilica else 1)
    assert p.get(0, c.CULTURE_RATING) == (4 if basilica else 2)
    assert p.price("take", "pyramids")[2] == (3 if basilica else 2)
    t = p.now.clone()
    t.agenda.clear()
    p.t = t
    p.events("impact_of_wonders", "rats").start((steps.REVEAL_EVENT, 0))
    assert p.get(0, c.CULTURE) == (9 if basilica else 5)


@card("homer")
def test_homer_replaced_without_tucking_gives_the_action_back() -> None:
    p = Position().wonder(0, "hanging_gardens").leader(0, "homer").hand(0, "moses").action_phase()
    p.play("play_leader", "moses").play("take_back_action")
    assert (p.now.civil_left(0), p.get(0, c.HAPPINESS)) == (4, 2)


@card("julius_caesar")
def test_caesar_allows_two_political_actions_once() -> None:
    """Case TTA-18."""
    p = Position().leader(0, "julius_caesar").military(0, "rats", "crusades", "foray")
    assert (p.t.get(0, c.STRENGTH), p.t.get(0, c.MA_TOTAL)) == (2, 3)
    p.events("development_of_science", "development_of_crafts", "development_of_agriculture")
    p.start((steps.POLITICS, 0), (steps.POLITICS, 0))
    p.play("prepare", "rats").play("prepare", "crusades")
    assert p.get(0, c.CULTURE) == 2
    p.play("prepare", "foray")
    assert p.to_act is None


@card("moses")
def test_moses_makes_growing_cheaper() -> None:
    """Case TTA-18."""
    p = Position().leader(0, "moses").stock(0, food=1).action_phase()
    p.play("grow", 1, 1)
    assert p.many(0, c.FOOD, c.UNUSED, c.YELLOW_BANK) == (0, 2, 17)


@card("christopher_columbus", "wealthy_territory_i")
def test_columbus_settles_a_territory_of_the_hand() -> None:
    """Case TTA-18; wealthy_territory_i gives 3 blue tokens in civil facts."""
    p = (
        Position()
        .leader(0, "christopher_columbus")
        .workers(0, "warriors", 0)
        .military(0, "wealthy_territory_i")
    )
    p.politics_phase().play("settle", "christopher_columbus", "wealthy_territory_i")
    assert p.to_act is None
    assert p.many(0, c.CULTURE, c.RESOURCES, c.BLUE_BANK) == (0, 5, 16 + 3 - 5)
    assert (p.ids(0, c.LEADER_ZONE), p.ids(0, c.COLONIES)) == ([], ["wealthy_territory_i"])


@card("frederick_barbarossa")
def test_barbarossa_grows_and_builds_a_unit_as_one_action() -> None:
    """Case TTA-18."""
    p = Position().leader(0, "frederick_barbarossa").unused(0, 0).stock(0, food=1, resources=1).action_phase()
    assert p.price("levy", "warriors")[1:] == (1, 1, 1, 0, 0)
    p.play("levy", "warriors")
    assert p.many(0, c.FOOD, c.RESOURCES, c.YELLOW_BANK, c.UNUSED, c.MA_SPENT, c.CA_SPENT) == (
        0,
        0,
        17,
        0,
        1,
        0,
    )
    assert p.on(0, "warriors") == 2
    q = Position().leader(0, "frederick_barbarossa").unused(0, 0).stock(0, food=1).action_phase()
    assert not q.offered("levy")


@card("genghis_khan", "heavy_cavalry")
def test_genghis_khan_mounts_infantry() -> None:
    """Case TTA-18."""
    p = Position().leader(0, "genghis_khan").workers(0, "warriors", 3).tactic(0, "heavy_cavalry")
    assert p.t.get(0, c.STRENGTH) == 7


@card("genghis_khan")
@pytest.mark.parametrize(
    ("seats", "strengths", "culture"), [(2, (1, 1), 3), (2, (1, 2), 0), (3, (2, 3, 1), 3), (3, (1, 3, 2), 0)]
)
def test_genghis_khan_scores_among_the_strongest(
    seats: int, strengths: tuple[int, ...], culture: int
) -> None:
    p = Position(seats).leader(0, "genghis_khan")
    for seat, strength in enumerate(strengths):
        p.strength(seat, strength)
    p.start((steps.PRODUCTION, 0))
    assert p.get(0, c.CULTURE) == culture


@card("joan_of_arc")
def test_joan_of_arc_counts_happy_faces_as_strength_and_peeks() -> None:
    p = (
        Position()
        .tech(0, "theology", 1)
        .workers(0, "religion", 1)
        .tech(0, "theocracy")
        .leader(0, "joan_of_arc")
    )
    assert p.t.get(0, c.STRENGTH) == 1 + 1 + (2 + 1 + 1)
    assert (p.t.get(0, c.CULTURE_RATING), p.t.get(0, c.MA_TOTAL)) == (1 + 1 + 1 + 1, 4)
    p.wonder(0, "st_peters_basilica")
    assert p.t.get(0, c.STRENGTH) == 2 + 3 + 2 + 2
    p.events("rats", "crusades").politics_phase()
    (top,) = [one for one in p.now.pile(c.CURRENT_EVENTS) if p.now.face(one).id == "rats"]
    assert p.now.known[top] == 1


@card("leonardo_da_vinci")
def test_leonardo_counts_the_best_lab_or_library_and_gives_a_resource() -> None:
    p = (
        Position()
        .tech(0, "alchemy", 1)
        .tech(0, "journalism", 1)
        .hand(0, "iron")
        .leader(0, "leonardo_da_vinci")
    )
    assert p.t.get(0, c.SCIENCE_RATING) == 1 + 2 + 2 + 2
    p.points(0, science=5).action_phase().play("develop", "iron")
    assert p.many(0, c.SCIENCE, c.RESOURCES) == (0, 1)


@card("michelangelo")
def test_michelangelo_makes_culture_of_happy_faces_and_takes_wonders_cheaper() -> None:
    p = Position().tech(0, "theology", 1).tech(0, "opera", 2)
    assert p.t.get(0, c.CULTURE_RATING) == 7
    p.leader(0, "michelangelo")
    assert p.t.get(0, c.CULTURE_RATING) == 11
    p.wonder(0, "hanging_gardens").row("pyramids", spaces=(5,)).action_phase()
    assert p.get(0, c.CULTURE_RATING) == 11 + 1 + 2
    assert p.price("take", "pyramids")[2] == 1


@card("isaac_newton")
def test_newton_gives_the_action_back() -> None:
    p = Position().leader(0, "isaac_newton").tech(0, "alchemy", 1).hand(0, "iron").points(0, science=5)
    assert p.t.get(0, c.SCIENCE_RATING) == 1 + 2 + 1
    p.action_phase().play("develop", "iron")
    assert p.now.civil_left(0) == 4


@card("j_s_bach")
def test_bach_loves_theaters() -> None:
    p = (
        Position()
        .leader(0, "j_s_bach")
        .tech(0, "drama", 1)
        .tech(0, "opera", 0)
        .hand(0, "movies")
        .points(0, science=8)
    )
    p.tech(0, "bread_and_circuses", 1).stock(0, resources=5)
    assert p.t.get(0, c.CULTURE_RATING) == 2 + 1
    p.action_phase()
    assert p.price("develop", "movies")[1:] == (1, 8, 0, 0)
    assert p.price("cross_upgrade", "philosophy", "drama")[2:] == (1, 1, 0)
    assert p.price("cross_upgrade", "philosophy", "opera")[2:] == (1, 5, 0)
    assert p.price("cross_upgrade", "bread_and_circuses", "drama")[2:] == (1, 1, 0)
    p.play("cross_upgrade", "bread_and_circuses", "opera")
    assert (p.on(0, "opera"), p.on(0, "bread_and_circuses"), p.get(0, c.RESOURCES)) == (1, 0, 0)
    assert p.get(0, c.CULTURE_RATING) == 2 + 1 + 3 + 1
    assert not p.offered("cross_upgrade")


@card("james_cook", "developed_territory_i", "developed_territory_ii")
def test_cook_makes_culture_of_colonies_and_discards_for_colonization() -> None:
    p = Position().leader(0, "james_cook").colony(0, "developed_territory_i")
    assert p.t.get(0, c.CULTURE_RATING) == 2
    p.colony(0, "developed_territory_ii").military(0, "legion", "phalanx", "rats")
    assert p.t.get(0, c.CULTURE_RATING) == 3
    p.workers(1, "warriors", 0).event("vast_territory_i")
    assert [term[1] for term in p.decision().options if len(term) == 2] == [1, 2, 3]
    p.play("bid", 3).play("send_unit", "warriors").play("discard_card", "legion").play(
        "discard_card", "phalanx"
    )
    p.play("done")
    assert p.ids(0, c.MILITARY_HAND) == ["rats"]
    assert p.get(0, c.CULTURE_RATING) == 4


@card("maximilien_robespierre")
def test_robespierre_pays_revolutions_with_military_actions() -> None:
    p = Position().leader(0, "maximilien_robespierre").hand(0, "monarchy").points(0, science=2).action_phase()
    assert p.get(0, c.MA_TOTAL) == 3
    p.play("destroy", "bronze")
    assert p.price("revolution", "monarchy")[1:] == (0, 3, 2, 0)
    p.play("revolution", "monarchy")
    assert (p.get(0, c.CULTURE), p.now.military_left(0), p.get(0, c.MA_TOTAL)) == (3, 0, 4)
    assert (p.get(0, c.CA_TOTAL), p.now.civil_left(0)) == (5, 3)


@card("napoleon_bonaparte")
def test_napoleon_counts_kinds_of_units() -> None:
    p = Position().leader(0, "napoleon_bonaparte")
    assert (p.t.get(0, c.STRENGTH), p.t.get(0, c.MA_TOTAL)) == (3, 4)
    for one in ("swordsmen", "knights", "cavalrymen", "cannon", "rockets", "air_forces"):
        p.tech(0, one, 1)
    assert p.t.get(0, c.STRENGTH) == 29


@card("william_shakespeare")
def test_shakespeare_pairs_libraries_and_theaters() -> None:
    p = Position().leader(0, "william_shakespeare").tech(0, "printing_press", 1).tech(0, "journalism", 1)
    for one in ("drama", "opera", "movies"):
        p.tech(0, one, 1)
    assert (p.t.get(0, c.CULTURE_RATING), p.t.get(0, c.HAPPINESS)) == (16, 4)
    q = Position().leader(0, "william_shakespeare").tech(0, "drama", 1).tech(0, "multimedia", 0)
    q.hand(0, "journalism", "opera").points(0, science=7).stock(0, resources=20).action_phase()
    assert q.price("build", "multimedia")[2] == 10
    assert q.price("build", "drama")[2] == 4
    assert q.price("develop", "journalism")[2] == 5
    assert q.price("develop", "opera")[2] == 7


@card("albert_einstein")
def test_einstein_scores_culture_for_technologies() -> None:
    p = Position().leader(0, "albert_einstein").tech(0, "computers", 1).hand(0, "iron").points(0, science=5)
    assert p.t.get(0, c.SCIENCE_RATING) == 1 + 5 + 3
    p.action_phase().play("develop", "iron")
    assert p.get(0, c.CULTURE) == 3


@card("bill_gates")
def test_gates_makes_resources_in_labs_and_culture_when_he_leaves() -> None:
    p = Position().leader(0, "bill_gates").hand(0, "albert_einstein")
    p.tech(0, "iron", 2).tech(0, "coal", 1).tech(0, "scientific_method", 2).tech(0, "computers", 1)
    assert p.t.get(0, c.RESOURCE_PRODUCTION) == 16
    assert p.t.get(0, c.SCIENCE_RATING) == 12
    q = Position().leader(0, "bill_gates").tech(0, "computers", 1).start((steps.PRODUCTION, 0))
    assert q.get(0, c.RESOURCES) == 5
    p.action_phase().play("play_leader", "albert_einstein")
    assert p.get(0, c.CULTURE) == 7
    r = Position().leader(0, "bill_gates").tech(0, "computers", 2).start((steps.FINAL_SCORING,))
    assert r.get(0, c.CULTURE) == 6


@card("charlie_chaplin")
def test_chaplin_doubles_the_best_theater() -> None:
    p = Position().tech(0, "drama", 1).tech(0, "opera", 1)
    assert p.t.get(0, c.CULTURE_RATING) == 5
    p.leader(0, "charlie_chaplin")
    assert p.t.get(0, c.CULTURE_RATING) == 8
    p.tech(0, "movies", 2)
    assert p.t.get(0, c.CULTURE_RATING) == 17
    assert p.t.get(0, c.HAPPINESS) == 6


@card("mahatma_gandhi")
def test_gandhi_attacks_nobody_and_is_dear_to_attack() -> None:
    p = Position().leader(0, "mahatma_gandhi").military(0, "war_over_territory", "spy_ii").strength(0, 5)
    p.set(0, c.MA_SPENT, 0).politics_phase()
    assert p.get(0, c.CULTURE_RATING) == 2
    assert not p.offered("aggression") and not p.offered("declare_war")
    q = (
        Position()
        .leader(1, "mahatma_gandhi")
        .military(0, "spy_ii", "annex_ii", "war_over_territory")
        .strength(0, 5)
    )
    q.politics_phase()
    assert q.price("aggression", "spy_ii") == (face("spy_ii"), 1, 2)
    assert not q.offered("declare_war")


@card("sid_meier")
def test_meier_turns_science_of_labs_into_culture() -> None:
    p = Position().tech(0, "scientific_method", 2).tech(0, "computers", 1).tech(0, "multimedia", 1)
    assert (p.t.get(0, c.SCIENCE_RATING), p.t.get(0, c.CULTURE_RATING)) == (15, 3)
    p.leader(0, "sid_meier")
    assert (p.t.get(0, c.SCIENCE_RATING), p.t.get(0, c.CULTURE_RATING)) == (11, 10)
    q = Position().workers(0, "philosophy", 0).tech(0, "computers", 2).leader(0, "sid_meier")
    assert (q.t.get(0, c.SCIENCE_RATING), q.t.get(0, c.CULTURE_RATING)) == (8, 6)


@card("winston_churchill")
def test_churchill_gives_culture_or_means_for_the_military() -> None:
    p = Position().leader(0, "winston_churchill").action_phase()
    p.play("turn_gain", "winston_churchill", 3)
    assert p.get(0, c.CULTURE) == 3
    assert not p.offered("turn_pool") and not p.offered("turn_gain")
    q = (
        Position()
        .leader(0, "winston_churchill")
        .hand(0, "swordsmen", "iron")
        .points(0, science=2)
        .action_phase()
    )
    assert not q.offered("develop", "swordsmen")
    q.play("turn_pool", "winston_churchill")
    assert q.price("develop", "swordsmen")[1:] == (1, 1, 3, 0)
    assert not q.offered("develop", "iron")
    q.play("develop", "swordsmen")
    assert q.many(0, c.SCIENCE, c.POOL_SCIENCE) == (1, 0)
    assert q.price("build_unit", "swordsmen")[1:] == (1, 0, 3, 0)
    q.play("build_unit", "swordsmen")
    assert q.many(0, c.POOL_UNITS, c.STRENGTH) == (0, 3)
