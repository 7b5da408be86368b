"""A toy game for the kernel's own tests: nested decisions, seats together, draws in mid-effect, discards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Self

from ziggurat_rules.catalogue import Card, Catalogue
from ziggurat_rules.decisions import Effect, choose, choose_number, choose_subset, together
from ziggurat_rules.game import Game, Options, Score, option, rank
from ziggurat_rules.layout import Audience, Layout, ZoneKind
from ziggurat_rules.table import Table
from ziggurat_rules.terms import Vocabulary

V = Vocabulary()
ACT = V.verb("act", "seat", text="{seat} acts")
DRAW = V.verb("draw", text="draw two, keep one")
SWAP = V.verb("swap", text="discard any of the hand, draw as many")
BET = V.verb("bet", text="bet points")
END = V.verb("end", text="stop for this round")
KEEP = V.verb("keep", "card", text="keep {card}")
WHICH = V.verb("which", text="which card")
MORE = V.verb("more", "amount", text="{amount} more")
STOP = V.verb("stop", text="no more")
DREW = V.verb("drew", "seat", text="{seat} drew")

COPIES, FACES, ACTIONS = 3, 12, 6


@dataclass(frozen=True)
class ToyOptions(Options):
    rounds: int = option(3, "How many rounds are played.", (1, 3))
    rich: bool = option(False, "Everybody starts with ten points.")


@cache
def layout(seats: int) -> Layout:
    made = Layout(seats)
    made.zone("deck", ZoneKind.PILE, "face down")
    made.zone("discard", ZoneKind.STACK, "face down, in order; who discarded a card knows it")
    made.zone("open", ZoneKind.OPEN, "face up")
    made.zone_per_seat("hand", ZoneKind.HAND, "hand")
    made.zone_per_seat("looking", ZoneKind.SECRET, "cards just drawn")
    made.counter_per_seat("points", "points")
    made.counter_per_seat("left", "actions left this round")
    made.counter_per_seat("secret", "seen by the owner only", Audience.OWNER)
    made.counter("round", "rounds played")
    made.counter("rounds", "rounds to play")
    made.list("stopped", "who stopped early, in order", holds="seat")
    return made


DECK, DISCARD, OPEN, HAND = 0, 1, 2, 3


class ToyTable(Table):
    __slots__ = ("leak",)

    leak: str
    """The planted fault, or nothing."""

    def clone(self) -> Self:
        new = super().clone()
        new.leak = self.leak
        return new

    @property
    def n(self) -> int:
        return self.layout.seats

    def looking(self, seat: int) -> int:
        return HAND + self.n + seat

    def points(self, seat: int) -> int:
        return seat

    def left(self, seat: int) -> int:
        return self.n + seat

    def secret(self, seat: int) -> int:
        return 2 * self.n + seat

    def refill(self) -> None:
        if len(self.zones[DECK]) < 2:
            for card in self.zones[DISCARD][:]:
                self.move(card, DECK)
            self.shuffle(DECK)


def deal_round(t: ToyTable) -> None:
    t.add(3 * t.n, 1)
    for seat in range(t.n):
        t.set(t.left(seat), ACTIONS)
    if t.counters[3 * t.n] < t.counters[3 * t.n + 1]:
        t.push(0)
    t.push(1)
    for seat in reversed(range(t.n)):
        t.push(2, seat)


def act_together(t: ToyTable) -> Effect[None]:
    t.push(1)
    yield from together({seat: branch(t, seat) for seat in range(t.n) if t.counters[t.left(seat)]})
    t.drop()


def ask_once(t: ToyTable, seat: int) -> Effect[None]:
    n = yield from choose_number(seat, ACT(seat), 0, 3)
    t.add(t.secret(seat), n)


def branch(t: ToyTable, seat: int) -> Effect[None]:
    while t.counters[t.left(seat)]:
        verb = yield from choose(
            seat, ACT(seat), {v(): v for v in (DRAW, SWAP, BET, END)}, default=END(), quiet=True
        )
        t.add(t.left(seat), -1)
        if verb is DRAW:
            yield from draw_two(t, seat)
        elif verb is SWAP:
            yield from swap(t, seat)
        elif verb is BET:
            yield from bet(t, seat)
        else:
            t.set(t.left(seat), 0)
            t.put(0, [*t.lists[0], seat])


def draw_two(t: ToyTable, seat: int) -> Effect[None]:
    t.refill()
    drawn = [card for card in (t.draw(DECK, t.looking(seat)) for _ in range(2)) if card is not None]
    t.log(DREW(seat))
    if not drawn:
        return
    odd = t.ident[drawn[0]] % 2 == 1
    if t.leak == "events" and odd:
        t.log(DREW(seat))
    if t.leak == "counters" and odd:
        t.add(t.points(seat), 1)
    keep = yield from choose(seat, WHICH(), {KEEP(t.ident[card]): card for card in drawn})
    for card in drawn:
        t.move(card, HAND + seat if card == keep else OPEN if t.ident[card] % 4 == 0 else DISCARD)
    yield from bet(t, seat)


def swap(t: ToyTable, seat: int) -> Effect[None]:
    hand = t.zones[HAND + seat]
    gone = yield from choose_subset(
        seat, WHICH(), [(KEEP(t.ident[card]), card) for card in hand], 0, len(hand)
    )
    for card in gone:
        t.move(card, DISCARD)
    for _ in gone:
        t.refill()
        t.draw(DECK, HAND + seat)


def bet(t: ToyTable, seat: int) -> Effect[None]:
    rival = t.zones[HAND + (seat + 1) % t.n]
    if t.leak == "asks" and rival and t.ident[rival[0]] % 2:
        yield from choose(seat, WHICH(), {STOP(): 0})
    for _ in range(3):
        terms = {STOP(): 0, MORE(1): 1}
        if t.leak == "options" and rival and t.ident[rival[0]] % 2:
            terms[MORE(2)] = 2
        more = yield from choose(seat, ACT(seat), terms)
        if not more:
            return
        t.add(t.points(seat), more)


class ToyGame(Game[ToyTable]):
    """`leak` plants a fault: a hidden card changes the "options", "events", "counters" or what one "asks"."""

    name = "toy"
    title = "Toy"
    rules_version = 1
    seats = range(2, 5)
    options = ToyOptions
    max_decisions = 2000
    vocabulary = V
    steps = (deal_round, act_together, ask_once)
    catalogue = Catalogue(
        tuple(Card(i, f"c{i}", f"C{i}", 0, COPIES, "", {}, {}) for i in range(FACES)), ("card",)
    )

    def __init__(self, leak: str = "") -> None:
        self.leak = leak

    def layout(self, seats: int, options: Options) -> Layout:
        return layout(seats)

    def setup(self, seed: int, seats: int, options: Options) -> ToyTable:
        faces = [face for face in range(FACES) for _ in range(COPIES)]
        table = ToyTable(layout(seats), seed, faces, [0] * len(faces))
        table.leak = self.leak
        assert isinstance(options, ToyOptions)
        table.set(3 * seats + 1, options.rounds)
        for card in range(len(faces)):
            table.move(card, DECK)
        table.shuffle(DECK)
        for seat in range(seats):
            for _ in range(3):
                table.draw(DECK, HAND + seat)
            table.set(table.points(seat), 10 * options.rich)
        table.push(0)
        return table

    def scores(self, table: ToyTable) -> list[Score]:
        return rank([(table.counters[seat], ()) for seat in range(table.n)])


TOY = ToyGame()
