"""Calls over the wire, by the proto alone, and what their errors say."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import grpc
import grpc.aio
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from tests.support.stream_bot import number_for, wire_choice

from ziggurat.v1 import (
    game_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    record_pb2,
    tournament_pb2_grpc,
)
from ziggurat_rules.projection import state_hash

SEED = 77
PATIENT = record_pb2.Policy(illegal_retries=3, on_illegal=1, on_timeout=1, on_gone=1)
"""No clock, nobody is ever gone."""


def token_of(name: str, seat: int) -> bytes:
    """The token of a seat in a test."""
    return hashlib.sha256(f"{name} {seat}".encode()).digest()[:16]


def sha(token: bytes) -> bytes:
    """As tokens go over the wire."""
    return hashlib.sha256(token).digest()


class Said(NamedTuple):
    """What a refusal says: status, reason and field; its text."""

    code: str
    reason: str
    field: str
    text: str


def said_by(error: grpc.aio.AioRpcError) -> Said:
    """Reads google.rpc.Status; fails unless there is one ErrorInfo, and a BadRequest for a bad argument."""
    status = rpc_status.from_call(error)
    assert status is not None, error
    infos, violations = [], []
    for detail in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            infos.append(info)
        elif detail.Unpack(bad):
            violations += bad.field_violations
    assert len(infos) == 1 and infos[0].domain == "ziggurat"
    named = dict(infos[0].metadata).get("field", "")
    if error.code() == grpc.StatusCode.INVALID_ARGUMENT:
        assert [violation.field for violation in violations] == [named]
        assert violations[0].description
    assert "Traceback" not in status.message and "Error(" not in status.message
    return Said(error.code().name, infos[0].reason.removeprefix("REASON_"), named, status.message)


async def refused(call: Awaitable[Any]) -> Said:
    """Awaits a call that must be refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return said_by(caught.value)


@dataclass
class Folded:
    """A view folded from updates; `faults` collects what must never be."""

    cells: dict[int, tuple[int, ...]] = field(default_factory=dict)
    version: int = -1
    hash: int = 0
    snapshots: int = 0
    faults: list[str] = field(default_factory=list)

    def take(self, update: play_pb2.Update) -> None:
        """Fold an update."""
        if update.snapshot:
            self.cells = {}
            self.snapshots += 1
        elif update.version != self.version + 1:
            self.faults.append(f"version {update.version} after {self.version}")
        values = iter(update.values)
        for key, size in zip(update.keys, update.sizes, strict=True):
            cell = tuple(next(values) for _ in range(size))
            self.cells[key] = cell
        self.cells = {k: v for k, v in self.cells.items() if v and not (v == (0,) and k & 3 == 2)}
        self.version, self.hash = update.version, update.hash
        if state_hash(self.cells) != update.hash:
            self.faults.append(f"wrong hash at version {update.version}")


class Wire:
    """Stubs of one server, and the calls that tests make again and again."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.games = game_pb2_grpc.GameServiceStub(channel)
        self.matches = match_pb2_grpc.MatchServiceStub(channel)
        self.bots = play_pb2_grpc.BotServiceStub(channel)
        self.events = tournament_pb2_grpc.TournamentServiceStub(channel)

    async def create(
        self,
        match_id: str,
        seats: int = 2,
        policy: record_pb2.Policy = PATIENT,
        ready: bool = True,
        **more: Any,
    ) -> match_pb2.MatchInfo:
        """Create a match with its own tokens; all seats ready at once if `ready`."""
        answer = await self.matches.CreateMatch(self.creation(match_id, seats, policy=policy, **more))
        for seat in range(seats if ready else 0):
            await self.matches.JoinMatch(
                match_pb2.JoinMatchRequest(
                    match_id=match_id,
                    seat=seat,
                    name=f"s{seat}",
                    token_sha256=sha(token_of(match_id, seat)),
                    ready=True,
                )
            )
        return answer.match

    @staticmethod
    def creation(match_id: str, /, count: int = 2, **more: Any) -> match_pb2.CreateMatchRequest:
        """The request that `create` sends; `more` replaces fields."""
        specs = [
            record_pb2.SeatSpec(name=f"s{seat}", token_sha256=sha(token_of(match_id, seat)))
            for seat in range(count)
        ]
        usual = {"match_id": match_id, "game": "flow", "seats": specs, "policy": PATIENT}
        return match_pb2.CreateMatchRequest(**usual | more)

    async def get(self, match_id: str, seat: int | None = None) -> match_pb2.GetMatchResponse:
        """GetMatch as a seat, or as the public."""
        token = b"" if seat is None else token_of(match_id, seat)
        return await self.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id, token=token))

    async def asked(self, match_id: str, seats: int = 2) -> tuple[int, play_pb2.Decision]:
        """A seat that is asked, and its decision."""
        for seat in range(seats):
            got = await self.get(match_id, seat)
            if got.HasField("decision"):
                return seat, got.decision
        raise AssertionError("nobody is asked")

    async def act(
        self, match_id: str, seat: int, decision_id: int, choice: Sequence[int], move_id: bytes = b"m"
    ) -> play_pb2.Verdict:
        """Answer a decision; returns the verdict."""
        answer = play_pb2.Answer(decision_id=decision_id, choice=choice, move_id=move_id)
        request = match_pb2.ActRequest(match_id=match_id, token=token_of(match_id, seat), answer=answer)
        return (await self.matches.Act(request)).verdict

    async def step(self, match_id: str, seats: int = 2) -> bool:
        """Take one decision as the tests' bots do; False if the match is over."""
        for seat in range(seats):
            got = await self.get(match_id, seat)
            if got.match.state in (match_pb2.MATCH_STATE_FINISHED, match_pb2.MATCH_STATE_VOID):
                return False
            if got.HasField("decision"):
                verdict = await self.act(match_id, seat, got.decision.id, usual(match_id, seat, got.decision))
                assert verdict.status == play_pb2.VERDICT_STATUS_ACCEPTED, verdict
                return True
        raise AssertionError("nobody is asked")

    async def finish(self, match_id: str, seats: int = 2) -> None:
        """Play a match to its end, by calls."""
        todo = list(range(seats))
        while todo:
            todo = [seat for seat in todo if await self._act_on(match_id, seat)]

    async def _act_on(self, match_id: str, seat: int) -> bool:
        got = await self.get(match_id, seat)
        if got.match.state != match_pb2.MATCH_STATE_PLAYING:
            return False
        decision, asked = got.decision, got.HasField("decision")
        while asked:
            choice = usual(match_id, seat, decision)
            answer = play_pb2.Answer(decision_id=decision.id, choice=choice)
            request = match_pb2.ActRequest(match_id=match_id, token=token_of(match_id, seat), answer=answer)
            done = await self.matches.Act(request)
            assert done.verdict.status == play_pb2.VERDICT_STATUS_ACCEPTED, done.verdict
            decision, asked = done.decision, done.HasField("decision")
        return True

    async def record(self, match_id: str) -> bytes:
        """The record of a match that is over."""
        return (await self.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id))).zgr

    async def abort(self, match_id: str) -> None:
        """End a match."""
        await self.matches.AbortMatch(
            match_pb2.AbortMatchRequest(match_id=match_id, token=token_of(match_id, 0), reason="enough")
        )


def usual(match_id: str, seat: int, decision: play_pb2.Decision) -> list[int]:
    """The choice that the tests' bots take."""
    return wire_choice(decision, number_for(SEED, match_id, seat, decision.id))


@asynccontextmanager
async def wire(address: str, *options: tuple[str, Any]) -> AsyncIterator[Wire]:
    """Stubs at an address."""
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        yield Wire(channel)
