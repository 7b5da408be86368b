"""Paying a cost: a few small decisions, no dead end (RB Spending and Activating Cards)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ziggurat_rules.decisions import Effect, choose, choose_subset
from ziggurat_rules.games.millennia.effects import Cost, Group
from ziggurat_rules.games.millennia.payable import has_types, unions
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import (
    DISCARD,
    PAY_FOR,
    SPEND_ICON,
    SPEND_JOKER,
    SPEND_TECH,
    WAR_TRACK,
    WHICH_TECH,
)
from ziggurat_rules.terms import Term

JOKER = -1
"""Handle that stands for a joker among sources."""


def pay(t: MillenniaTable, seat: int, cost: Cost, face: int = -1) -> Effect[None]:
    """Pay a cost that `can_pay` allowed; `face` is what it is paid for."""
    t.pay_gold(seat, cost.gold)
    t.gain_rp(seat, -cost.rp)
    t.go_back(seat, WAR_TRACK, cost.war_back)
    if cost.discard_tech:
        yield from _discard_tech(t, seat, face)
    if cost.distinct:
        yield from _spend_distinct(t, seat, cost.groups[0][1])
        return
    for number, (mask, n) in enumerate(cost.groups):
        rest = cost.groups[number + 1 :]
        if n == 1:
            yield from _spend_one(t, seat, mask, rest)
        else:
            yield from _spend_some(t, seat, mask, n)


def _discard_tech(t: MillenniaTable, seat: int, face: int) -> Effect[None]:
    options = {DISCARD(t.ident[card]): card for card in t.zones[t.layout.techs + seat]}
    card = yield from choose(seat, WHICH_TECH(face), options, skip_if_forced=True)
    t.remove(card)


def term_of(t: MillenniaTable, seat: int, source: int) -> Term:
    """How spending a source is said."""
    if source == JOKER:
        return SPEND_JOKER()
    return (SPEND_TECH if t.place[source] == t.layout.techs + seat else SPEND_ICON)(t.ident[source])


def spend(t: MillenniaTable, seat: int, source: int) -> None:
    """Exhaust a tech card or a building, or give a joker back."""
    if source == JOKER:
        t.gain_joker(seat, -1)
    else:
        t.exhaust(seat, source)


def all_sources(t: MillenniaTable, seat: int) -> list[tuple[int, int]]:
    """(mask, handle) of tech cards and buildings that can be spent; equal tech cards all stand there."""
    mask, ident, L = t.layout.facts.mask, t.ident, t.layout
    cards = t.zones[L.techs + seat] + (t.zones[L.buildings + seat] if t.acting else [])
    return [(mask[ident[card]], card) for card in cards if mask[ident[card]]]


def classes(t: MillenniaTable, seat: int, sources: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sources without those that are the same in every respect (type and last age) as one before."""
    seen: list[tuple[int, int]] = []
    first: list[tuple[int, int]] = []
    for mask, card in sorted(sources, key=lambda source: t.ident[source[1]]):
        key = (mask, t.last_age(seat, card) if t.place[card] == t.layout.techs + seat else -1 - card)
        if key not in seen:
            seen.append(key)
            first.append((mask, card))
    return first


def _slacks(sources: Sequence[tuple[int, int]], jokers: int, rest: Sequence[Group]) -> list[tuple[int, int]]:
    """(mask, what can be missed) of every part of the groups still to be paid."""
    return [
        (types, jokers + sum(1 for mask, _ in sources if mask & types) - need) for types, need in unions(rest)
    ]


def _spend_one(t: MillenniaTable, seat: int, wanted: int, rest: Sequence[Group]) -> Effect[None]:
    sources, jokers = all_sources(t, seat), t.jokers(seat)
    slacks = _slacks(sources, jokers, rest)
    options = {
        term_of(t, seat, card): card
        for mask, card in classes(t, seat, [source for source in sources if source[0] & wanted])
        if all(slack > 0 for types, slack in slacks if mask & types)
    }
    if jokers and all(slack > 0 for _, slack in slacks):
        options[SPEND_JOKER()] = JOKER
    source = yield from choose(seat, PAY_FOR(1), options, skip_if_forced=True)
    spend(t, seat, source)


def _spend_some(t: MillenniaTable, seat: int, wanted: int, n: int) -> Effect[None]:
    """The last part of a cost: any n of the sources that fit."""
    fits = [card for mask, card in all_sources(t, seat) if mask & wanted]
    fits += [JOKER] * min(t.jokers(seat), n)
    chosen: tuple[int, ...] = tuple(fits)
    if len(fits) > n:
        chosen = yield from choose_subset(
            seat, PAY_FOR(n), [(term_of(t, seat, card), card) for card in fits], n, n
        )
    for source in chosen:
        spend(t, seat, source)


def _spend_distinct(t: MillenniaTable, seat: int, n: int) -> Effect[None]:
    """n techs of different types, in the order of the catalogue, jokers last (RB Diplomacy 256)."""
    taken: list[int] = []
    after = -1
    for left in range(n, 0, -1):
        sources = classes(t, seat, all_sources(t, seat))
        jokers = t.jokers(seat)
        options: dict[Term, int] = {}
        for mask, card in sources:
            later = [other for other, c in sources if t.ident[c] > t.ident[card]]
            if t.ident[card] > after and _completes([*taken, mask], later, left - 1 - jokers):
                options[term_of(t, seat, card)] = card
        if jokers >= left:
            options[SPEND_JOKER()] = JOKER
        source = yield from choose(seat, PAY_FOR(left), options, skip_if_forced=True)
        if source == JOKER:
            t.gain_joker(seat, -left)
            return
        after = t.ident[source]
        taken.append(t.layout.facts.mask[after])
        spend(t, seat, source)


def _completes(taken: Sequence[int], later: Sequence[int], n: int) -> bool:
    return any(has_types([*taken, *some]) for some in combinations(later, max(0, n)))
