"""Every research card, once claimed: exactly what changes."""

from __future__ import annotations

import re

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.steps import (
    CONSTRUCT,
    INCOME_PHASE,
    ONE_SEAT,
    PROSPERITY_PHASE,
)
from ziggurat_rules.games.millennia.words import CULTURE, POLITICS, POPULATION

SPENT = "techs_exhausted"


def test_225_vp_for_the_diplomacy_action() -> None:
    position = (
        Position(age=6).give("research-225", "radio", "power-grid").deck("diplomacy-250", "diplomacy-251")
    )
    position.start().do("perform action-diplomacy", "keep diplomacy-250")
    moved = {"diplomacy-250": "diplomacy_hand", "diplomacy-251": "diplomacy_discard"}
    position.check({"vp": 3}, {"radio": SPENT, "power-grid": SPENT} | moved)


def test_226_vp_for_a_special_action() -> None:
    position = Position().give("research-226").set(special_joker=2).start().do("retrieve special-joker")
    position.check({"special_joker": -1, "jokers": 1, "vp": 3})


def test_226_counts_a_special_action_by_another_source() -> None:
    position = Position(age=7).give("research-226", "crypto-mine").start()
    position.do("activate crypto-mine", "special special-research")
    position.check({"rp": 3, "vp": 3}, {"crypto-mine": "buildings_exhausted"})


def test_227_gold_for_each_prosperity_step() -> None:
    position = Position(age=2).give("research-227", "coinage", "paved-roads")
    position.prosperity("economics", "transportation", "army", "arts").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.check({"prosperity": 1, "gold": 2, "finished": 1})


def test_228_vp_for_each_influence_step() -> None:
    position = (
        Position(age=8).give("research-228", "3d-printed-housing").start().do("activate 3d-printed-housing")
    )
    position.check({"influence": 1, "vp": 3}, {"3d-printed-housing": "buildings_exhausted"})


def test_229_vp_for_claiming_itself_and_others() -> None:
    position = (
        Position().research("research-229", "research-243", "research-227", "research-231").set(rp=6).start()
    )
    position.do("buy a1-research-6-2", "claim research-229").check({"bought": 1, "rp": -6, "vp": 4})
    other = Position().research("research-229", "research-243").give("research-229").set(rp=6).start()
    other.do("buy a1-research-6-2").check({"bought": 1, "rp": -6, "vp": 4})
    assert other.list("claimed") == ["research-229", "research-243"]


def culture_token(
    *cards: str, token: str = "book-joker", track: int = CULTURE, **counters: int
) -> tuple[Position, int]:
    """A marker in front of the first token of a track, and the special action that goes there."""
    name = {CULTURE: "culture", POPULATION: "population"}[track]
    position = Position(age=5).set(**{name: 2, f"special_{name}": 1} | counters).give(*cards)
    slot = position.t.track(track).spot(3, 0).slot
    return position.book(slot, token), slot


def used(name: str, slot: int, **changes: int) -> dict[str, int]:
    books = {"books_activated": 1, "books_activated_at": 1 << slot}
    return {name: 1, f"special_{name}": -1} | books | changes


def test_230_gold_for_points_at_a_book_token() -> None:
    position, slot = culture_token("research-230", gold=4)
    position.start().do("retrieve special-culture", "resolve research-230")
    position.check(used("culture", slot, jokers=1, gold=-4, rp=3))
    poor, slot = culture_token("research-230", gold=3)
    poor.start().do("retrieve special-culture").check(used("culture", slot, jokers=1))


def test_231_back_on_the_war_track_once_per_phase() -> None:
    position = Position().give("research-231").set(war=2).start().do("activate research-231")
    position.check({"war": -1, "gold": 4, "once_used": 1})
    assert "activate research-231" not in position.offered()
    assert "activate research-231" not in Position().give("research-231").start().offered()


def test_232_from_tyranny_to_the_same_democracy_spot() -> None:
    position = Position().give("research-232").set(politics=7, war=5, gold=15).branch("tyranny").start()
    position.do("activate research-232").check({"gold": -15, "branch": -1, "war": -3, "jokers": 1})
    for counters, branch in (({"gold": 14}, "tyranny"), ({"gold": 15}, "democracy")):
        other = Position().give("research-232").set(politics=7, **counters).branch(branch).start()
        assert "activate research-232" not in other.offered()


def test_232_with_a_penalty_in_gold() -> None:
    poor = Position().give("research-232").set(politics=6, gold=19).branch("tyranny").start()
    assert "activate research-232" not in poor.offered()
    rich = Position().give("research-232").set(politics=6, gold=20).branch("tyranny").start()
    rich.do("activate research-232").check({"gold": -20, "branch": -1, "vp": 4})


def test_233_one_tech_less_for_influence() -> None:
    techs = ("coinage", "epic-poetry", "irrigation")
    position = Position(age=2).give("research-233", *techs).start().do("perform action-influence")
    position.check({"influence": 1, "vp": 3, "gold": 3}, dict.fromkeys(techs, SPENT))
    mixed = ("geometry", "epic-poetry", "irrigation")
    other = Position(age=2).give("research-233", *mixed).start().do("perform action-influence")
    other.check({"influence": 1, "vp": 3, "gold": 3}, dict.fromkeys(mixed, SPENT))


def test_234_vp_for_the_lowest_track_at_a_culture_token() -> None:
    at = {"prosperity": 2, "trade": 2, "influence": 2, "politics": 3, "war": 4, "population": 2}
    position, slot = culture_token("research-234", **at)
    position.start().do("retrieve special-culture").check(used("culture", slot, jokers=1, vp=4))


def test_235_vp_at_the_politics_token_with_15_gold() -> None:
    for gold, vp in ((15, 5), (14, 0)):
        position = (
            Position().give("research-235").set(politics=7, special_politics=1, gold=gold).branch("democracy")
        )
        slot = position.t.track(POLITICS).spot(8, 1).slot
        position.book(slot, "book-joker").start().do("retrieve special-politics")
        changes = used("politics", slot, jokers=1) | ({"vp": vp} if vp else {})
        position.check(changes)


def test_236_gold_at_a_population_token_with_many_buildings() -> None:
    four = ("palace", "farm", "granary", "smithy")
    for buildings, gold in ((four, 5), (four[:3], 0)):
        position, slot = culture_token("research-236", track=POPULATION)
        position.give(*buildings, zone="asleep").start().do("retrieve special-population")
        position.check(used("population", slot, jokers=1) | ({"gold": gold} if gold else {}))


def test_237_yellow_buildings_cost_4_less() -> None:
    position = Position(age=2).give("research-237").offer("agora", "market").set(gold=5).set(1, passed=1)
    position.set(-1, architect=0, architect_used=1).start((CONSTRUCT, 0, 0))
    assert position.offered() == ["build agora 5", "pass"]
    position.do("build agora").check({"gold": -5, "passed": 1}, {"agora": "yellow_buildings"})


@pytest.mark.parametrize(("card", "track"), [("research-238", "population"), ("research-242", "culture")])
def test_238_and_242_vp_beyond_the_end(card, track) -> None:
    position = (
        Position()
        .give(card)
        .set(**{track: 10, f"special_{track}": 1})
        .start()
        .do(f"retrieve special-{track}")
    )
    position.check({f"special_{track}": -1, "vp": 3 + 4})
    last = (
        Position().give(card).set(**{track: 9, f"special_{track}": 1}).start().do(f"retrieve special-{track}")
    )
    assert last.changed()[track] == 1
    assert last.changed().get("vp", 0) == (5 if track == "culture" else 0)


def test_239_vp_for_constructing() -> None:
    position = Position(age=2).give("research-239").offer("market", "colossus").set(gold=30).set(1, passed=1)
    position.set(-1, architect=0, architect_used=1).start((CONSTRUCT, 0, 0))
    position.do("build market").check({"gold": -9, "vp": 1}, {"market": "buildings"})
    position.do("build colossus").check(
        {"gold": -23, "vp": 2, "passed": 1}, {"market": "buildings", "colossus": "wonders"}
    )


def test_240_gold_for_the_research_action() -> None:
    position = Position().give("research-240").set(rp=3).start().do("buy a1-research-3-1")
    position.check({"bought": 1, "rp": -3, "vp": 5, "gold": 2})
    claiming = Position().research("research-240").set(rp=6).start().do("buy a1-research-6-2")
    claiming.check({"bought": 1, "rp": -6, "gold": 2})
    assert claiming.list("claimed") == ["research-240"]


def test_241_spends_a_tech_to_match_a_prosperity_card() -> None:
    position = Position(age=2).give("research-241", "coinage", "legion-tactics")
    position.prosperity("economics", "transportation", "army", "arts").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.do("match legion-tactics prosperity-transportation")
    position.check({"prosperity": 1, "finished": 1}, {"legion-tactics": SPENT})


def test_241_and_the_granary_on_one_pair() -> None:
    position = Position(age=2).give("research-241", "granary", "legion-tactics")
    position.prosperity("economics", "transportation").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.do("match legion-tactics prosperity-economics", "one_icon granary")
    moved = {"legion-tactics": SPENT, "granary": "buildings_exhausted"}
    position.check({"prosperity": 1, "finished": 1}, moved)


def test_241_may_spend_two_techs_that_are_alike() -> None:
    position = Position(age=3).give("research-241", "bronze-spears", "iron-swords")
    position.prosperity("economics", "transportation").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.do("match bronze-spears prosperity-economics", "match iron-swords prosperity-transportation")
    position.check({"prosperity": 1, "finished": 1}, {"bronze-spears": SPENT, "iron-swords": SPENT})


def test_243_income_for_wonders_up_to_3() -> None:
    wonders = ("colossus", "hagia-sophia", "angkor-wat", "taj-mahal")
    for n, gold in ((1, 1), (3, 3), (4, 3)):
        position = Position(age=4).give("research-243", *wonders[:n]).start((ONE_SEAT, 0, INCOME_PHASE))
        position.check({"gold": gold, "finished": 1})


def test_244_vp_for_trading_for_gold() -> None:
    position = Position(age=2).give("research-244", "coinage", "paved-roads").start()
    position.do("perform action-trade", "option 1")
    position.check({"gold": 6, "vp": 4}, {"coinage": SPENT, "paved-roads": SPENT})
    track = Position(age=2).give("research-244", "coinage", "paved-roads").start()
    track.do("perform action-trade", "option 0").check({"trade": 1}, {"coinage": SPENT, "paved-roads": SPENT})


def test_every_research_card_has_a_test() -> None:
    tested = {int(n) for name in globals() if name.startswith("test_") for n in re.findall(r"2[234]\d", name)}
    assert tested == {GAME.catalogue.cards[f.index].facts["number"] for f in GAME.facts.of("research")}
