"""The phases of an age: drafting with every tech, income with case MIL-01, construction, war, upkeep."""

from __future__ import annotations

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.effects import TYPES
from ziggurat_rules.games.millennia.steps import (
    ACTION_PHASE,
    BEGIN_CONSTRUCTION,
    BEGIN_PHASE,
    CONSTRUCT,
    DRAFT,
    INCOME_PHASE,
    ONE_SEAT,
    PROSPERITY_PHASE,
    UPKEEP,
    WAR_PHASE,
)
from ziggurat_rules.games.millennia.words import CULTURE, PROSPERITY

TECHS = [GAME.catalogue.cards[face.index].id for face in GAME.facts.of("tech") if face.age]


def drafting(*cards: str, seats: int = 2, age: int = 1) -> Position:
    """Techs in the first row, blanks and nothing elsewhere."""
    position = Position(seats=seats, age=age)
    t, L = position.t, position.t.layout
    for card in t.zones[L.draft_area][:]:
        t.remove(card)
    grid = [-1] * 16
    for column, card_id in enumerate(cards):
        t.move(position.card(card_id), L.draft_area)
        grid[column] = position.face(card_id)
    t.put(L.grid, grid)
    return position.set(-1, leader=0)


@pytest.mark.parametrize("tech", TECHS)
def test_a_tech(tech) -> None:
    """Drafting it, its icon, its effect when drafted and how long it lasts."""
    facts = GAME.facts.faces[GAME.catalogue.index(tech)]
    kind = TYPES[facts.type]
    position = (
        drafting(tech, "blank", age=facts.age).set(markers=1).set(-1, architect=1, architect_used=1, leader=1)
    )
    position.start((DRAFT, 0)).do(f"draft {tech} 1")
    changes = {"markers": -1, "row_1": 1}
    if kind == "engineering":
        changes |= {"architect": -1, "architect_used": -1}
    if kind == "army":
        changes |= {"vp": 1} if facts.age == 8 else {"leader": -1}
    position.check(changes, {tech: "techs"})
    assert position.t.sources(0) == (1 << facts.type,)
    assert facts.age in GAME.catalogue.cards[facts.index].facts["ages"]
    for age in range(facts.age, min(facts.last_age, 7) + 1):
        later = Position(age=age).give(tech).start((UPKEEP,))
        assert (later.moved().get(tech) == "box") == (age == facts.last_age)


def test_112_techs_14_an_age() -> None:
    assert len(TECHS) == 112
    for age in range(1, 9):
        assert sorted(face.type for face in GAME.facts.aged("tech", age)) == list(range(14))


def test_drafting_in_turn_until_all_markers_are_placed() -> None:
    position = Position(seats=3).set(-1, leader=2)
    for seat in range(3):
        position.set(seat, markers=4)
    position.start((DRAFT, 2))
    order = []
    while position.match.pending:
        (seat,) = position.match.to_act
        order.append(seat)
        position.do("take_spot special-joker", seat=seat)
    assert order == [2, 0, 1] * 4
    assert [position.value("special_joker", seat) for seat in range(3)] == [4, 4, 4]


@pytest.mark.parametrize(("seats", "spots"), [(1, 2), (2, 2), (3, 3), (4, 4)])
def test_spots_of_a_row(seats, spots) -> None:
    techs = [f for f in Position(seats=seats).list("grid", -1)[:4] if f != "blank"]
    for owner in range(spots):
        name = f"draft {techs[0]} 1 2"
        start = Position(seats=seats).set(0, row_1=owner, markers=1).start((DRAFT, 0))
        assert name in start.offered()
    full = Position(seats=seats).set(0, row_1=spots, markers=1).start((DRAFT, 0))
    assert not any(line.endswith(" 1 2") for line in full.offered())


def test_special_spots_hold_one_marker_but_joker() -> None:
    position = Position().set(1, special_trade=1, special_joker=2).set(markers=1).start((DRAFT, 0))
    assert "take_spot special-trade" not in position.offered()
    assert "take_spot special-joker" in position.offered()
    assert not any("blank" in line for line in position.offered())


@pytest.mark.parametrize(
    ("seats", "drafter", "gold"), [(2, 0, {}), (3, 1, {"gold": 2}), (4, 3, {"gold@1": 2, "gold@2": 4})]
)
def test_army_gives_gold_to_the_others_clockwise(seats, drafter, gold) -> None:
    position = drafting("war-chariots", seats=seats, age=2).set(drafter, markers=1).set(-1, leader=0)
    position.start((DRAFT, drafter)).do("draft war-chariots", seat=drafter)
    at = f"@{drafter}" if drafter else ""
    leader = {"leader": drafter} if drafter else {}
    assert position.changed() == {f"markers{at}": -1, f"row_1{at}": 1} | leader | gold


def test_mil_01_g_army_in_age_2_and_8() -> None:
    position = drafting("war-chariots", "coinage", seats=3, age=2)
    for seat in range(3):
        position.set(seat, markers=1)
    position.start((DRAFT, 0)).do("take_spot special-joker", seat=0).do("draft war-chariots", seat=1)
    assert position.match.to_act == (2,)  # the order of this age is unchanged
    assert position.value("leader", -1) == 1
    changes = position.changed()
    assert changes.get("gold", 0) == 2
    assert "gold@2" not in changes
    last = (
        drafting("drone-swarm", seats=3, age=8)
        .set(1, markers=1)
        .start((DRAFT, 1))
        .do("draft drone-swarm", seat=1)
    )
    assert last.changed() == {"markers@1": -1, "row_1@1": 1, "vp@1": 1}


MIL_01 = '[[spot]]\nid = "a1-trade-2"\nincome = 4\n'


@pytest.mark.parametrize(
    ("age", "cards", "jokers", "script", "gold"),
    [
        (1, [], 0, [], 17),
        (2, [], 0, [], 7),
        (2, ["water-wheel"], 0, [], 17),
        (2, ["power-plant"], 1, [], 7),
        (2, ["hunting-camp"], 0, [], 17),
        (2, ["diplomacy-275"], 0, ["play diplomacy-275"], 22),
    ],
    ids="ABCDEF",
)
def test_mil_01_locked_income(age, cards, jokers, script, gold) -> None:
    """Markers in rows of 5, 5 and 3 gold (the case's "row 3") and on a special action; trade income 4."""
    position = Position(age=age, pack=MIL_01).set(row_4=2, row_2=1, special_joker=1, trade=2, jokers=jokers)
    position.give(*cards).start((ONE_SEAT, 0, INCOME_PHASE)).do(*script)
    assert position.changed()["gold"] == gold


def test_prosperity_once_however_many_pairs() -> None:
    position = Position(age=2).give("coinage", "paved-roads", "epic-poetry", "war-chariots", "alphabet")
    position.prosperity("economics", "transportation", "army", "arts").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.check({"prosperity": 1, "gold": 3, "finished": 1})  # 3 gold for the communication tech


@pytest.mark.parametrize("number", range(14))
def test_a_prosperity_card(number) -> None:
    """Each with the next: both icons are needed, each on a tech card of its own."""
    first, second = TYPES[number], TYPES[(number + 1) % 14]
    techs = [card_id for card_id in TECHS if GAME.facts.faces[GAME.catalogue.index(card_id)].age == 1]
    position = Position(age=1).prosperity(first, second).give(techs[number], techs[(number + 1) % 14])
    position.start((ONE_SEAT, 0, PROSPERITY_PHASE))
    assert position.changed()["prosperity"] == 1
    one = Position(age=1).prosperity(first, second).give(techs[number]).start((ONE_SEAT, 0, PROSPERITY_PHASE))
    one.check({"finished": 1})


def test_no_prosperity_with_one_icon_a_joker_or_a_building() -> None:
    position = (
        Position(age=6).give("power-plant", "radio").set(jokers=2).prosperity("energy", "communication")
    )
    position.start((ONE_SEAT, 0, PROSPERITY_PHASE)).check({"finished": 1})


def test_communication_gold_for_each_tech() -> None:
    position = Position(age=2).give("pictograms", "alphabet").give("coinage", zone="techs_exhausted")
    position.prosperity("communication", "economics").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.check({"prosperity": 1, "gold": 6, "finished": 1})


def test_construction_from_the_architect_until_all_pass() -> None:
    position = Position(seats=3).offer("palace", "farm", "colossus").set(-1, architect=1, architect_used=1)
    for seat in range(3):
        position.set(seat, gold=9)
    position.start((BEGIN_CONSTRUCTION,))
    order = []
    while position.match.pending:
        (seat,) = position.match.to_act
        order.append(seat)
        build = [line for line in position.offered(seat) if line.startswith("build farm")]
        position.do(*(build or ["pass"]), seat=seat)
    assert order == [1, 2, 0]  # seat 1 has 1 gold left and passes unasked
    assert position.moved() == {"farm": "buildings@1"}


def test_influence_discount_is_the_single_highest() -> None:
    position = Position().set(influence=2, gold=17).offer("the-great-pyramid").set(1, passed=1)
    position.start((CONSTRUCT, 0, 0))
    assert position.offered() == ["build the-great-pyramid 17", "pass"]


def test_a_bank_player_may_decline_the_second_item() -> None:
    position = (
        Position(age=4).give("bank").set(gold=40).offer("opera-house", "museum", "taj-mahal").set(1, gold=40)
    )
    position.set(-1, architect=0, architect_used=1).start((CONSTRUCT, 0, 0)).do("build museum", "done")
    assert position.match.to_act == (1,)
    position.do("pass", seat=1)
    position.do("build opera-house", "build taj-mahal")
    assert position.value("passed", 0) == 1 or "pass" in position.offered()


def test_war_goes_back_by_the_lowest() -> None:
    position = Position(seats=4)
    for seat, war in enumerate((5, 2, 7, 3)):
        position.set(seat, war=war)
    position.start((WAR_PHASE,)).check({f"war@{s}" if s else "war": -2 for s in range(4)})
    last = Position(age=8).set(0, war=3).set(1, war=2).start((WAR_PHASE,))
    last.check({})


def test_upkeep_of_a_personal_area() -> None:
    """RB Upkeep, example: after age 2 an agriculture tech expires, a social science tech stays."""
    position = Position(age=2).give("animal-domestication", "stonehenge", "palace")
    position.give("philosophy", zone="techs_exhausted").give("barracks", zone="buildings_exhausted")
    position.set(jokers=2, rp=3, special_war=1, row_2=1, bought=1, once_used=1).set(-1, architect_used=1)
    position.start((UPKEEP,))
    moved = position.moved()
    assert moved["animal-domestication"] == "box"
    assert moved["philosophy"] == "techs"
    assert moved["palace"] == "asleep"
    assert moved["barracks"] == "buildings"
    assert "stonehenge" not in moved
    for name in ("jokers", "rp", "special_war", "row_2", "bought", "once_used"):
        assert position.value(name) == 0
    assert position.value("architect_used", -1) == 0


def test_upkeep_of_the_shared_area() -> None:
    position = Position(seats=3, age=2)
    t, L = position.t, position.t.layout
    future = t.zones[L.wonders_future][:]
    blanks = [cell for cell, face in enumerate(t.lists[L.grid]) if face == L.facts.blank]
    assert [cell % 4 for cell in blanks] == [0, 0]
    position.start((UPKEEP,))
    assert t.zones[L.wonders_current] == future
    assert {t.face(card).age for card in t.zones[L.wonders_future]} == {4}
    assert {t.face(card).age for card in t.zones[L.buildings_available]} == {3}
    assert len(t.zones[L.buildings_available]) == len(t.zones[L.prosperity]) == 6
    now = [cell for cell, face in enumerate(t.lists[L.grid]) if face == L.facts.blank]
    assert now == sorted((cell + 4) % 16 for cell in blanks)
    assert sorted(t.face(card).type for card in t.zones[L.draft_area] if t.face(card).age) == list(range(14))


def test_prosperity_cards_run_out_and_come_back() -> None:
    position = Position(seats=4)
    t, L = position.t, position.t.layout
    assert (len(t.zones[L.prosperity]), len(t.zones[L.prosperity_deck])) == (8, 6)
    position.start((UPKEEP,))
    assert (len(t.zones[L.prosperity]), len(t.zones[L.prosperity_deck])) == (8, 6)
    assert len(t.zones[L.prosperity_discard]) == 0


def test_set_up() -> None:
    for seats, gold in ((2, [10, 12]), (3, [10, 12, 16]), (4, [10, 12, 16, 15])):
        t = GAME.setup(5, seats, GAME.options())
        L = t.layout
        first = t.counters[L.leader]
        assert [t.gold((first + n) % seats) for n in range(seats)] == gold
        assert t.counters[L.architect] == (first + 1) % seats
        assert len(t.zones[L.prosperity]) == len(t.zones[L.buildings_available]) == 2 * seats
        assert (len(t.zones[L.wonders_current]), len(t.zones[L.wonders_future])) == (2, 2)
        assert (len(t.zones[L.research]), len(t.zones[L.books]), len(t.zones[L.draft_area])) == (4, 7, 16)
        assert t.position(0, PROSPERITY) == 0


def test_phases_run_from_the_leader_one_by_one_if_so_chosen() -> None:
    position = Position(seats=3, simultaneous="false").set(-1, leader=2)
    position.start((BEGIN_PHASE, -1, ACTION_PHASE))
    order = []
    while position.match.pending:
        (seat,) = position.match.to_act
        order.append(seat)
        position.do("done", seat=seat)
    assert order == [2, 0, 1]


def test_all_play_at_once_if_so_chosen() -> None:
    position = Position(seats=3).start((BEGIN_PHASE, -1, ACTION_PHASE))
    assert position.match.to_act == (0, 1, 2)
    position.do("done", seat=1)
    assert position.match.to_act == (0, 2)


SPOT_6 = ("coinage", "paved-roads", "farm", "research-226", "research-227", "diplomacy-272")


def test_cards_of_the_action_phase_do_not_work_in_prosperity() -> None:
    """Spot 6 gives any special action: no Farm, no 226, no 272; 227 reacts to the step itself."""
    position = Position(age=3).give(*SPOT_6).set(prosperity=5).prosperity("economics", "transportation")
    position.start((ONE_SEAT, 0, PROSPERITY_PHASE)).do("resolve", "special special-population")
    position.check({"prosperity": 1, "gold": 2, "population": 1, "finished": 1})


def test_cards_of_the_action_phase_work_in_it() -> None:
    position = Position(age=3).give(*SPOT_6).set(prosperity=5).give("diplomacy-252").start()
    position.do("play diplomacy-252", "resolve", "special special-population")
    offered = ["resolve special-population 0", "resolve farm 0", "play diplomacy-272", "done"]
    assert sorted(position.offered()) == sorted(offered)


def test_icons_of_buildings_do_not_pay_in_prosperity() -> None:
    position = Position(age=2).give("coinage", "paved-roads", "palace").set(prosperity=5, culture=2)
    position.prosperity("economics", "transportation")
    position.book(position.t.track(CULTURE).spot(3, 0).slot, "book-tech-for-vp9")
    position.start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.do("resolve", "special special-culture", "resolve book-tech-for-vp9")
    assert position.offered() == ["spend_tech paved-roads", "spend_tech coinage"]
