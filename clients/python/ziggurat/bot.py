"""A bot: one stream for all its matches, kept up for as long as the bot runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable

import grpc
import grpc.aio

from ziggurat.address import OPTIONS, check_address, token_bytes
from ziggurat.errors import Unreachable, refusal
from ziggurat.game import GameInfo
from ziggurat.pool import Decide, Pool, pool
from ziggurat.session import Result, Session, Task
from ziggurat.v1 import game_pb2, game_pb2_grpc, play_pb2, play_pb2_grpc

log = logging.getLogger("ziggurat")

Stream = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
_WELCOME_WITHIN = 10.0
_GOODBYE_WITHIN = 1.0


class Bot:
    """Plays every match in which `token` holds a seat, with `decide`, until stopped.

    `threads`: how many sync decisions may run at once. `verify`: check the state hash of each update.
    `matches`: end after so many matches. `on_result` is called on the stream's thread when a match ends.
    `connect_timeout` and `reconnect_timeout`: seconds without any server before Unreachable is raised, at
    first and later on.
    """

    def __init__(  # noqa: PLR0913
        self,
        decide: Decide,
        address: str,
        token: bytes | str,
        *,
        name: str = "",
        threads: int = 1,
        verify: bool = True,
        matches: int | None = None,
        on_result: Callable[[Result], None] | None = None,
        connect_timeout: float = 10.0,
        reconnect_timeout: float = 300.0,
    ) -> None:
        self._address = check_address(address)
        self._decide = decide
        self._threads = threads
        self._matches = matches
        self._on_result = on_result
        self._connect_timeout = connect_timeout
        self._reconnect_timeout = reconnect_timeout
        self._session = Session(name, token_bytes(token), verify)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = threading.Event()
        self._failure: BaseException | None = None
        self._wake = asyncio.Event()
        self._stop_stream = asyncio.Event()
        self._flushing = False
        self._welcomed = False
        self._ended = 0
        self._pool: Pool

    def run(self) -> None:
        """Play, blocking; the stream has a thread of its own. Raises what `play` raises."""
        outcome: list[BaseException] = []

        def stream() -> None:
            try:
                asyncio.run(self.play())
            except BaseException as error:
                outcome.append(error)

        thread = threading.Thread(target=stream, name="ziggurat-stream", daemon=True)
        thread.start()
        thread.join()
        if outcome:
            raise outcome[0]

    def stop(self) -> None:
        """End `run` or `play`, from any thread or a signal handler. Open matches stay open."""
        self._stopped.set()
        self._call(self._stop_stream.set)

    @property
    def attached(self) -> bool:
        """Whether a server has welcomed the bot and the stream is up."""
        return self._welcomed

    async def play(self) -> None:
        """Play in the running loop; `decide` still runs elsewhere.

        Raises Refused (a token or request the server does not take), Unreachable, OutOfStep, and whatever
        `decide` raised.
        """
        self._loop = asyncio.get_running_loop()
        self._pool = pool(self._decide, self, self._threads)
        try:
            async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
                await self._stay_attached(channel)
        finally:
            self._session.cancel()
            self._pool.close()
        if self._failure is not None:
            raise self._failure

    def decided(self, task: Task, choice: object) -> None:
        """A choice was made. Called by the pool."""
        seat, _, decision = task
        self._session.decided(seat, decision, choice)

    def flush(self) -> None:
        """Send what was decided. Called by the pool."""
        if not self._flushing:
            self._flushing = True
            self._call(self._wake.set)

    def fail(self, error: BaseException) -> None:
        """End because `decide` raised. Called by the pool."""
        self._failure = self._failure or error
        self.stop()

    def _call(self, function: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(function)

    async def _stay_attached(self, channel: grpc.aio.Channel) -> None:
        pause = _FIRST_PAUSE
        give_up = time.monotonic() + self._connect_timeout
        while True:
            started = time.monotonic()
            self._welcomed = False
            problem = await self._attach(channel)
            if self._stopped.is_set():
                return
            now = time.monotonic()
            if self._welcomed:
                give_up = now + self._reconnect_timeout
                if now - started > _LONGEST_PAUSE:
                    pause = _FIRST_PAUSE
            log.info("%s: %s", self._address, problem)
            if now > give_up:
                raise Unreachable(f"no server at {self._address}: {problem}")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause * random.uniform(0.5, 1.0)):
                    await self._stop_stream.wait()
            if self._stopped.is_set():
                return
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _attach(self, channel: grpc.aio.Channel) -> str:
        """Play one stream to its end; returns why it ended, unless it makes no sense to attach again."""
        call: Stream = play_pb2_grpc.BotServiceStub(channel).Play()
        try:
            async with asyncio.TaskGroup() as group, asyncio.timeout(_WELCOME_WITHIN) as patience:
                helpers: list[asyncio.Task[None]] = [
                    group.create_task(self._write(call)),
                    group.create_task(self._beat(call)),
                    group.create_task(self._say_goodbye(call, patience)),
                ]
                try:
                    await call.write(self._session.hello())
                    await self._read(
                        call,
                        patience,
                        lambda wanted: helpers.append(group.create_task(self._fetch(channel, *wanted))),
                    )
                finally:
                    for helper in helpers:
                        helper.cancel()
        except BaseExceptionGroup as errors:
            return _passing(errors)
        finally:
            call.cancel()
        return "the server ended the stream"

    async def _read(
        self,
        call: Stream,
        patience: asyncio.Timeout,
        fetch: Callable[[tuple[str, str]], None],
    ) -> None:
        session, clock = self._session, asyncio.get_running_loop().time
        fetching: set[str] = set()
        while not session.stopping and not self._done:
            response = await call.read()
            if not isinstance(response, play_pb2.PlayResponse):
                return
            session.receive(response)
            if not self._stop_stream.is_set():
                patience.reschedule(clock() + 3 * self._beat_every())
            if not self._welcomed:
                self._welcomed = True
                log.info("%s: attached", self._address)
            for wanted in session.wanted.items():
                if wanted[0] not in fetching:
                    fetching.add(wanted[0])
                    fetch(wanted)
            self._hand_over()

    def _hand_over(self) -> None:
        """Give what `receive` or `learn` brought to those who wait for it."""
        session = self._session
        if session.tasks:
            self._pool.submit(session.tasks)
            session.tasks = []
        for result in session.results:
            self._ended += 1
            if self._on_result is not None:
                self._on_result(result)
        session.results.clear()
        if self._done:
            self.stop()
        if session.has_news:
            self._wake.set()

    @property
    def _done(self) -> bool:
        return self._matches is not None and self._ended >= self._matches

    def _beat_every(self) -> float:
        return min(max(self._session.keepalive / 2, 1.0), 15.0)

    async def _write(self, call: Stream) -> None:
        """Send what there is to say, many answers in a message."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the reader tells why
            while True:
                await self._wake.wait()
                self._wake.clear()
                self._flushing = False
                while self._welcomed and (request := self._session.next_request()) is not None:
                    await call.write(request)

    async def _beat(self, call: Stream) -> None:
        """Show that the bot is there, more often than the server would ask; so no pings are needed."""
        number = 0
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await asyncio.sleep(self._beat_every())
                number += 1
                if self._welcomed:
                    await call.write(play_pb2.PlayRequest(heartbeat=number))

    async def _say_goodbye(self, call: Stream, patience: asyncio.Timeout) -> None:
        """Half-close when the bot is stopped, and wait a little for the server's end."""
        await self._stop_stream.wait()
        patience.reschedule(asyncio.get_running_loop().time() + _GOODBYE_WITHIN)
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await call.done_writing()

    async def _fetch(self, channel: grpc.aio.Channel, info_id: str, match_id: str) -> None:
        stub = game_pb2_grpc.GameServiceStub(channel)
        try:
            response = await stub.GetGame(game_pb2.GetGameRequest(match_id=match_id), timeout=_WELCOME_WITHIN)
        except grpc.aio.AioRpcError as error:
            problem = refusal(error)
            if problem.passing:
                raise
            log.error("match %s cannot be played: %s", match_id, problem)
            return
        self._session.learn(info_id, GameInfo(response.info))
        self._hand_over()


def _passing(errors: BaseExceptionGroup[BaseException]) -> str:
    """What to say about a broken stream that may be opened again; raises what ended it if it may not."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "the server is silent"
    if not isinstance(error, grpc.aio.AioRpcError):
        raise error from None
    problem = refusal(error)
    if problem.reason == "SUPERSEDED" or not problem.passing:
        raise problem from None
    return str(problem)
