"""Every diplomacy card and the standard effect: exactly what changes."""

from __future__ import annotations

import re

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.steps import (
    CONSTRUCT,
    END,
    INCOME_PHASE,
    ONE_SEAT,
    PROSPERITY_PHASE,
)
from ziggurat_rules.games.millennia.words import CULTURE

SPENT, GONE = "techs_exhausted", "diplomacy_discard"
COVERED = {264, 265, 266, 267}

PLAYED = [
    (249, {}, {"population": 1, "gold": 2}),
    (250, {}, {"politics": 1, "gold": 2}),
    (251, {}, {"culture": 1, "gold": 2}),
    (252, {}, {"prosperity": 1, "gold": 2}),
    (255, {}, {"war": 4, "gold": 2}),
    (257, {}, {"rp": 3, "gold": 2}),
    (261, {}, {"influence": 1}),
    (262, {}, {"jokers": 1, "gold": 3}),
]
SPECIAL = [
    (269, "research", {}, {"rp": 3}, {"rp": 5}),
    (270, "politics", {}, {"politics": 1}, {"politics": 1, "gold": 3, "jokers": 1}),
    (271, "culture", {}, {"culture": 1}, {"culture": 1, "rp": 2, "jokers": 1}),
    (272, "population", {}, {"population": 1}, {"population": 1, "gold": 3, "jokers": 1}),
    (273, "trade", {"trade": 5}, {"trade": 1}, {"trade": 1, "trade_unlock": 1, "vp": 5}),
    (274, "war", {"war": 6}, {"war": 1, "vp": 3 + 6}, {"vp": 12, "war_unlock": 1}),
    (276, "joker", {}, {"jokers": 1}, {"gold": 10}),
]


def diplomacy(number: int, **options: int) -> Position:
    return Position(**options).give(f"diplomacy-{number}")


def total(*parts: dict[str, int]) -> dict[str, int]:
    return {k: sum(part.get(k, 0) for part in parts) for p in parts for k in p}


@pytest.mark.parametrize(("number", "at", "changes"), PLAYED, ids=[str(row[0]) for row in PLAYED])
def test_a_card_played_as_an_action(number, at, changes) -> None:
    card = f"diplomacy-{number}"
    diplomacy(number).set(**at).start().do(f"play {card}").check(changes, {card: GONE})


@pytest.mark.parametrize(
    ("number", "which", "at", "main", "extra"), SPECIAL, ids=[str(row[0]) for row in SPECIAL]
)
def test_a_card_with_a_special_action(number, which, at, main, extra) -> None:
    card = f"diplomacy-{number}"
    position = diplomacy(number).set(**at, **{f"special_{which}": 1}).start()
    position.do(f"retrieve special-{which}", f"play {card}")
    position.check(total({f"special_{which}": -1}, main, extra), {card: GONE})


def test_245_industry() -> None:
    position = (
        diplomacy(245, age=2).give("coinage").start().do("perform action-industry", "play diplomacy-245")
    )
    position.check({"gold": 11}, {"coinage": SPENT, "diplomacy-245": GONE})


def test_246_points_for_vp() -> None:
    position = diplomacy(246).set(rp=4).start().do("play diplomacy-246")
    position.check({"rp": -3, "vp": 14}, {"diplomacy-246": GONE})
    assert "play diplomacy-246" not in diplomacy(246).set(rp=2).start().offered()


def test_247_copies_a_wonder() -> None:
    position = diplomacy(247).set(gold=16).give("colossus", "sistine-chapel").set(culture=4, prosperity=1)
    position.give("the-great-pyramid", "brandenburg-gate", seat=1).set(1, politics=3).set(
        politics=2, influence=1
    )
    position.start((END,))
    assert position.offered() == [
        "done",
        "copy diplomacy-247 the-great-pyramid 1 16",
        "copy diplomacy-247 brandenburg-gate 1 14",
    ]
    position.do("copy diplomacy-247 the-great-pyramid")
    # Colossus 1 + 1, Sistine Chapel 8, the copy 2 x 2; tracks 1 + 3, influence x politics 2; no card left.
    position.check({"gold": -16, "vp": 2 + 8 + 4 + 4 + 2, "vp@1": 6}, {"diplomacy-247": GONE})
    assert position.list("copied") == ["the-great-pyramid"]
    assert position.t.count(0, "wonders") == 3


def test_247_everyone_with_a_card_is_asked() -> None:
    position = diplomacy(250).give("colossus", seat=1).start((END,))
    assert position.offered() == ["done"]
    none = diplomacy(250).start((END,))
    assert none.match.over


def test_247_solo_draws_another() -> None:
    position = Position(seats=1, age=3).give("throne-room").deck("diplomacy-247", "diplomacy-250").start()
    position.do("activate throne-room")
    moved = {"diplomacy-247": GONE, "diplomacy-250": "diplomacy_hand", "throne-room": "buildings_exhausted"}
    position.check({}, moved)


def token(card: str, book: str, **counters: int) -> tuple[Position, int]:
    position = Position(age=5).give(card).set(**{"culture": 2, "special_culture": 1} | counters)
    slot = position.t.track(CULTURE).spot(3, 0).slot
    return position.book(slot, book), slot


def test_248_repeats_a_token_and_pays_again() -> None:
    position, slot = token("diplomacy-248", "book-war-for-gold", war=2)
    position.give("research-226").start()
    position.do(
        "retrieve special-culture",
        "resolve special-culture",
        "resolve book-war-for-gold",
        "play diplomacy-248",
    )
    books = {"books_activated": 1, "books_activated_at": 1 << slot}
    position.check(
        {"culture": 1, "special_culture": -1, "war": -2, "gold": 14, "vp": 3} | books, {"diplomacy-248": GONE}
    )


def test_248_does_not_trigger_again() -> None:
    position, slot = token("diplomacy-248", "book-joker", gold=20)
    position.give("research-234", "research-230").set(
        trade=1, influence=1, prosperity=1, politics=1, war=1, population=1
    )
    position.start().do("retrieve special-culture", "resolve special-culture", "play diplomacy-248")
    position.do("resolve research-230")
    changes = position.changed()
    assert changes["jokers"] == 2
    assert changes["books_activated"] == 1
    assert changes["vp"] == 2
    assert changes["gold"] == -4
    assert slot >= 0


def test_250_its_gold_pays_the_penalty_of_its_step() -> None:
    position = diplomacy(250).set(politics=5, gold=3).start().do("play diplomacy-250", "branch democracy")
    # Spot 6: pay 5 gold, 4 VP.
    position.check({"politics": 1, "branch": 1, "gold": 2 - 5, "vp": 4}, {"diplomacy-250": GONE})


def test_253_a_free_trade_action() -> None:
    position = (
        diplomacy(253)
        .start()
        .do("play diplomacy-253", "option 1")
        .check({"gold": 6}, {"diplomacy-253": GONE})
    )
    track = diplomacy(253).give("research-244").start().do("play diplomacy-253", "option 0")
    track.check({"trade": 1}, {"diplomacy-253": GONE})
    assert position.offered() == ["done"]


def test_254_two_pairs() -> None:
    position = diplomacy(254, age=2).give("coinage", "paved-roads", "epic-poetry", "war-chariots", "alphabet")
    position.prosperity("economics", "transportation", "army", "arts").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    position.do("play diplomacy-254")
    # 5 gold of the card, 3 of the communication tech, 3 of prosperity spot 2.
    position.check({"prosperity": 2, "gold": 11, "finished": 1}, {"diplomacy-254": GONE})


def test_254_is_asked_of_everyone_with_a_card() -> None:
    position = diplomacy(250, age=2).give("coinage", "paved-roads", "epic-poetry", "war-chariots")
    position.prosperity("economics", "transportation", "army", "arts").start((ONE_SEAT, 0, PROSPERITY_PHASE))
    assert position.offered() == ["done"]
    position.do("done").check({"prosperity": 1, "finished": 1})


def test_256_three_different_techs() -> None:
    techs = ("coinage", "paved-roads", "epic-poetry")
    position = diplomacy(256, age=2).give(*techs).start().do("play diplomacy-256", "done")
    moved = dict.fromkeys(techs, SPENT) | {"diplomacy-256": GONE}
    position.check({"culture": 1, "politics": 1, "population": 1}, moved)


def test_256_steps_in_the_order_of_the_owner() -> None:
    position = diplomacy(256, age=2).give("coinage", "paved-roads", "epic-poetry").set(politics=5, war=3)
    position.start().do("play diplomacy-256", "resolve diplomacy-256 2", "resolve diplomacy-256 1")
    position.do("branch tyranny")
    # Tyranny 6: VP as the lower of war 3 and population, which is 1 by now.
    assert position.changed() == {"culture": 1, "politics": 1, "population": 1, "branch": 2, "vp": 1}


def test_268_two_tracks() -> None:
    position = diplomacy(268).start().do("play diplomacy-268")
    assert position.offered() == ["done", "resolve diplomacy-268 0", "resolve diplomacy-268 1"]
    position.do("resolve diplomacy-268 1").check({"trade": 1, "war": 1}, {"diplomacy-268": GONE})


def test_256_needs_different_types() -> None:
    two = diplomacy(256, age=3).give("coinage", "guilds", "epic-poetry").start()
    assert "play diplomacy-256" not in two.offered()
    joker = diplomacy(256, age=3).give("coinage", "guilds", "epic-poetry").set(jokers=1).start()
    joker.do("play diplomacy-256")
    assert joker.offered() == ["spend_tech coinage", "spend_tech guilds"]  # the arts tech is forced


def test_258_trade() -> None:
    position = diplomacy(258, age=2).give("coinage", "paved-roads").start()
    position.do("perform action-trade", "option 0", "play diplomacy-258")
    moved = {"coinage": SPENT, "paved-roads": SPENT, "diplomacy-258": GONE}
    position.check({"trade": 1, "gold": 9}, moved)


@pytest.mark.parametrize(("number", "changes"), [(259, {"vp": 10}), (263, {"jokers": 2, "vp": 2})])
def test_259_and_263_spend_any_tech(number, changes) -> None:
    position = diplomacy(number, age=2).give("coinage").start().do(f"play diplomacy-{number}")
    position.check(changes, {"coinage": SPENT, f"diplomacy-{number}": GONE})
    assert f"play diplomacy-{number}" not in diplomacy(number).start().offered()


def test_260_influence() -> None:
    position = diplomacy(260, age=8).give("3d-printed-housing").start()
    position.do("activate 3d-printed-housing", "play diplomacy-260")
    moved = {"3d-printed-housing": "buildings_exhausted", "diplomacy-260": GONE}
    position.check({"influence": 2, "gold": 3}, moved)


def test_260_after_what_the_spot_shows() -> None:
    position = diplomacy(260, age=8).give("3d-printed-housing").set(influence=2)
    position.deck("diplomacy-250", "diplomacy-251").start().do("activate 3d-printed-housing")
    # Spot 3 shows a diplomacy action.
    assert position.offered() == ["done", "resolve a1-influence-3 0"]
    position.do("resolve a1-influence-3", "keep diplomacy-251", "play diplomacy-260")
    assert position.changed() == {"influence": 2, "gold": 3}


@pytest.mark.parametrize(
    ("number", "item", "cost"),
    [(264, "market", 1), (265, "senate", 1), (266, "agora", 1), (267, "colossus", 5)],
)
def test_264_to_267_discounts(number, item, cost) -> None:
    position = (
        diplomacy(number, age=2)
        .offer("market", "senate", "agora", "colossus")
        .set(gold=cost)
        .set(1, passed=1)
    )
    position.set(-1, architect=0, architect_used=1).start((CONSTRUCT, 0, 0))
    assert [line for line in position.offered() if line.startswith("build")] == [
        f"build {item} {GAME.facts.faces[GAME.catalogue.index(item)].cost}"
    ]
    position.do(f"build {item}", f"use_discount diplomacy-{number}")
    zone = {"agora": "yellow_buildings", "colossus": "wonders"}.get(item, "buildings")
    assert position.moved() == {item: zone, f"diplomacy-{number}": GONE}
    assert position.value("gold") == 0


def test_275_income() -> None:
    position = diplomacy(275, age=2).set(row_4=2).start((ONE_SEAT, 0, INCOME_PHASE)).do("play diplomacy-275")
    position.check({"gold": 15, "income_unlock": 1, "finished": 1}, {"diplomacy-275": GONE})


@pytest.mark.parametrize(("what", "changes"), [("gold", {"gold": 3}), ("VP", {"vp": 3})])
def test_the_standard_effect(what, changes) -> None:
    card = "diplomacy-254"
    diplomacy(254).start().do(f"standard {card} {what}").check(changes, {card: GONE})
    income = diplomacy(254, age=2).start((ONE_SEAT, 0, INCOME_PHASE)).do(f"standard {card} {what}")
    income.check(changes | {"finished": 1}, {card: GONE})
    construction = diplomacy(254, age=2).offer("market").set(1, passed=1).set(-1, architect=0)
    construction.start((CONSTRUCT, 0, 0)).do(f"standard {card} {what}")
    construction.check(changes | {"passed": 1}, {card: GONE})  # nothing else to do: passed


def test_every_diplomacy_card_has_a_test() -> None:
    tested = {row[0] for row in PLAYED} | {row[0] for row in SPECIAL} | COVERED
    tested |= {
        int(n) for name in globals() if name.startswith("test_") for n in re.findall(r"2[4567]\d", name)
    }
    assert tested == {GAME.catalogue.cards[f.index].facts["number"] for f in GAME.facts.of("diplomacy")}
