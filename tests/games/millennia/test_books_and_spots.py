"""Every book token and every spot of both sides: exactly what changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.facts import Spot
from ziggurat_rules.games.millennia.words import BRANCHES, CULTURE, TRACKS

# Token: counters and cards before, script after the marker moved, counters that change, cards that move.
BOOKS = [
    ("book-war-for-gold", {"war": 3}, [], ["resolve book-war-for-gold"], {"war": -1, "gold": 7}, {}),
    ("book-vp-research", {}, ["research-243", "research-231"], [], {"vp": 8}, {}),
    ("book-vp-diplomacy", {}, ["diplomacy-250", "diplomacy-251"], ["done", "done"], {"vp": 4}, {}),
    ("book-draw-diplomacy", {}, [], ["done"], {}, {"diplomacy-252": "diplomacy_hand"}),
    (
        "book-tech-for-rp5",
        {},
        ["coinage"],
        ["resolve book-tech-for-rp5"],
        {"rp": 5},
        {"coinage": "techs_exhausted"},
    ),
    ("book-tech-for-vp9", {"jokers": 1}, [], ["resolve book-tech-for-vp9"], {"vp": 9, "jokers": -1}, {}),
    ("book-joker", {}, [], [], {"jokers": 1}, {}),
    (
        "book-tech-for-2jokers",
        {},
        ["coinage"],
        ["resolve book-tech-for-2jokers"],
        {"jokers": 2},
        {"coinage": "techs_exhausted"},
    ),
    ("book-vp-buildings", {}, ["farm", "palace", "tumulus"], [], {"vp": 3}, {}),
    ("book-vp-wonders", {}, ["colossus", "taj-mahal"], [], {"vp": 4}, {}),
    ("book-vp-this-track", {}, [], [], {"vp": 3}, {}),
    ("book-vp-influence2", {"influence": 4}, [], [], {"vp": 8}, {}),
]


@pytest.mark.parametrize(
    ("book", "at", "cards", "script", "changes", "moves"), BOOKS, ids=[row[0] for row in BOOKS]
)
def test_a_book_token(book, at, cards, script, changes, moves) -> None:
    position = Position(age=1).set(culture=2, special_culture=1).set(**at).give(*cards).deck("diplomacy-252")
    slot = position.t.track(CULTURE).spot(3, 0).slot
    position.book(slot, book).start().do("retrieve special-culture", *script)
    books = {"books_activated": 1, "books_activated_at": 1 << slot, "culture": 1, "special_culture": -1}
    position.check(books | changes, moves)


def test_a_token_that_cannot_be_paid_is_not_activated() -> None:
    position = Position().set(culture=2, special_culture=1)
    slot = position.t.track(CULTURE).spot(3, 0).slot
    position.book(slot, "book-tech-for-vp9").start().do("retrieve special-culture")
    position.check({"culture": 1, "special_culture": -1})


def test_a_declined_token_is_not_activated() -> None:
    position = Position().set(culture=2, special_culture=1, jokers=1)
    slot = position.t.track(CULTURE).spot(3, 0).slot
    position.book(slot, "book-tech-for-vp9").start().do("retrieve special-culture", "done")
    position.check({"culture": 1, "special_culture": -1})


def test_every_book_token_has_a_test() -> None:
    assert {row[0] for row in BOOKS} == {
        GAME.catalogue.cards[face.index].id for face in GAME.facts.of("book")
    }
    assert sum(GAME.catalogue.cards[face.index].copies for face in GAME.facts.of("book")) == 26


def spots() -> list[tuple[str, int, int, int]]:
    found = []
    for side in ("A1", "A2"):
        for track, facts in enumerate(GAME.facts.sides[side].tracks):
            for branch in range(3):
                first, last = (
                    (facts.common + 1, facts.spots) if branch else (1, min(facts.common, facts.spots))
                )
                found += [(side, track, n, branch) for n in range(first, last + 1)]
    return found


WORTH: dict[str, tuple[str, Callable[[int], int]]] = {
    "gold": ("gold", lambda n: n),
    "vp": ("vp", lambda n: n),
    "joker": ("jokers", lambda n: n),
    "rp_card": ("rp", lambda n: n),
    "special_action": ("rp", lambda n: 3),  # the script takes the research special action
    "track": ("war", lambda n: n),
    "vp_track": ("vp", lambda n: 4 * n),  # war 4
    "vp_count": ("vp", lambda n: 2 * n),  # two wonders
    "vp_count_div": ("vp", lambda n: 2),  # half of five buildings
    "vp_min_track": ("vp", lambda n: 4),  # war 4, population 6
}
"""What a gain of a spot changes in the position of the test, and by how much."""
PENALTY: dict[str, tuple[str, Callable[[int], int]]] = {
    "pay_gold_or_stop": ("gold", lambda n: -n),
    "war_cap": ("war", lambda n: n - 4),
    "discard_diplomacy_or_stop": ("", lambda n: 0),
}


def change_of(spot: Spot, side: str) -> dict[str, int]:
    """What a spot changes in the position of the test."""
    changed = [(f"{what}_unlock", 1) for what in spot.unlocks]
    changed += [(PENALTY[penalty][0], PENALTY[penalty][1](n)) for penalty, n in spot.penalty]
    changed += [(WORTH[gain.g][0], WORTH[gain.g][1](gain.n)) for gain in spot.immediate if gain.g in WORTH]
    if any(gain.g == "track" for gain in spot.immediate):
        changed.append(("vp", {"A1": 2, "A2": 3}[side]))  # war spots 5 and 6
    if spot.slot >= 0:
        changed += [("jokers", 1), ("books_activated", 1), ("books_activated_at", 1 << spot.slot)]
    return {name: sum(n for other, n in changed if other == name) for name, _ in changed if name}


def in_front_of(side: str, track: int, n: int, branch: int) -> Position:
    """A marker one step before a spot, and a card that gives the step; war 4 and population 6 besides."""
    name = TRACKS[track]
    facts = GAME.facts.sides[side].tracks[track]
    spot = facts.spot(n, branch)
    pack = (
        '[[building]]\nid = "air-base"\neffect = { kind = "action", cost = [], '
        f'gain = [{{ g = "track", track = "{name}", n = 1 }}] }}\n'
    )
    position = Position(side=side, age=6, pack=pack).set(gold=5, war=4, population=6)
    position.set(**{name: n - 1}, trade_unlock=1, war_unlock=1)
    position.set(**{f"{what}_unlock": 0 for what in spot.unlocks})
    position.give("air-base", "colossus", "taj-mahal").give(
        "farm", "granary", "senate", "school", zone="asleep"
    )
    if branch and n > facts.common + 1:
        position.branch(BRANCHES[branch])
    if spot.slot >= 0:
        position.book(spot.slot, "book-joker")
    return position.deck("diplomacy-250", "diplomacy-251")


SCRIPT = {
    "action": ["resolve", "keep diplomacy-250"],
    "special_action": ["resolve", "special special-research"],
    "track": ["resolve"],
}
MOVED = {
    "action": {"diplomacy-250": "diplomacy_hand", "diplomacy-251": "diplomacy_discard"},
    "diplomacy_card": {"diplomacy-250": "diplomacy_hand"},
}


@pytest.mark.parametrize(("side", "track", "n", "branch"), spots())
def test_a_spot(side, track, n, branch) -> None:
    """One step onto the spot."""
    facts = GAME.facts.sides[side].tracks[track]
    spot = facts.spot(n, branch)
    position = in_front_of(side, track, n, branch)
    moved = {"air-base": "buildings_exhausted"}
    script = ["activate air-base"]
    expected = change_of(spot, side)
    expected[TRACKS[track]] = expected.get(TRACKS[track], 0) + 1
    if branch and n == facts.common + 1:
        script.append(f"branch {BRANCHES[branch]}")
        expected["branch"] = branch
    if ("discard_diplomacy_or_stop", 1) in spot.penalty:
        position.give("diplomacy-249")
        script.append("discard diplomacy-249")
        moved["diplomacy-249"] = "diplomacy_discard"
    for gain in spot.immediate:
        script += SCRIPT.get(gain.g, [])
        moved |= MOVED.get(gain.g, {})
    position.start().do(*script).check({name: change for name, change in expected.items() if change}, moved)
    if any(gain.g == "advance_lowest" for gain in spot.immediate):
        assert position.do("resolve").offered()[0].startswith("track")  # goes on in the next test


def test_every_spot_of_the_facts_has_a_test() -> None:
    faces = {GAME.facts.sides[side].tracks[track].spot(n, branch).face for side, track, n, branch in spots()}
    assert faces == {face.index for face in GAME.facts.of("spot")}


@pytest.mark.parametrize("side", ["A1", "A2"])
def test_the_lowest_track_is_checked_again(side) -> None:
    spot = {"A1": ("influence", 4), "A2": ("prosperity", 6)}[side]
    name, n = spot
    pack = (
        '[[building]]\nid = "air-base"\neffect = { kind = "action", cost = [], '
        f'gain = [{{ g = "track", track = "{name}", n = 1 }}] }}\n'
    )
    others = dict.fromkeys(
        ("trade", "politics", "war", "population", "culture", "prosperity", "influence"), 3
    )
    position = Position(side=side, age=6, pack=pack).set(**others | {"war": 2, "trade": 2, name: n})
    position.give("air-base").start().do("activate air-base", "resolve")
    assert position.offered() == ["track trade", "track war"]
    position.do("track war")  # trade alone is lowest now: taken by itself
    changes = position.changed()
    assert (changes["war"], changes["trade"], changes[name]) == (1, 1, 1)


def test_maxed_tracks() -> None:
    for track, vp in (("war", 9), ("population", 3), ("culture", 3)):
        top = GAME.facts.sides["A1"].tracks[TRACKS.index(track)].spots
        position = Position().set(**{track: top, f"special_{track}": 1, "war_unlock": 1}).start()
        position.do(f"retrieve special-{track}").check({f"special_{track}": -1, "vp": vp})
    stuck = Position().set(trade=7, trade_unlock=1, special_trade=1).start().do("retrieve special-trade")
    stuck.check({"special_trade": -1})


def test_locks() -> None:
    position = Position().set(trade=5, special_trade=1).start().do("retrieve special-trade")
    position.check({"special_trade": -1})
    war = Position().set(war=5, special_war=1).start().do("retrieve special-war")
    war.check({"special_war": -1, "war": 1})  # RULES: the other two steps are lost, no VP
    opened = Position().set(prosperity=2).give("diplomacy-252").start().do("play diplomacy-252")
    assert opened.changed()["trade_unlock"] == 1


def test_penalty_gold_by_selling_diplomacy_cards() -> None:
    position = Position().set(politics=5, special_politics=1, gold=2).give("diplomacy-249").start()
    position.do("retrieve special-politics", "done", "branch democracy", "standard diplomacy-249 gold")
    position.check(
        {"special_politics": -1, "politics": 1, "branch": 1, "gold": -2, "vp": 4},
        {"diplomacy-249": "diplomacy_discard"},
    )


def test_a_penalty_that_cannot_be_paid_blocks_the_section() -> None:
    position = Position().set(politics=5, special_politics=1, gold=4).start().do("retrieve special-politics")
    assert position.offered() == ["stay", "branch tyranny"]
    position.do("stay").check({"special_politics": -1})
    inside = Position().set(politics=8, special_politics=1).branch("democracy").start()
    inside.do("retrieve special-politics").check({"special_politics": -1})  # no diplomacy card to discard
