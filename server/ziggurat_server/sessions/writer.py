"""The hot path to the store: compare-and-append with group commit.

What is put in one turn of the event loop goes out in one write; groups follow each other without waiting for replies,
which come back in order. When the connection is lost nobody can tell what became of the appends under way: their
outcome is UNKNOWN, and whoever appended reads the log.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from hashlib import sha1
from typing import Any

import structlog
from hiredis import HiredisError, Reader, pack_command
from redis.asyncio.connection import parse_url

from ziggurat_server.errors import StartupError
from ziggurat_server.failpoints import passing

log = structlog.get_logger()

APPENDED, BEHIND, MISSING, UNKNOWN = 1, 0, -1, -2
"""Outcomes of an append: done; the log has another tip; there is no log; nobody can tell."""

Outcome = Callable[[int], None]
Arguments = tuple[str | bytes, ...]
_pack: Callable[[tuple[str | bytes | int, ...]], bytes] = pack_command  # type: ignore[assignment]

_APPEND = """
local tip = redis.call('GET', KEYS[1])
if not tip then return -1 end
if tip ~= ARGV[1] then return 0 end
for i = 5, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
redis.call('SET', KEYS[1], ARGV[2])
if ARGV[3] ~= '' then redis.call('PUBLISH', ARGV[3], ARGV[4]) end
return 1
"""
_EVALSHA = ("EVALSHA", sha1(_APPEND.encode(), usedforsecurity=False).hexdigest(), 2)
_EVAL = ("EVAL", _APPEND, 2)
CONNECT_SECONDS = 5.0
REPLY_SECONDS = 10.0


class Writer:
    """Appends to logs. `put` never blocks; its callback gets the outcome."""

    def __init__(self, url: str, revive: Callable[[], None]) -> None:
        """`revive` runs (in a thread) before each connection is made."""
        self._settings: dict[str, Any] = dict(parse_url(url))
        self._revive = revive
        self._queue: list[tuple[Arguments, Outcome]] = []
        self._link: _Link | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._flushing = False

    def put(self, arguments: Arguments, done: Outcome) -> None:
        """Queue an append: tip key, log key, tip, new tip, channel and text of the wake-up, entries."""
        self._queue.append((arguments, done))
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._link is not None:
            group, self._queue = self._queue, []
            self._link.send(group)
        elif self._connecting is None:
            self._connecting = asyncio.create_task(self._connect(), name="store writer")

    async def _connect(self) -> None:
        try:
            async with asyncio.timeout(CONNECT_SECONDS + REPLY_SECONDS):
                await asyncio.to_thread(self._revive)
                link = await self._open()
            self._link = link
        except (OSError, HiredisError, TimeoutError, StartupError) as error:
            log.warning("store cannot be reached", error=str(error))
            group, self._queue = self._queue, []
            for _, done in group:
                done(UNKNOWN)
        finally:
            self._connecting = None
        if self._queue:
            self._flush()

    async def _open(self) -> _Link:
        loop = asyncio.get_running_loop()
        link = _Link(self._lost)
        settings = self._settings
        if "path" in settings:
            await loop.create_unix_connection(lambda: link, settings["path"])
        else:
            tls = ssl.create_default_context() if "connection_class" in settings else None
            host, port = settings.get("host", "localhost"), settings.get("port", 6379)
            await loop.create_connection(lambda: link, host, port, ssl=tls)
        if settings.get("password"):
            user = (settings["username"],) if settings.get("username") else ()
            await link.call("AUTH", *user, settings["password"])
        if settings.get("db"):
            await link.call("SELECT", str(settings["db"]))
        return link

    def _lost(self, link: _Link) -> None:
        if self._link is link:
            self._link = None

    async def close(self) -> None:
        """Disconnect; what is under way keeps no outcome."""
        if self._connecting is not None:
            await self._connecting
        if self._link is not None:
            self._link.close()


class _Link(asyncio.Protocol):
    """One connection: replies are handed out in the order of sending."""

    def __init__(self, lost: Callable[[_Link], None]) -> None:
        self._lost = lost
        self._reader = Reader()
        self._sent: deque[tuple[Arguments, Callable[[Any], None]]] = deque()
        self._transport: Any = None
        self._script_known = False
        self._watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone: all that is under way is unknown."""
        self._lost(self)
        if self._watch is not None:
            self._watch.cancel()
        sent, self._sent = self._sent, deque()
        for _, done in sent:
            done(UNKNOWN)

    def close(self) -> None:
        """Disconnect."""
        self._transport.close()

    async def call(self, *command: str) -> Any:
        """One command of the connection's own; raises ConnectionError if it is refused."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._sent.append(((), answer.set_result))
        self._transport.write(_pack(command))
        reply = await answer
        if isinstance(reply, Exception) or reply == UNKNOWN:
            raise ConnectionError(f"{command[0]} was refused: {reply}")
        return reply

    def send(self, group: list[tuple[Arguments, Outcome]]) -> None:
        """Send appends; after a script flush what was refused is sent again."""
        command = _EVALSHA if self._script_known else _EVAL
        self._script_known = True  # EVAL loads it
        self._sent.extend(group)
        self._transport.write(b"".join([_pack(command + arguments) for arguments, _ in group]))
        passing("append_sent")
        self._wait()

    def _wait(self) -> None:
        if self._watch is None and self._sent:
            self._watch = asyncio.get_running_loop().call_later(REPLY_SECONDS, self._overdue)

    def _overdue(self) -> None:
        """No reply for too long: give the connection up."""
        self._watch = None
        log.warning("store does not reply")
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Replies have come."""
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        self._reader.feed(data)
        again: list[tuple[Arguments, Outcome]] = []
        while (reply := self._reader.gets()) is not False:
            arguments, done = self._sent.popleft()
            if not arguments:
                done(reply)
            elif isinstance(reply, int):
                passing("append_confirmed")
                done(reply)
            elif str(reply).startswith("NOSCRIPT"):
                again.append((arguments, done))
            else:  # READONLY, OOM and the like: refused, the log will tell
                log.warning("store refuses an append", error=str(reply))
                done(UNKNOWN)
        if again:
            self._script_known = False
            self.send(again)
        self._wait()
