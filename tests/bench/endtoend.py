"""The whole path: a server with its embedded store, bots as processes, games replaced as they end.

What counts is the decisions that the server's own matches have taken between two looks at all of them; a match's
number of decisions grows only with moves that the store has confirmed. Starting, creating and getting ready come
before. The watchers are calls from this process, and this process also creates the games.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from tests.bench.machine import (
    BenchError,
    Children,
    alone_estimate,
    busy_seconds,
    cpu_seconds,
    percentile,
    resident_mib,
)

from ziggurat import Refused, SeatFor
from ziggurat.client import AsyncClient
from ziggurat.v1 import match_pb2

WATCH = "/ziggurat.v1.MatchService/Watch"
START_SECONDS = 60.0
CREATED_AT_ONCE = 8

Figures = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """What is played. `probes`: games in which a probe takes the seat of the first bot."""

    game: str
    seats: int
    matches: int
    watched: int
    probes: int
    warm_seconds: float
    seconds: float


@dataclass
class Look:
    """All that is counted, at one moment."""

    at: float
    monotonic: float
    decisions: dict[str, int]
    ended: frozenset[str]
    cpu: dict[str, float]
    busy: float
    watched: int
    watched_bytes: int


@dataclass
class Crowd:
    """The games and who watches them."""

    setting: Setting
    client: AsyncClient
    channel: grpc.aio.Channel
    tokens: list[bytes]
    probe: bytes
    prefix: str
    numbers: int = 0
    created: set[str] = field(default_factory=set)
    unwatched: dict[str, asyncio.Event] = field(default_factory=dict)
    repeated: int = 0
    """Creations that the server refused at first."""
    watched: int = 0
    watched_bytes: int = 0
    creating: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(CREATED_AT_ONCE))
    stopping: bool = False

    async def slot(self, number: int) -> None:
        """One game after another."""
        tokens = [self.probe, *self.tokens[1:]] if number < self.setting.probes else self.tokens
        seats = [SeatFor(f"bot {seat}", token) for seat, token in enumerate(tokens)]
        watch: Any = self.channel.unary_stream(
            WATCH, request_serializer=match_pb2.WatchRequest.SerializeToString, response_deserializer=None
        )
        while not self.stopping:
            self.numbers += 1
            match_id = f"{self.prefix}-{self.numbers}"
            async with self.creating:
                await self._create(match_id, seats)
            self.created.add(match_id)
            if number < self.setting.watched:
                await self._watch(watch(match_pb2.WatchRequest(match_id=match_id)))
            else:
                over = self.unwatched[match_id] = asyncio.Event()
                await over.wait()

    async def _create(self, match_id: str, seats: list[SeatFor], again: int = 3) -> None:
        """Create a game; the call may be repeated, and a server that is being listed can refuse it once."""
        try:
            await self.client.create_match(self.setting.game, seats, match_id=match_id, seed=self.numbers)
        except Refused as error:
            if error.reason != "UNKNOWN_MATCH" or not again:
                raise
            self.repeated += 1
            await self._create(match_id, seats, again - 1)

    async def _watch(self, call: Any) -> None:
        """To the end of the game; messages are counted, not decoded."""
        while (message := await call.read()) is not grpc.aio.EOF:
            self.watched += 1
            self.watched_bytes += len(message)

    async def look_for_ends(self) -> None:
        """Find out, a few times a second, which of the games that nobody watches are over."""
        while True:
            await asyncio.sleep(0.25)
            if waiting := list(self.unwatched):
                listed = {match.match_id for match in await self.client.list_matches(1000)}
                for match_id in waiting:
                    if match_id not in listed:
                        self.unwatched.pop(match_id).set()

    async def decisions(self, match_id: str) -> int:
        """How many decisions a game came to; raises BenchError if it has no result."""
        match = (await self.client.get_match(match_id)).match
        if match.state == match_pb2.MATCH_STATE_VOID:
            raise BenchError(f"match {match_id} is void: {match.void_reason}")
        return match.decisions


@asynccontextmanager
async def _running(
    work: Path, name: str, setting: Setting
) -> AsyncIterator[tuple[Crowd, dict[str, int], asyncio.Task[None]]]:
    """Server, bots and games; gives the crowd, the process ids by part, and a task that ends if one of them does."""
    directory = work / name
    directory.mkdir()
    data, ready = directory / "data", directory / "port"
    serve = ["-m", "ziggurat_server.cli", "serve", "--listen", "127.0.0.1:0", "--log-level", "warning"]
    serve += ["--data-dir", str(data), "--ready-file", str(ready)]
    tokens = [hashlib.sha256(f"{name} {seat}".encode()).digest()[:16] for seat in range(setting.seats)]
    probe = hashlib.sha256(f"{name} probe".encode()).digest()[:16]
    with Children(directory) as children:
        server = children.start("server", serve, {"ZIGGURAT_REDIS": ""})
        address = f"127.0.0.1:{await children.port(ready)}"
        pids = {"server": server.pid, "store": int((data / "store.pid").read_text()), "crowd": os.getpid()}
        told = {"ZIGGURAT_ADDRESS": address}
        for seat, token in enumerate(tokens):
            bot = ["-m", "ziggurat_bots", "random", "--seed", str(seat)]
            pids[f"bot {seat}"] = children.start(
                f"bot-{seat}", bot, {**told, "ZIGGURAT_TOKEN": token.hex()}
            ).pid
        if setting.probes:
            told["ZIGGURAT_TOKEN"] = probe.hex()
            pids["probe"] = children.start("probe", ["-m", "tests.bench.probe"], told).pid
        client = AsyncClient(address, timeout=30.0)
        # A connection of their own, as a process of their own would have.
        async with grpc.aio.insecure_channel(
            address, options=(("grpc.use_local_subchannel_pool", 1),)
        ) as own:
            crowd = Crowd(setting, client, own, tokens, probe, name)
            slots = [asyncio.create_task(crowd.slot(number)) for number in range(setting.matches)]
            slots.append(asyncio.create_task(crowd.look_for_ends()))
            guard = asyncio.create_task(_watch_over(children, slots))
            try:
                yield crowd, pids, guard
            finally:
                crowd.stopping = True
                for task in (guard, *slots):
                    task.cancel()
                await asyncio.gather(guard, *slots, return_exceptions=True)
                await client.close()


async def _watch_over(children: Children, slots: list[asyncio.Task[None]]) -> None:
    """Say at once what broke; a benchmark with a dead bot measures nothing."""
    while True:
        await asyncio.sleep(0.5)
        children.check()
        for slot in slots:
            if slot.done():
                slot.result()


async def measure(work: Path, name: str, setting: Setting) -> Figures:
    """Play, and count over the window."""
    async with _running(work, name, setting) as (crowd, pids, guard):
        count = asyncio.create_task(_count(work / name, crowd, pids))
        try:
            await asyncio.wait((count, guard), return_when=asyncio.FIRST_COMPLETED)
            if guard.done():
                guard.result()
            return await count
        finally:
            count.cancel()
            await asyncio.gather(count, return_exceptions=True)


async def _count(directory: Path, crowd: Crowd, pids: dict[str, int]) -> Figures:
    setting = crowd.setting
    await _all_playing(crowd)
    await asyncio.sleep(setting.warm_seconds)
    first = await _look(crowd, pids)
    memory = resident_mib(pids["server"])
    print(f"  counting for {setting.seconds:.0f} s; the server is process {pids['server']}", flush=True)
    await asyncio.sleep(setting.seconds)
    last = await _look(crowd, pids)
    growth = resident_mib(pids["server"]) - memory
    totals = {match_id: await crowd.decisions(match_id) for match_id in last.ended - first.ended}
    figures = _figures(setting, first, last, totals)
    figures |= {"server_mib": memory, "server_mib_growth": growth, "creations_repeated": crowd.repeated}
    if setting.probes:
        figures["latency"] = _latency(directory / "probe.log", first.monotonic, last.monotonic)
    return figures


async def _all_playing(crowd: Crowd) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        open_matches = await crowd.client.list_matches(1000)
        playing = sum(match.state == match_pb2.MATCH_STATE_PLAYING for match in open_matches)
        if playing + len(crowd.created) - len(open_matches) >= crowd.setting.matches:
            return
        await asyncio.sleep(0.1)
    raise BenchError(f"the games have not all begun after {START_SECONDS:.0f} s")


async def _look(crowd: Crowd, pids: dict[str, int]) -> Look:
    """Count. The server goes through its open matches without a pause; what is not among them is over."""
    cpu = {part: cpu_seconds(pid) for part, pid in pids.items()}
    busy, created = busy_seconds(), frozenset(crowd.created)
    matches = await crowd.client.list_matches(1000)
    now = time.perf_counter()
    playing = {match.match_id: match.decisions for match in matches}
    ended = created - playing.keys()
    return Look(now, time.monotonic(), playing, ended, cpu, busy, crowd.watched, crowd.watched_bytes)


def _figures(setting: Setting, first: Look, last: Look, totals: dict[str, int]) -> Figures:
    seconds = last.at - first.at
    counted = sum(totals.values()) + sum(last.decisions.values()) - sum(first.decisions.values())
    cpu = {part: last.cpu[part] - first.cpu[part] for part in last.cpu}
    bots = sum(value for part, value in cpu.items() if part.startswith("bot "))
    parts = {"server": cpu["server"], "store": cpu["store"], "bots": bots, "crowd": cpu["crowd"]}
    parts["probe"] = cpu.get("probe", 0.0)
    busy = last.busy - first.busy
    alone = alone_estimate(counted, cpu["server"], sum(parts.values()))
    return {
        "game": setting.game,
        "seats": setting.seats,
        "concurrent_games": setting.matches,
        "watched_games": setting.watched,
        "probe_seats": setting.probes,
        "seconds": seconds,
        "decisions": counted,
        "games_ended": len(last.ended - first.ended),
        "decisions_per_second": counted / seconds,
        "decisions_per_second_alone_estimate": alone,
        "cpu_us_a_decision": {part: value / max(1, counted) * 1e6 for part, value in parts.items()},
        "cores_used": {part: value / seconds for part, value in parts.items()},
        "cores_used_by_others": max(0.0, busy - sum(parts.values())) / seconds,
        "watch_messages_a_decision": (last.watched - first.watched) / max(1, counted),
        "watch_bytes_a_message": (last.watched_bytes - first.watched_bytes)
        / max(1, last.watched - first.watched),
    }


def _latency(log: Path, since: float, until: float) -> Figures:
    """Milliseconds from an answer's sending to its verdict, of the window."""
    taken = []
    for line in log.read_text().splitlines():
        at, _, milliseconds = line.partition(" ")
        if since <= float(at) <= until:
            taken.append(float(milliseconds))
    return {
        "answers": len(taken),
        "ms_p50": percentile(taken, 50),
        "ms_p99": percentile(taken, 99),
        "ms_max": max(taken, default=0.0),
    }
