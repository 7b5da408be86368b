"""Random play: every token and card stays accounted for, totals agree with what is in play, games end."""

from __future__ import annotations

from collections import Counter

import pytest

from ziggurat_rules.game import parse_options
from ziggurat_rules.games.tta import GAME
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.facts import FARM, TACTIC
from ziggurat_rules.games.tta.ratings import refresh, tally
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match


def check_tokens(t: TtaTable) -> None:
    """Blue: 16, yellow: 25 for each seat, boxes included; red and white: as many as the cards in play
    show."""
    board = t.layout.board
    for seat in range(t.layout.seats):
        on_cards = sum(t.get(seat, counter) for counter, _ in t.layout.all_tokens)
        assert (
            t.get(seat, c.BLUE_BANK) + t.get(seat, c.BLUE_BOX) + t.get(seat, c.STAGES) + on_cards
            == board.blue_tokens
        )
        workers = sum(t.workers(seat, face.slot) for face in t.layout.library.slots)
        yellow = t.get(seat, c.YELLOW_BANK) + t.get(seat, c.YELLOW_BOX) + t.get(seat, c.UNUSED) + workers
        assert yellow == board.yellow_tokens + board.unused_workers + sum(board.workers.values())
        base = seat * t.layout.per_seat
        counted = t.counters[base : base + t.layout.per_seat]
        may_be_negative = {c.BLUE_BOX, c.YELLOW_BOX, c.CA_SPENT}
        assert all(value >= 0 for n, value in enumerate(counted) if n not in may_be_negative)
        if not t.get(seat, c.RESIGNED):
            sums = tally(t, seat)
            assert (sums.civil_actions, sums.military_actions) == (
                t.get(seat, c.CA_TOTAL),
                t.get(seat, c.MA_TOTAL),
            )
            assert t.civil_left(seat) >= 0 and t.military_left(seat) >= 0


def check_stores(t: TtaTable) -> None:
    """Food and resources are what the tokens on farms and mines are worth; ratings are up to date."""
    for seat in t.living():
        stored = {True: 0, False: 0}
        for counter, face in t.layout.all_tokens:
            number = t.get(seat, counter)
            stored[face.kind == FARM] += number * face.value
            assert not number or t.has_technology(seat, face)
        assert (stored[True], stored[False]) == (t.get(seat, c.FOOD), t.get(seat, c.RESOURCES))
        for face in t.layout.library.slots:
            assert not t.workers(seat, face.slot) or t.has_technology(seat, face)
        again = t.clone()
        refresh(again, seat)
        assert again.counters == t.counters


def check_cards(t: TtaTable, faces: Counter[int]) -> None:
    """Each card is in one place; the cards are those of the setup."""
    assert Counter(t.ident) == faces
    places = [card for zone in t.zones for card in zone]
    assert len(places) == len(set(places))
    for number, zone in enumerate(t.zones):
        assert all(t.place[card] == number for card in zone)
    assert len(places) + sum(1 for _ in t.in_box()) == len(t.ident)
    assert len(t.pile(c.ROW)) == len(t.lists[t.layout.lists_common])
    for seat in range(t.layout.seats):
        assert len(t.zone_of(seat, c.WARS)) == len(t.list_of(seat, c.WAR_RIVALS))
        assert all(t.layout.faces[face].kind == TACTIC for face in t.list_of(seat, c.TACTIC_LIST))
        wonders = {face.index for face in t.faces_in(seat, c.WONDERS)}
        assert wonders.issuperset(t.list_of(seat, c.RUINED)) and wonders.issuperset(
            t.list_of(seat, c.LEADER_UNDER)
        )


@pytest.mark.parametrize("resignation", ["false", "true"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tokens_and_cards_are_conserved_at_every_decision(seats: int, resignation: str) -> None:
    options = parse_options(GAME.options, {"resignation": resignation})
    for seed in range(3 if resignation == "false" else 12):
        match = Match(GAME, seed, seats, options)
        faces = Counter(match.table.ident)
        steps = 0
        while not match.over:
            seat = match.to_act[0]
            decision = match.decision(seat)
            assert len(decision.options) < 200
            match.apply(seat, decision.sample(keyed(seed, steps)))
            steps += 1
            check_tokens(match.table)
            check_cards(match.table, faces)
            if steps % 5 == 0:
                check_stores(match.table)
        assert steps < GAME.max_decisions
        assert {score.place for score in match.scores()} >= {1}
        if resignation == "false":
            assert match.table.common(c.AGE) == 4
            assert match.table.common(c.ROUND) == match.table.common(c.LAST_ROUND)


def test_a_clone_in_mid_effect_plays_on_like_the_original() -> None:
    match = Match(GAME, 11, 4)
    steps = 0
    while not match.over:
        seat = match.to_act[0]
        if steps % 7 == 0 or match.journal:
            other = match.clone()
            choice = match.decision(seat).sample(keyed(3, steps))
            other.apply(seat, choice)
            match.apply(seat, choice)
            assert other.view(-2) == match.view(-2)
            assert {s: d.shown() for s, d in other.pending.items()} == {
                s: d.shown() for s, d in match.pending.items()
            }
        else:
            match.apply(seat, match.decision(seat).sample(keyed(3, steps)))
        steps += 1
        assert len(match.journal) <= 24


def test_determinized_worlds_look_the_same_and_can_be_played() -> None:
    match = Match(GAME, 12, 3)
    steps = 0
    while not match.over:
        seat = match.to_act[0]
        if steps % 11 == 0 or match.journal:
            for viewer in range(3):
                world = match.determinize(viewer, steps)
                assert world.view(viewer) == match.view(viewer)
                assert world.to_act == match.to_act
                for n in range(6):
                    if world.over:
                        break
                    mover = world.to_act[0]
                    world.apply(mover, world.decision(mover).sample(keyed(5, steps, n)))
        match.apply(seat, match.decision(seat).sample(keyed(4, steps)))
        steps += 1
