"""The contract, check by check. Each takes a subject, plays it at random and asserts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from tests.contract.play import (
    Knowledge,
    Message,
    Teller,
    audiences,
    choice_of,
    fold,
    pick,
    play_on,
    shown,
    snapshot,
    trace,
)
from tests.contract.subjects import SCALE, Subject

from ziggurat_rules.decisions import OPTIONS, RANGE, SUBSET, Decision
from ziggurat_rules.errors import IllegalChoice, NotPending
from ziggurat_rules.keyed import below, keyed, shuffled
from ziggurat_rules.layout import Layout, ZoneKind
from ziggurat_rules.match import TRIES, Match, Patch
from ziggurat_rules.projection import ARBITER, PUBLIC, read_view, state_hash
from ziggurat_rules.record import replay
from ziggurat_rules.table import NOWHERE, Table
from ziggurat_rules.terms import Term, Vocabulary

Check = Callable[[Subject], None]


def ends_with_scores(subject: Subject) -> None:
    """A random game ends within max_decisions and every seat gets a place."""
    played = trace(subject)
    end = played.positions[-1]
    assert end.over, f"not over after {len(played.answers)} decisions"
    scores = end.scores()
    assert [score.seat for score in scores] == list(range(subject.seats))
    places = [score.place for score in scores]
    assert all(place == 1 + sum(other < place for other in places) for place in places)


def same_answers_same_hashes(subject: Subject) -> None:
    """The same seed and answers give the same arbiter's hash at each step."""
    played = trace(subject)
    again = Teller(subject.match())
    hashes = [again.projector.hash(ARBITER)]
    hashes += [again.apply(seat, choice)[ARBITER].hash for seat, choice in played.answers]
    assert hashes == played.hashes


def clone_equals_live(subject: Subject) -> None:
    """A clone, and its clone, are the live match in all that can be seen, also after the same answer."""
    live = Teller(subject.match())
    played = trace(subject)
    chosen = set(played.sample(150))
    for number, (seat, choice) in enumerate(played.answers):
        if number not in chosen:
            live.apply(seat, choice)
            continue
        clone, other = live.match.clone(), live.match.clone().clone()
        before = snapshot(live.match)
        assert snapshot(clone) == before
        other.apply(*pick(other, subject.seed, number))
        assert snapshot(live.match) == before, "a clone's answer changed the match it came from"
        told, live_told = Teller(clone), Teller(live.match.clone())
        messages = told.apply(seat, choice)
        assert messages == live_told.apply(seat, choice)
        live.apply(seat, choice)
        assert snapshot(clone) == snapshot(live.match)
        assert clone.journal == live.match.journal
    check_copies(live.match.table)


def check_copies(table: Table) -> None:
    """Table.clone copies every slot, and shares nothing that changes."""
    copy = table.clone()
    for kind in type(table).__mro__:
        for slot in getattr(kind, "__slots__", ()):
            value = getattr(copy, slot)  # AttributeError: clone() forgets it
            if isinstance(value, list | dict | set):
                assert value is not getattr(table, slot), f"clone() shares {slot}"


def quiet_points_are_quiet(subject: Subject) -> None:
    """Where the journal is empty, a fresh start from a copy of base asks the same and looks the same."""
    played = trace(subject)
    quiet = [n for n in played.sample(400) if not played.positions[n].journal]
    assert quiet or not played.sample(400)
    for number in quiet:
        position = played.positions[number].clone()
        fresh = Match.of_table(subject.game, position.base.clone(), subject.options)
        assert shown(fresh) == shown(position), f"decision {number}"
        assert fresh.view(ARBITER) == position.view(ARBITER), f"decision {number}"


def journals_are_short(subject: Subject) -> None:
    """Between two quiet points lie few answers: at most 50, and at most 24 in 99 of 100 positions."""
    lengths = sorted(len(position.journal) for position in trace(subject).positions)
    assert lengths[-1] <= 50
    if subject.game.name != "toy":  # which is little but simultaneous decisions, held back again and again
        assert lengths[(len(lengths) - 1) * 99 // 100] <= 24


def answers_commute(subject: Subject) -> None:
    """Two pending answers are legal in both orders, and neither changes what the other seat is asked."""
    played = trace(subject)
    several = [n for n in played.sample(10**6) if len(played.positions[n].pending) > 1]
    for number in several[:: max(1, len(several) // int(60 * SCALE))]:
        position = played.positions[number]
        for pair in combinations(position.to_act, 2):
            for first, second in (pair, pair[::-1]):
                match = position.clone()
                before = match.decision(second).shown()
                match.apply(first, match.decision(first).sample(keyed(subject.seed, number, first)))
                assert match.decision(second).shown() == before
                match.apply(second, match.decision(second).sample(keyed(subject.seed, number, second)))


def offers_hold(subject: Subject) -> None:
    """What is offered applies; anything else is refused and changes nothing."""
    played = trace(subject)
    for number in played.sample(60):
        position = played.positions[number]
        for seat, decision in position.pending.items():
            for choice in some_choices(decision, keyed(subject.seed, number)):
                position.clone().apply(seat, choice)
        check_refusals(position.clone())


def some_choices(decision: Decision, key: int) -> list[Any]:
    """The default, the ends and a few more."""
    if decision.kind == OPTIONS:
        indexes = range(len(decision.options))
        return sorted({0, len(indexes) - 1, decision.default, *shuffled(indexes, key)[:6]})  # type: ignore[type-var]
    if decision.kind == RANGE:
        return sorted({decision.low, decision.high, decision.default, decision.sample(key)})  # type: ignore[type-var]
    biggest = range(len(decision.options) - decision.high, len(decision.options))
    return [decision.default, tuple(range(decision.low)), tuple(biggest), decision.sample(key)]


def check_refusals(match: Match[Any]) -> None:
    """Nothing that is not offered gets through."""
    before = (snapshot(match), match.answers, match.journal[:])
    for seat in (-1, match.seats, *range(match.seats)):
        if seat not in match.pending:
            with pytest.raises(NotPending):
                match.apply(seat, 0)
    for seat, decision in match.pending.items():
        for choice in bad_choices(decision):
            with pytest.raises(IllegalChoice):
                match.apply(seat, choice)
    assert (snapshot(match), match.answers, match.journal) == before


def bad_choices(decision: Decision) -> list[Any]:
    """Choices of the wrong type and out of range."""
    count = len(decision.options)
    wrong: list[Any] = [None, "0", 0.0, True, [0], {0: 0}, 1 << 70, -(1 << 70)]
    if decision.kind == OPTIONS:
        return [*wrong, -1, count, (0,), ()]
    if decision.kind == RANGE:
        return [*wrong, decision.low - 1, decision.high + 1, (decision.low,), ()]
    wrong += [
        0,
        ("0",) * max(1, decision.low),
        (-1,) * max(1, decision.low),
        tuple(range(count - decision.low + 1, count + 1)) or (count,),
    ]
    if decision.low:
        wrong += [tuple(range(decision.low - 1)), (0,) * decision.low if decision.low > 1 else ()]
    if decision.high < count:
        wrong.append(tuple(range(decision.high + 1)))
    if decision.high > 1:
        wrong += [tuple(range(max(2, decision.low)))[::-1], (0,) * max(2, decision.low)]
    return wrong


def decisions_are_well_formed(subject: Subject) -> None:
    """Options are sorted, unique, fewer than 1,000; defaults are legal; terms fit their verbs."""
    vocabulary, cards = subject.game.vocabulary, len(subject.game.catalogue.cards)
    played = trace(subject)
    layout = subject.game.layout(subject.seats, subject.options)
    for number in played.sample(500):
        for seat, decision in played.positions[number].pending.items():
            assert decision.seat == seat
            check_decision(decision)
            for term in (decision.prompt, *decision.options):
                check_term(term, vocabulary, layout, cards)


def check_decision(decision: Decision) -> None:
    """The form of one decision."""
    options = list(decision.options)
    assert options == sorted(options)
    assert len(options) < 1000
    assert len(options) == len(decision.values)
    if decision.kind == OPTIONS:
        assert options
        assert len(set(options)) == len(options)
    elif decision.kind == SUBSET:
        assert 0 <= decision.low <= decision.high <= len(options)
    else:
        assert decision.low <= decision.high
    decision.value(decision.default)


def check_term(term: Term, vocabulary: Vocabulary, layout: Layout, cards: int) -> None:
    """A term has the arguments of its verb, each in the range of its kind."""
    verb = vocabulary.verbs[term[0]]
    assert len(term) == 1 + len(verb.arguments), f"{verb.name} takes {len(verb.arguments)} arguments: {term}"
    owners = layout.seats + len(layout.owners)
    bounds = {"card": cards, "seat": owners, "word": len(vocabulary.words)}
    for argument, value in zip(verb.arguments, term[1:], strict=True):
        assert type(value) is int, f"{verb.name}: {argument.name} is {value!r}"
        if argument.kind == "zone":
            assert value == -1 or (value % 4 == 1 and value // 4 < len(layout.zones)), f"{verb.name}: {term}"
        elif argument.kind != "amount":
            assert -1 <= value < bounds[argument.kind], f"{verb.name}: {argument.name} of {term}"
        assert -(2**31) <= value < 2**31


def projections_agree(subject: Subject) -> None:
    """The incremental projector gives the full views, their hashes and versions; its changes fold to them."""
    played = trace(subject)
    chosen = set(played.sample(120))
    vocabulary, cards = subject.game.vocabulary, len(subject.game.catalogue.cards)
    live = Teller(subject.match())
    everyone = audiences(live.match)
    folded = {audience: live.projector.view(audience) for audience in everyone}
    versions = dict(live.projector.version)
    for number, (seat, choice) in enumerate(played.answers):
        messages = live.apply(seat, choice)
        for audience in everyone:
            message = messages[audience]
            old = folded[audience]
            folded[audience] = fold(old, message, audience, live.match)
            noticed = folded[audience] != old or bool(message.events)
            assert message.version == versions[audience] + noticed, f"decision {number}, audience {audience}"
            versions[audience] = message.version
        for term in messages[ARBITER].events:
            check_term(term, vocabulary, live.match.table.layout, cards)
        if number in chosen or live.match.over:
            check_views(live, folded)


def check_views(live: Teller, folded: dict[int, dict[int, tuple[int, ...]]]) -> None:
    """Full view, projected view and folded view are one."""
    for audience, cells in folded.items():
        view = read_view(live.match.table, live.match.to_act, audience)
        assert live.projector.view(audience) == view
        assert cells == view
        assert live.projector.hash(audience) == state_hash(view)
        assert all(-(2**31) <= value < 2**31 for values in view.values() for value in values)


def cards_are_conserved(subject: Subject) -> None:
    """Each card is in one zone or nowhere, as `place` says; faces stay, and whoever may look knows them."""
    played = trace(subject)
    first = played.positions[0].clone().table
    for number in [*played.sample(150), len(played.answers)]:
        table = played.positions[number].clone().table
        assert table.ident == first.ident
        assert table.back == first.back
        lying = [card for zone in table.zones for card in zone]
        assert len(lying) == len(set(lying))
        for zone, cards in enumerate(table.zones):
            assert all(table.place[card] == zone for card in cards)
            check_who_knows(table, zone)
        assert sum(place != NOWHERE for place in table.place) == len(lying)
        assert all(0 <= lot <= table.shuffles for lot in table.lot)


def check_who_knows(table: Table, zone: int) -> None:
    """All know what lies open, and an owner its own cards."""
    cell = table.layout.zones[zone]
    if cell.shown == ZoneKind.OPEN:
        bits = table.layout.everyone
    elif cell.shown in (ZoneKind.HAND, ZoneKind.SECRET) and 0 <= cell.owner < table.layout.seats:
        bits = 1 << cell.owner
    else:
        return
    assert all(table.known[card] & bits == bits for card in table.zones[zone]), cell.name


def records_replay(subject: Subject) -> None:
    """A record played again gives the same match, at the end and in the middle."""
    live = subject.match()
    played = trace(subject)
    for seat, choice in played.answers[: len(played.answers) * 2 // 3]:
        live.apply(seat, choice)
    assert snapshot(replay(live.record(), subject.game)) == snapshot(live)
    record = played.positions[-1].clone().record()
    assert list(record.answers) == played.answers
    again = replay(record, subject.game)
    assert again.over
    assert again.record() == record


def hidden_cards_do_not_matter(subject: Subject) -> None:
    """With the cards redealt that a seat can't see, all it gets is the same until one is uncovered."""
    played = trace(subject)
    for number in played.sample(240):
        position = played.positions[number]
        seat = below(subject.seats, subject.seed, number, 5)
        for one in {seat, *position.to_act[:1]}:
            check_worlds(position, one, keyed(subject.seed, number, one))


def check_worlds(position: Match[Any], seat: int, key: int) -> None:
    """One position, with the eyes of one seat."""
    tries = TRIES if position.journal else 1
    world = position.determinize(seat, key, tries)
    patched = any(isinstance(entry, Patch) and entry.faces is not None for entry in world.journal)
    if not position.journal:
        assert not patched, (
            f"seat {seat} can tell worlds apart: at a quiet point one redeal shows it something else"
        )
    true = position.clone()
    assert world.to_act == true.to_act
    for audience in (seat, PUBLIC):
        assert world.view(audience) == true.view(audience)
    assert shown(world).get(seat) == shown(true).get(seat)
    assert sorted(world.table.ident) == sorted(true.table.ident)
    known = (card for card, bits in enumerate(true.table.known) if bits >> seat & 1)
    assert all(world.table.ident[card] == true.table.ident[card] for card in known)
    follow(Teller(true), Teller(world), seat, key)


def follow(ours: Teller, theirs: Teller, seat: int, key: int, steps: int = 8) -> None:
    """The same answers in both worlds show seat and public the same until something is uncovered."""
    bits = {seat: 1 << seat, PUBLIC: ours.match.table.layout.public}
    chance = False  # once cards were shuffled, the worlds may uncover the same cards in another order
    for step in range(steps):
        if ours.match.over:
            return
        actor, choice = pick(ours.match, key, step)
        value = ours.match.decision(actor).value(choice)
        other = choice_of(theirs.match.decision(actor), value)
        if other is None:
            assert actor != seat
            return
        tellers = (ours, theirs)
        before = [Knowledge.of(teller.match.table) for teller in tellers]
        seen = [ours.apply(actor, choice), theirs.apply(actor, other)]
        after = [Knowledge.of(teller.match.table) for teller in tellers]
        done = False
        for audience, bit in bits.items():
            mine, yours = (now.since(old, bit) for now, old in zip(after, before, strict=True))
            chance |= mine[1] or yours[1]
            uncovered = mine[0] != yours[0] or mine[1] or yours[1] or (chance and bool(mine[0]))
            same = seen[0][audience] == seen[1][audience]
            assert same or uncovered, difference(seen[0][audience], seen[1][audience], audience, step)
            done |= not same or mine[1] or yours[1]  # what lies where after a shuffle differs, known or not
        if done:
            return


def difference(ours: Message, theirs: Message, audience: int, step: int) -> str:
    """What differs in two messages."""
    names = [name for name in Message.__annotations__ if getattr(ours, name) != getattr(theirs, name)]
    pairs = "; ".join(f"{name}: {getattr(ours, name)} / {getattr(theirs, name)}" for name in names)
    return f"audience {audience} learns what it may not, {step + 1} answers on: {pairs}"


def worlds_are_redealt(subject: Subject) -> None:
    """Where a seat does not know many cards, they are others in nearly all its worlds."""
    played = trace(subject)
    worlds = true = 0
    for number in played.sample(60):
        position = played.positions[number].clone()
        seat = below(subject.seats, subject.seed, number, 7)
        ident = position.table.ident
        groups = subject.game.hidden(position.table, seat)
        if any(len({ident[card] for card in group.handles}) >= 8 for group in groups):
            worlds += 1
            true += position.determinize(seat, number).table.ident == ident
    assert true <= worlds / 20


def other_worlds_end(subject: Subject) -> None:
    """A determinized match, and one determinized again, can be played to the end."""
    played = trace(subject)
    for number in played.sample(4):
        seat = below(subject.seats, subject.seed, number, 6)
        world = played.positions[number].determinize(seat, number)
        for step, match in enumerate(play_on(world, subject.seed, number)):
            if step in (3, 20):
                again = match.determinize((seat + 1) % subject.seats, step)
                again.clone().apply(*pick(again, number))
        assert world.over
        assert len(world.scores()) == subject.seats
        with pytest.raises(ValueError, match="determinized"):
            world.record()


CHECKS: tuple[Check, ...] = (
    ends_with_scores,
    same_answers_same_hashes,
    clone_equals_live,
    quiet_points_are_quiet,
    journals_are_short,
    answers_commute,
    offers_hold,
    decisions_are_well_formed,
    projections_agree,
    cards_are_conserved,
    records_replay,
    hidden_cards_do_not_matter,
    worlds_are_redealt,
    other_worlds_end,
)
