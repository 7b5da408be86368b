"""A turn up to the commitment of cards: blocks, progress, resources, dealing."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose, choose_number, choose_subset
from ziggurat_rules.games.era.blocks import push_choices, settle
from ziggurat_rules.games.era.layout import STRIDE, TOKENS, Step
from ziggurat_rules.games.era.play import card_play
from ziggurat_rules.games.era.rounds import push_bonus
from ziggurat_rules.games.era.symbols import BUILD, HARVEST, MONEY, NORMAL, PROGRESS
from ziggurat_rules.games.era.table import BY_PROGRESS, EraTable
from ziggurat_rules.games.era.words import (
    COMMITTED,
    DEALT,
    DONE,
    EARNED,
    GATHERING,
    KIND_WORDS,
    PAIR,
    SPECIAL_BUILD,
    SPEND_HARVEST,
    TO_BUILD,
    TO_CONFLICT,
    TURN,
    WHICH_PAIRS,
)


def turn(t: EraTable, seat: int) -> None:
    """One turn begins: blocks and bonus cards come first. Each phase then leads to the next."""
    if t.is_out(seat):
        return
    lay = t.layout
    t.set(lay.active, seat)
    t.add(lay.idle, 1)
    for counter in (
        lay.acted,
        lay.calm,
        lay.flips,
        lay.gifts_used,
        lay.free_played,
        lay.plot,
        lay.credit,
        lay.extra,
    ):
        t.set(counter, 0)
    t.rest(seat)
    t.log(TURN(seat))
    t.push(Step.EARN, seat)
    for timing in ("conflict", "deal", "turn_start"):
        push_bonus(t, seat, timing)
    push_choices(t, seat)


# Point earning


def earn(t: EraTable, seat: int) -> None:
    """A progress token for each progress symbol; enough of them win at once."""
    earned = t.front(seat).totals[NORMAL][PROGRESS]
    t.earn(seat, earned)
    if earned:
        t.set(t.layout.idle, 0)
    if t.counters[t.layout.progress + seat] >= t.win_target():
        t.end(BY_PROGRESS, seat)
    else:
        gather(t, seat)


# Resource gathering


def gather(t: EraTable, seat: int) -> None:
    """Pairs of a resource symbol and a card's symbol give money, harvest tokens and special builds."""
    front = t.front(seat)
    totals = front.totals[NORMAL]
    money = min(front.resources[MONEY], totals[MONEY])
    if money:
        t.add(t.layout.money + seat, money)
        t.log(EARNED(seat, KIND_WORDS[MONEY], money))
    t.set(t.layout.builds, min(front.resources[BUILD], totals[BUILD]))
    pairs = min(front.resources[HARVEST], totals[HARVEST])
    rows = [(position, row[HARVEST]) for position, row in enumerate(front.active[NORMAL]) if row[HARVEST]]
    if pairs and pairs < totals[HARVEST] and len(rows) > 1:
        t.push(Step.RESOURCES, seat)
        t.push(Step.PAIRS, seat)
        return
    if pairs:
        _place_tokens(t, seat, [position for position, n in rows for _ in range(n)][:pairs])
    resources(t, seat)


def _place_tokens(t: EraTable, seat: int, positions: list[int]) -> None:
    for position in positions:
        t.edit_stack(seat, position, TOKENS, t.stack(seat, position, TOKENS) + 1)
    t.log(EARNED(seat, KIND_WORDS[HARVEST], len(positions)))


def pairs(t: EraTable, seat: int) -> Effect[None]:
    """With fewer resource symbols than harvest symbols, their owner says which form pairs."""
    front = t.front(seat)
    wanted = front.resources[HARVEST]
    options = [
        (PAIR(front.faces[NORMAL][position].index, position), position)
        for position, row in enumerate(front.active[NORMAL])
        for _ in range(row[HARVEST])
    ]
    t.set(t.layout.idle, 0)
    chosen = yield from choose_subset(seat, WHICH_PAIRS(wanted), options, wanted, wanted)
    _place_tokens(t, seat, list(chosen))


def resources(t: EraTable, seat: int) -> None:
    """Go to the menu of the phase if there is anything in it, else deal."""
    if _can_build(t, seat) or any(tokens > 0 for tokens in _tokens(t, seat)):
        t.push(Step.RESOURCE_MENU, seat)
    else:
        deal(t, seat)


def _can_build(t: EraTable, seat: int) -> bool:
    lay = t.layout
    return t.counters[lay.builds] > 0 and bool(t.zones[lay.deck + seat] or t.zones[lay.discard + seat])


def _tokens(t: EraTable, seat: int) -> list[int]:
    return t.lists[t.layout.stacks + seat][TOKENS::STRIDE]


def resource_menu(t: EraTable, seat: int) -> Effect[None]:
    """Special builds and harvests, in any order; none is a must."""
    t.set(t.layout.idle, 0)
    options = {DONE(): -2}
    if _can_build(t, seat):
        options[SPECIAL_BUILD()] = -1
    faces = t.front(seat).faces[NORMAL]
    for position, tokens in enumerate(_tokens(t, seat)):
        if tokens > 0:
            options[SPEND_HARVEST(faces[position].index, position, tokens)] = position
    chosen = yield from choose(seat, GATHERING(), options, default=DONE())
    if chosen == -2:
        deal(t, seat)
        return
    t.push(Step.RESOURCES, seat)
    if chosen == -1:
        t.add(t.layout.builds, -1)
        t.deal_card(seat, t.layout.build_up + seat)
    else:
        t.add(t.layout.extra, t.facts.rules.harvest_draw * t.stack(seat, chosen, TOKENS))
        t.edit_stack(seat, chosen, TOKENS, -1)
        settle(t, seat)


# Dealing and committing


def deal(t: EraTable, seat: int) -> None:
    """Deal cards unseen; fewer in the first round."""
    lay = t.layout
    rules = t.facts.rules
    t.set(lay.builds, 0)
    number = rules.deal
    if t.counters[lay.round] == 1:
        number = rules.first_deals[t.seats - 2][t.lists[lay.order].index(seat)]
    t.deal_cards(seat, number + t.counters[lay.extra], lay.dealt + seat)
    size = len(t.zones[lay.dealt + seat])
    if size:
        t.log(DEALT(seat, size))
        t.push(Step.COMMIT, seat)
    else:
        card_play(t, seat)


def commit(t: EraTable, seat: int) -> Effect[None]:
    """Commit unseen cards to the build pile, then to the conflict pile; the rest is the hand."""
    lay = t.layout
    t.set(lay.idle, 0)
    dealt = t.zones[lay.dealt + seat]
    size = len(dealt)
    limit = t.facts.rules.exhaustion
    most = min(size, limit - 1) if t.counters[lay.exhaustion + seat] else size
    build = yield from choose_number(seat, TO_BUILD(size), 0, most)
    conflict = 0
    if build < size:
        conflict = yield from choose_number(seat, TO_CONFLICT(size - build), 0, size - build)
    t.move_all(dealt[:build], lay.build_down + seat)
    t.move_all(dealt[:conflict], lay.conflict + seat)
    t.take_up(seat, dealt[:])
    t.log(COMMITTED(seat, build, conflict))
    if build >= limit:
        t.exhaust(seat)
    card_play(t, seat)
