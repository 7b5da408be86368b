"""Matches of deterministic bots over real servers, and what they must come to."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import grpc
import grpc.aio
from tests.support.stream_bot import StreamBot, number_for

from ziggurat.v1 import match_pb2, match_pb2_grpc, record_pb2
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER, state_hash
from ziggurat_rules.registry import load_game
from ziggurat_server.log import Kind
from ziggurat_server.records.verify import replay, verify
from ziggurat_server.records.zgr import unpack

SEED = 20260


def undisturbed(
    game: str, seed: int, seats: int, match_id: str
) -> tuple[list[tuple[int, tuple[int, ...]]], int]:
    """The answers (seat, choice) and the final hash of a match of deterministic bots, by the rules alone."""
    match = Match(load_game(game), seed, seats)
    asked = [0] * seats
    known: dict[int, object] = {}
    answers = []
    while not match.over:
        for seat, decision in match.pending.items():
            if known.get(seat) is not decision:
                known[seat] = decision
                asked[seat] += 1
        seat = match.to_act[0]
        choice = match.decision(seat).sample(number_for(SEED, match_id, seat, asked[seat]))
        answers.append((seat, (choice,) if isinstance(choice, int) else choice))
        match.apply(seat, choice)
    return answers, state_hash(match.view(ARBITER))


@dataclass
class Event:
    """Matches to be played by the same bots, seat by seat."""

    game: str
    seats: int
    matches: int
    prefix: str

    @property
    def ids(self) -> list[str]:
        return [f"{self.prefix}-{number}" for number in range(self.matches)]

    @property
    def tokens(self) -> list[bytes]:
        return [hashlib.sha256(f"{self.prefix} {seat}".encode()).digest()[:16] for seat in range(self.seats)]

    async def create(self, address: str) -> None:
        """Create all matches; deal n has seed n."""
        async with grpc.aio.insecure_channel(address) as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            for number, match_id in enumerate(self.ids):
                await stub.CreateMatch(self.request(match_id, number))

    def request(self, match_id: str, seed: int) -> match_pb2.CreateMatchRequest:
        seats = [
            record_pb2.SeatSpec(name=f"bot {seat}", token_sha256=hashlib.sha256(token).digest())
            for seat, token in enumerate(self.tokens)
        ]
        return match_pb2.CreateMatchRequest(match_id=match_id, game=self.game, seats=seats, seed=seed)

    async def play(
        self, addresses: Sequence[str], disturb: Callable[[], Awaitable[None]] | None = None
    ) -> list[StreamBot]:
        """Play all matches to their end."""
        bots = [StreamBot(addresses, token, SEED, self.matches) for token in self.tokens]
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            for bot in bots:
                tasks.create_task(bot.run())
            if disturb is not None:
                tasks.create_task(disturb())
        return bots

    async def check(self, address: str, bots: Sequence[StreamBot]) -> None:
        """Every match finished as if undisturbed; no acknowledged answer is missing or doubled; no fault was seen."""
        faults = [fault for bot in bots for fault in bot.faults]
        assert faults == []
        acknowledged = {key: choice for bot in bots for key, choice in bot.acknowledged.items()}
        async with grpc.aio.insecure_channel(address) as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            for number, match_id in enumerate(self.ids):
                answers, final = undisturbed(self.game, number, self.seats, match_id)
                record = await stub.GetRecord(match_pb2.GetRecordRequest(match_id=match_id))
                assert verify(record.zgr).void_reason == ""
                assert replay(record.zgr).state_hash() == final
                _, log = unpack(record.zgr)
                logged = [entry for entry in log if entry.kind in (Kind.ANSWER, Kind.SUBSTITUTE)]
                assert [(entry.seat, entry.choice) for entry in logged] == answers
                for entry in logged:
                    choice = acknowledged.pop((match_id, entry.seat, entry.decision_id), None)
                    assert choice in (None, entry.choice)
        assert acknowledged == {}, "acknowledged answers that no log has"
