"""Every book token and every spot of both sides: exactly what changes."""

from __future__ import annotations

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


def change_of(spot: Spot, side: str) -> dict[str, int]:
    """What a spot changes in the position below, written out from the meaning of its facts."""
    changes: dict[str, int] = {}

    def plus(name: str, n: int) -> None:
        changes[name] = changes.get(name, 0) + n

    for what in spot.unlocks:
        plus(f"{what}_unlock", 1)
    for penalty, n in spot.penalty:
        if penalty == "pay_gold_or_stop":
            plus("gold", -n)
        elif penalty == "war_cap":
            plus("war", -(4 - n))
    for gain in spot.immediate:
        if gain.g in ("gold", "vp"):
            plus(gain.g, gain.n)
        elif gain.g == "joker":
            plus("jokers", gain.n)
        elif gain.g == "rp_card":
            plus("rp", gain.n)
        elif gain.g == "special_action":
            plus("rp", 3)  # the script takes the research special action
        elif gain.g == "track":
            plus("war", gain.n)
            plus("vp", {"A1": 2, "A2": 3}[side])  # war spots 5 and 6
        elif gain.g == "vp_track":
            plus("vp", 4 * gain.n)
        elif gain.g == "vp_count":
            plus("vp", 2 * gain.n)  # two wonders
        elif gain.g == "vp_count_div":
            plus("vp", 2)  # five buildings
        elif gain.g == "vp_min_track":
            plus("vp", 4)
    return changes


AFTER = {"special_action": ["special special-research"], "action": ["keep diplomacy-250"]}


@pytest.mark.parametrize(("side", "track", "n", "branch"), spots())
def test_a_spot(side, track, n, branch) -> None:
    """One step onto the spot, by a pack that lets a card give it; war 4 and population 6 where they count."""
    name = TRACKS[track]
    spot = GAME.facts.sides[side].tracks[track].spot(n, branch)
    kinds = [gain.g for gain in spot.immediate]
    pack = (
        f'[[building]]\nid = "air-base"\neffect = {{ kind = "action", cost = [], '
        f'gain = [{{ g = "track", track = "{name}", n = 1 }}] }}\n'
    )
    at = {"war": 4, "population": 6} | {name: n - 1}
    position = Position(side=side, age=6, pack=pack).set(
        **{"gold": 5, "trade_unlock": 1, "war_unlock": 1} | at
    )
    position.set(**{f"{what}_unlock": 0 for what in spot.unlocks})
    position.give("air-base", "colossus", "taj-mahal").give(
        "farm", "granary", "senate", "school", zone="asleep"
    )
    position.deck("diplomacy-250", "diplomacy-251")
    discards = any(penalty == "discard_diplomacy_or_stop" for penalty, _ in spot.penalty)
    if discards:
        position.give("diplomacy-249")
    if branch and n > GAME.facts.sides[side].tracks[track].common + 1:
        position.branch(BRANCHES[branch])
    if spot.slot >= 0:
        position.book(spot.slot, "book-joker")
    position.start().do("activate air-base")
    if any(line.startswith("branch") for line in position.offered()):
        position.do(f"branch {BRANCHES[branch]}")
    if discards:
        position.do("discard diplomacy-249")
    lowest = kinds.count("advance_lowest")
    if not lowest:
        for kind in kinds:
            if any(line.startswith("resolve") for line in position.offered()):
                position.do("resolve")
            position.do(*AFTER.get(kind, []))
    expected = change_of(spot, side)
    expected[name] = expected.get(name, 0) + 1
    if spot.slot >= 0:
        expected |= {"jokers": 1, "books_activated": 1, "books_activated_at": 1 << spot.slot}
    if branch and n == GAME.facts.sides[side].tracks[track].common + 1:
        expected["branch"] = branch
    changed = position.changed()
    if lowest:
        position.do("resolve")
        assert position.offered()[0].startswith("track")
        return
    assert changed == {k: v for k, v in expected.items() if v}
    moved = {"air-base": "buildings_exhausted"}
    if "action" in kinds:
        moved |= {"diplomacy-250": "diplomacy_hand", "diplomacy-251": "diplomacy_discard"}
    if "diplomacy_card" in kinds:
        moved |= {"diplomacy-250": "diplomacy_hand"}
    if discards:
        moved |= {"diplomacy-249": "diplomacy_discard"}
    assert position.moved() == moved


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
