"""The logs of events in this node's memory. Any node can read and append; none owns an event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

import structlog

from ziggurat_server.convert import events as convert
from ziggurat_server.errors import ServiceError, StoreUnavailable
from ziggurat_server.sessions.store import Store, Tail, chain
from ziggurat_server.sessions.writer import APPENDED
from ziggurat_server.tasks import Shared
from ziggurat_server.tournaments.event import Entrant, EventSpec
from ziggurat_server.tournaments.log import EventEntry, EventHeader, log_id
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.tokens import launched_token

log = structlog.get_logger()

APPEND_SECONDS = 30.0
LOOK_SECONDS = 1.0
"""A log is not trusted for longer without reading its tail: other nodes may have written."""
CARE_SECONDS = 10.0
"""For so long an event is left to the node that takes care of it."""
KEEP_SECONDS = 60.0
"""How long an event stays in memory that nobody takes care of, watches or asks for."""


class EventLog:
    """One event: its log, and the state that it comes to."""

    def __init__(self, store: Store, tail: Tail) -> None:
        self.header = convert.decode_event_header(tail.entries[0])
        self.state = EventState(self.header)
        self.entries: list[EventEntry] = []
        """Without the header."""
        self.touched = self.read_at = time.monotonic()
        self._store = store
        self._tip = chain(b"", tail.entries[:1])
        self._lock = asyncio.Lock()
        self._news: set[asyncio.Event] = set()
        self._fold(tail.entries[1:])

    @property
    def id(self) -> str:
        """Id of the event."""
        return self.header.event_id

    @property
    def followed(self) -> bool:
        """Whether somebody here takes care of it or watches it."""
        return bool(self._news)

    def launched_hash(self, bot: str) -> bytes:
        """Hash of the token of a launched bot; no process that plays one game alone has it."""
        return sha256(launched_token(self.header.launch_key, bot)).digest() if self.header.launch_key else b""

    def _fold(self, raw: Sequence[bytes]) -> None:
        try:
            for entry in map(convert.decode_event_entry, raw):
                self.state.fold(entry)
                self.entries.append(entry)
        except Exception as error:
            # Damaged bytes, or what only a newer node knows: this event's, and no other's.
            log.error("event cannot be read", event_id=self.id, exc_info=error)
            raise _unreadable(self.id) from None
        self._tip = chain(self._tip, raw)
        if raw:
            for news in self._news:
                news.set()

    def follow(self, news: asyncio.Event) -> Callable[[], None]:
        """Set `news` whenever something has happened; returns what ends that."""
        self._news.add(news)
        return lambda: self._news.discard(news)

    async def catch_up(self) -> None:
        """Read what other nodes appended."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        tail = await self._store.read(log_id(self.id), self.state.length)
        if tail is None:
            raise unknown_event(self.id)
        if tail.length < self.state.length or chain(self._tip, tail.entries) != tail.tip:
            raise ServiceError("ENGINE_FAULT", "event_id", f"the log of event {self.id!r} went back")
        self._fold(tail.entries)
        self.read_at = time.monotonic()

    async def append(self, make: Callable[[EventState], Sequence[EventEntry]]) -> Sequence[EventEntry]:
        """Append the entries that `make` finds right for the state; it is asked again if another node was faster.

        Returns what was appended, which may be nothing.
        """
        async with self._lock:
            while True:
                now_ms = int(time.time() * 1000)
                entries = [replace(entry, at_ms=now_ms) for entry in make(self.state)]
                if not entries or self.state.over:  # nothing follows the end
                    return ()
                raw = [convert.encode_event_entry(entry) for entry in entries]
                if await self._append(raw):
                    self._fold(raw)
                    return entries
                length = self.state.length
                await self._catch_up()
                if self.entries[length - 1 : length - 1 + len(entries)] == entries:
                    return entries  # the outcome was unknown: it was appended after all

    async def _append(self, raw: Sequence[bytes]) -> bool:
        try:
            async with asyncio.timeout(APPEND_SECONDS):
                return await self._store.append_and_wait(log_id(self.id), self._tip, raw) == APPENDED
        except TimeoutError:
            raise StoreUnavailable("the store has not confirmed this; try again") from None


class Events:
    """All events of the store, read when they are asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._logs: dict[str, EventLog] = {}
        self._loading = Shared(self._load)

    async def create(self, header: EventHeader) -> EventLog:
        """Create an event, or find it if it was created with the same content (EVENT_EXISTS if with other)."""
        event = await self.known(header.event_id)
        if event is None:
            await self.store.note_event(header.event_id, in_ms(CARE_SECONDS))
            await self.store.create(log_id(header.event_id), convert.encode_event_header(header))
            self._loading.renew(header.event_id)  # a load that began before the log did finds nothing
            event = await self.find(header.event_id)
        if not _same_content(event.header, header):
            raise ServiceError(
                "EVENT_EXISTS",
                "event_id",
                f"{header.event_id!r} exists with other content; choose another id",
            )
        return event

    async def known(self, event_id: str) -> EventLog | None:
        """An event as it is now, if there is one."""
        try:
            return await self.find(event_id)
        except ServiceError as error:
            if error.reason != "UNKNOWN_EVENT":
                raise
            return None

    async def find(self, event_id: str) -> EventLog:
        """An event as it is now; raises UNKNOWN_EVENT."""
        event = self._logs.get(event_id)
        if event is not None:
            event.touched = time.monotonic()
            if event.touched - event.read_at <= LOOK_SECONDS or event.state.over:
                return event
            try:
                await event.catch_up()
                return event
            except ServiceError as error:
                if error.reason != "ENGINE_FAULT":
                    raise
            if self._logs.get(event_id) is event:  # its log went back: read it all again
                del self._logs[event_id]
        return await self._loading.get(event_id)

    async def glimpse(self, event_id: str) -> EventLog:
        """The same for one of many: of what has to be read for it, past events are not kept."""
        if event_id in self._logs:
            return await self.find(event_id)
        event = await self._read(event_id)
        return event if event.state.over else self._kept(event)

    async def _read(self, event_id: str) -> EventLog:
        tail = await self.store.read(log_id(event_id))
        if tail is None:
            raise unknown_event(event_id)
        return await asyncio.to_thread(_folded, self.store, event_id, tail)  # half a second for 2,000 games

    async def _load(self, event_id: str) -> EventLog:
        return self._kept(await self._read(event_id))

    def _kept(self, event: EventLog) -> EventLog:
        """An event that has been read, kept in place of those that nobody needs any more."""
        now = time.monotonic()
        for event_id, other in list(self._logs.items()):
            if not other.followed and now - other.touched > KEEP_SECONDS:
                del self._logs[event_id]
        return self._logs.setdefault(event.id, event)


def _folded(store: Store, event_id: str, tail: Tail) -> EventLog:
    try:
        return EventLog(store, tail)
    except ServiceError:
        raise
    except Exception as error:  # its header
        log.error("event cannot be read", event_id=event_id, exc_info=error)
        raise _unreadable(event_id) from None


def _unreadable(event_id: str) -> ServiceError:
    return ServiceError(
        "ENGINE_FAULT", "event_id", f"the log of event {event_id!r} cannot be read on this node"
    )


def in_ms(seconds: float) -> int:
    """The time so many seconds from now (Unix ms)."""
    return int((time.time() + seconds) * 1000)


def unknown_event(event_id: str) -> ServiceError:
    """The error for an event that is not there."""
    return ServiceError("UNKNOWN_EVENT", "event_id", f"no event {event_id!r}; it was never created here")


def _same_content(a: EventHeader, b: EventHeader) -> bool:
    """Whether a repeated creation asks for the same event (a drawn seed may differ, and so may ratings)."""
    return (
        _asked(a.spec, a.seed_chosen) == _asked(b.spec, b.seed_chosen)
        and a.owner_token_sha256 == b.owner_token_sha256
        and a.launch_key == b.launch_key
    )


def _asked(spec: EventSpec, seed_chosen: bool) -> EventSpec:
    """What the creator said, without what the server added."""
    bots = tuple(Entrant(bot.name, registered=True) if bot.registered else bot for bot in spec.bots)
    return replace(spec, bots=bots, seed=spec.seed if seed_chosen else None)
