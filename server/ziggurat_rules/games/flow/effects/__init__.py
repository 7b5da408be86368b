"""What the cards do: one class per kind of effect of cards.toml; its fields are the keys of the kind."""

from ziggurat_rules.games.flow.effects import attacks, gains, lasting, scoring
from ziggurat_rules.games.flow.effects.effect import KINDS, CardEffect, NoEffect, build_effect

__all__ = ["KINDS", "CardEffect", "NoEffect", "attacks", "build_effect", "gains", "lasting", "scoring"]
