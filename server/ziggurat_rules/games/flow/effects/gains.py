"""Gaining cards and tokens: instant effects and turn actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.flow import words as w
from ziggurat_rules.games.flow.effects.attacks import attack, attack_all
from ziggurat_rules.games.flow.effects.effect import (
    CardEffect,
    Per,
    a_flag,
    a_store,
    a_type,
    an_amount,
    effect,
    key,
    some_types,
)

if TYPE_CHECKING:
    from ziggurat_rules.games.flow.table import FlowTable


def gain(t: FlowTable, seat: int, card: int) -> Effect[None]:
    """Put a card into the Nation, once the old Leader has left, and resolve it (R18, R20, R27)."""
    face = t.face(card)
    t.log(w.GAINED(seat, t.ident[card]))
    t.put_in_nation(seat, card)
    if face.timing in ("instant", "attack", "attack_all"):
        with t.resolving(seat, t.ident[card]):
            if face.timing == "instant":
                yield from gain_effect(t, card).resolve(t, seat, card)
            elif face.timing == "attack":
                yield from attack(t, seat, card)
            else:
                yield from attack_all(t, seat, card)


@dataclass(frozen=True, slots=True)
class Gain(CardEffect):
    """An effect that is resolved once: when its card comes, or as the action of a turn."""

    timings = ("instant", "turn_action")

    def possible(self, t: FlowTable, seat: int) -> bool:
        """Whether it can be paid for and does anything: else it is no legal action (R25)."""
        return True

    def resolve(self, t: FlowTable, seat: int, card: int) -> Effect[None]:
        """Do what the card says; `card` is the card itself."""
        raise NotImplementedError


def gain_effect(t: FlowTable, card: int) -> Gain:
    """The effect of a card with an instant effect or a turn action."""
    effect = t.face(card).effect
    assert isinstance(effect, Gain)
    return effect


@effect("gain_from_market")
@dataclass(frozen=True, slots=True)
class GainFromMarket(Gain):
    """Gain a non-invested card of these types; what it costs is paid first (R26)."""

    types: tuple[int, ...] = key(some_types)
    pay: int = key(an_amount, 0)
    discard_own_top: int = key(a_type, -1)
    remove_self: bool = key(a_flag, False)

    def check(self, where: str) -> None:
        """The card that pays is not the one that may be the own top."""
        if self.remove_self and self.discard_own_top >= 0:
            raise BadPack(where, "one of remove_self and discard_own_top at most")

    def possible(self, t: FlowTable, seat: int) -> bool:
        """A card to gain, the tokens, and the card to discard."""
        if t.tokens(seat) < self.pay or (
            self.discard_own_top >= 0 and not t.stack(seat, self.discard_own_top)
        ):
            return False
        return any(t.face(card).kind in self.types for card in t.free_cards())

    def resolve(self, t: FlowTable, seat: int, card: int) -> Effect[None]:
        """Pay, pick, gain; with no legal card nothing happens (R24)."""
        if not self.possible(t, seat):
            return
        self._pay(t, seat, card)
        options = {w.GAIN(t.ident[one]): one for one in t.free_cards() if t.face(one).kind in self.types}
        picked = yield from choose(seat, w.GAIN_WHICH(t.ident[card]), options, skip_if_forced=True)
        yield from gain(t, seat, picked)

    def _pay(self, t: FlowTable, seat: int, card: int) -> None:
        t.pay_to_supply(seat, self.pay)
        if self.remove_self:
            t.discard(card)
        if self.discard_own_top >= 0:
            t.discard(t.stack(seat, self.discard_own_top)[-1])


@effect("gain_deck_top")
@dataclass(frozen=True, slots=True)
class GainDeckTop(Gain):
    """Gain the top card of the deck, whatever it is."""

    remove_self: bool = key(a_flag, False)

    def possible(self, t: FlowTable, seat: int) -> bool:
        """A card in the deck."""
        return bool(t.deck)

    def resolve(self, t: FlowTable, seat: int, card: int) -> Effect[None]:
        """From an empty deck nothing comes (R30)."""
        if not self.possible(t, seat):
            return
        if self.remove_self:
            t.discard(card)
        yield from gain(t, seat, t.deck[-1])


@effect("take_tokens_per")
@dataclass(frozen=True, slots=True)
class TakeTokensPer(Per, Gain):
    """Take tokens per icon or card, as many as the Supply or the Reserve has (R10, R11)."""

    timings = ("instant", "turn_action")
    source: bool = key(a_store, False)

    def resolve(self, t: FlowTable, seat: int, card: int) -> Effect[None]:
        """The card itself counts."""
        amount = self.counted(t, seat, t.icon_counts(seat))
        took = t.take_from_reserve(seat, amount) if self.source else t.take_from_supply(seat, amount)
        t.log(w.TOOK(seat, took))
        return
        yield


@effect("redistribute_tokens")
@dataclass(frozen=True, slots=True)
class RedistributeTokens(Gain):
    """All tokens of all Nations join the Supply, which is then split evenly; the remainder stays (R16)."""

    def resolve(self, t: FlowTable, seat: int, card: int) -> Effect[None]:
        """Invested tokens and the Banker take no part."""
        for one in range(t.seats):
            t.pay_to_supply(one, t.tokens(one))
        share = t.counters[t.layout.supply] // t.seats
        for one in range(t.seats):
            t.take_from_supply(one, share)
        t.log(w.SHARED_OUT(share))
        return
        yield


@effect("discard_own_top_or_self")
@dataclass(frozen=True, slots=True)
class DiscardOwnTopOrSelf(Gain):
    """Discard the own top card of a type, or else this card; the owner chooses (R28)."""

    type: int = key(a_type)

    def resolve(self, t: FlowTable, seat: int, card: int) -> Effect[None]:
        """Without a card of the type this one goes."""
        options = {w.LOSE(t.ident[one]): one for one in {card, *t.stack(seat, self.type)[-1:]}}
        gone = yield from choose(seat, w.LOSE_WHICH(t.ident[card]), options, skip_if_forced=True)
        t.discard(gone)
