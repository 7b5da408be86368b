"""The 18 actions of the board and how they are paid."""

from __future__ import annotations

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.effects import SPECIALS

SPENT = "techs_exhausted"

ACTIONS = [
    ("perform action-trade", ["coinage", "water-wheel"], ["option 0"], {"trade": 1}),
    ("perform action-trade", ["coinage", "paved-roads"], ["option 1"], {"gold": 6}),
    (
        "perform action-influence",
        ["coinage", "geometry", "epic-poetry", "irrigation"],
        [],
        {"vp": 3, "gold": 3, "influence": 1},
    ),
    ("perform action-politics", ["city-state", "philosophy"], [], {"politics": 1}),
    ("perform action-war-single", ["war-chariots"], [], {"war": 1}),
    ("perform action-war-pair", ["iron-swords", "legion-tactics"], [], {"war": 3, "gold": 2}),
    ("perform action-population", ["irrigation", "anatomy"], [], {"population": 1}),
    ("perform action-culture", ["epic-poetry", "philosophy"], [], {"culture": 1}),
    ("perform action-academics", ["coinage", "anatomy"], [], {"jokers": 1}),
    ("perform action-industry", ["coinage"], [], {"gold": 2}),
    ("convert convert-1", ["anatomy"], [], {"rp": 1}),
    ("convert convert-2", ["geometry"], [], {"rp": 2}),
    ("convert convert-6", ["concrete-arch", "paved-roads", "anatomy"], [], {"rp": 6}),
]


@pytest.mark.parametrize(
    ("action", "techs", "script", "changes"), ACTIONS, ids=[f"{r[0]}-{r[3]}" for r in ACTIONS]
)
def test_an_action(action, techs, script, changes) -> None:
    Position(age=2).give(*techs).start().do(action, *script).check(changes, dict.fromkeys(techs, SPENT))
    for left in range(len(techs)):
        assert action not in Position(age=2).give(*techs[:left], *techs[left + 1 :]).start().offered()


def test_diplomacy() -> None:
    position = Position(age=2).give("alphabet", "water-wheel").deck("diplomacy-250", "diplomacy-251").start()
    position.do("perform action-diplomacy", "keep diplomacy-251")
    moved = {"diplomacy-250": "diplomacy_discard", "diplomacy-251": "diplomacy_hand"}
    position.check({}, {"alphabet": SPENT, "water-wheel": SPENT} | moved)


def test_espionage() -> None:
    Position().set(gold=7).start().do("perform action-espionage").check({"gold": -7, "jokers": 1})
    assert "perform action-espionage" not in Position().set(gold=6).start().offered()


@pytest.mark.parametrize("which", SPECIALS)
def test_a_special_action(which) -> None:
    gains = {"research": {"rp": 3}, "war": {"war": 3, "gold": 2}, "joker": {"jokers": 1}}.get(
        which, {which: 1}
    )
    position = Position().set(**{f"special_{which}": 1}).start().do(f"retrieve special-{which}")
    position.check({f"special_{which}": -1} | gains)
    assert f"retrieve special-{which}" not in position.offered()


BUYS = [
    ("A1", 3, "a1-research-3-1", {"vp": 5}),
    ("A1", 6, "a1-research-6-1", {"vp": 6, "war": 3, "gold": 2}),
    ("A1", 6, "a1-research-6-2", {}),
    ("A1", 8, "a1-research-8-1", {"vp": 8, "gold": 10}),
    ("A1", 8, "a1-research-8-2", {"vp": 5}),
    ("A1", 10, "a1-research-10-1", {"vp": 18, "jokers": 1}),
    ("A2", 3, "a2-research-3-1", {"gold": 7}),
    ("A2", 6, "a2-research-6-1", {"vp": 6}),
    ("A2", 6, "a2-research-6-2", {}),
    ("A2", 8, "a2-research-8-1", {"vp": 8, "jokers": 2}),
    ("A2", 8, "a2-research-8-2", {"vp": 5}),
    ("A2", 10, "a2-research-10-1", {"vp": 14, "trade": 1, "influence": 1}),
]


@pytest.mark.parametrize(("side", "points", "buy", "gains"), BUYS, ids=[row[2] for row in BUYS])
def test_a_research_effect(side, points, buy, gains) -> None:
    position = (
        Position(side=side).research("research-243", "research-231").set(rp=points + 1).deck("diplomacy-250")
    )
    position.start().do(f"buy {buy}")
    for wanted in ("special special-joker", "track trade", "track influence", "claim research-243"):
        if wanted in position.offered():
            position.do(wanted)
    moved = {"diplomacy-250": "diplomacy_hand"} if buy == "a2-research-6-1" else {}
    position.check({"bought": 1, "rp": -points - 1} | gains, moved)
    claims = buy.endswith("-2")
    assert position.list("claimed") == (["research-243"] if claims else [])
    assert not any(line.startswith("buy") for line in position.set(rp=20).offered())
    assert f"buy {buy} {points}" not in Position(side=side).set(rp=points - 1).start().offered()


@pytest.mark.parametrize("side", ["A1", "A2"])
def test_research_effects_can_be_told_apart(side) -> None:
    cards = GAME.catalogue.cards
    names = {cards[index].name for index in GAME.facts.sides[side].buys}
    assert len(names) == 6


def test_example_of_the_research_action() -> None:
    """RB Research Action: 2 points in hand, Pharmacy 1, special action 3 with a card 5: 11 points."""
    position = Position(age=5).give("pharmacy", "diplomacy-269").set(rp=2, special_research=1).start()
    position.do("convert convert-1", "retrieve special-research", "play diplomacy-269")
    assert position.value("rp") == 11
    position.do("buy a1-research-10-1", "special special-culture")
    assert position.changed() == {"rp": -2, "special_research": -1, "bought": 1, "vp": 18, "culture": 1}


def test_claiming_needs_an_unclaimed_card() -> None:
    position = Position().research("research-243").give("research-243").set(rp=8).start()
    assert "buy a1-research-6-2 6" not in position.offered()
    assert "buy a1-research-6-1 6" in position.offered()


def test_every_action_of_the_board_has_a_test() -> None:
    tested = {row[0].split()[1] for row in ACTIONS} | {"action-diplomacy", "action-espionage"}
    tested |= {f"special-{which}" for which in SPECIALS} | {row[2] for row in BUYS}
    tables = ("action", "special", "convert", "buy")
    cards = GAME.catalogue.cards
    assert tested == {cards[face.index].id for table in tables for face in GAME.facts.of(table)}


# Payments


def test_equal_techs_are_one_option_and_others_are_not() -> None:
    position = Position(age=2).give("irrigation", "animal-domestication", "anatomy").set(jokers=1).start()
    position.do("perform action-population")
    # Two agriculture techs that last until other ages, and a joker that only one of the two parts may take.
    assert position.offered() == ["spend_tech animal-domestication", "spend_tech irrigation", "spend_joker"]
    same = Position(age=3).give("bronze-spears", "iron-swords").start().do("perform action-war-single")
    same.check({"war": 1}, {"bronze-spears": SPENT})


def test_a_source_that_another_part_needs_is_not_offered() -> None:
    position = Position(age=3).give("castle", "legion-tactics").start().do("perform action-war-pair")
    position.check({"war": 3, "gold": 2}, {"castle": "buildings_exhausted", "legion-tactics": SPENT})


def test_a_joker_is_never_chosen_for_the_player() -> None:
    position = Position(age=2).give("coinage").set(jokers=1).start().do("perform action-industry")
    assert position.offered() == ["spend_tech coinage", "spend_joker"]
    position.do("spend_joker").check({"jokers": -1, "gold": 2})


def test_the_mixed_part_of_influence_is_one_choice() -> None:
    techs = ("coinage", "geometry", "epic-poetry", "irrigation", "city-state")
    position = Position(age=2).give(*techs).start().do("perform action-influence")
    decision = position.match.decision(0)
    assert (decision.low, decision.high, len(decision.options)) == (3, 3, 4)
    position.do("spend_tech geometry + spend_tech epic-poetry + spend_tech city-state")
    assert "irrigation" not in position.moved()


def test_influence_with_everything_costs_one_tech() -> None:
    position = Position(age=5).give("factory", "opera-house", "research-233", "romantic-music").start()
    position.do("perform action-influence")
    moved = {"factory": "buildings_exhausted", "opera-house": "buildings_exhausted", "romantic-music": SPENT}
    position.check({"influence": 1, "vp": 3, "gold": 3}, moved)


def test_influence_ways_are_a_choice() -> None:
    techs = (
        "joint-stock-company",
        "theory-of-evolution",
        "constitution",
        "romantic-music",
        "threshing-machine",
    )
    position = Position(age=5).give("factory", "opera-house", *techs).start().do("perform action-influence")
    assert position.offered() == ["way 0 3 1 0", "way 0 3 1 1", "way 1 3 0 0", "way 1 3 0 1"]
