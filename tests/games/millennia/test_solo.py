"""The Automa (RB Solo Variant)."""

from __future__ import annotations

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.automa import (
    CONSTRUCTION,
    PRIORITY,
    ROW,
    WAR,
    automa_choice,
    automa_constructs,
    automa_drafts,
    automa_wages_war,
)
from ziggurat_rules.games.millennia.game import MillenniaOptions
from ziggurat_rules.games.millennia.scoring import challenge_level, result
from ziggurat_rules.games.millennia.steps import CONSTRUCT, DRAFT, END, UPKEEP, WAR_PHASE
from ziggurat_rules.keyed import splitmix64
from ziggurat_rules.match import Match

FACES = GAME.facts
AUTOMA = 1


def solo(**options: str) -> Position:
    return Position(seats=1, **options)


def grid(position: Position, *cards: str) -> None:
    """Cells of the draft grid, row by row; "-" is empty."""
    t, L = position.t, position.t.layout
    for card in t.zones[L.draft_area][:]:
        t.remove(card)
    faces = []
    for card_id in cards:
        faces.append(-1 if card_id == "-" else position.face(card_id))
        if card_id != "-":
            t.move(position.card(card_id), L.draft_area)
    t.put(L.grid, faces + [-1] * (16 - len(faces)))


def top(position: Position, deck: int, card_id: str) -> None:
    position.t.move(position.card(card_id), position.t.layout.automa_deck[deck])


def test_decks() -> None:
    for hard, war in (("normal", 10), ("hard", 12)):
        L = solo(automa=hard).t.layout
        t = GAME.setup(1, 1, MillenniaOptions(automa=hard))
        assert [len(t.zones[zone]) for zone in L.automa_deck] == [14, 8, 6, war]


def test_set_up_as_for_two_players_with_starter_cards_1_and_2() -> None:
    starters = set()
    for seed in range(12):
        t = GAME.setup(seed, 1, MillenniaOptions())
        L = t.layout
        number = t.counters[L.starter]
        starters.add(number)
        assert t.gold(0) == {1: 10, 2: 12}[number]
        assert t.gold(AUTOMA) == 0
        assert (t.counters[L.leader] == 0) == (number == 1)
        assert (t.counters[L.architect] == 0) == (number == 2)
        assert len(t.zones[L.buildings_available]) == len(t.zones[L.prosperity]) == 4
    assert starters == {1, 2}


def test_example_of_drafting() -> None:
    """RB Solo, example: two techs of 2 ages that prosperity does not ask for; columns decide."""
    position = solo().prosperity("arts", "energy", "economics", "military")
    grid(position, *["-"] * 12, "spearmen", "herbalism", "law", "stargazing")
    priority = next(
        f for f in FACES.of("automa_priority") if f.words[0] == "longest_duration" and f.words[2] == "army"
    )
    for columns, taken in (((3, 2, 4, 1), "law"), ((1, 4, 2, 3), "herbalism")):
        assert automa_choice(position.t, 3, priority.words, columns) == position.face(taken)


def test_a_criterion_nobody_meets_is_skipped() -> None:
    position = solo().prosperity("medicine", "energy")
    grid(position, "stargazing", "herbalism", "blank", "law")
    criteria = ("engineering", "prosperity", "communication", "longest_duration")
    assert automa_choice(position.t, 0, criteria, (1, 2, 3, 4)) == position.face("herbalism")


def test_it_discards_what_it_drafts() -> None:
    position = solo().set(AUTOMA, markers=4).set(-1, leader=0, architect=0, architect_used=1)
    grid(position, *["-"] * 4, "masonry")
    top(position, ROW, "automa-row-1")
    top(position, PRIORITY, "automa-priority-3")
    position.start()
    automa_drafts(position.t)
    moved = {
        "masonry": "box",
        "automa-row-1": "automa_row_discard@1",
        "automa-priority-3": "automa_priority_discard@1",
    }
    position.check({"markers@1": -1, "row_2@1": 1, "architect": 1, "architect_used": -1}, moved)


@pytest.mark.parametrize(
    ("age", "army", "changes"), [(1, "spearmen", {"leader": 1}), (8, "drone-swarm", {"vp@1": 1})]
)
def test_it_takes_the_effect_of_an_army(age, army, changes) -> None:
    position = solo(age=age).set(AUTOMA, markers=1).set(-1, leader=0)
    grid(position, army)
    position.start()
    automa_drafts(position.t)
    assert position.changed() == {"markers@1": -1, "row_1@1": 1} | changes


def test_it_drafts_in_turn() -> None:
    position = solo().set(markers=4).set(AUTOMA, markers=4).start((DRAFT, AUTOMA))
    for _ in range(4):
        position.do("take_spot special-joker")
    assert position.match.over
    assert (position.value("markers", 0), position.value("markers", AUTOMA)) == (0, 0)
    assert sum(position.value(f"row_{row}", AUTOMA) for row in range(1, 5)) == 4


def test_it_takes_construction_items_by_position() -> None:
    position = solo().offer("colossus", "the-great-pyramid", "farm", "palace").start()
    top(position, CONSTRUCTION, "automa-construction-4")  # building 2
    assert automa_constructs(position.t)
    assert position.moved()["palace"] == "box"
    top(position, CONSTRUCTION, "automa-construction-2")  # wonder 2
    top(position, CONSTRUCTION, "automa-construction-6")  # no building 4: the next card counts
    assert automa_constructs(position.t)
    assert position.moved()["the-great-pyramid"] == "box"
    assert position.list("wonder_slots", -1) == ["colossus", "-"]


def test_it_passes_when_nothing_is_left_or_the_player_passes() -> None:
    empty = solo().offer().start()
    assert not automa_constructs(empty.t)
    position = solo().offer("colossus", "farm").set(gold=30).start((CONSTRUCT, 0, 0)).do("pass")
    assert position.match.over
    assert position.moved() == {}


def test_it_constructs_between_the_turns_of_the_player() -> None:
    position = solo().offer("colossus", "the-great-pyramid", "farm", "palace").set(gold=60)
    position.set(-1, architect=0, architect_used=1).start((CONSTRUCT, 0, 0)).do("build farm")
    left = [line for line in position.offered() if line.startswith("build")]
    assert len(left) == 2  # of the other three the Automa took one


def test_war() -> None:
    position = solo().set(AUTOMA, war=6).start()
    top(position, WAR, "automa-war-9")  # 4 steps: to 7, then 3 VP for each of three
    automa_wages_war(position.t)
    position.check({"war@1": 1, "vp@1": 9}, {"automa-war-9": "automa_war_discard@1"})


def test_the_war_phase_draws_first() -> None:
    position = solo(age=3).give("fortification").set(war=4).set(AUTOMA, war=1)
    top(position, WAR, "automa-war-5")  # 2 steps: 3, the Fortification makes it 2, then both go back 2
    position.start((WAR_PHASE,))
    position.check(
        {"war": -2, "war@1": -1},
        {"automa-war-5": "automa_war_discard@1", "fortification": "buildings_exhausted"},
    )


def test_the_last_age_draws_but_nobody_goes_back() -> None:
    position = solo(age=8).set(war=4).set(AUTOMA, war=1)
    top(position, WAR, "automa-war-5")
    position.start((WAR_PHASE,)).check({"war@1": 2}, {"automa-war-5": "automa_war_discard@1"})


def test_upkeep_shuffles_three_decks_but_not_war() -> None:
    position = solo()
    t, L = position.t, position.t.layout
    for deck in range(4):
        t.draw(L.automa_deck[deck], L.automa_discard[deck])
    position.start((UPKEEP,))
    assert [len(t.zones[zone]) for zone in L.automa_discard] == [0, 0, 0, 1]


def test_the_result_is_the_difference() -> None:
    position = solo().set(vp=170).set(AUTOMA, vp=6, war=4).start((END,))
    assert result(position.t, 0) == 170 - 6 - 8
    assert position.value("challenge", -1) == 1
    assert GAME.scores(position.t)[0].points == 156


@pytest.mark.parametrize(("vp", "level"), [(149, 0), (150, 1), (174, 1), (225, 4), (300, 7), (999, 7)])
def test_the_challenge_table(vp, level) -> None:
    assert challenge_level(solo().set(vp=vp).t) == level


def test_a_seat_is_not_offered_to_bots() -> None:
    match = Match(GAME, 3, 1)
    for number in range(2000):
        if match.over:
            break
        assert match.to_act == (0,)
        match.apply(0, match.decision(0).sample(splitmix64(3, number)))
    assert match.over
    assert match.table.layout.owners == ("Automa",)
