"""Choices made card by card: no dead end, every sensible set can be reached, nothing is seen before the end."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.games.tta.position import Position

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.facts import BONUS
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match

CARDS = ("military_bonus_i", "military_bonus_i", "military_bonus_ii", "legion", "rats", "spy_ii")


def ends(match: Match[TtaTable], seat: int) -> list[Match[TtaTable]]:
    """Every way to go on until the seat is no longer asked."""
    if seat not in match.to_act:
        return [match]
    found = []
    for index in range(len(match.decision(seat).options)):
        other = match.clone()
        other.apply(seat, index)
        found += ends(other, seat)
    return found


def sets_of_cards(matches: list[Match[TtaTable]], seat: int) -> set[tuple[int, ...]]:
    """What was left in the hand."""
    return {
        tuple(sorted(m.table.ident[card] for card in m.table.zone_of(seat, c.MILITARY_HAND))) for m in matches
    }


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("missing", range(1, 11))
def test_a_defence_reaches_every_set_without_a_superfluous_card(missing: int, limit: int) -> None:
    p = Position().military(0, "plunder_i").military(1, *CARDS).strength(0, missing).workers(1, "warriors", 0)
    p.set(1, c.MA_TOTAL, limit)
    p.politics_phase().play("aggression", "plunder_i", 1)
    t = p.now
    hand = t.zone_of(1, c.MILITARY_HAND)
    bonus = {card: int(t.face(card).facts["defense"]) for card in hand if t.face(card).kind == BONUS}
    wanted = {tuple(sorted(t.ident[card] for card in hand))}  # to pass
    for size in range(1, limit + 1):
        for cards in combinations(hand, size):
            values = [bonus.get(card, 1) for card in cards]
            if sum(values) >= missing > sum(values) - min(values):
                wanted.add(tuple(sorted(t.ident[card] for card in hand if card not in cards)))
    assert p.match is not None
    assert sets_of_cards(ends(p.match, 1), 1) >= wanted


@pytest.mark.parametrize("cook", [False, True])
def test_every_bid_that_is_offered_can_be_sent(cook: bool) -> None:
    p = (
        Position()
        .workers(0, "warriors", 2)
        .tech(0, "knights", 1)
        .tactic(0, "medieval_army")
        .workers(1, "warriors", 0)
    )
    p.military(0, "military_bonus_i", "military_bonus_ii", "legion", "rats")
    if cook:
        p.leader(0, "james_cook")
    p.event("vast_territory_i")
    assert p.match is not None
    most = 2 + 2 + 2 + 3 + (2 if cook else 0)
    options = p.decision().options
    assert [term[1] for term in options if len(term) > 1] == list(range(1, most + 1))
    for index in range(len(options) - 1):
        bid = p.match.clone()
        bid.apply(0, next(n for n, term in enumerate(options) if len(term) > 1 and term[1] == index + 1))
        finished = ends(bid, 0)
        assert finished
        for end in finished:
            assert [end.table.face(card).id for card in end.table.zone_of(0, c.COLONIES)] == [
                "vast_territory_i"
            ]
        hands = sets_of_cards(finished, 0)
        assert len(hands) > 1 or index + 1 == most


def test_the_others_see_nothing_before_a_defence_is_complete() -> None:
    p = Position().military(0, "spy_ii").military(1, "military_bonus_i", "military_bonus_ii").strength(0, 7)
    p.politics_phase().play("aggression", "spy_ii", 1)
    assert p.match is not None
    before = (p.match.view(0), p.match.view(-1), p.match.to_act)
    p.play("bonus_card", "military_bonus_i")
    assert (p.match.view(0), p.match.view(-1), p.match.to_act) == before
    p.play("bonus_card", "military_bonus_ii")
    assert p.match.view(0) != before[0]


def test_discarding_face_down_hides_a_card_that_was_seen() -> None:
    p = Position(3).military(0, "peace_treaty", "legion", "phalanx")
    p.start((4, 0), (6, 0), (4, 1))
    p.play("offer_pact", "peace_treaty", 1).play("refuse")
    assert p.match is not None
    p.choose("peace_treaty")
    assert all(p.now.known[card] == 1 for card in p.now.zone_of(0, c.MILITARY_HAND))
    assert all(not p.now.known[card] >> 1 for card in p.now.pile(c.MILITARY_DISCARD))


def play_on_in_worlds_of(p: Position, viewer: int) -> set[str]:
    """Worlds in which the other seat holds something else go on; returns what lies before it at the end."""
    found = set()
    for key in range(40):
        assert p.match is not None
        world = p.match.determinize(viewer, key)
        assert world.view(viewer) == p.match.view(viewer)
        for n in range(9):
            if not world.over:
                seat = world.to_act[0]
                world.apply(seat, world.decision(seat).sample(keyed(key, n)))
        assert world.over
        found.update(world.table.face(card).id for card in world.table.zone_of(1 - viewer, c.COLONIES))
    return found


@pytest.mark.parametrize("sent", [(), ("send_unit",), ("send_unit", "bonus_card")])
def test_worlds_where_a_bid_cannot_be_met_send_what_there_is(sent: tuple[str, ...]) -> None:
    p = Position(age=3).military(0, "military_bonus_iii", "military_bonus_iii", "military_bonus_ii")
    p.workers(1, "warriors", 0).event("vast_territory_i").play("bid", 1 + 3 + 3 + 2)
    for verb in sent:
        p.play(verb, "warriors" if verb == "send_unit" else "military_bonus_ii")
    assert play_on_in_worlds_of(p, 1) == {"vast_territory_i"}


def test_worlds_where_a_defence_cannot_be_completed_go_on_without_it() -> None:
    bonus = ("military_bonus_i", "military_bonus_ii", "military_bonus_iii")
    p = Position(age=3).military(0, "spy_ii").military(1, *bonus).strength(0, 1 + 2 + 4 + 6)
    p.set(1, c.MA_TOTAL, 3).politics_phase()
    p.play("aggression", "spy_ii", 1).play("bonus_card", "military_bonus_i")
    assert play_on_in_worlds_of(p, 0) == set()
