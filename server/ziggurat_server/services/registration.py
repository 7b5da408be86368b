"""Puts the services on a gRPC server, with health and reflection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from ziggurat.v1 import game_pb2_grpc, match_pb2, match_pb2_grpc, play_pb2
from ziggurat_server.matches.node import Node
from ziggurat_server.services.games import GameInfos, Games
from ziggurat_server.services.matches import Matches
from ziggurat_server.services.play import Play

SERVICES = ("ziggurat.v1.GameService", "ziggurat.v1.MatchService", "ziggurat.v1.BotService")


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


def register(server: grpc.aio.Server, node: Node) -> Services:
    """Add all services to a server. Play and Watch write messages that are encoded already."""
    infos = GameInfos()
    matches, play, health = Matches(node, infos), Play(node, infos), HealthServicer()
    watch: Any = grpc.unary_stream_rpc_method_handler(
        matches.Watch, request_deserializer=match_pb2.WatchRequest.FromString, response_serializer=None
    )
    stream: Any = grpc.stream_stream_rpc_method_handler(
        play.Play, request_deserializer=play_pb2.PlayRequest.FromString, response_serializer=None
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("ziggurat.v1.BotService", {"Play": stream}),)
    )
    game_pb2_grpc.add_GameServiceServicer_to_server(Games(node, infos), server)
    match_pb2_grpc.add_MatchServiceServicer_to_server(matches, server)
    server.add_registered_method_handlers("ziggurat.v1.MatchService", {"Watch": watch})
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    reflection.enable_server_reflection((*SERVICES, reflection.SERVICE_NAME), server)
    return Services(play, health)


__all__ = ["Services", "register"]
