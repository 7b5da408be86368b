"""Puts the services on a gRPC server, with health and reflection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from ziggurat.v1 import game_pb2_grpc, match_pb2_grpc, play_pb2_grpc, tournament_pb2_grpc
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.bots.seating import Seating
from ziggurat_server.matches.node import Node
from ziggurat_server.services.bots import Bots
from ziggurat_server.services.errors import MAX_MESSAGE_BYTES, Malformed
from ziggurat_server.services.games import GameInfos, Games
from ziggurat_server.services.matches import Matches
from ziggurat_server.services.play import Play
from ziggurat_server.services.tournaments import Tournaments
from ziggurat_server.tournaments.director import Director

SERVICES = tuple(
    f"ziggurat.v1.{name}" for name in ("GameService", "MatchService", "BotService", "TournamentService")
)


@dataclass
class Services:
    """What the application needs of the services while it runs."""

    play: Play
    health: HealthServicer

    async def serving(self, serving: bool) -> None:
        """Set the health status."""
        status = (
            health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        )
        for name in ("", *SERVICES):
            await self.health.set(name, status)


def register(
    server: grpc.aio.Server, node: Node, director: Director, registry: Registry, ratings: Ratings
) -> Services:
    """Add all services to a server. Play and Watch write messages that are encoded already."""
    infos = GameInfos()
    matches = Matches(node, infos, Seating(registry, ratings, node.announce), director.events)
    play, listed, health = Play(node, infos), Bots(registry, ratings), HealthServicer()
    checked: Any = _Checked(server)
    bots: Any = SimpleNamespace(
        Play=play.Play,
        RegisterBot=listed.RegisterBot,
        UnregisterBot=listed.UnregisterBot,
        ListBots=listed.ListBots,
    )
    game_pb2_grpc.add_GameServiceServicer_to_server(Games(node, infos), checked)
    match_pb2_grpc.add_MatchServiceServicer_to_server(matches, checked)
    play_pb2_grpc.add_BotServiceServicer_to_server(bots, checked)
    events = Tournaments(node, director, registry, ratings)
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(events, checked)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    reflection.enable_server_reflection((*SERVICES, reflection.SERVICE_NAME), server)
    return Services(play, health)


class _Checked:
    """Registers methods so that bytes that are no message reach them as Malformed, to be refused with a status."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Not used: all methods are registered by name."""

    def add_registered_method_handlers(self, service: str, handlers: dict[str, Any]) -> None:
        """Register the methods of a service."""
        changed = {}
        for name, handler in handlers.items():
            answers = None if handler.response_streaming else handler.response_serializer
            reader = _reader(handler.request_deserializer)
            changed[name] = handler._replace(request_deserializer=reader, response_serializer=answers)
        self._server.add_registered_method_handlers(service, changed)


def _reader(parse: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        try:
            return parse(data) if len(data) <= MAX_MESSAGE_BYTES else Malformed(len(data))
        except DecodeError:
            return Malformed(len(data))

    return read


__all__ = ["Services", "register"]
