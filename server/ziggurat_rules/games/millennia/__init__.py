"""Millennia: Tracks of Time, for 1 to 4 seats."""

from ziggurat_rules.games.millennia.game import GAME

__all__ = ["GAME"]
