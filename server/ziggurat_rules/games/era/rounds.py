"""Before the turns: Era decks, first player, rounds, and the draft of bonus cards (three and four)."""

from __future__ import annotations

from ziggurat_rules import keyed
from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.era.effects.bonus import BONUS_EFFECTS
from ziggurat_rules.games.era.facts import CONFLICT
from ziggurat_rules.games.era.layout import Step
from ziggurat_rules.games.era.table import BY_CAP, EraTable
from ziggurat_rules.games.era.words import (
    BONUS,
    CHOOSE_ERA,
    CHOSE,
    FIRST,
    REVEALED,
    TAKE_BONUS,
    WHICH_BONUS,
    WHICH_ERA,
)

TOKEN_DRAW, REVEAL_ORDER = -1, -2
"""Purposes of random numbers: the first player of three or four; an order in which two reveal their decks."""


def choose_era(t: EraTable, seat: int) -> Effect[None]:
    """Setup: each seat chooses one of the decks nobody has taken."""
    taken = [face for other in range(t.seats) for face in t.lists[t.layout.era + other]]
    options = {CHOOSE_ERA(deck.face): deck.face for deck in t.facts.decks if deck.face not in taken}
    face = yield from choose(seat, WHICH_ERA(), options)
    t.put(t.layout.era + seat, [face])
    t.log(CHOSE(seat, face))


def begin(t: EraTable) -> None:
    """Setup: build the decks and find the first player."""
    lay = t.layout
    piles: dict[int, list[int]] = {}
    for card in range(len(t.ident)):
        holder = t.holder(card)
        if holder >= 0:
            piles.setdefault(holder, []).append(card)
    for seat in range(t.seats):
        t.move_all(piles[seat], lay.deck + seat)
    if t.seats == 2:
        first = _reveal_first(t)
    else:
        for seat in range(t.seats):
            t.move_all(piles[t.seats + seat], lay.community + seat)
            t.shuffle(lay.community + seat)
            t.uncover(seat)
        t.move_all(piles[2 * t.seats], lay.bonus_deck)
        t.shuffle(lay.bonus_deck)
        first = t.random_below(t.seats, TOKEN_DRAW)
    for seat in range(t.seats):
        t.shuffle(lay.deck + seat)
    t.set(lay.first, first)
    t.log(FIRST(first))
    t.push(Step.ROUND)


def _reveal_first(t: EraTable) -> int:
    """Both reveal cards of their shuffled decks until a conflict card shows: who has it first goes first.

    A tie starts over. The decks are shuffled again afterwards, so nothing of the order is kept.
    """
    while True:
        depths = [_conflict_depth(t, seat) for seat in (0, 1)]
        if depths[0] != depths[1]:
            first = 0 if depths[0] < depths[1] else 1
            t.log(REVEALED(first, depths[first]))
            return first


def _conflict_depth(t: EraTable, seat: int) -> int:
    deck = keyed.shuffled(t.zones[t.layout.deck + seat], t.random_below(1 << 62, REVEAL_ORDER))
    return next(depth for depth, card in enumerate(deck, 1) if t.face(card).kind == CONFLICT)


def start_round(t: EraTable) -> None:
    """Fix the order of play; with three or four, bonus cards are drafted in that order.

    Between two, after a round in which nobody was asked or earned progress, all until the cap would be like it.
    """
    lay = t.layout
    if t.counters[lay.round] >= t.turn_cap or (t.seats == 2 and t.counters[lay.idle] >= 2):
        t.end(BY_CAP)
        return
    order = order_of_play(t)
    t.add(lay.round, 1)
    t.set(lay.first, order[0])
    t.put(lay.order, order)
    for seat in range(t.seats):
        t.set(lay.initiative + seat, 0)
    t.push(Step.END_ROUND)
    for seat in reversed(order):
        t.push(Step.TURN, seat)
    if t.seats > 2:
        _start_draft(t, order)


def order_of_play(t: EraTable) -> list[int]:
    """By initiative, then cards in play, then clockwise from the last first player."""
    lay = t.layout
    first = t.counters[lay.first]
    around = [(first + step) % t.seats for step in range(t.seats)]
    around = [seat for seat in around if not t.is_out(seat)]
    if not any(t.counters[lay.initiative + seat] for seat in around):
        return around
    return sorted(
        around, key=lambda seat: (-t.counters[lay.initiative + seat], -len(t.zones[lay.play + seat]))
    )


def end_round(t: EraTable) -> None:
    """All bonus cards go back and are shuffled."""
    lay = t.layout
    if t.seats > 2:
        for seat in range(t.seats):
            for card in t.zones[lay.bonus + seat][:]:
                t.move(card, lay.bonus_deck)
            t.set(lay.shield + seat, 0)
        t.shuffle(lay.bonus_deck)
    t.push(Step.ROUND)


# The draft


def _start_draft(t: EraTable, order: list[int]) -> None:
    lay = t.layout
    t.push(Step.REVEAL_BONUS)
    for seat in reversed(order):
        t.push(Step.DRAFT, seat)
    for _ in range(len(order) + 1):
        t.draw(lay.bonus_deck, lay.passed + order[0])


def draft(t: EraTable, seat: int) -> Effect[None]:
    """Secretly choose one of the bonus cards and pass the others on, so that nobody can follow a card."""
    lay = t.layout
    options = {TAKE_BONUS(t.ident[card]): t.ident[card] for card in t.zones[lay.passed + seat]}
    chosen = yield from choose(seat, WHICH_BONUS(), options)
    t.move(t.find(lay.passed + seat, chosen), lay.pick + seat)
    order = t.lists[lay.order]
    after = order.index(seat) + 1
    if after < len(order):
        t.shuffle(lay.passed + seat)
    for card in sorted(t.zones[lay.passed + seat], key=t.ident.__getitem__):
        t.move(card, lay.passed + order[after] if after < len(order) else lay.bonus_deck)


def reveal_bonus(t: EraTable) -> None:
    """All show their bonus cards; those that act at once do so in order of play."""
    lay = t.layout
    order = t.lists[lay.order]
    for seat in order:
        card = t.zones[lay.pick + seat][0]
        t.move(card, lay.bonus + seat)
        t.log(BONUS(seat, t.ident[card]))
    for seat in reversed(order):
        push_bonus(t, seat, "reveal")


def push_bonus(t: EraTable, seat: int, timing: str) -> None:
    """Put the effect of the seat's bonus card on the agenda if its time has come."""
    if t.seats > 2:
        for card in t.zones[t.layout.bonus + seat]:
            face = t.face(card)
            if BONUS_EFFECTS[face.id].timing == timing:
                t.push(Step.BONUS, seat)


def bonus(t: EraTable, seat: int) -> Effect[None]:
    """Carry out the seat's bonus card."""
    card = t.zones[t.layout.bonus + seat][0]
    face = t.face(card)
    with t.resolving(seat, face.index):
        yield from BONUS_EFFECTS[face.id].run(t, seat, face)
