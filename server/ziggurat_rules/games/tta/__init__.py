"""Through the Ages: A New Story of Civilization."""

from ziggurat_rules.games.tta.game import GAME

__all__ = ["GAME"]
