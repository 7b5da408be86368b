from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.rules.small import DECK, GO, HAND, OPEN, PASS, PILE, Small, at, faces, small_table, worlds
from tests.rules.toy import TOY, ToyOptions

from ziggurat_rules.decisions import Effect, choose, choose_number
from ziggurat_rules.errors import IllegalChoice, NotPending
from ziggurat_rules.game import Group
from ziggurat_rules.keyed import below, keyed
from ziggurat_rules.match import TRIES, Match, Patch
from ziggurat_rules.projection import ARBITER, PUBLIC
from ziggurat_rules.table import Table


def play(match: Match, key: int = 0) -> Iterator[Match]:
    """The match at each decision of random play."""
    while not match.over:
        yield match
        seat = match.to_act[below(len(match.to_act), key, match.answers)]
        match.apply(seat, match.decision(seat).sample(keyed(key, match.answers, 1)))


def mid_effect(number: int = 0, journal: int = 3) -> Match:
    """A toy match with so many answers since its last quiet point."""
    for match in play(Match(TOY, number, 3)):
        if len(match.journal) == journal:
            return match
    return mid_effect(number + 1, journal)


def patches(match: Match) -> list[Patch]:
    return [entry for entry in match.journal if isinstance(entry, Patch)]


def test_a_match_is_played_to_its_scores() -> None:
    match = Match(TOY, 5, 3)
    assert match.to_act == (0,)
    for _ in play(match):
        pass
    assert match.over
    assert match.to_act == ()
    assert [score.seat for score in match.scores()] == [0, 1, 2]
    with pytest.raises(NotPending):
        match.apply(0, 0)


def test_options_shape_the_game() -> None:
    rich = Match(TOY, 5, 2, ToyOptions(rich=True, rounds=1))
    assert rich.table.counters[:2] == [10, 10]
    assert sum(1 for _ in play(rich)) < sum(1 for _ in play(Match(TOY, 5, 2)))


def test_what_is_refused_changes_nothing() -> None:
    match = mid_effect()
    seat = match.to_act[0]
    before = match.view(ARBITER), match.answers, match.journal[:]
    with pytest.raises(NotPending, match="seat 9 has no decision"):
        match.apply(9, 0)
    with pytest.raises(IllegalChoice):
        match.apply(seat, -1)
    assert (match.view(ARBITER), match.answers, match.journal) == before


def test_a_clone_is_rebuilt_in_mid_effect_and_goes_its_own_way() -> None:
    match = mid_effect()
    copy = match.clone().clone()
    assert copy.view(ARBITER) == match.view(ARBITER)
    before = match.view(ARBITER)
    for _ in play(copy):
        pass
    assert copy.over
    assert match.view(ARBITER) == before
    assert copy.answers > match.answers


def test_a_clone_of_a_finished_match_is_finished() -> None:
    match = Match(TOY, 1, 2)
    for _ in play(match):
        pass
    copy = match.clone()
    assert copy.over
    assert copy.scores() == match.scores()
    assert copy.view(PUBLIC) == match.view(PUBLIC)


def test_the_rebuilding_tells_no_events_again() -> None:
    match = next(m for m in play(Match(TOY, 3, 2)) if m.journal and m.table.events)
    assert match.clone().table.events == []


# Worlds


@pytest.mark.parametrize("journal", [0, 1, 3, 6])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_world_looks_the_same_to_its_seat(seat: int, journal: int) -> None:
    match = mid_effect(journal=journal)
    for key in range(30):
        world = match.determinize(seat, key)
        assert world.view(seat) == match.view(seat)
        assert world.view(PUBLIC) == match.view(PUBLIC)
        assert world.to_act == match.to_act
        mine = match.pending.get(seat)
        assert mine is None or world.decision(seat).shown() == mine.shown()
        assert sorted(world.table.ident) == sorted(match.table.ident)


def test_worlds_differ_and_are_reproducible() -> None:
    match = mid_effect()
    tables = {tuple(match.determinize(0, key).table.ident) for key in range(20)}
    assert len(tables) > 15
    assert match.determinize(0, 7).table.ident == match.determinize(0, 7).table.ident


def test_the_match_itself_is_left_alone() -> None:
    match = mid_effect()
    before = (
        match.view(ARBITER),
        match.journal[:],
        match.table.ident[:],
        match.table.seed,
        match.base.ident[:],
    )
    for _ in play(match.determinize(1, 4)):
        pass
    assert (
        match.view(ARBITER),
        match.journal,
        match.table.ident,
        match.table.seed,
        match.base.ident,
    ) == before


def test_future_shuffles_are_another_seeds() -> None:
    match = mid_effect()
    world = match.determinize(0, 1)
    assert world.table.seed != match.table.seed
    assert world.clone().table.seed == world.table.seed
    assert [entry.seed for entry in patches(world)] == [world.table.seed]


def test_a_clone_of_a_world_is_that_world() -> None:
    for key in range(20):
        world = mid_effect().determinize(2, key)
        copy = world.clone().clone()
        assert copy.view(ARBITER) == world.view(ARBITER)
        seat = world.to_act[0]
        choice = world.decision(seat).sample(keyed(key))
        world.apply(seat, choice)
        copy.apply(seat, choice)
        assert copy.view(ARBITER) == world.view(ARBITER)


def test_a_world_of_a_world_looks_the_same_too() -> None:
    match = mid_effect()
    for key in range(20):
        world = match.determinize(0, key)
        for seat in range(3):
            again = world.determinize(seat, key)
            assert again.view(seat) == world.view(seat)
            assert again.clone().view(ARBITER) == again.view(ARBITER)


class Flip(Small):
    """A card is drawn unseen, and laid open if it is below 6: a public effect hangs on a hidden face."""

    steps = ()


def flip(table: Table, seat: int) -> Effect[None]:
    card = table.draw(DECK, HAND + 1)
    assert card is not None
    yield from choose(seat, GO(seat), {PASS(): None})
    if table.ident[card] < 6:
        table.move(card, OPEN)
        table.set(0, table.ident[card])
    yield from choose_number(seat, GO(seat), 0, 3)


Flip.steps = (flip,)


def flipped(low: bool) -> Match[Table]:
    table = small_table()
    for card in range(12):
        table.move(card, DECK)
    table.move(3 if low else 9, DECK)
    match = at(table, Flip())
    match.apply(0, 0)
    return match


def test_a_card_laid_open_since_stays_what_it_is() -> None:
    match = flipped(low=True)
    for world in worlds(match, 0):
        assert faces(world, OPEN) == {3}
        assert world.counters[0] == 3


def test_the_past_of_the_open_effect_is_possible_in_the_world() -> None:
    match = flipped(low=False)
    for key in range(60):
        world = match.determinize(0, key)
        if not any(patch.faces for patch in patches(world)):
            assert min(faces(world.table, HAND + 1)) >= 6


def test_where_no_past_fits_the_live_table_gets_the_faces() -> None:
    match = flipped(low=False)
    patched = [key for key in range(60) if any(p.faces for p in patches(match.determinize(0, key, tries=1)))]
    assert 10 < len(patched) < 50
    assert all(not any(p.faces for p in patches(match.determinize(0, key, tries=60))) for key in patched)
    world = match.determinize(0, patched[0], tries=1)
    copy = world.clone()
    assert copy.table.ident == world.table.ident != match.table.ident
    assert copy.view(ARBITER) == world.view(ARBITER)
    assert copy.decision(0).shown() == match.decision(0).shown()
    assert [entry.faces is not None for entry in patches(world.determinize(0, 1, TRIES))] == [True, True]


def test_what_a_seat_is_sure_of_holds_in_worlds_of_its_worlds() -> None:
    table = small_table()
    for card in range(12):
        table.move(card, PILE if card < 6 else DECK)
    for card in range(6, 9):
        table.reveal(card, 0)
    table.shuffle(DECK)
    match = at(table)
    for key in range(40):
        again = match.determinize(0, key).determinize(0, key + 100).determinize(0, key + 200)
        assert {6, 7, 8} <= faces(again.table, DECK)


# Limits


def limited() -> Match[Table]:
    table = small_table()
    for card in range(12):
        table.move(card, PILE if card < 6 else HAND + 1)
    table.limit = {6: 0, 7: 0, 0: 1}
    return at(table, Small([frozenset({6, 7, 8}), frozenset({0, 1})]))


def test_a_card_of_a_known_class_stays_in_it() -> None:
    for world in worlds(limited(), 0):
        assert {world.ident[6], world.ident[7]} <= {6, 7, 8}
        assert world.ident[0] in {0, 1}


def test_within_its_class_a_card_may_be_any() -> None:
    seen = [(world.ident[6], world.ident[0]) for world in worlds(limited(), 0, 200)]
    assert {face for face, _ in seen} == {6, 7, 8}
    assert {face for _, face in seen} == {0, 1}


def test_a_limit_and_a_known_lot_hold_together() -> None:
    table = small_table()
    for card in range(12):
        table.move(card, PILE if card < 6 else DECK)
    for card in (6, 7):
        table.reveal(card)
    table.shuffle(DECK)
    top, second = table.zones[DECK][-1], table.zones[DECK][-2]
    table.limit = {top: 0, second: 1}
    classes = [frozenset({6, 8, table.ident[top]}), frozenset({7, 9, table.ident[second]})]
    for world in worlds(at(table, Small(classes)), 0):
        assert {6, 7} <= faces(world, DECK)
        assert world.ident[top] in classes[0]
        assert world.ident[second] in classes[1]


def test_cards_of_different_backs_are_not_mixed() -> None:
    table = small_table(backs=[0, 1] * 6)
    for card in range(12):
        table.move(card, DECK)
    table.reveal(4, 0)
    match = at(table)
    assert match.game.hidden(table, 0) == [Group(0, (0, 2, 6, 8, 10)), Group(1, (1, 3, 5, 7, 9, 11))]
    assert match.game.hidden(table, 1)[0] == Group(0, (0, 2, 4, 6, 8, 10))
    for world in worlds(match, 0):
        assert all(world.ident[card] % 2 == card % 2 for card in range(12))
        assert world.ident[4] == 4
