"""Every wonder and yellow building, the final scoring, and case MIL-03."""

from __future__ import annotations

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.scoring import final_points, wonder_vp, yellow_vp
from ziggurat_rules.games.millennia.steps import CONSTRUCT, END

AT = {"prosperity": 2, "trade": 6, "influence": 4, "politics": 8, "war": 5, "population": 3, "culture": 9}
"""Position of a player with 2 claimed research cards, 3 green, 4 brown (one asleep) and 2 yellow buildings,
3 wonders and 4 activated book tokens."""

WONDERS = {
    "the-great-pyramid": 16,
    "hanging-gardens": 6,
    "stonehenge": 10,
    "colossus": 6,
    "the-great-library": 9,
    "statue-of-zeus": 8,
    "angkor-wat": 12,
    "the-great-wall": 10,
    "hagia-sophia": 12,
    "machu-picchu": 11,
    "taj-mahal": 8,
    "sistine-chapel": 18,
    "bell-rock-lighthouse": 18,
    "brandenburg-gate": 15,
    "the-louvre": 17,
    "empire-state-building": 20,
    "panama-canal": 7,
    "statue-of-liberty": 8,
    "channel-tunnel": 4,
    "united-nations": 16,
    "zuiderzee-works": 6,
    "climate-neutral-city": 18,
    "holo-earth-museum": 15,
    "oneill-cylinder": 12,
}
# Yellow building: a position that just meets its conditions, and its VP.
YELLOW = {
    "menhir-field": ({"population": 6, "culture": 6}, 10),
    "oracle-shrine": ({"prosperity": 5, "culture": 5}, 11),
    "tumulus": ({"politics": 7, "culture": 7}, 15),
    "agora": ({"trade": 5, "politics": 5}, 12),
    "amphitheater": ({"culture": 8, "war": 3}, 13),
    "necropolis": ({"wonders": 2, "population": 5}, 11),
    "abbey": ({"research": 2, "prosperity": 4}, 11),
    "bazaar": ({"trade": 5, "gold": 12}, 12),
    "guild-hall": ({"brown": 3, "green": 3}, 12),
    "botanical-garden": ({"population": 8, "prosperity": 5}, 14),
    "royal-exchange": ({"trade": 6, "influence": 2}, 13),
    "star-citadel": ({"war": 5, "politics": 5}, 12),
    "grand-arcade": ({"culture": 7, "trade": 5}, 14),
    "trade-union-house": ({"population": 7, "politics": 6}, 13),
    "world-exhibition": ({"wonders": 2, "research": 2}, 15),
    "broadcast-center": ({"influence": 3, "culture": 6}, 13),
    "metro-network": ({"population": 8, "trade": 5}, 14),
    "olympic-stadium": ({"culture": 8, "prosperity": 5}, 15),
    "business-park": ({"trade": 6, "brown": 4, "green": 3}, 14),
    "data-center": ({"research": 3, "influence": 3}, 15),
    "green-tower": ({"population": 9, "politics": 7}, 16),
    "asteroid-crusher": (dict.fromkeys(AT, 3), 17),
    "dino-zoo": ({"trade": 5, "politics": 5, "war": 5, "population": 5, "culture": 5}, 6),
    "underwater-warehouse": ({k: 4 for k in AT if k != "influence"}, 10),
}
CARDS = {
    "wonders": ["colossus", "taj-mahal", "the-louvre"],
    "research": ["research-225", "research-226", "research-227"],
    "brown": ["farm", "granary", "senate", "school"],
    "green": ["palace", "smithy", "market"],
}


@pytest.mark.parametrize(("wonder", "vp"), WONDERS.items())
def test_a_wonder(wonder, vp) -> None:
    position = (
        Position().set(**AT, books_activated=4).branch("democracy").give("research-225", "research-226")
    )
    position.give("palace", "smithy", "market", "farm", "granary", "senate").give("school", zone="asleep")
    position.give("tumulus", "agora")
    position.give(
        wonder, *[other for other in ("colossus", "taj-mahal", "the-louvre") if other != wonder][:2]
    )
    assert wonder_vp(position.t, 0, position.face(wonder)) == vp


def test_every_wonder_has_a_test() -> None:
    assert set(WONDERS) == {GAME.catalogue.cards[face.index].id for face in GAME.facts.of("wonder")}


def arranged(needs: dict[str, int]) -> Position:
    position = Position()
    for name, n in needs.items():
        if name not in CARDS:
            position.set(**{name: n})
        else:
            position.give(*CARDS[name][:n], **({"zone": "asleep"} if name in ("brown", "green") else {}))
    return position.branch("democracy") if needs.get("politics", 0) > 5 else position


@pytest.mark.parametrize("building", YELLOW)
def test_a_yellow_building(building) -> None:
    needs, vp = YELLOW[building]
    position = arranged(needs).give(building)
    assert yellow_vp(position.t, 0, position.face(building)) == vp
    for name in needs:
        less = arranged(needs | {name: needs[name] - 1}).give(building)
        assert yellow_vp(less.t, 0, less.face(building)) == 0, name


def test_every_yellow_building_has_a_test() -> None:
    yellow = {GAME.catalogue.cards[f.index].id for f in GAME.facts.of("building") if f.color == "yellow"}
    assert set(YELLOW) == yellow


def test_statue_of_liberty_counts_a_passed_token_after_a_revolution() -> None:
    position = Position().set(politics=8, books_activated=2).branch("democracy").give("research-232")
    assert wonder_vp(position.t, 0, position.face("statue-of-liberty")) == 6
    position.set(politics=7)
    assert wonder_vp(position.t, 0, position.face("statue-of-liberty")) == 4
    slot = position.t.track(3).spot(8, 1).slot
    position.set(politics=8, books_activated_at=1 << slot)
    assert wonder_vp(position.t, 0, position.face("statue-of-liberty")) == 4  # counted already


MIL_03 = """
[[track]]
id = "a1-influence"
spots = 6
[[spot]]
id = "a1-prosperity-4"
vp_end = 10
[[spot]]
id = "a1-population-5"
vp_end = 6
[[spot]]
id = "a1-culture-7"
vp_end = 8
[[spot]]
id = "a1-culture-8"
vp_end = 8
[[spot]]
id = "a1-culture-9"
vp_end = 8
[[building]]
id = "palace"
cost = 12
"""


def mil_03() -> Position:
    position = Position(pack=MIL_03).set(influence=6, war=4, prosperity=4, population=5, culture=9)
    return position.give("the-great-pyramid", "tumulus", "diplomacy-250", "diplomacy-251")


def test_mil_03_a_final_scoring() -> None:
    tyranny = mil_03().set(politics=8).branch("tyranny")
    assert final_points(tyranny.t, 0) == (24, 30, 8, 10, 0, 6)
    tyranny.start((END,)).check({"vp": 78})
    democracy = mil_03().set(politics=8).branch("democracy")
    assert final_points(democracy.t, 0) == (24, 48, 8, 16, 15, 6)
    democracy.start((END,)).check({"vp": 117})


def test_mil_03_b_the_later_starter_card_wins_a_tie() -> None:
    position = Position(seats=3).set(0, starter=1, vp=50).set(1, starter=3, vp=50).set(2, starter=2, vp=40)
    assert [score.place for score in GAME.scores(position.t)] == [2, 1, 3]


def test_mil_03_c_discounts() -> None:
    position = mil_03().set(influence=2, gold=26).offer("the-great-pyramid", "palace").set(1, passed=1)
    for card in position.t.hand(0)[:]:
        position.t.remove(card)
    position.set(-1, architect=0).start((CONSTRUCT, 0, 0))
    assert position.offered() == ["build the-great-pyramid 17", "build palace 12", "pass"]
    position.do("build the-great-pyramid").check({"gold": -17}, {"the-great-pyramid": "wonders"})
    position.do("build palace", "use_architect 3")
    moved = {"the-great-pyramid": "wonders", "palace": "buildings"}
    position.check({"gold": -26, "architect_used": 1, "passed": 1}, moved)


def test_the_architect_once_per_age() -> None:
    position = (
        Position().set(-1, architect=0).set(gold=30).set(1, passed=1).offer("palace", "farm", "colossus")
    )
    position.start((CONSTRUCT, 0, 0)).do("build palace", "use_architect 3", "build farm")
    position.check({"gold": -6 - 8, "architect_used": 1}, {"palace": "buildings", "farm": "buildings"})


def test_the_highest_activated_values_count() -> None:
    """RB End-Game Scoring and Wonders: the highest VP, and the single highest discount, that were activated."""
    pack = '[[spot]]\nid = "a1-culture-9"\nvp_end = 1\n[[spot]]\nid = "a1-influence-3"\nwonder_discount = 1\n'
    position = (
        Position(pack=pack).set(culture=9, influence=3, gold=17).offer("the-great-pyramid").set(1, passed=1)
    )
    assert final_points(position.t, 0)[0] == 13  # spot 8
    position.start((CONSTRUCT, 0, 0))
    assert position.offered() == ["build the-great-pyramid 17", "pass"]
