"""Positions of ERA built card by card, and a match to play them."""

from __future__ import annotations

from typing import Any

from ziggurat_rules.decisions import OPTIONS, RANGE, SUBSET, Choice, Decision
from ziggurat_rules.games.era import GAME
from ziggurat_rules.games.era.blocks import settle
from ziggurat_rules.games.era.front import Front
from ziggurat_rules.games.era.game import EraGame
from ziggurat_rules.games.era.layout import FRESH, HEIGHT, STORED, TOKENS, Step
from ziggurat_rules.games.era.symbols import KINDS
from ziggurat_rules.games.era.table import EraTable
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match
from ziggurat_rules.terms import Term

ERAS = ("egypt", "medieval", "great_war", "cold_war")


def id_of(game: EraGame, face: int) -> str:
    return game.catalogue.cards[face].id


class Position:
    """A table in the middle of a game: second round, all cards in their decks until they are placed."""

    def __init__(self, *eras: str, game: EraGame = GAME, seed: int = 7, **options: Any) -> None:
        eras = eras or ERAS[:2]
        self.game = game
        self.options = game.options(**options)
        self.t: EraTable = game.setup(seed, len(eras), self.options)
        while self.t.agenda:
            self.t.drop()
        self.lay = self.t.layout
        for seat, era in enumerate(eras):
            self.t.put(self.lay.era + seat, [game.catalogue.index(era)])
        for card in range(len(self.t.ident)):
            self._first_place(card)
        for seat in range(len(eras)):
            if len(eras) > 2:
                self.t.uncover(seat)
        self.t.set(self.lay.round, 2)
        self.t.put(self.lay.order, range(len(eras)))

    def _first_place(self, card: int) -> None:
        holder, n = self.t.holder(card), self.t.seats
        if 0 <= holder < n:
            self.t.move(card, self.lay.deck + holder)
        elif n > 2 and holder >= n:
            self.t.move(card, self.lay.bonus_deck if holder == 2 * n else self.lay.community + holder - n)

    # Placing

    def card(self, holder: int, name: str) -> int:
        """A card of this name out of a seat's deck (or seats + owner: a community pile)."""
        zone = self.lay.deck + holder if holder < self.t.seats else self.lay.community + holder - self.t.seats
        for card in self.t.zones[zone]:
            if id_of(self.game, self.t.ident[card]) == name:
                return card
        raise AssertionError(f"no {name} is left in the pile")

    def hand(self, seat: int, *names: str) -> Position:
        for name in names:
            self.t.move(self.card(seat, name), self.lay.hand + seat)
        return self

    def play(self, seat: int, name: str, copies: int = 1, tokens: int = 0) -> Position:
        """A stack of a seat."""
        self.t.lay_out(seat, self.card(seat, name))
        position = len(self.t.lists[self.lay.stacks + seat]) // 5 - 1
        for _ in range(copies - 1):
            self.t.lay_on(seat, self.card(seat, name), position)
        self.t.edit_stack(seat, position, TOKENS, tokens)
        return self

    def threat(self, era: int, name: str) -> Position:
        """A conflict card in play against a seat."""
        holder = 1 - era if self.t.seats == 2 else self.t.seats + era
        self.t.threaten(era, self.card(holder, name))
        if self.t.seats > 2:
            self.t.uncover(era)
        return self

    def build(self, seat: int, count: int) -> Position:
        """Face-down build cards, whatever they are."""
        for _ in range(count):
            self.t.draw(self.lay.deck + seat, self.lay.build_down + seat)
        return self

    def build_up(self, seat: int, *names: str) -> Position:
        for name in names:
            self.t.move(self.card(seat, name), self.lay.build_up + seat)
        return self

    def conflict(self, seat: int, *names: str) -> Position:
        """The conflict pile; the first one is flipped first."""
        for name in reversed(names):
            self.t.move(self.card(seat, name), self.lay.conflict + seat)
        return self

    def discard(self, seat: int, *names: str) -> Position:
        for name in names:
            self.t.move(self.card(seat, name), self.lay.discard + seat)
        return self

    def top(self, seat: int, *names: str) -> Position:
        """The top of the deck; the first one is dealt first."""
        for name in reversed(names):
            self.t.move(self.card(seat, name), self.lay.deck + seat)
        return self

    def community(self, owner: int, *names: str) -> Position:
        """The top of a community pile, first one on top."""
        for name in reversed(names):
            self.t.move(self.card(self.t.seats + owner, name), self.lay.community + owner)
            self.t.uncover(owner)
        return self

    def store(self, seat: int, position: int, name: str, fresh: bool = False) -> Position:
        self.t.store(seat, self.card(seat, name), position)
        if not fresh:
            self.t.edit_stack(seat, position, FRESH, 0)
        return self

    def bonus(self, seat: int, name: str) -> Position:
        card = next(c for c in self.t.zones[self.lay.bonus_deck] if id_of(self.game, self.t.ident[c]) == name)
        self.t.move(card, self.lay.bonus + seat)
        return self

    def counter(self, name: str, value: int, seat: int | None = None) -> Position:
        self.t.set(getattr(self.lay, name) + (seat or 0), value)
        return self

    def at(self, step: Step, seat: int = 0, *arguments: int) -> Play:
        """The match from this step on; afterwards the others have their turns."""
        t = self.t
        t.set(self.lay.active, seat)
        for era in range(t.seats):
            settle(t, era)  # the first symbols are blocked; nobody is asked here
        while t.agenda:
            t.drop()
        t.push(Step.END_ROUND)
        for other in reversed(t.others(seat)):
            t.push(Step.TURN, other)
        t.push(step, seat, *arguments)
        t.events.clear()
        return Play(Match.of_table(self.game, t, self.options))

    def turn(self, seat: int = 0) -> Play:
        return self.at(Step.TURN, seat)


class Play:
    """A match, driven by the names of options."""

    def __init__(self, match: Match[EraTable]) -> None:
        self.match = match

    @property
    def t(self) -> EraTable:
        return self.match.table

    @property
    def game(self) -> EraGame:
        game = self.match.game
        assert isinstance(game, EraGame)
        return game

    @property
    def seat(self) -> int:
        (seat,) = self.match.to_act
        return seat

    @property
    def decision(self) -> Decision:
        return self.match.decision(self.seat)

    def say(self, term: Term) -> dict[str, Any]:
        """A term as a dict of verb and arguments; cards by id, words as words."""
        verb = self.game.vocabulary.verbs[term[0]]
        said: dict[str, Any] = {"verb": verb.name}
        for argument, value in zip(verb.arguments, term[1:], strict=True):
            kind = argument.kind
            said[argument.name] = (
                id_of(self.game, value)
                if kind == "card" and value >= 0
                else self.game.vocabulary.words[value]
                if kind == "word"
                else value
            )
        return said

    @property
    def asked(self) -> str:
        return str(self.say(self.decision.prompt)["verb"]) if self.match.pending else ""

    def options(self, verb: str = "", **wanted: Any) -> list[dict[str, Any]]:
        """The options of this verb with these arguments."""
        return [self.say(self.decision.options[index]) for index in self._indexes(verb, wanted)]

    def _indexes(self, verb: str, wanted: dict[str, Any]) -> list[int]:
        wanted = wanted | ({"verb": verb} if verb else {})
        said = [self.say(term) for term in self.decision.options]
        return [i for i, one in enumerate(said) if all(one.get(k) == v for k, v in wanted.items())]

    def offers(self, verb: str, **wanted: Any) -> bool:
        return bool(self.options(verb, **wanted))

    def take(self, verb: str, **wanted: Any) -> Play:
        """Choose the one option that fits."""
        assert self.decision.kind == OPTIONS, self.asked
        found = self._indexes(verb, wanted)
        assert len(found) == 1, f"{verb} {wanted}: {len(found)} fit of {self.options()}"
        return self.apply(found[0])

    def pick(self, *wanted: dict[str, Any]) -> Play:
        """Choose a subset, option by option."""
        assert self.decision.kind == SUBSET, self.asked
        chosen: list[int] = []
        for one in wanted:
            chosen.append(next(i for i in self._indexes("", one) if i not in chosen))
        return self.apply(tuple(sorted(chosen)))

    def number(self, value: int) -> Play:
        assert self.decision.kind == RANGE, self.asked
        return self.apply(value)

    def apply(self, choice: Choice) -> Play:
        self.match.apply(self.seat, choice)
        return self

    def random(self, count: int, key: int) -> Play:
        for number in range(count):
            if self.match.over:
                break
            self.apply(self.decision.sample(keyed(key, number)))
        return self

    # Looking

    def counter(self, name: str, seat: int = 0) -> int:
        return self.t.counters[getattr(self.t.layout, name) + seat]

    def zone(self, name: str, seat: int = 0) -> list[str]:
        return [id_of(self.game, self.t.ident[c]) for c in self.t.zones[getattr(self.t.layout, name) + seat]]

    def size(self, name: str, seat: int = 0) -> int:
        return len(self.zone(name, seat))

    def row(self, era: int, side: int, position: int) -> dict[str, int]:
        """Active symbols of a stack."""
        return {kind: n for kind, n in zip(KINDS, self.front(era).active[side][position], strict=True) if n}

    def front(self, era: int) -> Front:
        return self.t.front(era)

    def stack(self, seat: int, position: int) -> dict[str, int]:
        return {
            "copies": self.t.stack(seat, position, HEIGHT),
            "tokens": self.t.stack(seat, position, TOKENS),
            "stored": self.t.stack(seat, position, STORED),
        }
