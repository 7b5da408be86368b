"""The Table of Millennia: its verbs and what can be read off it."""

from __future__ import annotations

from ziggurat_rules.games.millennia.effects import Cost
from ziggurat_rules.games.millennia.facts import Face, Spot, Track
from ziggurat_rules.games.millennia.layout import Board
from ziggurat_rules.games.millennia.steps import ACTION_PHASE, ALL_TOGETHER, ONE_SEAT
from ziggurat_rules.games.millennia.words import (
    ADVANCED,
    BLOCKED,
    DISCARDED,
    DREW_DIPLOMACY,
    MAXED,
    PLAYED,
    POLITICS,
    TRACK_WORD,
    TYRANNY,
)
from ziggurat_rules.table import Table


class MillenniaTable(Table):
    """State of one game."""

    __slots__ = ()

    layout: Board

    # Reading

    @property
    def acting(self) -> bool:
        """Whether this is the action phase: the step on top of the agenda says so while it is at work."""
        step = self.agenda[-1] if self.agenda else ()
        return len(step) == 3 and step[0] in (ALL_TOGETHER, ONE_SEAT) and step[2] == ACTION_PHASE

    @property
    def age(self) -> int:
        return self.counters[self.layout.age]

    def face(self, card: int) -> Face:
        """The facts of a card."""
        return self.layout.facts.faces[self.ident[card]]

    def card_in(self, zone: int, face: int) -> int:
        """The handle of a face in a zone where it lies."""
        ident = self.ident
        return next(card for card in self.zones[zone] if ident[card] == face)

    def gold(self, player: int) -> int:
        return self.counters[self.layout.gold + player]

    def jokers(self, seat: int) -> int:
        return self.counters[self.layout.jokers + seat]

    def hand(self, seat: int) -> list[int]:
        """Diplomacy cards of a seat."""
        return self.zones[self.layout.hand + seat]

    def reached(self, player: int, track: int) -> int:
        """The spot of the marker; 6 and more on the tyranny section too."""
        return self.counters[self.layout.track[track] + player]

    def branch(self, seat: int) -> int:
        return self.counters[self.layout.branch + seat]

    def position(self, seat: int, track: int) -> int:
        """The position that effects and scoring read (RB Politics: always 5 on the tyranny section)."""
        spot = self.counters[self.layout.track[track] + seat]
        if track == POLITICS and self.branch(seat) == TYRANNY:
            return self.layout.side.tracks[POLITICS].tyranny_counts_as
        return spot

    def track(self, track: int) -> Track:
        return self.layout.side.tracks[track]

    def spot(self, seat: int, track: int) -> Spot:
        """The spot under a marker."""
        return self.track(track).spot(
            self.reached(seat, track), self.branch(seat) if track == POLITICS else 0
        )

    def claimed(self, seat: int) -> list[int]:
        """Faces of the claimed research cards."""
        return self.lists[self.layout.claimed + seat]

    def unclaimed(self, seat: int) -> list[int]:
        """Research cards in play that the seat has not claimed."""
        claimed = self.claimed(seat)
        return [card for card in self.zones[self.layout.research] if self.ident[card] not in claimed]

    def ready_with(self, seat: int, mod: str) -> int | None:
        """A ready building of the seat with a behaviour, if it has one."""
        faces = self.layout.facts.mods[mod]
        return next(
            (card for card in self.zones[self.layout.buildings + seat] if self.ident[card] in faces), None
        )

    def has_claimed(self, seat: int, mod: str) -> bool:
        """Whether the seat has claimed a research card with a behaviour."""
        faces = self.layout.facts.mods[mod]
        return any(face in faces for face in self.claimed(seat))

    def last_age(self, seat: int, tech: int) -> int:
        """The last age of a tech card, with what the Warehouse added."""
        face = self.ident[tech]
        return self.layout.facts.faces[face].last_age + self.lists[self.layout.extended + seat].count(face)

    def tech_cards(self, seat: int) -> list[int]:
        """All tech cards in the seat's area."""
        return self.zones[self.layout.techs + seat] + self.zones[self.layout.spent + seat]

    def count(self, seat: int, what: str) -> int:
        """How many of something a seat has; buildings on sleep cards count (RB Upkeep)."""
        L = self.layout
        if what == "research_claimed":
            return len(self.claimed(seat))
        if what == "wonders":
            return len(self.zones[L.wonders + seat]) + len(self.lists[L.copied + seat])
        if what == "diplomacy_hand":
            return len(self.hand(seat))
        if what == "books_activated":
            return self.counters[L.activated + seat]
        if what == "yellow":
            return len(self.zones[L.yellow + seat])
        brown_green = [
            self.face(card).color
            for zone in (L.buildings, L.used, L.asleep)
            for card in self.zones[zone + seat]
        ]
        if what == "buildings":
            return len(brown_green) + len(self.zones[L.yellow + seat])
        if what == "sets_green_brown_yellow":
            greens = brown_green.count("green")
            return min(greens, len(brown_green) - greens, len(self.zones[L.yellow + seat]))
        return brown_green.count(what)

    def sources(self, seat: int) -> tuple[int, ...]:
        """Masks of tech types of all that can be spent besides jokers, sorted."""
        mask, ident, L = self.layout.facts.mask, self.ident, self.layout
        masks = [mask[ident[card]] for card in self.zones[L.techs + seat]]
        if self.acting:
            masks += [mask[ident[card]] for card in self.zones[L.buildings + seat] if mask[ident[card]]]
        masks.sort()
        return tuple(masks)

    def payable(self, seat: int) -> int:
        """Which tech patterns the seat can pay, as a mask."""
        return self.layout.facts.patterns.payable(self.sources(seat), min(self.jokers(seat), 4))

    def can_pay(self, seat: int, cost: Cost, payable: int = -1) -> bool:
        """Whether the seat could pay a cost now; `payable`: the mask of that name, if known."""
        L, counters = self.layout, self.counters
        if cost.gold > counters[L.gold + seat] or cost.rp > counters[L.rp + seat]:
            return False
        if cost.war_back > self.reached(seat, 4) or (cost.discard_tech and not self.zones[L.techs + seat]):
            return False
        if cost.pattern < 0:
            return True
        return bool((self.payable(seat) if payable < 0 else payable) >> cost.pattern & 1)

    def has_room(self, seat: int, track: int) -> bool:
        """Whether a step is possible, penalties aside (RB Track Actions: locks)."""
        facts, spot = self.track(track), self.reached(seat, track)
        if (
            facts.lock
            and spot + 1 >= facts.lock_before
            and not self.counters[self.layout.unlocks[facts.lock] + seat]
        ):
            return False
        return spot < facts.spots or bool(facts.maxed)

    def next_player(self, player: int) -> int:
        """The next player clockwise, the Automa included."""
        return (player + 1) % self.layout.players

    def from_leader(self) -> list[int]:
        """The seats clockwise from the holder of the leader token."""
        leader, n = self.counters[self.layout.leader], self.layout.players
        return [p for p in ((leader + i) % n for i in range(n)) if p < self.layout.seats]

    # Verbs

    def gain_gold(self, player: int, amount: int) -> None:
        self.add(self.layout.gold + player, amount)

    def pay_gold(self, player: int, amount: int) -> None:
        self.add(self.layout.gold + player, -amount)

    def score(self, player: int, vp: int) -> None:
        self.add(self.layout.vp + player, vp)

    def gain_joker(self, seat: int, amount: int) -> None:
        self.add(self.layout.jokers + seat, amount)

    def gain_rp(self, seat: int, points: int) -> None:
        self.add(self.layout.rp + seat, points)

    def unlock(self, seat: int, what: str) -> None:
        """Open a lock: of a track for good, of the income for this phase."""
        self.set(self.layout.unlocks[what] + seat, 1)

    def exhaust(self, seat: int, card: int) -> None:
        """Exhaust a tech card or building of the seat."""
        L = self.layout
        self.move(card, (L.spent if self.place[card] == L.techs + seat else L.used) + seat)

    def advance_marker(self, seat: int, track: int) -> None:
        """Move a track marker one spot and note what stands below the spot."""
        self.add(self.layout.track[track] + seat, 1)
        for what in self.spot(seat, track).unlocks:
            self.unlock(seat, what)
        self.log(ADVANCED(seat, TRACK_WORD[track], self.reached(seat, track)))

    def max_out(self, player: int, track: int) -> None:
        self.log(MAXED(player, TRACK_WORD[track]))

    def stay_behind(self, seat: int, track: int) -> None:
        self.log(BLOCKED(seat, TRACK_WORD[track]))

    def go_back(self, player: int, track: int, steps: int) -> None:
        """Move a track marker back; no effects, never below 0."""
        counter = self.layout.track[track] + player
        self.add(counter, -min(steps, self.counters[counter]))

    def draw_diplomacy(self, seat: int, zone: int, amount: int) -> list[int]:
        """Draw up to `amount` diplomacy cards to a zone; an empty deck is made new from the discards."""
        drawn: list[int] = []
        while len(drawn) < amount:
            card = self._draw_diplomacy(zone)
            if card is None:
                break
            if self.layout.automa >= 0 and self.face(card).effect.mod == "copy_opponent_wonder":
                self.move(card, self.layout.diplomacy_discard)  # RB Diplomacy 247: solo, draw another
                if self._left_to_draw() <= 1:
                    break
                continue
            drawn.append(card)
        self.log(DREW_DIPLOMACY(seat, len(drawn)))
        return drawn

    def _left_to_draw(self) -> int:
        L = self.layout
        return len(self.zones[L.diplomacy_deck]) + len(self.zones[L.diplomacy_discard])

    def _draw_diplomacy(self, zone: int) -> int | None:
        L = self.layout
        if not self.zones[L.diplomacy_deck] and self.zones[L.diplomacy_discard]:
            for card in self.zones[L.diplomacy_discard][:]:
                self.move(card, L.diplomacy_deck)
            self.shuffle(L.diplomacy_deck)
        return self.draw(L.diplomacy_deck, zone)

    def discard_diplomacy(self, seat: int, card: int, played: bool) -> None:
        """A diplomacy card goes face up to the discards, played or just discarded."""
        self.move(card, self.layout.diplomacy_discard)
        self.log((PLAYED if played else DISCARDED)(seat, self.ident[card]))

    def activate_book(self, seat: int, slot: int) -> None:
        """Note a book token as activated; each counts once (RB Wonder 185)."""
        L = self.layout
        mask = self.counters[L.activated_at + seat]
        if not mask >> slot & 1:
            self.add(L.activated_at + seat, 1 << slot)
            self.add(L.activated + seat, 1)
