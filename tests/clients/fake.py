"""A scripted server: each stream that a bot opens is played by the next script."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from ziggurat.v1 import game_pb2, game_pb2_grpc, play_pb2, play_pb2_grpc
from ziggurat_rules.projection import Cells, is_empty, state_hash

MATCH = "m"

INFO = game_pb2.GameInfo(
    id="info-1",
    summary=game_pb2.GameSummary(name="toy", title="Toy", rules_version=1, min_seats=2, max_seats=2),
    seats=2,
    verbs=[
        game_pb2.Verb(
            name="act", arguments=[game_pb2.Argument(name="seat", kind="seat")], text="{seat} acts"
        ),
        game_pb2.Verb(
            name="keep", arguments=[game_pb2.Argument(name="card", kind="card")], text="keep {card}"
        ),
        game_pb2.Verb(name="stop", text="no more"),
        game_pb2.Verb(
            name="pay",
            arguments=[
                game_pb2.Argument(name="what", kind="word"),
                game_pb2.Argument(name="cost", kind="amount"),
                game_pb2.Argument(name="to", kind="zone"),
            ],
            text="pay {cost} {what} to {to}",
        ),
    ],
    words=["food"],
    steps=["turn", "draw"],
    cards=[
        game_pb2.Card(
            id="ox", name="Ox", back=0, copies=2, facts_json='{"age": 1}', sources={"age": "house"}
        ),
        game_pb2.Card(id="plough", name="Plough", back=1, copies=1),
    ],
    backs=["I", "II"],
    cells=[
        game_pb2.Cell(key=1, kind="zone", name="deck", owner=-1, shown="pile", holds="card"),
        game_pb2.Cell(key=5, kind="zone", name="hand", owner=0, shown="hand", holds="card"),
        game_pb2.Cell(key=9, kind="zone", name="hand", owner=1, shown="hand", holds="card"),
        game_pb2.Cell(key=2, kind="counter", name="points", owner=0, shown="public", holds="amount"),
        game_pb2.Cell(key=6, kind="counter", name="points", owner=2, shown="public", holds="amount"),
        game_pb2.Cell(key=7, kind="list", name="order", owner=-1, shown="public", holds="seat"),
    ],
    owners=["bank"],
    max_decisions=100,
)


class Mirror:
    """What the server would hold: makes updates with the kernel's own hash."""

    def __init__(self) -> None:
        self.cells: Cells = {}
        self.version = 0

    def update(
        self, changes: Cells, *events: tuple[int, ...], snapshot: bool = False, **more: Any
    ) -> play_pb2.Update:
        """The update of a change; `hash` among `more` plants a wrong one."""
        self.version += 1
        merged = {**({} if snapshot else self.cells), **changes}
        self.cells = {key: values for key, values in merged.items() if not is_empty(key, values)}
        more.setdefault("hash", state_hash(self.cells))
        return play_pb2.Update(
            version=self.version,
            keys=changes.keys(),
            sizes=map(len, changes.values()),
            values=[value for values in changes.values() for value in values],
            event_sizes=map(len, events),
            events=[value for event in events for value in event],
            snapshot=snapshot,
            **more,
        )

    def snapshot(self, **more: Any) -> play_pb2.Update:
        """The whole view."""
        return self.update(self.cells, snapshot=True, **more)


def decision(number: int, options: int = 3) -> play_pb2.Decision:
    """One of `options` cards or none."""
    flat = [value for option in range(options) for value in (1, option % 2)]
    return play_pb2.Decision(
        id=number, kind=1, prompt=[0, 0], options=flat, option_size=2, default_choice=[1], left_ms=60_000
    )


class Wire:
    """One stream, from the server's end."""

    def __init__(self, context: Any) -> None:
        self._context = context

    async def hear(self) -> play_pb2.PlayRequest | None:
        """The next message that is no heartbeat; None at the end."""
        while True:
            request = await self._context.read()
            if not isinstance(request, play_pb2.PlayRequest):
                return None
            if not request.heartbeat:
                return request

    async def say(self, *items: Any, **fields: Any) -> None:
        """Send items of channel 7 in one message."""
        names = {
            "Opened": "opened",
            "Update": "update",
            "Decision": "decision",
            "Verdict": "verdict",
            "Closed": "closed",
        }
        wrapped = [play_pb2.MatchItem(channel=7, **{names[type(item).__name__]: item}) for item in items]
        await self._context.write(play_pb2.PlayResponse(items=wrapped, **fields))

    async def welcome(self, *items: Any, **fields: Any) -> play_pb2.Hello:
        """Take the hello, welcome, open the match, and send items."""
        request = await self.hear()
        assert request is not None
        opened = play_pb2.Opened(match_id=MATCH, seat=0, game_info_id=INFO.id, game="toy", **fields)
        await self.say(opened, *items, welcome=play_pb2.Welcome(max_answers=64, keepalive_ms=10_000))
        return request.hello

    async def answer(self) -> play_pb2.Answer:
        """The one answer of the next message."""
        request = await self.hear()
        assert request is not None and len(request.answers) == 1, request
        return request.answers[0]

    async def refuse(self, reason: str, code: int, field: str) -> None:
        """End the stream as the real server does."""
        details = [AnyMessage(), AnyMessage()]
        info = error_details_pb2.ErrorInfo(reason=f"REASON_{reason}", domain="ziggurat", metadata={"a": "b"})
        details[0].Pack(info)
        violation = error_details_pb2.BadRequest.FieldViolation(field=field, description="why")
        details[1].Pack(error_details_pb2.BadRequest(field_violations=[violation]))
        status = status_pb2.Status(code=code, message="no", details=details)
        await self._context.abort_with_status(rpc_status.to_status(status))


Script = Callable[[Wire], Awaitable[None]]


class Fake(play_pb2_grpc.BotServiceServicer, game_pb2_grpc.GameServiceServicer):
    """The server; `errors` holds what went wrong in scripts."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.errors: list[BaseException] = []
        self.fetched = 0
        self.asked = asyncio.Event()
        self.address = ""

    async def __aenter__(self) -> Fake:
        self._server = grpc.aio.server()
        play_pb2_grpc.add_BotServiceServicer_to_server(self, self._server)
        game_pb2_grpc.add_GameServiceServicer_to_server(self, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop(None)
        assert not self.errors, self.errors

    async def GetGame(self, request: Any, context: Any) -> game_pb2.GetGameResponse:
        """The toy."""
        self.fetched += 1
        self.asked.set()
        return game_pb2.GetGameResponse(info=INFO)

    async def Play(self, request_iterator: Any, context: Any) -> None:
        """Play the next script."""
        try:
            await self.scripts.pop(0)(Wire(context))
        except Exception as error:
            if not isinstance(error, grpc.aio.AbortError):
                self.errors.append(error)
            raise
