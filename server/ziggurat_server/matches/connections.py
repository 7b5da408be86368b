"""Connections: which tokens have a stream, here or at another node, and news of their seats for those that are here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, KeysView

import structlog

from ziggurat_server.errors import StoreUnavailable
from ziggurat_server.sessions.store import Store
from ziggurat_server.tasks import Tasks

log = structlog.get_logger()


class Connections:
    """The streams of tokens (given by their hashes)."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks
        self._streams: dict[bytes, list[Callable[[str], None]]] = {}
        self._left: set[bytes] = set()
        """Tokens whose last stream here has ended, until the store knows."""
        self._telling: asyncio.Task[None] | None = None

    @property
    def here(self) -> KeysView[bytes]:
        """Tokens with a stream at this node."""
        return self._streams.keys()

    async def connected(self, token_hashes: Iterable[bytes]) -> set[bytes]:
        """Those of the tokens that have a stream, at any node."""
        tokens = set(token_hashes)
        here = tokens & self.here
        return here | await self._store.bots.connected(tokens - here)

    async def listen(self, token_hash: bytes, heard: Callable[[str], None]) -> None:
        """Let a stream hear of each match in which its token gets a seat; till `unlisten` the token is connected."""
        self._streams.setdefault(token_hash, []).append(heard)
        try:
            await self._store.bots.present([token_hash])
        except StoreUnavailable:
            log.warning("store away; a bot is not known to be connected")  # the next beat says it

    def unlisten(self, token_hash: bytes, heard: Callable[[str], None]) -> None:
        """End that."""
        streams = self._streams[token_hash]
        streams.remove(heard)
        if not streams:
            del self._streams[token_hash]
            self._left.add(token_hash)
            if self._telling is None or self._telling.done():
                self._telling = self._tasks.spawn(self._tell_left(), "bots left")

    async def _tell_left(self) -> None:
        try:
            while gone := self._left - self.here:
                await self._store.bots.absent(gone)
                self._left -= gone
        except StoreUnavailable:
            return

    async def beat(self) -> None:
        """Say again who is here and, as news of other nodes may be lost, look for seats. Raises STORE_UNAVAILABLE."""
        await self._store.bots.present(self.here)
        if self._store.wake_others:
            for token_hash in list(self.here):
                await self._find_seats(token_hash)

    async def all_leave(self) -> None:
        """Say that nobody is here any more. Raises STORE_UNAVAILABLE."""
        await self._store.bots.absent(self._left | self.here)

    def got_seat(self, token_hash: bytes, match_id: str) -> None:
        """Tell the token's streams here of a seat."""
        for heard in list(self._streams.get(token_hash, ())):
            heard(match_id)

    def heard(self, token_hash: bytes) -> None:
        """Some node, perhaps this one, has given the token a seat."""
        if token_hash in self._streams:
            self._tasks.spawn(self._find_seats(token_hash), "find seats")

    async def _find_seats(self, token_hash: bytes) -> None:
        try:
            for match_id in await self._store.seats_of(token_hash):
                self.got_seat(token_hash, match_id)
        except StoreUnavailable:
            return
