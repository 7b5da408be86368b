"""The table of The Flow of History: its cells, and the verbs that move cards and tokens."""

from __future__ import annotations

from functools import cache
from typing import Self, TypeVar

from ziggurat_rules.games.flow import words as w
from ziggurat_rules.games.flow.facts import Edition, Face
from ziggurat_rules.games.flow.icons import icon_totals
from ziggurat_rules.games.flow.symbols import ATTACK, DEFENSE, ICONS, LEADER, TYPES, WONDER
from ziggurat_rules.layout import Layout, ZoneKind
from ziggurat_rules.table import Table

E = TypeVar("E")

NO_SPACE = 0
DECK = 0


def spaces(seats: int) -> int:
    """How many cards the Market holds."""
    return 6 if seats == 5 else 5


class FlowLayout(Layout):
    """Declares the cells, and knows their numbers."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, ("Banker",) if seats == 2 else ())
        self.banker = seats if seats == 2 else -1
        self.investors = range(seats + (seats == 2))
        self.zone("deck", ZoneKind.PILE, "Civilization deck: cards left, by the age on their backs")
        names = [f"market_{n}" for n in range(1, spaces(seats) + 1)]
        self.market = [self.zone(name, ZoneKind.OPEN, "a space of the Market") for name in names]
        self.start = (
            self.zone_per_seat("start", ZoneKind.OPEN, "starting cards to choose from") if seats == 2 else -1
        )
        self.nation = [
            [
                self.zone(name, ZoneKind.OPEN, f"{name} cards of the Nation, top last", seat)
                for name in (*TYPES, "untyped")
            ]
            for seat in range(seats)
        ]
        self.stacks = [zones[:WONDER] for zones in self.nation]
        self.home = dict.fromkeys((zone for zones in self.nation for zone in zones), -1)
        self.home |= {zone: seat for seat, zones in enumerate(self.nation) for zone in zones}
        self.tokens = self.counter_per_seat("tokens", "resource tokens in the Nation")
        self.invested = self._per_investor("invested", "tokens under the card invested in")
        self.marker = self._per_investor("marker", "Market space of the player marker; 0: not on the Market")
        self.icons = [[self.counter(icon, f"{icon} icons", seat) for icon in ICONS] for seat in range(seats)]
        self.supply = self.counter("supply", "tokens in the Supply")
        self.reserve = self.counter("reserve", "tokens in the Reserve")
        self.age = self.counter("age", "the current age: the highest in the Market and the Nations")
        self.korean = self.counter("korean", "1: rules and cards of the Korean edition")
        self.ending = self.counter("ending", "1: The Future is out, the game ends after this turn")

    def _per_investor(self, name: str, doc: str) -> int:
        first, *_ = [self.counter(name, doc, owner) for owner in self.investors]
        return first


@cache
def layout(seats: int) -> FlowLayout:
    """The cells of a table for so many seats."""
    return FlowLayout(seats)


class FlowTable(Table):
    """State of one game, with the verbs of its rulebook. `edition` (the facts in play) never changes."""

    __slots__ = ("edition",)

    edition: Edition
    layout: FlowLayout

    @classmethod
    def of(cls, seats: int, seed: int, edition: Edition) -> Self:
        """An empty table: every card in the box, all tokens in the Reserve."""
        table = cls(layout(seats), seed, range(len(edition.faces)), edition.backs)
        table.edition = edition
        return table

    def clone(self) -> Self:
        """An independent copy; the facts are shared."""
        new = super().clone()
        new.edition = self.edition
        return new

    # Reading

    @property
    def seats(self) -> int:
        """How many play."""
        return self.layout.seats

    def face(self, card: int) -> Face:
        """The facts of a card in the edition in play."""
        return self.edition.faces[self.ident[card]]

    @property
    def deck(self) -> list[int]:
        """The Civilization deck, top last."""
        return self.zones[DECK]

    def tokens(self, seat: int) -> int:
        """Tokens in a Nation; those invested are not."""
        return self.counters[self.layout.tokens + seat]

    def icons(self, seat: int, icon: int) -> int:
        """How many of an icon a Nation shows."""
        return self.counters[self.layout.icons[seat][icon]]

    def icon_counts(self, seat: int) -> list[int]:
        """How many of each icon a Nation shows, in the order of ICONS."""
        first = self.layout.icons[seat][0]
        return self.counters[first : first + len(ICONS)]

    def strength(self, seat: int) -> int:
        """Military strength of an attacker."""
        return self.icons(seat, ATTACK)

    def defence(self, seat: int) -> int:
        """Military strength of an attacked opponent."""
        return self.icons(seat, ATTACK) + self.icons(seat, DEFENSE)

    def stack(self, seat: int, kind: int) -> list[int]:
        """The cards of a type in a Nation, top last."""
        return self.zones[self.layout.nation[seat][kind]]

    def top(self, seat: int, kind: int) -> int | None:
        """The top card of a type in a Nation."""
        stack = self.stack(seat, kind)
        return stack[-1] if stack else None

    def uncovered(self, seat: int) -> list[int]:
        """The cards of a Nation whose effects show: the top of each stack, the Leader, every Wonder."""
        zones = self.zones
        tops = [zones[zone][-1] for zone in self.layout.stacks[seat] if zones[zone]]
        return tops + zones[self.layout.nation[seat][WONDER]]

    def shows(self, seat: int, kind: type[E]) -> list[E]:
        """The permanent effects of one kind that a Nation shows."""
        effects = [self.edition.permanent[self.ident[card]] for card in self.uncovered(seat)]
        return [effect for effect in effects if isinstance(effect, kind)]

    def opponents(self, seat: int) -> list[int]:
        """The others, clockwise."""
        return [(seat + n) % self.seats for n in range(1, self.seats)]

    def investor_of(self, space: int) -> int | None:
        """Who has a marker on a Market space (from 1): a seat, the Banker, or nobody."""
        for owner in self.layout.investors:
            if self.counters[self.layout.marker + owner] == space:
                return owner
        return None

    def invested_card(self, owner: int) -> int | None:
        """The card that a seat or the Banker has invested in."""
        space = self.counters[self.layout.marker + owner]
        return self.zones[self.layout.market[space - 1]][0] if space else None

    def free_cards(self) -> list[int]:
        """The non-invested cards in the Market."""
        layout, zones = self.layout, self.zones
        marked = self.counters[layout.marker : layout.marker + len(layout.investors)]
        return [zones[zone][0] for n, zone in enumerate(layout.market, 1) if zones[zone] and n not in marked]

    # Moving tokens

    def take_from_supply(self, seat: int, amount: int) -> int:
        """Take tokens from the Supply, as many as there are; returns how many."""
        return self.transfer(self.layout.supply, self.layout.tokens + seat, amount)

    def take_from_reserve(self, seat: int, amount: int) -> int:
        """Take tokens from the Reserve, as many as there are; returns how many."""
        return self.transfer(self.layout.reserve, self.layout.tokens + seat, amount)

    def pay_to_supply(self, seat: int, amount: int) -> None:
        """Pay tokens of a Nation to the Supply."""
        self.transfer(self.layout.tokens + seat, self.layout.supply, amount)

    def put_marker(self, owner: int, card: int) -> None:
        """Put the marker of a seat or the Banker on a card of the Market."""
        self.set(self.layout.marker + owner, self.layout.market.index(self.place[card]) + 1)

    def lift_marker(self, owner: int) -> None:
        """Take a marker off the Market; the tokens under its card go to the Supply."""
        self.transfer(
            self.layout.invested + owner, self.layout.supply, self.counters[self.layout.invested + owner]
        )
        self.set(self.layout.marker + owner, NO_SPACE)

    # Moving cards

    def draw_to_market(self, zone: int) -> None:
        """Reveal the top card of the deck in an empty space of the Market."""
        card = self.draw(DECK, zone)
        if card is not None:
            self.log(w.REVEALED(self.ident[card]))
            self._appeared(card)

    def put_in_nation(self, seat: int, card: int) -> None:
        """Place a card in a Nation: on its stack, by the Wonders, or as Leader once the old one left."""
        face = self.face(card)
        old = self.top(seat, LEADER) if face.kind == LEADER else None
        if old is not None:
            self.discard(old)
        self.move(card, self.layout.nation[seat][face.kind])
        self._recount(seat)
        self._appeared(card)

    def discard(self, card: int) -> None:
        """Take a card of a Nation or the Market out of the game."""
        seat = self.layout.home.get(self.place[card], -1)
        self.log(w.DISCARDED(self.ident[card], seat))
        self.remove(card)
        if seat >= 0:
            self._recount(seat)
        self._left(card)

    def _recount(self, seat: int) -> None:
        counters = self.counters
        for counter, amount in zip(self.layout.icons[seat], icon_totals(self, seat), strict=True):
            if counters[counter] != amount:
                self.set(counter, amount)

    def _appeared(self, card: int) -> None:
        face = self.face(card)
        if face.ends_game:
            self.set(self.layout.ending, 1)
        elif face.age > self.counters[self.layout.age]:
            self.set(self.layout.age, face.age)

    def _left(self, card: int) -> None:
        """The current age is worked out afresh (R41), unless an option keeps its highest value."""
        age = self.counters[self.layout.age]
        if self.face(card).age == age and not self.edition.age_never_falls:
            zones = (*self.layout.market, *self.layout.home)
            self.set(
                self.layout.age,
                max((self.face(c).age for zone in zones for c in self.zones[zone]), default=0),
            )
