"""The table of ERA: the kernel's table with the verbs of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from ziggurat_rules.games.era.facts import CONFLICT, Face, GameFacts
from ziggurat_rules.games.era.front import Front
from ziggurat_rules.games.era.layout import FRESH, HEIGHT, POSITIONS, STORED, STRIDE, TOKENS, USED, EraLayout
from ziggurat_rules.games.era.symbols import NORMAL, PROGRESS, THREAT, VISION
from ziggurat_rules.games.era.words import (
    DESTROYED,
    EARNED,
    END_WORDS,
    ENDED,
    EXHAUSTED,
    KIND_WORDS,
    RECOVERED,
    RESHUFFLED,
    TOKEN,
)
from ziggurat_rules.table import Table

BY_PROGRESS, BY_DESTRUCTION, BY_CAP, BY_SURVIVAL = 1, 2, 3, 4


class EraTable(Table):
    """State of one game. `fronts` caches what is worked out from public cells, by Era."""

    __slots__ = ("discards_destroyed", "facts", "fronts", "seats", "turn_cap")

    layout: EraLayout

    def __init__(
        self, layout: EraLayout, seed: int, facts: GameFacts, discards_destroyed: bool, cap: int
    ) -> None:
        backs = [facts.catalogue.cards[face].back for face in facts.dealt]
        super().__init__(layout, seed, facts.dealt, backs)
        self.seats = layout.seats
        self.facts = facts
        self.discards_destroyed = discards_destroyed
        self.turn_cap = cap
        self.fronts: list[Front | None] = [None] * layout.seats

    def clone(self) -> Self:
        """An independent copy; fronts never change, so they are shared."""
        new = super().clone()
        new.seats = self.seats
        new.facts = self.facts
        new.discards_destroyed = self.discards_destroyed
        new.turn_cap = self.turn_cap
        new.fronts = self.fronts[:]
        return new

    # Looking

    def face(self, card: int) -> Face:
        """The face of a card."""
        return self.facts.faces[self.ident[card]]

    def is_out(self, seat: int) -> bool:
        """Whether the seat was removed from the game."""
        return self.counters[self.layout.out + seat] == 1

    def living(self) -> list[int]:
        """The seats still in the game."""
        return [seat for seat in range(self.seats) if not self.is_out(seat)]

    def others(self, seat: int) -> list[int]:
        """The opponents still in the game, clockwise from the seat."""
        around = [(seat + step) % self.seats for step in range(1, self.seats)]
        return [other for other in around if not self.is_out(other)]

    def holder(self, card: int) -> int:
        """Which pool a card belongs to: a seat's deck, seats + owner for a community pile, -1 if none."""
        deck = self.facts.deck_of[card]
        if deck < 0:
            return 2 * self.seats if self.seats > 2 else -1
        era = [self.facts.decks[deck].face]
        for seat, played in enumerate(self.lists[self.layout.era : self.layout.era + self.seats]):
            if played == era:
                if self.facts.faces[self.facts.dealt[card]].kind != CONFLICT:
                    return seat
                return 1 - seat if self.seats == 2 else self.seats + seat
        return -1

    def find(self, zone: int, face: int) -> int:
        """A card of this face in a zone; if there are several, one that everybody has seen.

        Choices name faces, not cards: so they mean the same in a world where the cards were dealt otherwise.
        """
        cards = [card for card in self.zones[zone] if self.ident[card] == face]
        return next((card for card in cards if self.known[card] == self.layout.everyone), cards[0])

    def front(self, era: int) -> Front:
        """The sums of both sides of an Era; treat them as read-only."""
        front = self.fronts[era]
        if front is None:
            front = self.fronts[era] = self._survey(era)
        return front

    def _survey(self, era: int) -> Front:
        lay = self.layout
        ident, faces = self.ident, self.facts.faces
        stacks = self.lists[lay.stacks + era]
        cards = self.zones[lay.play + era]
        tops: list[Face] = []
        at = 0
        for height in stacks[HEIGHT::STRIDE]:
            tops.append(faces[ident[cards[at]]])
            at += height
        threats = [faces[ident[card]] for card in self.zones[lay.threats + era]]
        front = Front((tops, threats), stacks)
        front.block((self.lists[lay.blocked[NORMAL] + era], self.lists[lay.blocked[THREAT] + era]))
        return front

    def stack(self, seat: int, position: int, field: int) -> int:
        """One of the numbers kept for a stack."""
        return self.lists[self.layout.stacks + seat][position * STRIDE + field]

    def stack_cards(self, seat: int, position: int) -> list[int]:
        """The cards of a stack, bottom first."""
        heights = self.lists[self.layout.stacks + seat][HEIGHT::STRIDE]
        at = sum(heights[:position])
        return self.zones[self.layout.play + seat][at : at + heights[position]]

    def stored_under(self, seat: int, position: int) -> list[int]:
        """The cards stored under a stack, oldest first."""
        counts = self.lists[self.layout.stacks + seat][STORED::STRIDE]
        at = sum(counts[:position])
        return self.zones[self.layout.stored + seat][at : at + counts[position]]

    def slots(self, seat: int, position: int) -> int:
        """Free vision slots of a stack."""
        return self.front(seat).active[NORMAL][position][VISION] - self.stack(seat, position, STORED)

    def purse(self, seat: int) -> int:
        """The most a seat can pay: face-down cards, stars of face-up cards, money."""
        lay = self.layout
        stars = sum(self.face(card).stars for card in self.zones[lay.build_up + seat])
        return len(self.zones[lay.build_down + seat]) + stars + self.counters[lay.money + seat]

    def may_enter(self, era: int, side: int, face: Face) -> bool:
        """Whether locks and the rule of unique cards let a new stack of this face into play."""
        front = self.front(era)
        if face.title_lock & ~front.keys[side]:
            return False
        if not face.unique or front.free[side]:
            return True
        return face not in front.faces[side] and face.index not in self.lists[self.layout.lost[side] + era]

    def may_flourish(self, seat: int, face: Face) -> bool:
        """Whether locks and the rule of unique cards let a copy of this face onto a stack."""
        front = self.front(seat)
        if face.flourish_cost < 0 or (face.title_lock | face.flourish_lock) & ~front.keys[NORMAL]:
            return False
        lost = self.lists[self.layout.lost[NORMAL] + seat]
        return not face.unique or front.free[NORMAL] or face.index not in lost

    # Decks

    def deal_card(self, seat: int, zone: int) -> int | None:
        """Move the top card of a seat's deck to a zone; an empty deck is made of the discard pile first."""
        lay = self.layout
        if not self.zones[lay.deck + seat]:
            self.reshuffle(seat)
        return self.draw(lay.deck + seat, zone)

    def deal_cards(self, seat: int, number: int, zone: int) -> None:
        """Move cards off a seat's deck to a zone as `deal_card` does."""
        deck = self.layout.deck + seat
        while number > 0:
            if not self.zones[deck]:
                self.reshuffle(seat)
            top = self.zones[deck][-number:][::-1]
            if not top:
                return
            self.move_all(top, zone)
            number -= len(top)

    def reshuffle(self, seat: int) -> None:
        """Make the discard pile the deck."""
        lay = self.layout
        if self.zones[lay.discard + seat]:
            self.move_all(self.zones[lay.discard + seat][:], lay.deck + seat)
            self.shuffle(lay.deck + seat)
            self.log(RESHUFFLED(seat))

    def take_up(self, seat: int, cards: Sequence[int]) -> None:
        """Take cards into hand, in the order of the catalogue: how they came says nothing."""
        self.move_all(sorted(cards, key=self.ident.__getitem__), self.layout.hand + seat)

    def mingle(self, seat: int) -> None:
        """Before a hand card is laid down unseen: nobody else can say whether it is one they were told of."""
        hand = self.layout.hand + seat
        everyone = self.layout.everyone
        if any(self.known[held] == everyone or held in self.limit for held in self.zones[hand]):
            self.shuffle(hand)
            for held in self.zones[hand]:
                self.reveal(held, seat)
            self.take_up(seat, self.zones[hand])

    def uncover(self, era: int) -> None:
        """Turn the top of a community pile face up."""
        pile = self.zones[self.layout.community + era]
        if pile:
            self.reveal(pile[-1])

    # Stacks

    def edit_stack(self, seat: int, position: int, field: int, value: int) -> None:
        """Set one of the numbers kept for a stack."""
        numbers = self.lists[self.layout.stacks + seat][:]
        numbers[position * STRIDE + field] = value
        self.put(self.layout.stacks + seat, numbers)
        if field in (HEIGHT, TOKENS):
            self.fronts[seat] = None

    def lay_out(self, seat: int, card: int) -> None:
        """Put a normal or resource card into play as a stack of its own."""
        self.move(card, self.layout.play + seat)
        self.put(self.layout.stacks + seat, [*self.lists[self.layout.stacks + seat], 1, 0, 0, 0, 0])
        self.fronts[seat] = None

    def lay_on(self, seat: int, card: int, position: int) -> None:
        """Flourish: put a copy onto a stack."""
        heights = self.lists[self.layout.stacks + seat][HEIGHT::STRIDE]
        self.move(card, self.layout.play + seat, sum(heights[: position + 1]))
        self.edit_stack(seat, position, HEIGHT, heights[position] + 1)

    def threaten(self, era: int, card: int) -> None:
        """Put a conflict card into play against its Era."""
        self.move(card, self.layout.threats + era)
        self.put(self.layout.threat_used + era, [*self.lists[self.layout.threat_used + era], 0])
        self.fronts[era] = None

    def use(self, era: int, side: int, position: int) -> None:
        """Note that a card attacked this turn."""
        if side == NORMAL:
            self.edit_stack(era, position, USED, 1)
        else:
            used = self.lists[self.layout.threat_used + era][:]
            used[position] = 1
            self.put(self.layout.threat_used + era, used)

    def rest(self, seat: int) -> None:
        """As a turn begins: every card may attack again, and stored cards may be drawn back."""
        for era in range(self.seats):
            used = self.lists[self.layout.threat_used + era]
            if any(used):
                self.put(self.layout.threat_used + era, [0] * len(used))
        numbers = self.lists[self.layout.stacks + seat]
        if any(numbers[USED::STRIDE]) or any(numbers[FRESH::STRIDE]):
            numbers = numbers[:]
            stacks = len(numbers) // STRIDE
            numbers[USED::STRIDE] = numbers[FRESH::STRIDE] = [0] * stacks
            self.put(self.layout.stacks + seat, numbers)

    def is_used(self, era: int, side: int, position: int) -> bool:
        """Whether a card attacked this turn."""
        if side == NORMAL:
            return self.stack(era, position, USED) == 1
        return self.lists[self.layout.threat_used + era][position] == 1

    # Vision

    def store(self, seat: int, card: int, position: int) -> None:
        """Put a hand card under a stack."""
        lay = self.layout
        self.mingle(seat)
        counts = self.lists[lay.stacks + seat][STORED::STRIDE]
        self.move(card, lay.stored + seat, sum(counts[: position + 1]))
        self.limit.setdefault(card, 1)
        self.edit_stack(seat, position, STORED, counts[position] + 1)
        self.edit_stack(seat, position, FRESH, self.stack(seat, position, FRESH) + 1)

    def draw_back(self, seat: int, card: int, position: int) -> None:
        """Take a stored card into hand and show it."""
        self.move(card, self.layout.hand + seat)
        self.reveal(card)
        self.edit_stack(seat, position, STORED, self.stack(seat, position, STORED) - 1)

    def tidy_vision(self, seat: int) -> None:
        """Discard the newest cards under stacks that have lost the slots for them."""
        if not self.zones[self.layout.stored + seat]:
            return
        active = self.front(seat).active[NORMAL]
        for position, counts in enumerate(active):
            while self.stack(seat, position, STORED) > counts[VISION]:
                self.drop_stored(seat, position)

    def drop_stored(self, seat: int, position: int) -> None:
        """Discard the newest card under a stack."""
        self.move(self.stored_under(seat, position)[-1], self.layout.discard + seat)
        self.edit_stack(seat, position, STORED, self.stack(seat, position, STORED) - 1)
        self.edit_stack(seat, position, FRESH, max(0, self.stack(seat, position, FRESH) - 1))

    # Destruction

    def destroy(self, era: int, side: int, position: int) -> None:
        """Take a unit out of play; a card with unlocked progress costs its owner a destruction token."""
        front = self.front(era)
        face = front.faces[side][position]
        token = side == NORMAL and front.symbols[side][position][PROGRESS] > 0
        if face.unique:
            lost = self.layout.lost[side] + era
            self.put(lost, sorted({*self.lists[lost], face.index}))
        if side == NORMAL:
            self._clear_stack(era, position, token)
        else:
            self._clear_threat(era, position)
        self._forget_position(self.layout.blocked[side] + era, position)
        self.fronts[era] = None
        self.log(DESTROYED(face.index, era))
        if token:
            self.add(self.layout.destruction + era, 1)
            self.log(TOKEN(era))

    def _clear_stack(self, era: int, position: int, token: bool) -> None:
        lay = self.layout
        while self.stack(era, position, STORED):
            self.drop_stored(era, position)
        # Rulebook, Destruction Tokens: a card that bears one is left out, even where others are discarded.
        goal = lay.discard if self.discards_destroyed and not token else lay.destroyed
        for card in self.stack_cards(era, position):
            self.move(card, goal + era)
        numbers = self.lists[lay.stacks + era]
        self.put(lay.stacks + era, numbers[: position * STRIDE] + numbers[(position + 1) * STRIDE :])
        shield = self.counters[lay.shield + era] - 1
        if shield >= position:
            self.set(lay.shield + era, 0 if shield == position else shield)

    def _clear_threat(self, era: int, position: int) -> None:
        lay = self.layout
        card = self.zones[lay.threats + era][position]
        if not self.discards_destroyed:
            self.move(card, lay.destroyed + era)
        elif self.seats == 2:
            self.move(card, lay.discard + 1 - era)
        else:
            self.move(card, lay.community + era, 0)
            self.uncover(era)
        used = self.lists[lay.threat_used + era]
        self.put(lay.threat_used + era, used[:position] + used[position + 1 :])

    def _forget_position(self, number: int, position: int) -> None:
        """Blocks on a stack that has left are free; those behind it move up."""
        entries = self.lists[number]
        if entries:
            kept = [entry for entry in entries if entry // POSITIONS != position]
            self.put(number, [e - POSITIONS if e // POSITIONS > position else e for e in kept])

    # Tokens

    def earn(self, seat: int, amount: int) -> None:
        """Gain progress tokens."""
        if amount:
            self.add(self.layout.progress + seat, amount)
            self.log(EARNED(seat, KIND_WORDS[PROGRESS], amount))

    def exhaust(self, seat: int) -> None:
        """Receive the exhaustion token."""
        if not self.counters[self.layout.exhaustion + seat]:
            self.set(self.layout.exhaustion + seat, 1)
            self.set(self.layout.tired + seat, 1)
            self.log(EXHAUSTED(seat))

    def recover(self, seat: int, face: Face) -> None:
        """A card with a progress symbol was played: an exhaustion token of an earlier turn goes."""
        lay = self.layout
        if (
            face.shows_progress
            and self.counters[lay.exhaustion + seat]
            and not self.counters[lay.tired + seat]
        ):
            self.set(lay.exhaustion + seat, 0)
            self.log(RECOVERED(seat))

    # End

    def win_target(self) -> int:
        """Progress tokens that win; it stays at the number of players at the start."""
        return self.facts.rules.win_progress[self.seats - 2]

    def end(self, why: int, winner: int = -1) -> None:
        """End the game: nothing is left on the agenda."""
        while self.agenda:
            self.drop()
        self.set(self.layout.ending, why)
        self.set(self.layout.winner, winner + 1)
        self.log(ENDED(END_WORDS[why]))

    def eliminate(self, seat: int) -> None:
        """Remove a seat with all that is his."""
        lay = self.layout
        self.set(lay.out + seat, 1)
        # Every zone of a seat, among them those of the bonus draft but for the bonus card itself.
        for zone in (
            lay.deck,
            lay.discard,
            lay.hand,
            lay.dealt,
            lay.build_down,
            lay.build_up,
            lay.conflict,
            lay.play,
            lay.stored,
            lay.threats,
            lay.destroyed,
            lay.community,
        ):
            for card in self.zones[zone + seat][:]:
                self.remove(card)
        for number in (lay.stacks, lay.threat_used, *lay.blocked):
            self.put(number + seat, [])
        for counter in (lay.money, lay.exhaustion, lay.initiative, lay.shield):
            self.set(counter + seat, 0)
        self.fronts[seat] = None
