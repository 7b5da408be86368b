"""ERA: two to four players, each with the deck of an Era."""

from ziggurat_rules.games.era.game import GAME

__all__ = ["GAME"]
