"""What is known of bots, as values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""What a bot may be called, in the register and in events."""


@dataclass(frozen=True, slots=True)
class RegisteredBot:
    """A bot that matches and events can ask for by name."""

    name: str
    version: str
    games: tuple[str, ...]
    """Names of the games that it plays; none if it plays all."""
    capacity: int
    """Most matches at once; 0 for no limit of its own."""
    token_sha256: bytes
    owner_sha256: bytes
    """SHA-256 of the token that alone may change or remove it."""

    def plays(self, game: str) -> bool:
        """Whether it plays a game."""
        return not self.games or game in self.games


MOST = 1e6
"""No rating comes near it; greater ones would not stay finite in what is computed from them."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating (OpenSkill) and what it is made of."""

    mu: float
    sigma: float
    games: int = 0
    events: int = 0

    def __post_init__(self) -> None:
        if not (abs(self.mu) <= MOST and 0 < self.sigma <= MOST):
            raise ValueError(
                f"mu {self.mu} and sigma {self.sigma} are no rating: both at most {MOST:.0f}, sigma above 0"
            )
        if self.games < 0 or self.events < 0:
            raise ValueError(f"{self.games} games and {self.events} events: neither is below 0")


START = Rating(25.0, 25.0 / 3.0)
"""What OpenSkill takes a bot without a rating for."""

BotKey = tuple[str, str]
"""Name and version of a bot."""

RatingMap = Mapping[BotKey, Rating]


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """An event that counted: its bots with their ratings after it."""

    event_id: str
    at_ms: int
    after: RatingMap
