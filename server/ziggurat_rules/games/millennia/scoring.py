"""End of the game: the last card to be played, and the final scoring (RB End-Game Scoring)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.scores import Condition, Part
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import (
    COPY,
    CULTURE,
    DEMOCRACY,
    DONE,
    INFLUENCE,
    LAST_TURN,
    PART_WORD,
    POLITICS,
    POPULATION,
    PROSPERITY,
    SCORED,
    TRACKS,
    WAR_TRACK,
)
from ziggurat_rules.terms import Term


def last_card(t: MillenniaTable, seat: int) -> Effect[None]:
    """Diplomacy 247: copy an opponent's wonder. Whoever holds diplomacy cards is asked."""
    others = [other for other in range(t.layout.seats) if other != seat and t.zones[t.layout.wonders + other]]
    if not others or not t.hand(seat):
        return
    options: dict[Term, tuple[int, int, int]] = {DONE(): (-1, 0, 0)}
    for card in t.hand(seat):
        if t.face(card).effect.mod == "copy_opponent_wonder":
            for other in others:
                options |= _copies(t, seat, card, other)
    card, wonder, gold = yield from choose(seat, LAST_TURN(seat), options, default=DONE())
    if card >= 0:
        t.discard_diplomacy(seat, card, True)
        t.pay_gold(seat, gold)
        copied = t.layout.copied + seat
        t.put(copied, [*t.lists[copied], t.ident[wonder]])


COPY_DISCOUNT = 5


def _copies(t: MillenniaTable, seat: int, card: int, other: int) -> dict[Term, tuple[int, int, int]]:
    options = {}
    for wonder in t.zones[t.layout.wonders + other]:
        gold = max(0, t.face(wonder).cost - COPY_DISCOUNT)
        if gold <= t.gold(seat):
            options[COPY(t.ident[card], t.ident[wonder], other, gold)] = (card, wonder, gold)
    return options


def books(t: MillenniaTable, seat: int) -> int:
    """Activated book tokens; with research 232 a democracy token passed counts (RB Wonder 185)."""
    L = t.layout
    count = t.count(seat, "books_activated")
    switched = any(
        gain.g == "tyranny_to_democracy"
        for face in t.claimed(seat)
        for gains in L.facts.faces[face].effect.options
        for gain in gains
    )
    if switched and t.branch(seat) == DEMOCRACY:
        for n in range(t.track(POLITICS).common + 1, t.reached(seat, POLITICS) + 1):
            slot = t.track(POLITICS).spot(n, DEMOCRACY).slot
            count += slot >= 0 and not t.counters[L.activated_at + seat] >> slot & 1
    return count


def count(t: MillenniaTable, seat: int, what: str) -> int:
    """A count as the final scoring reads it."""
    return books(t, seat) if what == "books_activated" else t.count(seat, what)


def part_vp(t: MillenniaTable, seat: int, part: Part) -> int:
    """VP for one part of a wonder's score."""
    if part.s == "track_pos":
        return part.mult * t.position(seat, part.track)
    if part.s == "count":
        return part.mult * count(t, seat, part.what)
    if part.s == "product":
        return t.position(seat, part.track) * count(t, seat, part.what)
    return part.mult * min(t.position(seat, track) for track in part.tracks)


def meets(t: MillenniaTable, seat: int, condition: Condition) -> bool:
    """Whether a condition of a yellow building is met."""
    if condition.cond == "track_min":
        return t.position(seat, condition.track) >= condition.least
    if condition.cond == "count_min":
        return t.count(seat, condition.what) >= condition.least
    if condition.cond == "gold_min":
        return t.gold(seat) >= condition.least
    reached = sum(t.position(seat, track) >= condition.least for track in range(len(TRACKS)))
    return reached >= condition.tracks


def wonder_vp(t: MillenniaTable, seat: int, face: int) -> int:
    """VP for a wonder, own or copied."""
    return sum(part_vp(t, seat, part) for part in t.layout.facts.faces[face].score)


def yellow_vp(t: MillenniaTable, seat: int, face: int) -> int:
    """VP for a yellow building: all conditions or nothing."""
    building = t.layout.facts.faces[face]
    return building.vp if all(meets(t, seat, condition) for condition in building.conditions) else 0


def final_points(t: MillenniaTable, seat: int) -> tuple[int, ...]:
    """VP of the final scoring by part, as words.PARTS names them."""
    L = t.layout
    wonders = [t.ident[card] for card in t.zones[L.wonders + seat]] + t.lists[L.copied + seat]
    return (
        sum(t.track(track).vp_end[t.reached(seat, track)] for track in (PROSPERITY, POPULATION, CULTURE)),
        t.position(seat, INFLUENCE) * t.position(seat, POLITICS),
        L.facts.number("war-vp") * t.position(seat, WAR_TRACK),
        sum(wonder_vp(t, seat, face) for face in wonders),
        sum(yellow_vp(t, seat, t.ident[card]) for card in t.zones[L.yellow + seat]),
        L.facts.number("diplomacy-vp") * len(t.hand(seat)),
    )


def final_scoring(t: MillenniaTable) -> None:
    """Add the final points to the VP track; the Automa scores its war position only."""
    L = t.layout
    for seat in range(L.seats):
        for part, vp in enumerate(final_points(t, seat)):
            t.score(seat, vp)
            t.log(SCORED(seat, PART_WORD[part], vp))
    if L.automa >= 0:
        t.score(L.automa, L.facts.number("war-vp") * t.reached(L.automa, WAR_TRACK))
        t.set(L.challenge, challenge_level(t))


def result(t: MillenniaTable, seat: int) -> int:
    """The final score: solo, the Automa's VP are taken off."""
    L = t.layout
    automa = t.counters[L.vp + L.automa] if L.automa >= 0 else 0
    return t.counters[L.vp + seat] - automa


def challenge_level(t: MillenniaTable) -> int:
    """How many values of the solo challenge table the result reaches."""
    return sum(result(t, 0) >= vp for vp in t.layout.facts.challenge)
