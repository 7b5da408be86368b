"""The store: logs by compare-and-append with group commit, and the hints around them.

The fence of a log is its tip, the chain hash of header and entries. Appends of all matches that are due in one turn of
the event loop share a round trip. A lost connection means "unknown": who appended reads the log to see what is there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

import redis.asyncio as redis
import structlog
from redis.exceptions import RedisError, ResponseError

from ziggurat_server.errors import ServiceError, StartupError, StoreUnavailable
from ziggurat_server.sessions.bots import BotStore
from ziggurat_server.sessions.keys import Keys
from ziggurat_server.sessions.writer import Outcome, Writer

log = structlog.get_logger()

FAILURES = (RedisError, OSError, asyncio.TimeoutError)
TIMEOUT_SECONDS = 10.0
AHEAD_MS = 60_000
"""No hint is for a time further ahead; one that is was left by a clock that has been set back since."""

_CREATE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('LINDEX', KEYS[2], 0) end
redis.call('RPUSH', KEYS[2], ARGV[2])
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[2]
"""
_READ = """
return {redis.call('GET', KEYS[1]), redis.call('LRANGE', KEYS[2], ARGV[1], -1), redis.call('LLEN', KEYS[2])}
"""


def chain(tip: bytes, entries: Iterable[bytes]) -> bytes:
    """The tip after these entries."""
    for entry in entries:
        tip = blake2b(tip + entry, digest_size=8).digest()
    return tip


@dataclass(frozen=True, slots=True)
class Tail:
    """What a log holds from a position on."""

    tip: bytes
    length: int
    entries: list[bytes]


class Store:
    """One Redis or Valkey. All methods raise StoreUnavailable when it cannot be reached."""

    def __init__(self, url: str, keys: Keys | None = None, revive: Callable[[], None] | None = None) -> None:
        """`revive` is called when the connection is lost (the embedded store starts again if it died)."""
        self.url = url
        self.keys = keys or Keys()
        self.durability = "unknown"
        self.wake_others = False
        """Whether appends tell other nodes; set while there are any."""
        self._revive = revive or (lambda: None)
        pool = redis.BlockingConnectionPool.from_url(  # who finds none free waits for one
            url,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=5.0,
            max_connections=32,
            timeout=TIMEOUT_SECONDS,
        )
        self._redis: Any = redis.Redis.from_pool(pool)
        self._create = self._redis.register_script(_CREATE)
        self._read = self._redis.register_script(_READ)
        self._writer = Writer(url, self._revive)
        self.bots = BotStore(self._redis, self.keys, self._call)

    async def open(self, durability: str | None = None) -> None:
        """Check the store: reachable, append-only, not evicting. Raises StartupError with the remedy.

        `durability` ("always" or "everysec") stands in where CONFIG is forbidden.
        """
        shown = _without_password(self.url)
        try:
            settings = await self._redis.config_get("appendonly", "appendfsync", "maxmemory-policy")
        except ResponseError:
            if durability is None:
                raise StartupError(
                    f"redis {shown} does not allow CONFIG GET; say --durability always or everysec yourself"
                ) from None
            self.durability = durability
            return
        except FAILURES as error:
            why = str(error).rstrip(".")
            raise StartupError(
                f"redis {shown} cannot be reached: {why}; start it or correct --redis"
            ) from None
        settings = {_text(key): _text(value) for key, value in settings.items()}
        if settings.get("appendonly") != "yes":
            raise StartupError(
                f"redis {shown} has no append-only file: moves would be lost; set 'appendonly yes' in its configuration"
            )
        policy = settings.get("maxmemory-policy", "noeviction")
        if policy != "noeviction":
            raise StartupError(
                f"redis {shown} evicts keys (maxmemory-policy {policy}): set 'maxmemory-policy noeviction'"
            )
        self.durability = settings.get("appendfsync", "everysec")

    async def close(self) -> None:
        """Finish what is being appended and disconnect."""
        await self._writer.close()
        await self._redis.aclose()

    async def _call(self, command: Awaitable[Any]) -> Any:
        try:
            return await _cancellable(command)
        except FAILURES as error:
            try:
                await asyncio.to_thread(self._revive)
            except (StartupError, OSError) as failure:
                log.warning("store cannot be started again", error=str(failure))
            raise StoreUnavailable(f"the store does not answer ({error}); try again") from None

    # Logs

    async def create(self, match_id: str, header: bytes) -> bytes:
        """Begin a log; returns the header that stands, which is another one if the log existed."""
        keys = [self.keys.tip(match_id), self.keys.log(match_id)]
        return cast(bytes, await self._call(self._create(keys=keys, args=[chain(b"", [header]), header])))

    async def read(self, match_id: str, position: int = 0) -> Tail | None:
        """A log from a position on; None if there is no such log."""
        keys = [self.keys.tip(match_id), self.keys.log(match_id)]
        tip, entries, length = await self._call(self._read(keys=keys, args=[position]))
        return None if tip is None else Tail(tip, length, entries)

    def append(
        self, match_id: str, tip: bytes, new_tip: bytes, entries: Sequence[bytes], done: Outcome
    ) -> None:
        """Append if the log's tip is `tip`; `done` is called with the outcome. One append per match at a time."""
        keys = self.keys
        wake, news = (keys.wake, f"{match_id} {new_tip.hex()}") if self.wake_others else ("", "")
        self._writer.put((keys.tip(match_id), keys.log(match_id), tip, new_tip, wake, news, *entries), done)

    async def append_and_wait(self, log_id: str, tip: bytes, entries: Sequence[bytes]) -> int:
        """Append if the log's tip is `tip`; gives the outcome, however long the store is away."""
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def outcome(found: int) -> None:
            if not done.done():
                done.set_result(found)

        self.append(log_id, tip, chain(tip, entries), entries, outcome)
        return await done

    # Hints

    async def note_due(self, match_ids: Sequence[str], at_ms: int) -> None:
        """Say when open matches want the next look."""
        if match_ids:
            await self._call(self._redis.zadd(self.keys.due, dict.fromkeys(match_ids, at_ms)))

    async def due(self, now_ms: int, limit: int = 200) -> list[str]:
        """Matches whose next look is due."""
        return await self._now_due(self.keys.due, now_ms, limit)

    async def _now_due(self, hints: str, now_ms: int, limit: int = -1) -> list[str]:
        """Those of a set of hints whose time has come."""
        pipe = self._redis.pipeline(transaction=False)
        for low, high in ((0, now_ms), (now_ms + AHEAD_MS, "inf")):
            pipe.zrangebyscore(hints, low, high, 0, limit)
        return [_text(name) for names in await self._call(pipe.execute()) for name in names]

    async def open_matches(self, limit: int) -> list[str]:
        """Open matches."""
        return [_text(m) for m in await self._call(self._redis.zrange(self.keys.due, 0, limit - 1))]

    async def forget_due(self, match_id: str) -> None:
        """Drop the hint for a match that is over or never came to be."""
        await self._call(self._redis.zrem(self.keys.due, match_id))

    async def seat_taken(self, match_id: str, token_hashes: Iterable[bytes]) -> None:
        """Note for each token that it holds a seat."""
        for token_hash in token_hashes:
            await self._call(self._redis.sadd(self.keys.seats(token_hash), match_id))
            if self.wake_others:
                await self._call(self._redis.publish(self.keys.wake, f"token: {token_hash.hex()}"))

    async def seats_of(self, token_hash: bytes) -> list[str]:
        """Matches in which a token holds a seat, sorted."""
        return sorted(map(_text, await self._call(self._redis.smembers(self.keys.seats(token_hash)))))

    async def deal_opened(self, deal: bytes, match_id: str) -> None:
        """Note an open match of a deal."""
        await self._call(self._redis.sadd(self.keys.deal(deal), match_id))

    async def deal_is_open(self, deal: bytes, event_id: str = "", besides: str = "") -> bool:
        """Whether some match of the deal is not over, or to come in an event; drops what never came to be.

        The match `besides` is known to be over, whatever was noted of it since, as when its creation was repeated.
        Of an event's deal (`event_id`) the event alone decides: it tells its seed at its end, and nobody who learned it
        there can close the records again by a match of his own.
        """
        for member in map(_text, await self._call(self._redis.smembers(self.keys.deal(deal)))):
            event, _, match_id = member.rpartition(" ")
            if (event_id and event != event_id) or member == besides:
                continue
            holder, names = (event, self.keys.events) if event else (match_id, self.keys.due)
            if await self._call(self._redis.zscore(names, holder)) is not None:
                return True
            await self.closed_deal(deal, member)
        return False

    async def event_deals(
        self, event_id: str, opened: Mapping[bytes, int], closed: Mapping[bytes, int]
    ) -> None:
        """Keep deals (by hash, with their number in the event) of an open event sealed, or no longer."""
        pipe = self._redis.pipeline(transaction=False)
        for deal, number in opened.items():
            pipe.sadd(self.keys.deal(deal), _event_deal(event_id, number))
        for deal, number in closed.items():
            pipe.srem(self.keys.deal(deal), _event_deal(event_id, number))
        if opened or closed:
            await self._call(pipe.execute())

    async def note_event(self, event_id: str, at_ms: int) -> None:
        """Say when an open event wants to be taken care of if nobody does."""
        await self._call(self._redis.zadd(self.keys.events, {event_id: at_ms}))

    async def event_forgotten(self, event_id: str) -> None:
        """Drop the hint for an event that never came to be."""
        await self._call(self._redis.zrem(self.keys.events, event_id))

    async def event_closed(self, event_id: str) -> None:
        """An event is over."""
        await self._call(self._redis.zadd(self.keys.past_events, {event_id: int(time.time() * 1000)}))
        await self._call(self._redis.zrem(self.keys.events, event_id))

    async def events_due(self, now_ms: int) -> list[str]:
        """Open events that nobody takes care of."""
        return await self._now_due(self.keys.events, now_ms)

    async def all_events(self, limit: int) -> list[str]:
        """Open events, then those that are over, the last one first."""
        found = await self._call(self._redis.zrange(self.keys.events, 0, limit - 1))
        found += await self._call(self._redis.zrange(self.keys.past_events, 0, limit - 1, desc=True))
        return [_text(event_id) for event_id in found[:limit]]

    async def closed_deal(self, deal: bytes, match_id: str) -> None:
        """Take back `deal_opened`."""
        await self._call(self._redis.srem(self.keys.deal(deal), match_id))

    async def closed(self, match_id: str, token_hashes: Iterable[bytes], deal: bytes) -> None:
        """Drop all hints about a match that is over."""
        await self._call(self._redis.delete(self.keys.clock(match_id)))
        for token_hash in token_hashes:
            await self._call(self._redis.srem(self.keys.seats(token_hash), match_id))
        await self._call(self._redis.srem(self.keys.deal(deal), match_id))
        await self._call(self._redis.zrem(self.keys.due, match_id))

    async def save_clocks(self, clocks: dict[str, dict[int, str]]) -> None:
        """Keep clocks of open decisions by match and seat."""
        pipe = self._redis.pipeline(transaction=False)
        for match_id, seats in clocks.items():
            pipe.hset(self.keys.clock(match_id), mapping=seats)
        await self._call(pipe.execute())

    async def clocks(self, match_id: str) -> dict[int, str]:
        """The clocks kept for a match."""
        kept = await self._call(self._redis.hgetall(self.keys.clock(match_id)))
        return {int(seat): _text(clock) for seat, clock in kept.items()}

    async def node_alive(self, node: str, gone_after: float) -> int:
        """Say that a node lives; returns how many do."""
        now = time.time()
        await self._call(self._redis.zadd(self.keys.nodes, {node: now}))
        await self._call(self._redis.zremrangebyscore(self.keys.nodes, 0, now - gone_after))
        await self._call(self._redis.zremrangebyscore(self.keys.nodes, now + AHEAD_MS / 1000, "inf"))
        return int(await self._call(self._redis.zcard(self.keys.nodes)))

    async def node_gone(self, node: str) -> None:
        """Say that a node stops."""
        await self._call(self._redis.zrem(self.keys.nodes, node))

    async def wakes(self, heard: Callable[[str], None]) -> None:
        """Listen for news of other nodes until cancelled; what is missed is found by re-reading."""
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(self.keys.wake)
                    while True:
                        message = await _cancellable(
                            pubsub.get_message(ignore_subscribe_messages=True, timeout=5.0)
                        )
                        if message:
                            heard(_text(message["data"]))
            except FAILURES:
                await asyncio.sleep(0.5)


async def _cancellable(command: Awaitable[Any]) -> Any:
    """What a command gives; a cancellation that the client lost (wait_for of Python 3.11 may) is raised after all."""
    task = asyncio.current_task()
    assert task is not None
    before = task.cancelling()
    result = await command
    if task.cancelling() > before:
        raise asyncio.CancelledError
    return result


def _event_deal(event_id: str, number: int) -> str:
    """A deal's member for an event; no match id has a space."""
    return f"{event_id} {number}"


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _without_password(url: str) -> str:
    scheme, found, rest = url.partition("://")
    return scheme + found + rest.rpartition("@")[2]


def unknown_match(match_id: str) -> ServiceError:
    """The error for a match that is not there."""
    return ServiceError(
        "UNKNOWN_MATCH", "match_id", f"no match {match_id!r}; it was never created or is gone"
    )
