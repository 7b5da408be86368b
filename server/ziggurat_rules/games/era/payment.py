"""Paying: face-up build cards, money and face-down build cards in any mix (ruling 6).

Items of one payment go in falling order of value, so that one set of items has one order. Only what lets the
rest still be covered is offered, and nothing once the cost is covered: no dead end and no superfluous item. A
surplus stays as a credit for a play that follows at once, which makes such plays one joint payment.
"""

from __future__ import annotations

from dataclasses import dataclass

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.era.table import EraTable
from ziggurat_rules.games.era.words import PAY_DOWN, PAY_MONEY, PAY_UP, PAYING
from ziggurat_rules.terms import Term

UP, COIN, DOWN = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Item:
    """Some equal things to pay with; `rank` is their place in the order of paying."""

    rank: tuple[int, int, int]
    value: int
    count: int
    term: Term
    card: int = -1


def items(t: EraTable, seat: int) -> list[Item]:
    """What the seat can pay with, in the order of paying. A card without stars pays nothing."""
    lay = t.layout
    up: dict[int, list[int]] = {}
    for card in t.zones[lay.build_up + seat]:
        if t.face(card).stars:
            up.setdefault(t.ident[card], []).append(card)
    found = []
    for face, cards in up.items():
        stars = t.facts.faces[face].stars
        found.append(Item((-stars, UP, face), stars, len(cards), PAY_UP(face, stars), cards[-1]))
    if t.counters[lay.money + seat]:
        found.append(Item((-1, COIN, 0), 1, t.counters[lay.money + seat], PAY_MONEY()))
    if t.zones[lay.build_down + seat]:
        found.append(Item((-1, DOWN, 0), 1, len(t.zones[lay.build_down + seat]), PAY_DOWN()))
    return sorted(found, key=lambda item: item.rank)


def offered(purse: list[Item], missing: int, last: tuple[int, int, int] | None) -> list[Item]:
    """The items that may come next: not before the last one in order, and the rest from there on must do."""
    left = [item for item in purse if last is None or item.rank >= last]
    rest = sum(item.value * item.count for item in left)
    usable = []
    for item in left:
        if rest < missing:
            break
        usable.append(item)
        rest -= item.value * item.count
    return usable


def pay(t: EraTable, seat: int, face: int, cost: int) -> Effect[None]:
    """Pay a cost that the seat can cover."""
    lay = t.layout
    missing = cost - t.counters[lay.credit]
    last: tuple[int, int, int] | None = None
    while missing > 0:
        options = {item.term: item for item in offered(items(t, seat), missing, last)}
        chosen = yield from choose(
            seat,
            PAYING(face, missing),
            {term: item.rank for term, item in options.items()},
            skip_if_forced=True,
        )
        item = next(item for item in options.values() if item.rank == chosen)
        last = chosen
        missing -= item.value
        _hand_over(t, seat, item)
    t.set(lay.credit, -missing)


def _hand_over(t: EraTable, seat: int, item: Item) -> None:
    lay = t.layout
    kind = item.rank[1]
    if kind == COIN:
        t.add(lay.money + seat, -1)
    else:
        card = item.card if kind == UP else t.zones[lay.build_down + seat][-1]
        t.move(card, lay.discard + seat)
