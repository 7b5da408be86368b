"""`ziggurat health`: ask a server whether it serves."""

from __future__ import annotations

from typing import Annotated

import grpc
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS = 2.5


def health(
    address: Annotated[str, typer.Option(envvar="ZIGGURAT_ADDRESS", help="HOST:PORT.")] = "127.0.0.1:50051",
) -> None:
    """Ask a server whether it serves.

    The exit status is 0 if it does, 1 if not.
    """
    said, good = ask(address)
    typer.echo(f"{address}: {said}", err=not good)
    if not good:
        raise typer.Exit(1)


def ask(address: str, seconds: float = SECONDS) -> tuple[str, bool]:
    """What the server says, and whether it serves."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        return "no address: HOST:PORT is wanted", False
    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=seconds
            )
        except grpc.RpcError as error:
            return f"no answer ({error.code().name}); start a server there or name another --address", False
    name = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return name, answer.status == health_pb2.HealthCheckResponse.SERVING
