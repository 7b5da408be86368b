"""The table of Through the Ages and the verbs that are alone in changing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.cells import TtaLayout
from ziggurat_rules.games.tta.facts import FARM, GOVERNMENT, SPECIAL, Face
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.table import NOWHERE, Table

EVENT_OR_TERRITORY = 0
"""Class of faces that a prepared card is known to belong to."""

MILITARY_BACKS = range(5, 9)
"""Backs of the military cards, by age."""


class TtaTable(Table):
    """State of one game. Cells are numbered as in cells.py."""

    __slots__ = ()

    layout: TtaLayout

    # Reading

    def get(self, seat: int, counter: int) -> int:
        """A counter of a seat."""
        return self.counters[seat * self.layout.per_seat + counter]

    def common(self, counter: int) -> int:
        """A counter of the whole game."""
        return self.counters[self.layout.counters_common + counter]

    def zone_of(self, seat: int, zone: int) -> list[int]:
        """The cards in a zone of a seat."""
        return self.zones[seat * c.ZONES_PER_SEAT + zone]

    def pile(self, zone: int) -> list[int]:
        """The cards in a zone of the whole game."""
        return self.zones[self.layout.zones_common + zone]

    def list_of(self, seat: int, number: int) -> list[int]:
        """A list of a seat."""
        return self.lists[seat * c.LISTS_PER_SEAT + number]

    def face(self, card: int) -> Face:
        """The face of a card."""
        return self.layout.faces[self.ident[card]]

    def faces_in(self, seat: int, zone: int) -> list[Face]:
        """The faces of the cards in a zone of a seat."""
        faces, ident = self.layout.faces, self.ident
        return [faces[ident[card]] for card in self.zones[seat * c.ZONES_PER_SEAT + zone]]

    def find(self, zone: int, face: int) -> int:
        """The first card of a zone with this face."""
        ident = self.ident
        return next(card for card in self.zones[zone] if ident[card] == face)

    def zone_number(self, seat: int, zone: int) -> int:
        """Number of a zone of a seat."""
        return seat * c.ZONES_PER_SEAT + zone

    def pile_number(self, zone: int) -> int:
        """Number of a zone of the whole game."""
        return self.layout.zones_common + zone

    def leader(self, seat: int) -> Face | None:
        """The leader in play."""
        cards = self.zones[seat * c.ZONES_PER_SEAT + c.LEADER_ZONE]
        return self.layout.faces[self.ident[cards[0]]] if cards else None

    def government(self, seat: int) -> Face:
        """The government in play."""
        return next(face for face in self.faces_in(seat, c.TECHNOLOGIES) if face.kind == GOVERNMENT)

    def working_wonders(self, seat: int) -> list[Face]:
        """The completed wonders that are not ruined."""
        cards = self.zones[seat * c.ZONES_PER_SEAT + c.WONDERS]
        if not cards:
            return []
        ruined = self.list_of(seat, c.RUINED)
        return [face for card in cards if (face := self.face(card)).index not in ruined]

    def workers(self, seat: int, slot: int) -> int:
        """Workers on a technology."""
        return self.counters[seat * self.layout.per_seat + c.WORKERS + slot]

    def civil_left(self, seat: int) -> int:
        """Civil actions available."""
        base = seat * self.layout.per_seat
        return self.counters[base + c.CA_TOTAL] - self.counters[base + c.CA_SPENT]

    def military_left(self, seat: int) -> int:
        """Military actions available."""
        base = seat * self.layout.per_seat
        counters = self.counters
        return counters[base + c.MA_TOTAL] + counters[base + c.MA_BONUS] - counters[base + c.MA_SPENT]

    def living(self) -> list[int]:
        """The seats that have not resigned."""
        return [seat for seat in range(self.layout.seats) if not self.get(seat, c.RESIGNED)]

    def clockwise(self, seat: int) -> list[int]:
        """The living seats, this one first."""
        order = [*range(seat, self.layout.seats), *range(seat)]
        return [other for other in order if not self.get(other, c.RESIGNED)]

    def by_players(self, amounts: Sequence[int]) -> int:
        """The one of three amounts, for 2, 3 or 4 players, that holds for the living."""
        return amounts[max(2, len(self.living())) - 2]

    # Counters

    def change(self, seat: int, counter: int, amount: int) -> None:
        """Add to a counter of a seat."""
        self.add(seat * self.layout.per_seat + counter, amount)

    def put_counter(self, seat: int, counter: int, value: int) -> None:
        """Set a counter of a seat."""
        self.set(seat * self.layout.per_seat + counter, value)

    def put_common(self, counter: int, value: int) -> None:
        """Set a counter of the whole game."""
        self.set(self.layout.counters_common + counter, value)

    def put_list(self, seat: int, number: int, values: Sequence[int]) -> None:
        """Set a list of a seat."""
        self.put(seat * c.LISTS_PER_SEAT + number, values)

    def score_culture(self, seat: int, amount: int) -> int:
        """Gain or lose culture, never below 0; returns the change."""
        change = max(amount, -self.get(seat, c.CULTURE))
        self.change(seat, c.CULTURE, change)
        return change

    def score_science(self, seat: int, amount: int) -> int:
        """Gain or lose science, never below 0; returns the change."""
        change = max(amount, -self.get(seat, c.SCIENCE))
        self.change(seat, c.SCIENCE, change)
        return change

    def count_discontent(self, seat: int) -> None:
        """Bring the number of discontent workers up to date."""
        base = seat * self.layout.per_seat
        needs = self.layout.board.happiness_required
        required = needs[min(self.counters[base + c.YELLOW_BANK], len(needs) - 1)]
        self.set(base + c.DISCONTENT, max(0, required - self.counters[base + c.HAPPINESS]))

    # Food and resources: blue tokens

    def _gain(self, seat: int, amount: int, tokens: tuple[tuple[int, Face], ...], total: int) -> None:
        base = seat * self.layout.per_seat
        for counter, face in reversed(tokens):
            if face.value <= amount and self.has_technology(seat, face):
                number = min(amount // face.value, self.counters[base + c.BLUE_BANK])
                self.add(base + c.BLUE_BANK, -number)
                self.add(base + counter, number)
                self.add(base + total, number * face.value)
                amount -= number * face.value

    def _pay(self, seat: int, amount: int, tokens: tuple[tuple[int, Face], ...], total: int) -> None:
        base = seat * self.layout.per_seat
        counters = self.counters
        for counter, face in tokens:
            if amount <= 0:
                break
            number = min(counters[base + counter], -(-amount // face.value))
            if number:
                self.add(base + counter, -number)
                self.add(base + c.BLUE_BANK, number)
                self.add(base + total, -number * face.value)
                amount -= number * face.value
        if amount < 0:
            self._gain(seat, -amount, tokens, total)

    def gain_food(self, seat: int, amount: int) -> None:
        """Put blue tokens worth so much food from the bank on farms, as few as possible, as far as there
        are any."""
        self._gain(seat, amount, self.layout.food_tokens, c.FOOD)

    def gain_resources(self, seat: int, amount: int) -> None:
        """Put blue tokens worth so many resources from the bank on mines."""
        self._gain(seat, amount, self.layout.mine_tokens, c.RESOURCES)

    def pay_food(self, seat: int, amount: int) -> int:
        """Return tokens worth so much food, or all, lowest value first, change downwards; returns what was
        owed less
        what was there."""
        short = max(0, amount - self.get(seat, c.FOOD))
        self._pay(seat, max(0, amount) - short, self.layout.food_tokens, c.FOOD)
        return short

    def pay_resources(self, seat: int, amount: int) -> int:
        """Return tokens worth so many resources, or all; returns what is missing."""
        short = max(0, amount - self.get(seat, c.RESOURCES))
        self._pay(seat, max(0, amount) - short, self.layout.mine_tokens, c.RESOURCES)
        return short

    def produce(self, seat: int, face: Face, number: int) -> None:
        """Put up to `number` tokens from the bank on a farm or mine."""
        base = seat * self.layout.per_seat
        number = min(number, self.counters[base + c.BLUE_BANK])
        self.add(base + c.BLUE_BANK, -number)
        self.add(base + self.layout.token_of[face.slot], number)
        self.add(base + (c.FOOD if face.kind == FARM else c.RESOURCES), number * face.value)

    def cheapest_token_to_bank(self, seat: int) -> bool:
        """Move the blue token of lowest value from a card to the bank; False if there is none."""
        base = seat * self.layout.per_seat
        for counter, face in self.layout.all_tokens:
            if self.counters[base + counter]:
                self.add(base + counter, -1)
                self.add(base + (c.FOOD if face.kind == FARM else c.RESOURCES), -face.value)
                self.add(base + c.BLUE_BANK, 1)
                return True
        return False

    def change_blue(self, seat: int, amount: int) -> None:
        """Gain blue tokens into the bank, or lose them: from the bank, then the cheapest on a card."""
        for _ in range(-amount):
            if not self.get(seat, c.BLUE_BANK) and not self.cheapest_token_to_bank(seat):
                return
            self.change(seat, c.BLUE_BANK, -1)
            self.change(seat, c.BLUE_BOX, 1)
        if amount > 0:
            self.change(seat, c.BLUE_BANK, amount)
            self.change(seat, c.BLUE_BOX, -amount)

    def change_yellow(self, seat: int, amount: int) -> int:
        """Gain yellow tokens into the bank, or lose those the bank holds; returns the change."""
        change = max(amount, -self.get(seat, c.YELLOW_BANK))
        self.change(seat, c.YELLOW_BANK, change)
        self.change(seat, c.YELLOW_BOX, -change)
        self.count_discontent(seat)
        return change

    def cover_stages(self, seat: int, number: int) -> None:
        """Put blue tokens on the unfinished wonder."""
        for _ in range(number):
            if not self.get(seat, c.BLUE_BANK):
                self.cheapest_token_to_bank(seat)
            self.change(seat, c.BLUE_BANK, -1)
            self.change(seat, c.STAGES, 1)

    def clear_stages(self, seat: int) -> None:
        """Return the blue tokens of the unfinished wonder to the bank."""
        self.change(seat, c.BLUE_BANK, self.get(seat, c.STAGES))
        self.put_counter(seat, c.STAGES, 0)

    # Population

    def grow(self, seat: int) -> bool:
        """Move a yellow token from the bank to the worker pool; False if the bank is empty."""
        if not self.get(seat, c.YELLOW_BANK):
            return False
        self.change(seat, c.YELLOW_BANK, -1)
        self.change(seat, c.UNUSED, 1)
        self.count_discontent(seat)
        self.log(w.GREW(seat))
        return True

    def employ(self, seat: int, face: Face) -> None:
        """Put an unused worker on a technology."""
        self.change(seat, c.UNUSED, -1)
        self.change(seat, c.WORKERS + face.slot, 1)
        self.log(w.BUILT(seat, face.index))
        refresh(self, seat)

    def retrain(self, seat: int, old: Face, new: Face) -> None:
        """Move a worker from one technology to another."""
        self.change(seat, c.WORKERS + old.slot, -1)
        self.change(seat, c.WORKERS + new.slot, 1)
        self.log(w.UPGRADED(seat, old.index, new.index))
        refresh(self, seat)

    def release(self, seat: int, face: Face) -> None:
        """Take a worker off a technology into the worker pool."""
        self.change(seat, c.WORKERS + face.slot, -1)
        self.change(seat, c.UNUSED, 1)
        self.log(w.RETIRED(seat, face.index))
        refresh(self, seat)

    def lose_worker(self, seat: int, face: Face | None) -> None:
        """Return a worker to the yellow bank, from a technology or (None) from the worker pool."""
        if face is None:
            self.change(seat, c.UNUSED, -1)
        else:
            self.change(seat, c.WORKERS + face.slot, -1)
            self.log(w.RETIRED(seat, face.index))
        self.change(seat, c.YELLOW_BANK, 1)
        if face is not None:
            refresh(self, seat)
        self.count_discontent(seat)

    # Cards in play

    def has_technology(self, seat: int, face: Face) -> bool:
        """Whether this technology is in play (the ones of level 0 that hold workers always are)."""
        if face.level == 0:
            return True
        ident = self.ident
        index = face.index
        return any(ident[card] == index for card in self.zones[seat * c.ZONES_PER_SEAT + c.TECHNOLOGIES])

    def put_in_play(self, seat: int, card: int, zone: int) -> None:
        """Put a card into a zone of cards in play; its tokens are gained. Ratings are to be refreshed."""
        self.move(card, seat * c.ZONES_PER_SEAT + zone)
        face = self.face(card)
        self._tokens(seat, face, 1)
        self.log(w.PUT_IN_PLAY(seat, face.index))

    def take_out_of_play(self, seat: int, card: int) -> None:
        """Remove a card from play; its tokens are lost. Ratings are to be refreshed."""
        face = self.face(card)
        self.log(w.LEFT_PLAY(seat, face.index))
        self.discard(card)
        self._tokens(seat, face, -1)

    def lose_tokens(self, seat: int, face: Face) -> None:
        """Lose the tokens that a card in play gave."""
        self._tokens(seat, face, -1)

    def _tokens(self, seat: int, face: Face, sign: int) -> None:
        if face.gives.yellow_tokens:
            self.change_yellow(seat, sign * face.gives.yellow_tokens)
        if face.gives.blue_tokens:
            self.change_blue(seat, sign * face.gives.blue_tokens)

    def put_special(self, seat: int, card: int) -> None:
        """Put a special technology into play; of two of one type the lower leaves play."""
        kind = self.face(card).facts["special_type"]
        same = [
            other
            for other in self.zone_of(seat, c.TECHNOLOGIES)
            if self.face(other).kind == SPECIAL and self.face(other).facts["special_type"] == kind
        ]
        self.put_in_play(seat, card, c.TECHNOLOGIES)
        if same:
            self.take_out_of_play(seat, min((same[0], card), key=lambda one: self.face(one).level))

    def discard(self, card: int) -> None:
        """Discard a card from anywhere: a civil one leaves the game, a military one may be drawn again."""
        if self.back[card] in MILITARY_BACKS:
            self.discard_military(card)
        else:
            self.remove(card)

    # Military cards

    def discard_military(self, card: int) -> None:
        """Put a military card on the discard pile, face down."""
        self.move(card, self.layout.zones_common + c.MILITARY_DISCARD)

    def discard_unseen(self, seat: int, cards: Sequence[int]) -> None:
        """Discard cards of a hand face down: the others no longer know whether a card they saw is still
        there."""
        others = ~(1 << seat)
        for card in (*self.zone_of(seat, c.MILITARY_HAND), *cards):
            if self.known[card] & others:
                self.known[card] &= ~others
                self.reveal(card, seat)
        for card in cards:
            self.discard_military(card)
        if cards:
            self.log(w.DISCARDED(seat, len(cards)))

    def draw_military(self, seat: int, number: int) -> int:
        """Draw cards from the current military deck; none in age IV. Returns how many."""
        age = self.common(c.AGE)
        if age > 3:
            return 0
        deck = self.layout.zones_common + c.MILITARY_DECK + age
        drawn = 0
        for _ in range(number):
            self._reshuffle(deck, age)
            if self.draw(deck, seat * c.ZONES_PER_SEAT + c.MILITARY_HAND) is None:
                break
            drawn += 1
            self._reshuffle(deck, age)
        if drawn:
            self.log(w.DREW(seat, drawn))
        return drawn

    def _reshuffle(self, deck: int, age: int) -> None:
        if self.zones[deck]:
            return
        discard = self.layout.zones_common + c.MILITARY_DISCARD
        back = MILITARY_BACKS[age]
        cards = [card for card in self.zones[discard] if self.back[card] == back]
        for card in cards:
            self.move(card, deck)
        if cards:
            self.shuffle(deck)

    def hide_prepared(self, card: int) -> None:
        """Put a prepared event on the future events, known to be an event or a territory."""
        self.move(card, self.layout.zones_common + c.FUTURE_EVENTS)
        self.limit[card] = EVENT_OR_TERRITORY

    def renew_events(self) -> None:
        """Shuffle the future events and make them the current ones, earlier ages on top."""
        current, future = (self.layout.zones_common + zone for zone in (c.CURRENT_EVENTS, c.FUTURE_EVENTS))
        self.shuffle(future)
        for card in sorted(self.zones[future], key=lambda one: -self.back[one]):
            self.move(card, current)
            self.limit[card] = EVENT_OR_TERRITORY

    def in_box(self) -> Iterator[int]:
        """The cards that are in no zone."""
        return (card for card, place in enumerate(self.place) if place == NOWHERE)
