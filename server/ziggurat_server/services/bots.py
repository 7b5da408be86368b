"""BotService but for its stream: the register of bots."""

from __future__ import annotations

import hashlib
from typing import Any

from ziggurat.v1 import bot_pb2
from ziggurat_rules.registry import game_names, load_game
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Presence, Registry
from ziggurat_server.bots.values import RatingMap, RegisteredBot
from ziggurat_server.convert import bots as convert_bots
from ziggurat_server.errors import ServiceError
from ziggurat_server.services.errors import guarded, page_size


def _owner_hash(token: bytes) -> bytes:
    if len(token) < 16:
        raise ServiceError("NO_TOKEN", "owner_token", "the owner's token (16 bytes or more) is needed")
    return hashlib.sha256(token).digest()


class Bots:
    """The register of bots."""

    def __init__(self, registry: Registry, ratings: Ratings) -> None:
        self._registry = registry
        self._ratings = ratings

    @guarded
    async def RegisterBot(
        self, request: bot_pb2.RegisterBotRequest, context: Any
    ) -> bot_pb2.RegisterBotResponse:
        """Register a bot, or change what its owner registered."""
        asked = RegisteredBot(
            request.name,
            request.version,
            tuple(request.games),
            request.capacity,
            request.token_sha256,
            _owner_hash(request.owner_token),
        )
        [bot] = await self._registry.presence([await self._registry.register(asked)])
        return bot_pb2.RegisterBotResponse(bot=_info(bot, await self._ratings_of("")))

    @guarded
    async def UnregisterBot(
        self, request: bot_pb2.UnregisterBotRequest, context: Any
    ) -> bot_pb2.UnregisterBotResponse:
        """Remove a bot."""
        await self._registry.unregister(request.name, _owner_hash(request.owner_token))
        return bot_pb2.UnregisterBotResponse()

    @guarded
    async def ListBots(self, request: bot_pb2.ListBotsRequest, context: Any) -> bot_pb2.ListBotsResponse:
        """Registered bots, by name."""
        limit = page_size(request.limit)
        if request.game:
            load_game(request.game)
        found = [
            bot
            for bot in await self._registry.all()
            if bot.name > request.after_name and (not request.game or bot.plays(request.game))
        ]
        page = await self._registry.presence(found[:limit])
        ratings = await self._ratings_of(request.game)
        return bot_pb2.ListBotsResponse(
            bots=[_info(one, ratings) for one in page],
            next_after_name=page[-1].bot.name if len(found) > limit else "",
        )

    async def _ratings_of(self, game: str) -> dict[str, RatingMap]:
        """Ratings by game, of one or of all."""
        return {name: await self._ratings.read(name) for name in ([game] if game else game_names())}


def _info(one: Presence, ratings: dict[str, RatingMap]) -> bot_pb2.BotInfo:
    """A bot as everybody may know it: no token, and no hash of one."""
    bot = one.bot
    key = (bot.name, bot.version)
    return bot_pb2.BotInfo(
        name=bot.name,
        version=bot.version,
        games=bot.games,
        capacity=bot.capacity,
        connected=one.connected,
        open_matches=one.open_games,
        ratings=[
            convert_bots.rating_message(game, rated[key]) for game, rated in ratings.items() if key in rated
        ],
    )
