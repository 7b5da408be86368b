"""The register of bots: data in the store, so that every node knows the same."""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ziggurat_rules.errors import UnknownGame
from ziggurat_rules.registry import load_game
from ziggurat_server.bots.values import NAME, RegisteredBot
from ziggurat_server.convert import bots as convert_bots
from ziggurat_server.errors import ServiceError
from ziggurat_server.sessions.bots import CHANGED, FULL, NEW, NONE_FREE, TOKEN_USED
from ziggurat_server.sessions.store import Store

MAX_BOTS = 10_000
MAX_CAPACITY = 10_000
MAX_GAMES = 64
_VERSION = re.compile(r"[A-Za-z0-9._+-]{0,64}")


@dataclass(frozen=True, slots=True)
class Presence:
    """A registered bot as it is now: whether it has a stream, and in how many open matches it has a seat."""

    bot: RegisteredBot
    connected: bool
    open_games: int

    @property
    def full(self) -> bool:
        """Whether it has as many matches as it takes."""
        return 0 < self.bot.capacity <= self.open_games


class HasPlaces(Protocol):
    """A bot that plays only so many games at once (0: no limit of its own)."""

    @property
    def token_sha256(self) -> bytes:
        """Hash of its token, by which its games are counted."""
        ...

    @property
    def capacity(self) -> int:
        """How many."""
        ...


class Registry:
    """Registered bots. All methods raise StoreUnavailable when the store cannot be reached."""

    def __init__(self, store: Store) -> None:
        self._store = store.bots

    async def register(self, bot: RegisteredBot) -> RegisteredBot:
        """Register a bot, or change it if it is the same owner's; repeating it is fine.

        Raises ServiceError: BAD_FIELD, UNKNOWN_GAME, BOT_EXISTS (another owner), LIMIT.
        """
        check_bot(bot)
        while True:
            raw, old = await self._owned(bot.name, bot.owner_sha256, "BOT_EXISTS")
            if old == bot:
                return bot
            old_token = old.token_sha256 if old is not None else b""
            outcome, holder = await self._store.put(
                bot.name, raw, convert_bots.encode_bot(bot), old_token, bot.token_sha256, MAX_BOTS
            )
            if outcome == TOKEN_USED:
                words = f"{holder!r} is registered with this token; give each bot one of its own"
                raise ServiceError("BAD_FIELD", "token_sha256", words)
            if outcome == FULL:
                raise ServiceError("LIMIT", "name", f"{MAX_BOTS} bots are registered; remove some first")
            if outcome != CHANGED:
                return bot

    async def unregister(self, name: str, owner_sha256: bytes) -> None:
        """Remove a bot; its open matches and its ratings stay. Raises UNKNOWN_BOT or BAD_TOKEN."""
        while True:
            raw, old = await self._owned(name, owner_sha256, "BAD_TOKEN")
            if old is None:
                raise unknown_bot("name", name)
            token = old.token_sha256
            outcome, _ = await self._store.put(name, raw, b"", token, token, MAX_BOTS)
            if outcome != CHANGED:
                return

    async def _owned(self, name: str, owner_sha256: bytes, reason: str) -> tuple[bytes, RegisteredBot | None]:
        """The entry of a name as bytes and as a value; raises `reason` if it is another owner's."""
        raw = await self._store.get(name)
        old = convert_bots.decode_bot(raw) if raw else None
        if old is not None and not hmac.compare_digest(old.owner_sha256, owner_sha256):
            if reason == "BOT_EXISTS":
                words = (
                    f"{name!r} is registered by another owner; choose another name, or give its owner's token"
                )
                raise ServiceError(reason, "name", words)
            words = f"only the owner of {name!r} may remove it, with the token that it was registered with"
            raise ServiceError(reason, "owner_token", words)
        return raw, old

    async def find(self, name: str) -> RegisteredBot | None:
        """The bot registered under a name."""
        raw = await self._store.get(name)
        return convert_bots.decode_bot(raw) if raw else None

    async def all(self) -> list[RegisteredBot]:
        """All registered bots, by name."""
        return [convert_bots.decode_bot(raw) for raw in (await self._store.all()).values()]

    async def connected(self, token_hashes: Collection[bytes]) -> set[bytes]:
        """Those of these tokens (hashes) that have a stream at some node, registered or not.

        A token whose node was killed counts as connected for some seconds more.
        """
        return await self._store.connected(token_hashes)

    async def presence(self, bots: Sequence[RegisteredBot], besides: str = "") -> list[Presence]:
        """How bots are now, in the order given; the match `besides` is not counted."""
        tokens = [bot.token_sha256 for bot in bots]
        here, games = await self.connected(tokens), await self._store.open_matches(tokens)
        return [
            Presence(b, b.token_sha256 in here, sum(match != besides for match in games[b.token_sha256]))
            for b in bots
        ]

    async def take_place(self, bot: HasPlaces, match_id: str) -> int:
        """Take a place for a bot in a match that is about to be created and has been announced (Node.announce).

        Gives NEW, HELD (the match had it before) or NONE_FREE. Places are counted in one step of the store, so two
        who ask at once, at whatever nodes, never get more than the capacity.
        """
        outcome = await self._store.take_place(bot.token_sha256, match_id, bot.capacity)
        if outcome == NONE_FREE:  # perhaps some are held for nothing: counting drops those
            await self._store.open_matches([bot.token_sha256])
            outcome = await self._store.take_place(bot.token_sha256, match_id, bot.capacity)
        return outcome

    async def take_places(
        self, match_id: str, bots: Iterable[HasPlaces]
    ) -> tuple[list[bytes], HasPlaces | None]:
        """Take a place for each bot, or for none if one has none free.

        Gives the tokens (hashes) whose places were taken by this call, and the bot that has none. All callers go in one
        order, so that of two who want the same bots one gets them.
        """
        taken: list[bytes] = []
        for bot in sorted(bots, key=lambda bot: bot.token_sha256):
            outcome = await self.take_place(bot, match_id)
            if outcome == NONE_FREE:
                await self.give_back(match_id, taken)
                return [], bot
            if outcome == NEW:
                taken.append(bot.token_sha256)
        return taken, None

    async def give_back(self, match_id: str, token_hashes: Iterable[bytes]) -> None:
        """Give back places in a match that was not created, or without these bots."""
        for token_hash in token_hashes:
            await self._store.give_back(token_hash, match_id)


def unknown_bot(field: str, name: str) -> ServiceError:
    """The error for a bot that is not registered."""
    words = f"no bot {name!r} is registered; register it, or choose one that is listed"
    return ServiceError("UNKNOWN_BOT", field, words)


def check_bot(bot: RegisteredBot) -> None:
    """Refuse what cannot be registered."""
    if not NAME.fullmatch(bot.name):
        raise ServiceError(
            "BAD_FIELD", "name", "1 to 32 of a-z, A-Z, 0-9, '.', '_', '-' wanted, a letter or digit first"
        )
    if not _VERSION.fullmatch(bot.version):
        raise ServiceError("BAD_FIELD", "version", "at most 64 of a-z, A-Z, 0-9, '.', '_', '+', '-' wanted")
    if len(bot.games) > MAX_GAMES:
        raise ServiceError("BAD_FIELD", "games", f"at most {MAX_GAMES}; leave it empty for all games")
    for number, game in enumerate(bot.games):
        if game in bot.games[:number]:
            raise ServiceError("BAD_FIELD", f"games[{number}]", f"{game!r} is named twice")
        try:
            load_game(game)
        except UnknownGame as error:
            raise ServiceError("UNKNOWN_GAME", f"games[{number}]", error.reason) from None
    if bot.capacity > MAX_CAPACITY:
        raise ServiceError("BAD_FIELD", "capacity", f"0 (no limit) to {MAX_CAPACITY} wanted")
    if len(bot.token_sha256) != 32:
        raise ServiceError("BAD_FIELD", "token_sha256", "the SHA-256 (32 bytes) of the bot's token is needed")
