"""The connection under the single calls, for asyncio programs and for others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any, Self, TypeVar

import grpc
import grpc.aio

from ziggurat.address import OPTIONS, check_address
from ziggurat.errors import Unreachable, refusal

T = TypeVar("T")

_ASK_AGAIN = 10


class Connection:
    """A channel to a server; also an async context manager. `timeout`: seconds for each call."""

    def __init__(self, address: str, timeout: float) -> None:
        self.address = check_address(address)
        self.timeout = timeout
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def _call(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            raise self._problem(error) from None

    def _problem(self, error: grpc.aio.AioRpcError) -> Exception:
        problem = refusal(error)
        if problem.code == grpc.StatusCode.UNAVAILABLE and not problem.reason:
            return Unreachable(f"no server at {self.address}: {problem}")
        return problem

    async def _kept_up(self, stream: Callable[[], AsyncIterator[T]]) -> AsyncGenerator[T, None]:
        """Items of a stream, which is asked for again when it breaks; it is for the caller to see the last one."""
        failures = 0
        while True:
            try:
                async for item in stream():
                    failures = 0
                    yield item
                problem: Exception = Unreachable(f"{self.address}: the server ended the stream")
            except grpc.aio.AioRpcError as error:
                problem = self._problem(error)
                if not refusal(error).passing:
                    raise problem from None
            failures += 1
            if failures > _ASK_AGAIN:
                raise problem
            await asyncio.sleep(min(0.1 * 2**failures, 5.0))


class Blocking:
    """Runs the calls of a Connection in a thread with a loop; also a context manager."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ziggurat-client", daemon=True)
        self._thread.start()

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(call, self._loop).result()

    def _each(self, items: AsyncGenerator[T, None]) -> Iterator[T]:
        async def following() -> T | None:
            return await anext(items, None)

        async def close() -> None:
            await items.aclose()

        try:
            while (item := self._run(following())) is not None:
                yield item
        finally:
            self._run(close())

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
