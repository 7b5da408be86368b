"""The application: the only place where store, node and services are wired together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
from dataclasses import dataclass
from pathlib import Path

import grpc.aio
import structlog

from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.errors import StartupError
from ziggurat_server.matches.node import Node
from ziggurat_server.services.errors import MAX_MESSAGE_BYTES
from ziggurat_server.services.play import KEEPALIVE_MS
from ziggurat_server.services.registration import Services, register
from ziggurat_server.sessions.embedded import EmbeddedStore
from ziggurat_server.sessions.store import Store
from ziggurat_server.tournaments.director import Director
from ziggurat_server.tournaments.events import Events

log = structlog.get_logger()


@dataclass(frozen=True)
class Settings:
    """What `ziggurat serve` is told. With no `redis` URL the embedded store runs in `data_dir`."""

    listen: str = "127.0.0.1:50051"
    redis: str = ""
    data_dir: Path = Path("ziggurat-data")
    durability: str | None = None


GRPC_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 8 * MAX_MESSAGE_BYTES),  # up to here the refusal says why
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", KEEPALIVE_MS // 2),
    ("grpc.http2.min_ping_interval_without_data_ms", KEEPALIVE_MS // 2),
    ("grpc.http2.max_ping_strikes", 0),
)


def _check_port_free(listen: str) -> None:
    """gRPC can bind a used port silently; an ordinary bind tells."""
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise StartupError(f"--listen {listen!r} is no HOST:PORT")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), int(port)))
        except OSError as error:
            raise StartupError(
                f"cannot listen on {listen}: {error.strerror or error}; name another --listen"
            ) from None


class Application:
    """A running server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.port = 0
        self._stack = contextlib.ExitStack()
        self._node: Node | None = None
        self._director: Director | None = None
        self._server: grpc.aio.Server | None = None
        self._services: Services | None = None

    async def start(self) -> None:
        """Start everything; raises StartupError, with nothing left running."""
        try:
            await self._start()
        except BaseException:
            self._stack.close()
            raise

    async def _start(self) -> None:
        settings = self.settings
        _check_port_free(settings.listen)
        url, revive = settings.redis, None
        if not url:
            embedded = await asyncio.to_thread(EmbeddedStore, settings.data_dir)
            self._stack.callback(embedded.stop)
            url, revive = embedded.url, embedded.revive
        try:
            store = Store(url, revive=revive)
        except ValueError as error:
            raise StartupError(f"--redis {settings.redis!r}: {error}") from None
        await store.open(settings.durability)
        self._node = Node(store)
        self._server = grpc.aio.server(options=GRPC_OPTIONS)
        registry, ratings = Registry(store), Ratings(store)
        self._director = Director(self._node, Events(store), registry, ratings)
        self._services = register(self._server, self._node, self._director, registry, ratings)
        try:
            self.port = self._server.add_insecure_port(settings.listen)
        except RuntimeError as error:
            raise StartupError(f"cannot listen on {settings.listen}: {error}") from None
        await self._node.start()
        self._director.start(alone=not settings.redis)
        await self._server.start()
        await self._services.serving(True)
        log.info("serving", listen=settings.listen, port=self.port, durability=store.durability)

    async def stop(self) -> None:
        """Stop without losing anything: no new answers, appends in flight finish, then connections end."""
        assert self._node is not None and self._director is not None
        assert self._server is not None and self._services is not None
        await self._services.serving(False)
        self._node.stopping = True
        await self._director.stop()
        self._services.play.tell_stopping()
        await asyncio.sleep(0.05)
        await self._server.stop(1.0)
        await self._node.stop()
        await asyncio.to_thread(self._stack.close)
        log.info("stopped")


async def serve(settings: Settings, ready: Path | None = None) -> None:
    """Serve until SIGTERM or SIGINT. `ready`: a file that gets the port once the server serves."""
    application = Application(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await application.start()
    gc.freeze()  # what is loaded now stays; matches make little cyclic garbage
    gc.set_threshold(100_000, 50, 1000)
    if ready is not None:
        try:
            _write_port(ready, application.port)
        except OSError as error:
            await application.stop()
            raise StartupError(f"--ready-file {ready}: {error.strerror}") from None
    await stop.wait()
    await application.stop()


def _write_port(ready: Path, port: int) -> None:
    partial = ready.with_name(ready.name + ".new")
    partial.write_text(str(port))
    partial.replace(ready)
