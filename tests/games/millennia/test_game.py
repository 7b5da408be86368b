"""The whole game: any order of simultaneous play, who is asked, conservation, and what the loader refuses."""

from __future__ import annotations

import pytest
from tests.games.millennia.position import Position

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.decisions import OPTIONS
from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.facts import MODIFIERS
from ziggurat_rules.games.millennia.game import MillenniaOptions
from ziggurat_rules.games.millennia.steps import ALL_TOGETHER
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER
from ziggurat_rules.table import NOWHERE

BY_HAND = ("play", "standard", "keep", "discard")
"""Verbs of options that say which diplomacy cards a seat holds."""


def choice_of(match: Match, seat: int, number: int) -> int | tuple[int, ...]:
    """A random choice that does not depend on which diplomacy cards the seat holds, only on how many."""
    decision = match.decision(seat)
    verbs = GAME.vocabulary.verbs
    free = [n for n, term in enumerate(decision.options) if verbs[term[0]].name not in BY_HAND]
    if decision.kind != OPTIONS or not free:
        return decision.sample(keyed(77, seat, number)) if decision.kind != OPTIONS else 0
    return free[keyed(77, seat, number) % len(free)]


def play_phase(match: Match, order: int) -> None:
    """Play a phase to its end, the seats in a random order; what a seat chooses depends on it alone."""
    turns = [0] * match.seats
    step = 0
    while match.table.agenda and match.table.agenda[-1][0] == ALL_TOGETHER:
        waiting = match.to_act
        seat = waiting[keyed(order, step) % len(waiting)]
        match.apply(seat, choice_of(match, seat, turns[seat]))
        turns[seat] += 1
        step += 1


def own_state(match: Match, seat: int) -> dict[tuple[str, str], object]:
    """Everything that belongs to a seat; of diplomacy cards only how many."""
    layout, table = match.table.layout, match.table
    cells: dict[tuple[str, str], object] = {}
    for n, cell in enumerate(layout.zones):
        if cell.owner == seat:
            cards = [table.ident[card] for card in table.zones[n]]
            counted = cell.name == "diplomacy_hand"
            cells["zone", cell.name] = len(cards) if counted else cards
    cells |= {
        ("counter", c.name): table.counters[n] for n, c in enumerate(layout.counters) if c.owner == seat
    }
    cells |= {("list", c.name): table.lists[n] for n, c in enumerate(layout.lists) if c.owner == seat}
    return cells


def together(match: Match) -> bool:
    return bool(match.table.agenda) and match.table.agenda[-1][0] == ALL_TOGETHER


@pytest.mark.parametrize(("seats", "side"), [(2, "A1"), (3, "A2"), (4, "A1")])
def test_any_order_of_simultaneous_play_ends_in_the_same_state(seats, side) -> None:
    """But for the diplomacy cards drawn: which they are hangs on the order, how many does not."""
    phases = drawn = 0
    for deal in range(4):
        match = Match(GAME, deal, seats, MillenniaOptions(side=side))
        deck = match.table.layout.diplomacy_deck
        number = 0
        while not match.over:
            if not together(match) or match.journal:
                seat = match.to_act[0]
                match.apply(seat, match.decision(seat).sample(keyed(5, deal, number)))
                number += 1
                continue
            before = match.table.zones[deck][:]
            ends = [match.clone() for _ in range(3)]
            for order, end in enumerate(ends):
                play_phase(end, order)
            for seat in range(seats):
                assert own_state(ends[0], seat) == own_state(ends[1], seat) == own_state(ends[2], seat)
            phases += 1
            drawn += ends[0].table.zones[deck] != before
            play_phase(match, 0)
    assert phases > 25
    assert drawn >= 3


def test_two_seats_at_once_both_succeed() -> None:
    position = Position().give("coinage").give("anatomy", seat=1)
    position.start((ALL_TOGETHER, -1, 2))
    first, second = position.match.clone(), position.match.clone()
    for match, order in ((first, (0, 1)), (second, (1, 0))):
        for seat in order:
            decision = match.decision(seat)
            index = next(i for i, term in enumerate(decision.options) if "industry" in position.words(term))
            match.apply(seat, index)
    assert first.view(ARBITER) == second.view(ARBITER)
    assert (first.table.gold(0), first.table.gold(1)) == (2, 2)


@pytest.mark.parametrize("held", ["diplomacy-270", "diplomacy-249"])
def test_a_window_is_open_whatever_is_held(held) -> None:
    position = Position().give(held).set(special_politics=1).start().do("retrieve special-politics")
    others = [line for line in position.offered() if not line.startswith("play")]
    assert others == ["done", "resolve special-politics 0"]


@pytest.mark.parametrize(("seats", "side"), [(1, "A1"), (2, "A2"), (3, "A1"), (4, "A2")])
def test_cards_are_conserved_and_counters_stay_in_bounds(seats, side) -> None:
    match = Match(GAME, seats, seats, MillenniaOptions(side=side))
    cards = len(match.table.ident)
    number = 0
    while not match.over:
        seat = match.to_act[number % len(match.to_act)]
        match.apply(seat, match.decision(seat).sample(keyed(9, number)))
        number += 1
        if number % 5:
            continue
        t = match.table
        lying = sorted(card for zone in t.zones for card in zone)
        assert lying == [card for card in range(cards) if t.place[card] != NOWHERE]
        assert all(t.zones[place].count(card) == 1 for card, place in enumerate(t.place) if place != NOWHERE)
        names = [cell.name for cell in t.layout.counters]
        for name, value in zip(names, t.counters, strict=True):
            assert value >= 0, name
    assert match.table.age == 8


def refused(text: str) -> str:
    with pytest.raises(BadPack) as caught:
        GAME.with_packs([Pack("mine.toml", text)])
    return str(caught.value)


def test_what_the_loader_refuses() -> None:
    assert "unknown card" in refused('[[building]]\nid = "castle-in-the-air"\ncost = 3\n')
    assert "unknown key" in refused('[[building]]\nid = "farm"\nprice = 3\n')
    assert "int wanted" in refused('[[building]]\nid = "farm"\ncost = "3"\n')
    assert "unknown table" in refused('[[castle]]\nid = "farm"\n')
    assert "not valid TOML" in refused("[[building\n")
    assert "no behaviour" in refused(
        '[[building]]\nid = "bank"\neffect = { kind = "modifier", mod = "levitate" }\n'
    )
    assert "not a kind of effect" in refused('[[building]]\nid = "bank"\neffect = { kind = "sing" }\n')
    assert "no card has the behaviour" in refused(
        '[[building]]\nid = "bank"\neffect = { kind = "action", cost = [], gain = [{ g = "vp", n = 1 }] }\n'
    )
    assert "'levity' is not one of" in refused(
        '[[wonder]]\nid = "colossus"\nscore = [{ s = "track_pos", track = "levity", mult = 1 }]\n'
    )


def test_a_pack_replaces_facts_and_is_marked() -> None:
    game = GAME.with_packs([Pack("mine.toml", '[[building]]\nid = "farm"\ncost = 3\n')])
    card = game.catalogue.cards[game.catalogue.index("farm")]
    assert (card.facts["cost"], card.sources["cost"], card.sources["age"]) == (3, "pack", "rulebook")
    assert GAME.catalogue.cards[GAME.catalogue.index("farm")].sources["cost"] == "house"


def test_sources_of_reconstructed_values() -> None:
    catalogue = GAME.catalogue

    def sources(card_id: str) -> dict[str, str]:
        return dict(catalogue.cards[catalogue.index(card_id)].sources)

    assert sources("the-great-pyramid")["cost"] == "rulebook"
    assert sources("colossus")["cost"] == "house"
    assert sources("a1-trade-4")["income"] == "house"
    assert sources("a1-influence-2")["wonder_discount"] == "rulebook"
    assert sources("stargazing")["ages"] == "public"


def test_every_behaviour_in_code_has_a_card() -> None:
    assert set(GAME.facts.mods) == MODIFIERS
