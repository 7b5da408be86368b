"""Who sits where in a match to be created."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ziggurat.address import token_bytes
from ziggurat.v1 import bot_pb2, record_pb2

Token = bytes | str
"""A token: bytes, or hex text."""


def token_hash(token: Token | None) -> bytes:
    """A token's SHA-256 as it goes over the wire; b"" for none. Raises BadAddress."""
    return hashlib.sha256(token_bytes(token)).digest() if token is not None else b""


@dataclass(frozen=True, slots=True)
class AnyBot:
    """Any registered bot that plays the game, is connected and has a place free.

    The one whose rating is nearest to `near_rating` comes first, and none is taken that is farther away from it than
    `max_distance`. Ratings are OpenSkill means; a bot without one counts as 25.
    """

    near_rating: float | None = None
    max_distance: float | None = None


@dataclass(frozen=True, slots=True)
class SeatFor:
    """A seat of a match to create: the name to show and the token that opens it; without both it is open to `join`.

    Or `bot`: the name of a registered bot, or AnyBot(); the server fills in its name and token.
    """

    name: str = ""
    token: Token | None = None
    bot: str | AnyBot | None = None

    def message(self) -> record_pb2.SeatSpec:
        """The seat as it goes over the wire."""
        wish = None
        if isinstance(self.bot, str):
            wish = bot_pb2.BotWish(name=self.bot)
        elif self.bot is not None:
            wish = bot_pb2.BotWish(near_rating=self.bot.near_rating, max_distance=self.bot.max_distance)
        return record_pb2.SeatSpec(name=self.name, token_sha256=token_hash(self.token), bot=wish)
