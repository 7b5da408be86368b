"""Permanent effects: they hold while their card is uncovered."""

from __future__ import annotations

from dataclasses import dataclass, field

from ziggurat_rules.games.flow.effects.effect import (
    CardEffect,
    Per,
    an_amount,
    an_icon,
    effect,
    key,
    some_icons,
)
from ziggurat_rules.games.flow.symbols import packed


@effect("provide_icons")
@dataclass(frozen=True, slots=True)
class ProvideIcons(CardEffect):
    """Icons besides those of the stripe."""

    timings = ("permanent",)
    icons: tuple[int, ...] = key(some_icons)
    packed_icons: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed_icons", packed(self.icons))


@effect("provide_icons_per")
@dataclass(frozen=True, slots=True)
class ProvideIconsPer(Per):
    """Icons per icon of another kind, or per card of a type."""

    timings = ("permanent",)
    icon: int = key(an_icon)


@effect("tokens_on_own_attack")
@dataclass(frozen=True, slots=True)
class TokensOnOwnAttack(CardEffect):
    """Tokens from the Supply for each Attack or Attack All effect that the Nation activates."""

    timings = ("permanent",)
    amount: int = key(an_amount)


@effect("pacifism")
@dataclass(frozen=True, slots=True)
class Pacifism(CardEffect):
    """The Nation's attacks do not activate, and none can affect it."""

    timings = ("permanent",)
