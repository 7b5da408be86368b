"""The Flow of History."""

from ziggurat_rules.games.flow.game import GAME

__all__ = ["GAME"]
