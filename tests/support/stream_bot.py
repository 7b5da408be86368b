"""A bot of the tests' own: it speaks the stream by the proto alone, checks every hash, and survives lost servers.

Its choices are drawn from a hash of seed, match, seat and decision id, so that a game comes out the same however often
servers die under it. It keeps every acknowledged answer, and fails on anything that a client must never see.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import grpc
import grpc.aio

from ziggurat.v1 import play_pb2, play_pb2_grpc
from ziggurat_rules.decisions import Choice, Decision
from ziggurat_rules.keyed import keyed
from ziggurat_rules.projection import state_hash


def number_for(seed: int, match_id: str, seat: int, decision_id: int) -> int:
    """The 64-bit number that decides a choice."""
    match = int.from_bytes(hashlib.sha256(match_id.encode()).digest()[:8], "little")
    return keyed(seed, match, seat, decision_id)


def wire_choice(decision: play_pb2.Decision, number: int) -> list[int]:
    """The choice for a decision as it comes over the wire."""
    count = len(decision.option_sizes) or (
        len(decision.options) // decision.option_size if decision.option_size else 0
    )
    rules = Decision(
        0, decision.kind - 1, (), [()] * count, [None] * count, decision.low, decision.high, 0, False
    )
    choice: Choice = rules.sample(number)
    return [choice] if isinstance(choice, int) else list(choice)


@dataclass
class Game:
    """What a bot holds of one seat of one match."""

    match_id: str
    seat: int
    cells: dict[int, tuple[int, ...]] = field(default_factory=dict)
    version: int = 0
    hash: int = 0
    asked: int = 0
    closed: play_pb2.Closed | None = None
    rollbacks: int = 0


class StreamBot:
    """One bot; `run` plays until `games` matches are closed."""

    def __init__(self, addresses: Sequence[str], token: bytes, seed: int, games: int) -> None:
        self.addresses = addresses  # may grow while the bot runs
        self.token = token
        self.seed = seed
        self.wanted = games
        self.games: dict[tuple[str, int], Game] = {}
        self.acknowledged: dict[tuple[str, int, int], tuple[int, ...]] = {}
        self.faults: list[str] = []
        self.attached = 0
        self._sent: dict[tuple[str, int, int], tuple[int, ...]] = {}

    @property
    def finished(self) -> bool:
        return sum(game.closed is not None for game in self.games.values()) >= self.wanted

    async def run(self) -> None:
        attempt = 0
        while not self.finished:
            address = self.addresses[attempt % len(self.addresses)]
            attempt += 1
            async with grpc.aio.insecure_channel(address) as channel:
                try:
                    await self._attach(channel)
                except grpc.aio.AioRpcError as error:
                    # A write on a connection that has just died ends in an error of the library's own core.
                    lost = error.details() == "Internal error from Core"
                    if not lost and error.code() not in (
                        grpc.StatusCode.UNAVAILABLE,
                        grpc.StatusCode.CANCELLED,
                    ):
                        self.faults.append(f"stream ended: {error.code()} {error.details()}")
            if not self.finished:
                await asyncio.sleep(0.05)

    async def _attach(self, channel: grpc.aio.Channel) -> None:
        call = play_pb2_grpc.BotServiceStub(channel).Play()
        held = [
            play_pb2.Held(match_id=game.match_id, seat=game.seat, version=game.version, hash=game.hash)
            for game in self.games.values()
            if game.closed is None
        ]
        await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(name="test", token=self.token, held=held)))
        self.attached += 1
        channels: dict[int, Game] = {}
        while not self.finished:
            response = await call.read()
            if response is grpc.aio.EOF:
                return
            request = play_pb2.PlayRequest()
            for item in response.items:
                self._take(item, channels, request)
            if request.ready or request.answers:
                await call.write(request)
        await call.done_writing()

    def _take(
        self, item: play_pb2.MatchItem, channels: dict[int, Game], request: play_pb2.PlayRequest
    ) -> None:
        kind = item.WhichOneof("item")
        if kind == "opened":
            key = (item.opened.match_id, item.opened.seat)
            channels[item.channel] = self.games.setdefault(key, Game(*key))
            if item.opened.awaits_ready:
                request.ready.append(item.channel)
            return
        game = channels.get(item.channel)
        if game is None:
            self.faults.append(f"item for a channel that was not opened: {item}")
        elif kind == "update":
            self._update(game, item.update)
        elif kind == "decision":
            self._decide(game, item, request)
        elif kind == "verdict":
            self._verdict(game, item.verdict)
        elif kind == "closed":
            game.closed = item.closed

    def _update(self, game: Game, update: play_pb2.Update) -> None:
        if update.snapshot:
            game.cells = {}
            game.rollbacks += update.rolled_back
        elif update.version != game.version + 1:
            self.faults.append(f"{game.match_id}: version {update.version} after {game.version}")
        values = iter(update.values)
        for key, size in zip(update.keys, update.sizes, strict=True):
            game.cells[key] = tuple(next(values) for _ in range(size))
        game.version, game.hash = update.version, update.hash
        if state_hash(game.cells) != update.hash:
            self.faults.append(f"{game.match_id}: wrong hash at version {update.version}")

    def _decide(self, game: Game, item: play_pb2.MatchItem, request: play_pb2.PlayRequest) -> None:
        decision = item.decision
        number = number_for(self.seed, game.match_id, game.seat, decision.id)
        choice = wire_choice(decision, number)
        self._sent[game.match_id, game.seat, decision.id] = tuple(choice)
        request.answers.add(
            channel=item.channel,
            decision_id=decision.id,
            choice=choice,
            move_id=decision.id.to_bytes(4, "little"),
        )

    def _verdict(self, game: Game, verdict: play_pb2.Verdict) -> None:
        if verdict.status != play_pb2.VERDICT_STATUS_ACCEPTED:
            self.faults.append(f"{game.match_id} seat {game.seat}: {verdict}")
        else:
            key = (game.match_id, game.seat, verdict.decision_id)
            self.acknowledged[key] = self._sent[key]
