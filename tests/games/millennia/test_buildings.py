"""Every green and brown building, used once: exactly what changes."""

from __future__ import annotations

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.effects import TYPES
from ziggurat_rules.games.millennia.steps import (
    CONSTRUCT,
    INCOME_PHASE,
    ONE_SEAT,
    PROSPERITY_PHASE,
    UPKEEP,
    WAR_PHASE,
)
from ziggurat_rules.games.millennia.words import WAR_TRACK

USED = "buildings_exhausted"

# Paid actions: building, techs spent, counters that change (from the spots of `at`).
PAID = [
    ("smithy", ["spearmen", "war-bands"], {}, {"war": 4, "gold": 2}),
    ("stonemason-hut", ["masonry"], {}, {"culture": 1}),
    ("city-walls", ["war-chariots"], {}, {"politics": 1}),
    ("market", ["irrigation"], {}, {"trade": 1}),
    ("theater", ["philosophy", "epic-poetry"], {}, {"culture": 2, "rp": 2}),
    ("shipyard", ["merchant-cogs"], {}, {"war": 3, "gold": 2}),
    ("stables", ["crossbow", "chivalry"], {}, {"war": 5, "gold": 2, "vp": 2}),
    ("parliament", ["humanism", "absolutism"], {}, {"politics": 2, "gold": 3}),
    ("university", ["humanism"], {}, {"rp": 3}),
    ("hospital", ["antibiotics"], {}, {"politics": 1}),
    ("recycling-center", ["synthetic-fertilizer", "power-grid"], {}, {"population": 2, "gold": 3}),
    ("hackers-guild", ["genetics"], {}, {"jokers": 2}),
    ("space-port", ["vacuum-tube-train"], {}, {"war": 5, "gold": 2, "vp": 2}),
]
FREE = [
    ("iron-works", {}, {"jokers": 1}),
    ("air-base", {}, {"war": 3, "gold": 2}),
    ("laboratory", {}, {"rp": 2}),
    ("space-administration", {"war": 5}, {"vp": 5}),
    ("floating-city", {"politics": 4}, {"vp": 4}),
    ("vertical-farming", {"population": 7}, {"vp": 7}),
    ("zero-gravity-arena", {"culture": 9}, {"vp": 9}),
    ("drone-hive", {"prosperity": 6}, {"vp": 6}),
    ("3d-printed-housing", {"influence": 1}, {"influence": 1}),
]
# Icons: building, the types it may stand for.
ICONS = {
    "palace": ["government", "army"],
    "academy": ["government", "social_science", "arts"],
    "barracks": ["weaponry", "military"],
    "castle": ["army", "weaponry", "military"],
    "workshop": ["engineering"],
    "post-office": ["communication"],
    "dam": ["agriculture"],
    "pharmacy": ["medicine"],
    "train-station": ["transportation"],
    "power-plant": ["energy"],
    "stock-exchange": ["economics"],
    "e-sports-arena": ["arts", "social_science"],
    "technology-park": ["natural_science"],
}
SINGLE_ICON_ACTIONS = {
    "action-war-single": {"army", "weaponry", "military"},
    "convert-1": {"engineering", "transportation", "medicine"},
    "convert-2": {"natural_science"},
    "action-industry": set(TYPES),
}
ELSEWHERE = {
    "horse-camp": "test_horse_camp",
    "farm": "test_special_actions_with_buildings",
    "granary": "test_granary",
    "hunting-camp": "test_hunting_camp",
    "ziggurat": "test_ziggurat",
    "aqueduct": "test_aqueduct",
    "school": "test_school",
    "senate": "test_special_actions_with_buildings",
    "fortification": "test_fortification",
    "harbor": "test_harbor",
    "monastery": "test_monastery",
    "throne-room": "test_throne_room",
    "bank": "test_bank",
    "opera-house": "test_opera_house",
    "town-hall": "test_town_hall",
    "library": "test_library",
    "museum": "test_special_actions_with_buildings",
    "music-hall": "test_music_hall",
    "factory": "test_factory",
    "observatory": "test_observatory",
    "warehouse": "test_warehouse",
    "newspaper-agency": "test_newspaper_agency",
    "embassy": "test_embassy",
    "media-tower": "test_media_tower",
    "particle-accelerator": "test_special_actions_with_buildings",
    "crypto-mine": "test_crypto_mine",
    "naval-base": "test_special_actions_with_buildings",
    "moon-base": "test_choices_of_tracks",
    "womb-robot-nursery": "test_choices_of_tracks",
}


@pytest.mark.parametrize(("building", "techs", "at", "changes"), PAID, ids=[row[0] for row in PAID])
def test_a_paid_building(building, techs, at, changes) -> None:
    position = Position(age=8).set(**at).give(building, *techs).start().do(f"activate {building}")
    position.check(changes, {building: USED} | dict.fromkeys(techs, "techs_exhausted"))
    assert f"activate {building}" not in position.offered()


@pytest.mark.parametrize(("building", "techs", "at", "changes"), PAID, ids=[row[0] for row in PAID])
def test_a_paid_building_is_not_offered_unpaid(building, techs, at, changes) -> None:
    assert (
        f"activate {building}" not in Position(age=8).set(**at).give(building, *techs[1:]).start().offered()
    )


@pytest.mark.parametrize(("building", "at", "changes"), FREE, ids=[row[0] for row in FREE])
def test_a_free_building(building, at, changes) -> None:
    Position(age=8).set(**at).give(building).start().do(f"activate {building}").check(
        changes, {building: USED}
    )


@pytest.mark.parametrize("building", ICONS)
def test_an_icon_pays_for_what_needs_its_types(building) -> None:
    position = Position(age=8).give(building).start()
    assert position.t.sources(0) == (sum(1 << TYPES.index(name) for name in ICONS[building]),)
    offered = {line.split()[1] for line in position.offered() if line != "done"}
    assert offered == {a for a, types in SINGLE_ICON_ACTIONS.items() if types & set(ICONS[building])}
    position.do("perform action-industry").check({"gold": 2}, {building: USED})
    assert position.offered() == ["done"]


def test_choices_of_tracks() -> None:
    moon = Position(age=8).give("moon-base").start().do("activate moon-base")
    assert moon.offered() == ["option 0 population 1", "option 1 culture 1", "option 2 politics 1"]
    moon.do("option 1").check({"culture": 1}, {"moon-base": USED})
    womb = Position(age=8).give("womb-robot-nursery").start().do("activate womb-robot-nursery", "option 0")
    womb.check({"population": 2, "gold": 3}, {"womb-robot-nursery": USED})


@pytest.mark.parametrize(
    ("building", "which", "main", "extra"),
    [
        ("farm", "population", {"population": 1}, {"population": 1, "gold": 3}),
        ("senate", "politics", {"politics": 1}, {"politics": 1, "gold": 3}),
        ("museum", "culture", {"culture": 1}, {"culture": 1, "rp": 2}),
        ("particle-accelerator", "research", {"rp": 3}, {"rp": 3}),
        ("naval-base", "war", {"war": 3, "gold": 2}, {"war": 2, "vp": 2}),
    ],
)
def test_special_actions_with_buildings(building, which, main, extra) -> None:
    def sums(*parts):
        return {k: sum(p.get(k, 0) for p in parts) for part in parts for k in part}

    marker = {f"special_{which}": -1}
    position = (
        Position(age=8).give(building).set(**{f"special_{which}": 1}).start().do(f"retrieve special-{which}")
    )
    if f"resolve special-{which} 0" in position.offered():
        position.do(f"resolve special-{which}")
    position.do(f"resolve {building}").check(sums(marker, main, extra), {building: USED})
    other = Position(age=8).give(building).set(**{f"special_{which}": 1}).start()
    other.do(f"retrieve special-{which}", "done").check(sums(marker, main))


def test_horse_camp() -> None:
    position = (
        Position(age=3).give("horse-camp", "chivalry", "crossbow").start().do("perform action-war-pair")
    )
    position.do("resolve horse-camp")
    position.check(
        {"war": 4, "gold": 2},
        {"horse-camp": USED, "chivalry": "techs_exhausted", "crossbow": "techs_exhausted"},
    )
    declined = Position(age=3).give("horse-camp", "chivalry").start().do("perform action-war-single", "done")
    declined.check({"war": 1}, {"chivalry": "techs_exhausted"})


BOOK_ON_WAR_3 = """
[[spot]]
id = "a1-war-3"
immediate = [{ g = "book_token" }]
"""


def test_horse_camp_beside_a_book_token_that_cannot_be_paid() -> None:
    """A token that cannot be resolved does not stand in the way of the next step."""
    position = Position(pack=BOOK_ON_WAR_3).give("horse-camp", "spearmen").set(war=2)
    position.book(position.t.track(WAR_TRACK).spot(3, 0).slot, "book-tech-for-vp9").start()
    position.do("perform action-war-single", "resolve horse-camp")
    position.check({"war": 2}, {"spearmen": "techs_exhausted", "horse-camp": USED})


def test_a_building_used_by_an_inner_effect_is_used() -> None:
    """The Horse Camp waits twice for a step of war: in the inner effect and in the outer."""
    war = '[{ g = "track", track = "war", n = 1 }]'
    on = '{ ev = "track_steps", track = "war", per = "event" }'
    pack = f'[[building]]\nid = "town-hall"\neffect = {{ kind = "trigger", on = {on}, gain = {war} }}\n'
    position = Position(age=3, pack=pack).give("horse-camp", "town-hall", "chivalry").start()
    position.do("perform action-war-single", "resolve town-hall", "resolve horse-camp")
    position.check(
        {"war": 3, "gold": 2}, {"horse-camp": USED, "town-hall": USED, "chivalry": "techs_exhausted"}
    )


def test_ziggurat() -> None:
    position = Position(age=2).set(culture=3).give("ziggurat", "theater", "philosophy", "epic-poetry").start()
    position.do("activate theater")
    changed = position.changed()
    assert changed["culture"] == 2
    assert changed["vp"] == 4
    assert position.moved().get("ziggurat") is None


def test_aqueduct() -> None:
    position = (
        Position(age=2)
        .give("aqueduct", "coinage", "paved-roads")
        .prosperity("economics", "transportation", "army", "arts")
    )
    position.start((ONE_SEAT, 0, PROSPERITY_PHASE)).check({"prosperity": 1, "vp": 2, "finished": 1})


def test_granary() -> None:
    position = (
        Position(age=2).give("granary", "coinage").prosperity("economics", "transportation", "army", "arts")
    )
    position.start((ONE_SEAT, 0, PROSPERITY_PHASE))
    assert position.offered() == ["one_icon granary prosperity-economics prosperity-transportation", "done"]
    position.do("one_icon granary").check({"prosperity": 1, "finished": 1}, {"granary": USED})


def test_hunting_camp() -> None:
    for building, gold in ((["hunting-camp"], 5), ([], 0)):
        position = Position(age=2).give(*building).set(row_4=1).start((ONE_SEAT, 0, INCOME_PHASE))
        assert position.changed().get("gold", 0) == gold


def test_school() -> None:
    position = Position(age=2).give("school").set(rp=3).start().do("buy a1-research-3-1")
    position.do("resolve school").check({"bought": 1, "rp": -3, "vp": 7}, {"school": USED})


def test_observatory() -> None:
    position = (
        Position(age=5).give("observatory").set(rp=7).start().do("buy a1-research-6-1", "resolve observatory")
    )
    position.check({"bought": 1, "rp": -7, "vp": 6 + 3, "war": 3, "gold": 2}, {"observatory": USED})


def test_library() -> None:
    position = Position(age=4).research("research-225", "research-227", "research-231", "research-243")
    position.give("library").set(rp=8).start().do(
        "buy a1-research-8-1", "resolve library", "claim research-243"
    )
    position.check({"bought": 1, "rp": -8, "vp": 8, "gold": 10}, {"library": USED})
    assert position.list("claimed") == ["research-243"]
    cheap = Position(age=4).give("library").set(rp=7).start().do("buy a1-research-6-1")
    cheap.check({"bought": 1, "rp": -7, "vp": 6, "war": 3, "gold": 2})


def test_fortification() -> None:
    position = Position(seats=3, age=3).give("fortification").set(0, war=3).set(1, war=2).set(2, war=0)
    position.start((WAR_PHASE,)).check({"war@1": -1}, {"fortification": USED})
    lower = Position(seats=3, age=3).give("fortification").set(0, war=3).set(1, war=4).set(2, war=2)
    lower.start((WAR_PHASE,)).check({"war": -1, "war@1": -2, "war@2": -2}, {"fortification": USED})


def test_harbor() -> None:
    position = Position(age=3).give("harbor").set(special_culture=1, special_trade=1).start()
    position.do("retrieve special-culture", "resolve harbor")
    position.check({"special_culture": -1, "culture": 1, "trade": 1}, {"harbor": USED})
    other = (
        Position(age=3)
        .give("harbor")
        .set(special_trade=1)
        .start()
        .do("retrieve special-trade", "resolve harbor")
    )
    other.check({"special_trade": -1, "culture": 1, "trade": 1}, {"harbor": USED})


def test_monastery() -> None:
    position = Position(age=3).give("monastery", "guilds", "chivalry").start()
    position.do("activate monastery", "discard guilds", "special special-joker")
    position.check({"jokers": 1}, {"monastery": USED, "guilds": "box"})
    spent = Position(age=3).give("monastery").give("guilds", zone="techs_exhausted").start()
    assert "activate monastery" not in spent.offered()


def test_throne_room() -> None:
    position = Position(age=3).give("throne-room").deck("diplomacy-250").start().do("activate throne-room")
    position.check({}, {"throne-room": USED, "diplomacy-250": "diplomacy_hand"})


def test_bank() -> None:
    position = Position(age=4).offer("bank", "opera-house", "museum", "sistine-chapel").set(gold=60)
    position.set(-1, architect=0, architect_used=1).set(1, passed=1).start((CONSTRUCT, 0, 0))
    position.do("build bank")
    assert "done" in position.offered()
    assert "pass" not in position.offered()
    position.do("build museum")
    assert "pass" in position.offered()  # the next turn


def test_opera_house() -> None:
    position = Position(age=4).give("opera-house", "banking", "perspective-painting", "absolutism").start()
    position.do("perform action-influence")
    position.check(
        {"influence": 1, "vp": 3, "gold": 3},
        {
            "opera-house": USED,
            "banking": "techs_exhausted",
            "perspective-painting": "techs_exhausted",
            "absolutism": "techs_exhausted",
        },
    )


def test_factory() -> None:
    techs = ("theory-of-evolution", "constitution", "romantic-music")
    position = Position(age=5).give("factory", *techs).start().do("perform action-influence")
    position.check(
        {"influence": 1, "vp": 3, "gold": 3}, {"factory": USED} | dict.fromkeys(techs, "techs_exhausted")
    )


def test_town_hall() -> None:
    position = Position(age=4).give("town-hall").set(special_politics=1).deck("diplomacy-250").start()
    position.do("retrieve special-politics", "resolve town-hall")
    position.check(
        {"special_politics": -1, "politics": 1}, {"town-hall": USED, "diplomacy-250": "diplomacy_hand"}
    )


def test_music_hall() -> None:
    # Culture 3 has the token of slot 4; the bonus step goes to the empty spot 4.
    position = Position(age=5).give("music-hall").set(culture=2, special_culture=1)
    slot = position.t.track(6).spot(3, 0).slot
    position.book(slot, "book-joker").start().do("retrieve special-culture", "resolve music-hall")
    position.check(
        {
            "special_culture": -1,
            "culture": 2,
            "jokers": 1,
            "books_activated": 1,
            "books_activated_at": 1 << slot,
        }
    )


def test_warehouse() -> None:
    position = Position(age=5).give("warehouse", "threshing-machine", "romantic-music").start()
    position.do("activate warehouse", "spend_tech threshing-machine").check({}, {"warehouse": USED})
    assert position.list("extended") == ["threshing-machine"]
    position.do("done")
    after = Position(age=5).give("warehouse", "threshing-machine", "romantic-music")
    after.t.put(after.lists["extended", 0], [after.face("threshing-machine")])
    after.start((UPKEEP,))
    assert [after.game.catalogue.cards[after.t.ident[c]].id for c in after.t.tech_cards(0)] == [
        "threshing-machine"
    ]
    early = Position(age=6).give("warehouse", "theory-of-evolution").start()
    assert "activate warehouse" not in early.offered()


def test_newspaper_agency() -> None:
    position = Position(age=6).give("newspaper-agency").set(gold=5).start().do("activate newspaper-agency")
    position.check({"gold": -5, "influence": 1}, {"newspaper-agency": USED})
    assert (
        "activate newspaper-agency"
        not in Position(age=6).give("newspaper-agency").set(gold=4).start().offered()
    )


def test_embassy() -> None:
    techs = ("radio", "power-grid")
    position = Position(age=6).give("embassy", *techs).deck("diplomacy-250", "diplomacy-251").start()
    position.do("perform action-diplomacy")
    assert position.offered() == ["keep diplomacy-250", "keep diplomacy-251", "keep_both embassy"]
    position.do("keep_both")
    hand = dict.fromkeys(("diplomacy-250", "diplomacy-251"), "diplomacy_hand")
    position.check({}, {"embassy": USED} | dict.fromkeys(techs, "techs_exhausted") | hand)


def test_media_tower() -> None:
    position = Position(age=7).give("media-tower", "internet").deck("diplomacy-250", "diplomacy-251").start()
    position.do("activate media-tower", "keep diplomacy-251")
    position.check(
        {},
        {
            "media-tower": USED,
            "internet": "techs_exhausted",
            "diplomacy-250": "diplomacy_discard",
            "diplomacy-251": "diplomacy_hand",
        },
    )


def test_crypto_mine() -> None:
    position = (
        Position(age=7).give("crypto-mine").start().do("activate crypto-mine", "special special-population")
    )
    position.check({"population": 1}, {"crypto-mine": USED})


def test_buildings_fall_asleep_and_still_count() -> None:
    position = Position(age=2).give("palace", "farm").start((UPKEEP,))
    assert position.moved()["palace"] == "asleep"
    assert "farm" not in position.moved()
    assert position.t.count(0, "green") == 1
    assert position.t.count(0, "buildings") == 2


def test_every_green_and_brown_building_has_a_test() -> None:
    tested = {row[0] for row in PAID} | {row[0] for row in FREE} | set(ICONS) | set(ELSEWHERE)
    faces = GAME.facts.of("building")
    assert tested == {GAME.catalogue.cards[f.index].id for f in faces if f.color != "yellow"}
    assert all(name in globals() for name in ELSEWHERE.values())
