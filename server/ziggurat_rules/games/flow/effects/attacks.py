"""Attacks: one weaker opponent, or every weaker opponent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.flow import words as w
from ziggurat_rules.games.flow.effects.effect import (
    CardEffect,
    a_flag,
    a_type,
    an_amount,
    effect,
    key,
    some_types,
)
from ziggurat_rules.games.flow.effects.lasting import Pacifism, TokensOnOwnAttack
from ziggurat_rules.terms import Term

if TYPE_CHECKING:
    from ziggurat_rules.games.flow.table import FlowTable

Harm = tuple[int, ...]
"""The victim, then the cards it loses."""


def attack(t: FlowTable, seat: int, card: int) -> Effect[None]:
    """One weaker opponent that has something to lose, at the attacker's choice (R32, R33)."""
    effect = _activated(t, seat, card)
    if effect is None:
        return
    options = {term: harm for victim in _weaker(t, seat) for term, harm in effect.harms(t, victim).items()}
    if options:
        harm = yield from choose(seat, w.ATTACK_WHOM(t.ident[card]), options, skip_if_forced=True)
        effect.strike(t, seat, harm)
    _rewarded(t, seat)


def attack_all(t: FlowTable, seat: int, card: int) -> Effect[None]:
    """Every opponent weaker at the start, clockwise; the attacker chooses what each loses (R36)."""
    effect = _activated(t, seat, card)
    if effect is None:
        return
    for victim in _weaker(t, seat):
        options = effect.harms(t, victim)
        if options:
            harm = yield from choose(seat, w.ATTACK_WHAT(t.ident[card], victim), options, skip_if_forced=True)
            effect.strike(t, seat, harm)
    _rewarded(t, seat)


def _activated(t: FlowTable, seat: int, card: int) -> Attack | None:
    """The effect of the card, unless the Nation does not attack (R37)."""
    effect = t.face(card).effect
    assert isinstance(effect, Attack)
    if t.shows(seat, Pacifism):
        t.log(w.SUPPRESSED(seat, t.ident[card]))
        return None
    return effect


def _weaker(t: FlowTable, seat: int) -> list[int]:
    """Opponents of lower strength, clockwise; a tie is safe (R32), and so is who takes no part in attacks."""
    strength = t.strength(seat)
    return [one for one in t.opponents(seat) if t.defence(one) < strength and not t.shows(one, Pacifism)]


def _rewarded(t: FlowTable, seat: int) -> None:
    """What the activation of an attack earns, whatever came of it (R38)."""
    for reward in t.shows(seat, TokensOnOwnAttack):
        t.log(w.TOOK(seat, t.take_from_supply(seat, reward.amount)))


@dataclass(frozen=True, slots=True)
class Attack(CardEffect):
    """What an attack does to one victim."""

    timings = ("attack", "attack_all")

    def harms(self, t: FlowTable, victim: int) -> dict[Term, Harm]:
        """What the attacker may pick; empty if the victim has nothing to lose."""
        raise NotImplementedError

    def strike(self, t: FlowTable, seat: int, harm: Harm) -> None:
        """Do the picked harm: discard the cards."""
        for card in harm[1:]:
            t.discard(card)


@effect("steal_tokens")
@dataclass(frozen=True, slots=True)
class StealTokens(Attack):
    """Take tokens from the victim's Nation, or what it has if less (R17)."""

    amount: int = key(an_amount)

    def harms(self, t: FlowTable, victim: int) -> dict[Term, Harm]:
        """Nothing can be taken from who has no tokens."""
        taken = min(self.amount, t.tokens(victim))
        return {w.STEAL(victim, taken): (victim,)} if taken else {}

    def strike(self, t: FlowTable, seat: int, harm: Harm) -> None:
        """Move the tokens."""
        taken = t.transfer(t.layout.tokens + harm[0], t.layout.tokens + seat, self.amount)
        t.log(w.STOLE(seat, harm[0], taken))


@effect("discard_top")
@dataclass(frozen=True, slots=True)
class DiscardTop(Attack):
    """Discard the top card of one of these stacks, or of all of them."""

    types: tuple[int, ...] = key(some_types)
    all: bool = key(a_flag, False)

    def harms(self, t: FlowTable, victim: int) -> dict[Term, Harm]:
        """The stacks that are not empty (R34)."""
        tops = [top for kind in self.types if (top := t.top(victim, kind)) is not None]
        if self.all:
            return {w.DESTROY_ALL(victim): (victim, *tops)} if tops else {}
        return {w.DESTROY(victim, t.ident[card]): (victim, card) for card in tops}


@effect("discard_card")
@dataclass(frozen=True, slots=True)
class DiscardCard(Attack):
    """Discard any card of a type (Wonders are not stacked)."""

    type: int = key(a_type)

    def harms(self, t: FlowTable, victim: int) -> dict[Term, Harm]:
        """Each card of the type."""
        return {w.DESTROY(victim, t.ident[card]): (victim, card) for card in t.stack(victim, self.type)}
