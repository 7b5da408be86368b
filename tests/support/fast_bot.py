"""A bot that is as fast as can be: it looks at nothing but the decision, and plays whatever its token has a seat in.

Its choice depends on its seed and on what it is asked, so that it plays the same game in the same way, whatever dies.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import grpc
import grpc.aio
from tests.support.stream_bot import wire_choice

from ziggurat.v1 import play_pb2, play_pb2_grpc
from ziggurat_rules.keyed import keyed


class FastBot:
    """One bot. Without a seed it takes each decision's default."""

    def __init__(self, address: str, token: bytes, seed: int | None = None, pause: float = 0.0) -> None:
        self.address = address
        self.token = token
        self.seed = seed
        self.pause = pause
        self.go = asyncio.Event()
        """Nothing is said before it is set."""
        self.go.set()
        self.open = Counter[str]()
        self.most_open = 0
        self.played: set[str] = set()

    async def run(self) -> None:
        """Play until cancelled, over as many servers as die meanwhile."""
        while True:
            try:
                async with grpc.aio.insecure_channel(self.address) as channel:
                    await self._attach(channel)
            except grpc.aio.AioRpcError:
                pass
            await asyncio.sleep(0.05)

    async def _attach(self, channel: grpc.aio.Channel) -> None:
        call = play_pb2_grpc.BotServiceStub(channel).Play()
        await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(name="fast", token=self.token)))
        channels: dict[int, str] = {}
        while True:
            response = await call.read()
            if response is grpc.aio.EOF:
                return
            request = play_pb2.PlayRequest()
            for item in response.items:
                self._take(item, channels, request)
            if request.ready or request.answers:
                await self.go.wait()
                if self.pause:
                    await asyncio.sleep(self.pause)
                await call.write(request)

    def _take(
        self, item: play_pb2.MatchItem, channels: dict[int, str], request: play_pb2.PlayRequest
    ) -> None:
        kind = item.WhichOneof("item")
        if kind == "opened":
            channels[item.channel] = item.opened.match_id
            self.open[item.opened.match_id] = 1
            self.most_open = max(self.most_open, self.open.total())
            if item.opened.awaits_ready:
                request.ready.append(item.channel)
        elif kind == "decision":
            request.answers.add(
                channel=item.channel, decision_id=item.decision.id, choice=self._choice(item.decision)
            )
        elif kind == "closed":
            self.open[channels[item.channel]] = 0
            self.played.add(channels[item.channel])

    def _choice(self, decision: play_pb2.Decision) -> Sequence[int]:
        if self.seed is None:
            return decision.default_choice
        asked = zlib.crc32(repr((decision.prompt, decision.options, decision.low, decision.high)).encode())
        return wire_choice(decision, keyed(self.seed, decision.id, asked))


@asynccontextmanager
async def playing(bots: Sequence[FastBot]) -> AsyncIterator[None]:
    """The bots play in this task's event loop until the end of the block."""
    tasks = [asyncio.create_task(bot.run()) for bot in bots]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def token_of(name: str) -> bytes:
    """A bot's token in tests."""
    return hashlib.sha256(name.encode()).digest()
