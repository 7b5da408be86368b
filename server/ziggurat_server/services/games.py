"""GameService, and GameInfos by id."""

from __future__ import annotations

import re
from typing import Any

from ziggurat.v1 import game_pb2, game_pb2_grpc
from ziggurat_rules.game import parse_options
from ziggurat_rules.registry import game_names, load_game
from ziggurat_server import convert
from ziggurat_server.errors import ServiceError
from ziggurat_server.matches.live import LiveMatch
from ziggurat_server.matches.node import Node
from ziggurat_server.services.errors import guarded

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def is_match_id(text: str) -> bool:
    """Whether a text can be the id of a match."""
    return _ID.fullmatch(text) is not None


def check_match_id(match_id: str) -> None:
    """Refuse what cannot be an id."""
    if not is_match_id(match_id):
        raise ServiceError("BAD_FIELD", "match_id", "1 to 64 of a-z, A-Z, 0-9, '.', '_', '-' wanted")


class GameInfos:
    """GameInfos of matches, made once per game, packs, seats and options."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], game_pb2.GameInfo] = {}

    def of(self, live: LiveMatch) -> game_pb2.GameInfo:
        """The GameInfo of a match."""
        packs = tuple(pack.sha256 for pack in live.header.packs)
        key = (live.game.name, live.game.rules_version, packs, len(live.seats), live.options)
        info = self._made.get(key)
        if info is None:
            if len(self._made) > 256:
                self._made.clear()
            info = self._made[key] = convert.game_info(live.game, len(live.seats), live.options)
        return info


class Games(game_pb2_grpc.GameServiceServicer):
    """What games there are."""

    def __init__(self, node: Node, infos: GameInfos) -> None:
        self._node = node
        self._infos = infos

    @guarded
    async def ListGames(self, request: game_pb2.ListGamesRequest, context: Any) -> game_pb2.ListGamesResponse:
        """The installed games, by name."""
        return game_pb2.ListGamesResponse(games=[convert.summary_message(load_game(n)) for n in game_names()])

    @guarded
    async def GetGame(self, request: game_pb2.GetGameRequest, context: Any) -> game_pb2.GetGameResponse:
        """A game by name, or as played in a match."""
        if request.match_id:
            check_match_id(request.match_id)
            session = await self._node.session(request.match_id)
            return game_pb2.GetGameResponse(info=self._infos.of(session.live))
        if not request.game:
            raise ServiceError("BAD_FIELD", "game", "name a game, or a match_id")
        game, packs = load_game(request.game), convert.read_packs(request.packs)
        game = game.with_packs(packs) if packs else game
        seats = request.seats or game.seats.stop - 1
        game.check_seats(seats)
        options = parse_options(game.options, dict(request.options))
        return game_pb2.GetGameResponse(info=convert.game_info(game, seats, options))
