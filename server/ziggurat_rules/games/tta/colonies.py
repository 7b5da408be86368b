"""Colonization: the auction, the force, the colony (rulebook, Colonization)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.armies import grouped, tactical_strength
from ziggurat_rules.games.tta.facts import AIR_FORCE, BONUS, INFANTRY, Face
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.terms import Term

NO_SEAT = -1

Played = tuple[tuple[int, int, int], ...]
"""Cards added to a force: number of the verb, card, what it adds."""


def colonize(t: TtaTable, seat: int, card: int) -> None:
    """Everybody with a military unit may bid, clockwise from the player who revealed the territory."""
    bidders = [other for other in t.clockwise(seat) if any(units_of(t, other))]
    if bidders:
        mask = sum(1 << other for other in bidders)
        t.push(steps.BID, bidders[0], card, 0, NO_SEAT, mask)


def units_of(t: TtaTable, seat: int) -> list[tuple[int, int]]:
    """The military units: (face, number), in catalogue order."""
    faces = sorted({face.index for face in t.faces_in(seat, c.TECHNOLOGIES) if face.unit})
    pairs = [(index, t.workers(seat, t.layout.faces[index].slot)) for index in faces]
    return [pair for pair in pairs if pair[1]]


def bid(t: TtaTable, seat: int, card: int, high: int, leader: int, mask: int) -> Effect[None]:
    """Bid more, at most what can be sent, or drop out."""
    most = largest_force(t, seat)
    options = {w.BID(number): number for number in range(high + 1, most + 1)}
    options[w.PASS()] = 0
    number = yield from choose(seat, w.BIDDING(t.ident[card], high), options, default=w.PASS())
    t.log(w.BIDS(seat, number))
    if number:
        high, leader = number, seat
    else:
        mask &= ~(1 << seat)
    if mask == 1 << leader if leader >= 0 else not mask:
        if leader >= 0:
            t.push(steps.SEND_FORCE, leader, card, high)
        return
    following = next(other for other in (*t.clockwise(seat)[1:], seat) if mask >> other & 1)
    t.push(steps.BID, following, card, high, leader, mask)


def largest_force(t: TtaTable, seat: int) -> int:
    """The most that a seat can send."""
    units = units_of(t, seat)
    cards = _most_cards(t, seat, t.zone_of(seat, c.MILITARY_HAND), _discards_allowed(t, seat))
    return force(t, seat, units) + cards if units else 0


def force(t: TtaTable, seat: int, units: list[tuple[int, int]]) -> int:
    """Strength of units with their tactic, and the colonization modifier; nothing else counts."""
    by_type: list[list[int]] = [[0] * 4 for _ in range(INFANTRY, AIR_FORCE + 1)]
    strength = t.get(seat, c.COLONIZATION)
    for index, number in units:
        face = t.layout.faces[index]
        by_type[face.kind - INFANTRY][face.level] += number
        strength += number * face.output.strength
    current = t.list_of(seat, c.TACTIC_LIST)
    if current:
        tactic = t.layout.faces[current[0]]
        leader = t.leader(seat)
        mounted = leader is not None and "infantry_may_be_cavalry" in leader.ops
        air = sum(by_type[AIR_FORCE - INFANTRY])
        strength += tactical_strength(grouped(by_type[:3], air, tactic.level), tactic.tactic, mounted)
    return strength


def _discards_allowed(t: TtaTable, seat: int) -> int:
    leader = t.leader(seat)
    return sum(op["max"] for op in leader.ops.get("colonize_discard", ())) if leader is not None else 0


def _most_cards(t: TtaTable, seat: int, hand: list[int], discards: int) -> int:
    bonus = [int(face.facts["colonization"]) for card in hand if (face := t.face(card)).kind == BONUS]
    return sum(bonus) + min(discards, len(hand) - len(bonus))


def send_force(t: TtaTable, seat: int, card: int, high: int) -> Effect[None]:
    """The winner picks units, then bonus cards, then discards that a leader allows; all is announced at
    once.

    Whoever cannot see the winner's hand may imagine one that falls short of the bid: then all there is must do.
    """
    high = min(high, largest_force(t, seat))
    units: list[tuple[int, int]] = []
    cards: Played = ()
    last: Term = ()
    while True:
        options = _force_options(t, seat, units, cards, last, high) or {w.DONE(): (w.DONE.number, 0, 0)}
        missing = max(0, high - _sent(t, seat, units, cards))
        default = w.DONE() if w.DONE() in options else None
        prompt = w.FORCE(t.ident[card], missing)
        verb, what, value = yield from choose(seat, prompt, options, default=default)
        if verb == w.DONE.number:
            break
        last = (verb, what if verb == w.UNIT.number else t.ident[what])
        if verb == w.UNIT.number:
            units = _with_unit(units, what)
        else:
            cards += ((verb, what, value),)
    _commit(t, seat, units, cards)
    gain_colony(t, seat, card)


def _with_unit(units: list[tuple[int, int]], index: int) -> list[tuple[int, int]]:
    counts = dict(units)
    counts[index] = counts.get(index, 0) + 1
    return sorted(counts.items())


def _sent(t: TtaTable, seat: int, units: list[tuple[int, int]], cards: Played) -> int:
    return force(t, seat, units) + sum(value for _, _, value in cards)


def _force_options(
    t: TtaTable,
    seat: int,
    units: list[tuple[int, int]],
    cards: Played,
    last: Term,
    high: int,
) -> dict[Term, tuple[int, int, int]]:
    """What may be added next, in canonical order, so that the bid can still be reached."""
    chosen = dict(units)
    spare = [(index, number - chosen.get(index, 0)) for index, number in units_of(t, seat)]
    used = {card for _, card, _ in cards}
    hand = [card for card in t.zone_of(seat, c.MILITARY_HAND) if card not in used]
    discards = _discards_allowed(t, seat) - sum(verb == w.DISCARD_CARD.number for verb, _, _ in cards)
    options: dict[Term, tuple[int, int, int]] = {}
    so_far = _sent(t, seat, [], cards) - force(t, seat, [])
    for index, number in spare:
        key = (w.UNIT.number, index)
        if number and key >= last:
            later = [(i, n + chosen.get(i, 0)) if i >= index else (i, chosen.get(i, 0)) for i, n in spare]
            if force(t, seat, later) + so_far + _most_cards(t, seat, hand, discards) >= high:
                strength = t.layout.faces[index].output.strength
                options[w.UNIT(index, strength)] = (*key, strength)
    if units:
        sent = _sent(t, seat, units, cards)
        options |= _card_options(t, seat, hand, discards, last, high - sent)
        if sent >= high:
            options[w.DONE()] = (w.DONE.number, 0, 0)
    return options


def _card_options(
    t: TtaTable, seat: int, hand: list[int], discards: int, last: Term, missing: int
) -> dict[Term, tuple[int, int, int]]:
    options: dict[Term, tuple[int, int, int]] = {}
    for card in hand:
        face = t.face(card)
        if face.kind == BONUS and (w.BONUS_CARD.number, face.index) >= last:
            value = int(face.facts["colonization"])
            later = [o for o in hand if o != card and (t.face(o).kind != BONUS or t.ident[o] >= face.index)]
            if value + _most_cards(t, seat, later, discards) >= missing:
                options[w.BONUS_CARD(face.index, value)] = (w.BONUS_CARD.number, card, value)
        if discards and (w.DISCARD_CARD.number, face.index) >= last:
            later = [o for o in hand if o != card and t.ident[o] >= face.index]
            if 1 + min(discards - 1, len(later)) >= missing:
                options[w.DISCARD_CARD(face.index, 1)] = (w.DISCARD_CARD.number, card, 1)
    return options


def _commit(t: TtaTable, seat: int, units: list[tuple[int, int]], cards: Played) -> None:
    """Units die: their tokens go to the yellow bank. Bonus cards are shown, other cards discarded face
    down."""
    for index, number in units:
        for _ in range(number):
            t.lose_worker(seat, t.layout.faces[index])
    unseen = []
    for verb, card, _ in cards:
        if verb == w.BONUS_CARD.number:
            t.reveal(card)
            t.discard_military(card)
        else:
            unseen.append(card)
    t.discard_unseen(seat, unseen)


def settle(t: TtaTable, seat: int, card: int) -> None:
    """A territory becomes a colony without an auction and without a force."""
    gain_colony(t, seat, card)


def gain_colony(t: TtaTable, seat: int, card: int) -> None:
    """The permanent effects, then the immediate ones."""
    t.put_in_play(seat, card, c.COLONIES)
    t.log(w.COLONIZED(seat, t.ident[card]))
    refresh(t, seat)
    _immediate(t, seat, t.face(card))


def _immediate(t: TtaTable, seat: int, face: Face) -> None:
    gain = face.facts["immediate"]
    t.gain_food(seat, gain.get("food", 0))
    t.gain_resources(seat, gain.get("resources", 0))
    t.score_science(seat, gain.get("science", 0))
    t.score_culture(seat, gain.get("culture", 0))
    for _ in range(gain.get("population", 0)):
        t.grow(seat)
    t.draw_military(seat, gain.get("military_cards", 0))


def lose_colony(t: TtaTable, seat: int, card: int) -> None:
    """A colony leaves play and takes its tokens along. Ratings are to be refreshed."""
    t.take_out_of_play(seat, card)
