"""BotService.Play: one stream carries all matches of a bot, batched both ways."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import structlog

from ziggurat.v1 import play_pb2
from ziggurat_server import VERSION, convert
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import Entry, Kind
from ziggurat_server.matches.live import WAITING, LiveMatch, Verdict
from ziggurat_server.matches.node import Node
from ziggurat_server.matches.session import Session
from ziggurat_server.services.errors import MAX_MESSAGE_BYTES, check_message, guarded
from ziggurat_server.services.games import GameInfos, is_match_id
from ziggurat_server.services.items import closed_item, first, snapshot_item, verdict_message
from ziggurat_server.services.tokens import token_hash

log = structlog.get_logger()

MAX_ANSWERS = 64
MAX_HELD = 10_000
MAX_ITEMS = 64
MAX_BATCH_BYTES = 256 * 1024
MAX_QUEUED = 50_000
"""Items that may wait for a bot that does not read; more end its stream, and it may attach again."""
KEEPALIVE_MS = 10_000
UNKNOWN_CHANNEL = 7


class Channel:
    """One seat of one match on one stream."""

    def __init__(self, stream: Stream, number: int, session: Session, seat: int) -> None:
        self.stream = stream
        self.number = number
        self._head = convert.channel_head(number)
        self.session = session
        self.audience = seat

    @property
    def live(self) -> LiveMatch:
        """The match."""
        return self.session.live

    @property
    def round_trip_ms(self) -> int:
        """Last measured on its stream."""
        return self.stream.round_trip_ms

    def put(self, field: int, payload: bytes) -> None:
        """Queue a message of the match; `field` is its number among the items."""
        self.stream.put(convert.play_frame(self._head, convert.item(field, payload)))

    def update(self, live: LiveMatch, item: bytes) -> None:
        """The view changed."""
        self.stream.put(convert.play_frame(self._head, item))

    def decision(self, live: LiveMatch, seat: int) -> None:
        """The seat is asked."""
        decision = live.asked(seat)
        if decision is not None:
            left = self.session.decision_sent(seat)
            message = convert.decision_message(live.seats[seat].decision_id, decision, left)
            self.put(convert.DECISION, message.SerializeToString())

    def closed(self, live: LiveMatch) -> None:
        """The match is over."""
        self.end(live)
        asyncio.get_running_loop().call_soon(self.stream.drop, self)

    def resync(self, live: LiveMatch) -> None:
        """The log went back: start again from a snapshot."""
        self.update(live, snapshot_item(live, self.audience, rolled_back=True))
        self.decision(live, self.audience)

    def verdict(self, verdict: Verdict) -> None:
        """What became of an answer."""
        self.put(convert.VERDICT, verdict_message(verdict).SerializeToString())

    def end(self, live: LiveMatch) -> None:
        """Say how the match ended."""
        self.stream.put(convert.play_frame(self._head, closed_item(live)))


class Stream:
    """One attached bot: its channels and what waits to be written."""

    def __init__(self, node: Node, infos: GameInfos, name: str, token: bytes) -> None:
        self.node = node
        self.infos = infos
        self.name = name
        self.token = token
        self.channels: dict[int, Channel] = {}
        self.by_seat: dict[tuple[str, int], Channel] = {}
        self.opened = 0
        self.items: list[bytes] = []
        self.heartbeat = 0
        self.round_trip_ms = 0
        self._pings = 0
        self._pinged = 0.0
        self.news = asyncio.Event()
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.held: dict[tuple[str, int], play_pb2.Held] = {}

    def put(self, frame: bytes) -> None:
        """Queue an item."""
        if self.failure.done():
            return
        self.items.append(frame)
        if len(self.items) > MAX_QUEUED:
            self.fail(ServiceError("LIMIT", "", "the bot does not read its stream; attach again"))
        self.news.set()

    def fail(self, error: ServiceError) -> None:
        """End the stream with an error, whether the bot reads or not; what waits is for its next stream to fetch."""
        if not self.failure.done():
            self.failure.set_exception(error)
            self.failure.exception()  # seen, should the stream end otherwise before
            self.items.clear()

    async def open(self, match_id: str) -> None:
        """Open the channels of a match, if they are not open."""
        try:
            session = await self.node.session(match_id)
            if self._is_ahead(session.live):  # it was at another node that we have not caught up with
                await self.node.look(match_id)
                session = await self.node.session(match_id)
        except ServiceError as error:
            if error.reason == "STORE_UNAVAILABLE":
                self.fail(error)
            log.warning("match not opened", match=match_id, error=str(error))
            return
        for seat in session.live.seats_of(self.token):
            if (match_id, seat) not in self.by_seat:
                self._open_seat(session, seat)

    def _is_ahead(self, live: LiveMatch) -> bool:
        held = ((seat, self.held.get((live.id, seat))) for seat in live.seats_of(self.token))
        return any(view is not None and view.version > live.version(seat) for seat, view in held)

    def _open_seat(self, session: Session, seat: int) -> None:
        live = session.live
        held = self.held.pop((live.id, seat), None)
        self.opened += 1
        channel = Channel(self, self.opened, session, seat)
        awaits = live.state == WAITING and not live.seats[seat].ready
        opened = play_pb2.Opened(
            match_id=live.id,
            seat=seat,
            game_info_id=self.infos.of(live).id,
            game=live.game.name,
            awaits_ready=awaits,
        )
        channel.put(convert.OPENED, opened.SerializeToString())
        first(live, channel, held.version if held else None, held.hash if held else 0)
        if live.over:
            channel.end(live)
            return
        self.channels[channel.number] = self.by_seat[live.id, seat] = channel
        session.attach(channel)
        session.seat_here(seat)
        channel.decision(live, seat)

    def drop(self, channel: Channel) -> None:
        """Close a channel."""
        if self.channels.pop(channel.number, None) is not None:
            self.by_seat.pop((channel.live.id, channel.audience), None)
            channel.session.detach(channel)
            channel.session.seat_left(channel.audience, self.round_trip_ms)

    def take(self, request: play_pb2.PlayRequest) -> None:
        """Take in a batch from the bot; raises ServiceError for what no bot should send."""
        if request.HasField("hello"):
            raise ServiceError("NO_HELLO", "hello", "a hello comes once, in the first message")
        if len(request.answers) > MAX_ANSWERS:
            raise ServiceError("LIMIT", "answers", f"at most {MAX_ANSWERS} answers in a message")
        for number in request.ready:
            self._ready(number)
        for answer in request.answers:
            self._answer(answer)
        for number in dict.fromkeys(request.resync):
            channel = self.channels.get(number)
            if channel is not None:
                log.error(
                    "client asks for resync", match=channel.live.id, seat=channel.audience, bot=self.name
                )
                channel.update(channel.live, snapshot_item(channel.live, channel.audience))
        if request.heartbeat:
            self.heartbeat = request.heartbeat
            self.news.set()
        if request.pong and request.pong == self._pings:
            self.round_trip_ms = max(1, round((time.monotonic() - self._pinged) * 1000))

    def ping(self) -> int:
        """A new number for the client to send back."""
        self._pings += 1
        self._pinged = time.monotonic()
        return self._pings

    def _ready(self, number: int) -> None:
        channel = self.channels.get(number)
        if channel is not None and not channel.live.seats[channel.audience].ready and not channel.live.over:
            self.node.note(channel.session, Entry(Kind.READY, channel.audience))

    def _answer(self, answer: play_pb2.Answer) -> None:
        channel = self.channels.get(answer.channel)
        if channel is None:
            refused = Verdict(answer.decision_id, UNKNOWN_CHANNEL, f"channel: {answer.channel} is not open")
            item = convert.item(convert.VERDICT, verdict_message(refused).SerializeToString())
            self.put(convert.play_frame(convert.channel_head(answer.channel), item))
            return
        if len(answer.move_id) > 16:
            raise ServiceError("BAD_FIELD", "answers.move_id", "at most 16 bytes")
        if self.node.stopping:
            return  # unanswered: the bot repeats it at the node it attaches to next
        plan = tuple(tuple(choice.values) for choice in answer.plan)
        self.node.answers.take(
            channel.session, channel.audience, answer.decision_id, tuple(answer.choice), answer.move_id, plan,
            channel.verdict,
        )  # fmt: skip

    def batch(self) -> bytes:
        """The next message to write."""
        size = count = 0
        for item in self.items[:MAX_ITEMS]:
            if size and size + len(item) > MAX_BATCH_BYTES:
                break
            size += len(item)
            count += 1
        parts, self.items = self.items[:count], self.items[count:]
        if self.heartbeat:
            answer = play_pb2.PlayResponse(heartbeat=self.heartbeat, ping=self.ping())
            parts.append(answer.SerializeToString())
            self.heartbeat = 0
        return b"".join(parts)

    def close(self) -> None:
        """Give up all channels."""
        for channel in list(self.channels.values()):
            self.drop(channel)


class Play:
    """BotService."""

    def __init__(self, node: Node, infos: GameInfos) -> None:
        self._node = node
        self._infos = infos
        self._streams: dict[bytes, Stream] = {}

    @guarded
    async def Play(self, _: Any, context: Any) -> None:
        """Carry all matches of a bot until it half-closes, or something ends the stream."""
        hello = await self._hello(context)
        stream = Stream(self._node, self._infos, hello.name[:64], token_hash(hello.token))
        stream.held = {(held.match_id, held.seat): held for held in hello.held if is_match_id(held.match_id)}
        arrivals: asyncio.Queue[str] = asyncio.Queue()
        heard = arrivals.put_nowait
        try:
            await self._node.connections.listen(stream.token, heard)
            await context.write(self._welcome(stream.ping()))
            self._supersede(stream)
            for match_id in await self._node.store.seats_of(stream.token):
                await stream.open(match_id)
            for match_id, seat in list(stream.held):  # over, or never known here
                await stream.open(match_id)
                stream.held.pop((match_id, seat), None)
            async with asyncio.TaskGroup() as tasks:
                writer = tasks.create_task(self._write(stream, context))
                opener = tasks.create_task(self._open(stream, arrivals))
                failing = tasks.create_task(_raise(stream.failure))
                await self._read(stream, context)
                for task in (writer, opener, failing):
                    task.cancel()
        finally:
            self._node.connections.unlisten(stream.token, heard)
            if self._streams.get(stream.token) is stream:
                del self._streams[stream.token]
            stream.close()
            log.info("bot left", bot=stream.name)

    def _supersede(self, stream: Stream) -> None:
        """Let a stream take over from an older one of its token."""
        older = self._streams.get(stream.token)
        if older is not None:
            older.fail(ServiceError("SUPERSEDED", "token", "a newer stream of this token took over"))
            older.close()
        self._streams[stream.token] = stream
        log.info("bot attached", bot=stream.name)

    async def _hello(self, context: Any) -> play_pb2.Hello:
        if self._node.stopping:
            raise ServiceError("STOPPING", "", "the server is stopping; connect again")
        request = await context.read()
        check_message(request)
        if not isinstance(request, play_pb2.PlayRequest) or not request.HasField("hello"):
            raise ServiceError("NO_HELLO", "hello", "the first message must hold a hello")
        if len(request.hello.token) < 16:
            raise ServiceError("NO_TOKEN", "hello.token", "a token of at least 16 bytes is needed")
        if len(request.hello.held) > MAX_HELD:
            raise ServiceError("LIMIT", "hello.held", f"at most {MAX_HELD} views are taken up again")
        return request.hello

    def _welcome(self, ping: int) -> bytes:
        return play_pb2.PlayResponse(
            welcome=play_pb2.Welcome(
                server_version=VERSION,
                durability=self._node.store.durability,
                max_message_bytes=MAX_MESSAGE_BYTES,
                max_answers=MAX_ANSWERS,
                keepalive_ms=KEEPALIVE_MS,
            ),
            ping=ping,
        ).SerializeToString()

    async def _read(self, stream: Stream, context: Any) -> None:
        while True:
            request = await context.read()
            check_message(request)
            if not isinstance(request, play_pb2.PlayRequest):
                return
            stream.take(request)

    async def _write(self, stream: Stream, context: Any) -> None:
        while True:
            await stream.news.wait()
            stream.news.clear()
            while stream.items or stream.heartbeat:
                await context.write(stream.batch())

    async def _open(self, stream: Stream, arrivals: asyncio.Queue[str]) -> None:
        while True:
            await stream.open(await arrivals.get())

    def tell_stopping(self) -> None:
        """Tell all bots that the server is going."""
        farewell = play_pb2.PlayResponse(stopping=True).SerializeToString()
        for stream in self._streams.values():
            stream.items.append(farewell)
            stream.news.set()


async def _raise(failure: asyncio.Future[None]) -> None:
    await failure
