"""The conflict phase: attacks, and the cycling of community piles."""

from __future__ import annotations

from collections.abc import Iterator

from ziggurat_rules.decisions import Effect, choose, choose_number
from ziggurat_rules.games.era.blocks import settle
from ziggurat_rules.games.era.facts import Face
from ziggurat_rules.games.era.layout import STRIDE, USED, Step
from ziggurat_rules.games.era.payment import pay
from ziggurat_rules.games.era.symbols import ATTACKS, MILITARY, NORMAL, THREAT
from ziggurat_rules.games.era.table import BY_DESTRUCTION, BY_SURVIVAL, EraTable
from ziggurat_rules.games.era.words import (
    ADD_ATTACKER,
    ADD_GIFT,
    ADD_MONEY,
    ATTACK,
    ATTACKED,
    ATTACKERS,
    CONFLICT_PHASE,
    CYCLE,
    CYCLED,
    DONE,
    END_TURN,
    FLIPPED,
    HELD,
    KIND_WORDS,
    NO_PLOT,
    PLOT,
    REMOVED,
    SEPARATED,
    USE_PLOT,
)
from ziggurat_rules.terms import Term

STOP, STRIKE, TURN_OVER = range(3)
FINISHED, ATTACKER, GIFT = range(3)

Action = tuple[int, int, int, int, int]
"""What is done; the Era, side and position of the target (or the pile), and the kind of attack."""

Band = tuple[tuple[int, int], ...]
"""Attackers in the order of their attack: (position, symbols used)."""


def conflict(t: EraTable, seat: int) -> None:
    """Go to the menu of the phase if there is anything in it, else end the turn."""
    if _may_cycle(t, seat) or len(menu(t, seat)) > 1:
        t.push(Step.FIGHT, seat)
    else:
        end_turn(t, seat)


def end_turn(t: EraTable, seat: int) -> None:
    """The exhaustion token of this turn may go from the next turn on."""
    lay = t.layout
    t.set(lay.tired + seat, 0)
    t.set(lay.plot, 0)
    if t.lists[lay.searched + seat]:
        t.put(lay.searched + seat, [])


def menu(t: EraTable, seat: int) -> dict[Term, Action]:
    """The attacks the seat may announce, and the piles it may cycle."""
    options: dict[Term, Action] = {END_TURN(): (STOP, 0, 0, 0, 0)}
    if not t.counters[t.layout.calm] and t.zones[t.layout.conflict + seat]:
        for era in t.living():
            target_side = THREAT if era == seat else NORMAL
            _offer_targets(t, seat, era, target_side, options)
    if _may_cycle(t, seat):
        for owner in t.living():
            pile = t.zones[t.layout.community + owner]
            if pile:
                options[CYCLE(t.ident[pile[-1]], owner)] = (TURN_OVER, owner, 0, 0, 0)
    return options


def _may_cycle(t: EraTable, seat: int) -> bool:
    if t.seats == 2 or t.purse(seat) < t.facts.rules.cycle_cost:
        return False
    return any(t.zones[t.layout.community + owner] for owner in t.living())


def _offer_targets(t: EraTable, seat: int, era: int, side: int, options: dict[Term, Action]) -> None:
    front = t.front(era)
    if not front.faces[side]:
        return
    shield = t.counters[t.layout.shield + era] - 1 if side == NORMAL else -1
    for kind in ATTACKS:
        if (
            front.totals[1 - side][kind]
            and budget(t, seat, 1 - side)
            and any(attackers(t, era, 1 - side, kind))
        ):
            for position, face in enumerate(front.faces[side]):
                defense = front.defense(side, position, kind)
                if defense >= 0 and position != shield:
                    term = ATTACK(face.index, era, position, KIND_WORDS[kind], defense)
                    options[term] = (STRIKE, era, side, position, kind)


def attackers(t: EraTable, era: int, side: int, kind: int) -> Iterator[tuple[int, int]]:
    """(position, symbols) of the cards of a side that may still attack with this kind."""
    lay = t.layout
    used = t.lists[lay.stacks + era][USED::STRIDE] if side == NORMAL else t.lists[lay.threat_used + era]
    for position, row in enumerate(t.front(era).active[side]):
        if row[kind] and not used[position]:
            yield position, row[kind]


def budget(t: EraTable, seat: int, side: int) -> int:
    """How many cards the seat may still flip or discard with attackers of this side."""
    lay = t.layout
    pile = len(t.zones[lay.conflict + seat])
    if side == NORMAL or not t.counters[lay.exhaustion + seat]:
        return pile
    return max(0, min(pile, t.facts.rules.exhaustion - 1 - t.counters[lay.flips]))


def fight(t: EraTable, seat: int) -> Effect[None]:
    """One action of the phase; then the menu comes again."""
    t.set(t.layout.idle, 0)
    what, era, side, position, kind = yield from choose(
        seat, CONFLICT_PHASE(), menu(t, seat), default=END_TURN()
    )
    if what == STOP:
        end_turn(t, seat)
        return
    t.push(Step.CONFLICT, seat)
    if what == TURN_OVER:
        yield from cycle(t, seat, era)
    else:
        yield from attack(t, seat, era, side, position, kind)


def cycle(t: EraTable, seat: int, owner: int) -> Effect[None]:
    """Pay to put the top of a community pile under it."""
    pile = t.layout.community + owner
    card = t.zones[pile][-1]
    yield from pay(t, seat, t.ident[card], t.facts.rules.cycle_cost)
    t.set(t.layout.credit, 0)
    t.move(card, pile, 0)
    t.uncover(owner)
    t.log(CYCLED(seat, t.ident[card], owner))


# Attacks


def attack(t: EraTable, seat: int, era: int, side: int, position: int, kind: int) -> Effect[None]:
    """Announce attackers, flip, add stars, compare."""
    front = t.front(era)
    face = front.faces[side][position]
    defense = front.defense(side, position, kind)
    band = yield from muster(t, seat, era, 1 - side, face, kind)
    t.log(ATTACKED(seat, face.index, era, KIND_WORDS[kind]))
    for attacker, _ in band:
        t.use(era, 1 - side, attacker)
    stars = _flip_all(t, seat, [symbols for _, symbols in band])
    if side == NORMAL:
        _tire(t, seat, sum(symbols for _, symbols in band) + (len(band) - 1) * t.facts.rules.separators)
    stars = yield from _plot(t, seat, stars, defense)
    if side == THREAT:
        stars = yield from _money(t, seat, face, stars, defense)
    t.move_all(t.zones[t.layout.flipped][:], t.layout.discard + seat)
    if stars < defense:
        t.log(HELD(face.index, stars))
    else:
        _destroy(t, seat, era, side, position)


def muster(t: EraTable, seat: int, era: int, side: int, target: Face, kind: int) -> Effect[Band]:
    """Choose attackers one after another, each with some of its symbols; the pile must hold cards for all.

    A symbol that an opponent's card gives (ruling 25) joins the last attacker chosen.
    """
    band: Band = ()
    flips = 0
    gift = _gift(t, era, side, kind)
    while True:
        options = _reinforcements(t, seat, era, side, kind, band, flips, gift)
        what, position, symbols = yield from choose(seat, ATTACKERS(target.index, flips), options)
        if what == FINISHED:
            return band
        if what == GIFT:
            last, used = band[-1]
            band = (*band[:-1], (last, used + symbols))
            flips += symbols
            gift = 0
            t.set(t.layout.gifts_used, t.counters[t.layout.gifts_used] | 1 << _gift_bit(era, kind))
        else:
            flips += symbols + (t.facts.rules.separators if band else 0)
            band = (*band, (position, symbols))


def _reinforcements(
    t: EraTable, seat: int, era: int, side: int, kind: int, band: Band, flips: int, gift: int
) -> dict[Term, tuple[int, int, int]]:
    left = budget(t, seat, side) - flips
    options: dict[Term, tuple[int, int, int]] = {}
    if band:
        options[DONE()] = (FINISHED, 0, 0)
        for symbols in range(1, min(gift, left) + 1):
            options[ADD_GIFT(symbols)] = (GIFT, 0, symbols)
        left -= t.facts.rules.separators
    faces = t.front(era).faces[side]
    there = [position for position, _ in band]
    for position, most in attackers(t, era, side, kind):
        if position not in there:
            for symbols in range(1, min(most, left) + 1):
                options[ADD_ATTACKER(faces[position].index, position, symbols)] = (
                    ATTACKER,
                    position,
                    symbols,
                )
    return options


def _gift_bit(era: int, kind: int) -> int:
    return 2 * era + kind - MILITARY


def _gift(t: EraTable, era: int, side: int, kind: int) -> int:
    if t.counters[t.layout.gifts_used] >> _gift_bit(era, kind) & 1:
        return 0
    return t.front(era).gifts[side][kind - MILITARY]


def _flip_all(t: EraTable, seat: int, parts: list[int]) -> int:
    """Flip the cards of each attacker in pile order, with a discard between two; returns the stars."""
    lay = t.layout
    pile = t.zones[lay.conflict + seat]
    stars = 0
    for number, symbols in enumerate(parts):
        for _ in range(t.facts.rules.separators if number else 0):
            t.move(pile[-1], lay.discard + seat)
            t.log(SEPARATED(seat, t.ident[t.zones[lay.discard + seat][-1]]))
        for _ in range(symbols):
            card = pile[-1]
            t.move(card, lay.flipped)
            t.log(FLIPPED(seat, t.ident[card], t.face(card).stars))
            stars += t.face(card).stars
    return stars


def _tire(t: EraTable, seat: int, cards: int) -> None:
    """Conflict-card attacks that took too many cards this turn exhaust."""
    t.add(t.layout.flips, cards)
    if t.counters[t.layout.flips] >= t.facts.rules.exhaustion:
        t.exhaust(seat)


def _plot(t: EraTable, seat: int, stars: int, defense: int) -> Effect[int]:
    """Plot may add to one flipped card; which one makes no difference."""
    more = t.counters[t.layout.plot]
    if not more or stars >= defense:
        return stars
    if (yield from choose(seat, USE_PLOT(more), {NO_PLOT(): 0, PLOT(more): 1})):
        t.set(t.layout.plot, 0)
        return stars + more
    return stars


def _money(t: EraTable, seat: int, face: Face, stars: int, defense: int) -> Effect[int]:
    """Money helps normal attackers; it is asked for where it may still matter, all of which is public."""
    lay = t.layout
    missing = defense - stars
    most = min(missing, t.counters[lay.money + seat])
    if most <= 0:
        return stars
    spent = yield from choose_number(seat, ADD_MONEY(face.index, missing), 0, most)
    t.add(lay.money + seat, -spent)
    return stars + spent * t.facts.rules.money_stars


def _destroy(t: EraTable, seat: int, era: int, side: int, position: int) -> None:
    t.destroy(era, side, position)
    if t.counters[t.layout.destruction + era] < t.facts.rules.destruction_limit:
        settle(t, era)
    elif t.seats == 2:
        t.end(BY_DESTRUCTION, seat)
    else:
        t.eliminate(era)
        t.log(REMOVED(era))
        if len(t.living()) == 1:
            t.end(BY_SURVIVAL, seat)
