"""What the parts under the server can do alone: grpc.aio streams, and the store behind our append script.

As a program: an echo server that writes its port to a file.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from tests.bench.machine import BenchError, Children, alone_estimate, cpu_seconds, loop_factory

from ziggurat.v1 import play_pb2
from ziggurat_server import convert
from ziggurat_server.sessions.embedded import EmbeddedStore
from ziggurat_server.sessions.store import Store

METHOD = "/bench.Echo/Play"
UPDATE = convert.play_frame(convert.channel_head(9), convert.item(convert.UPDATE, b"u" * 100))
"""About as long as the update that an answer brings; never decoded."""
ENTRY = b"e" * 40
STALLED_SECONDS = 30.0

Figures = dict[str, Any]


async def _echo(_: Any, context: Any) -> None:
    while isinstance(request := await context.read(), play_pb2.PlayRequest):
        await context.write(UPDATE * len(request.answers))


async def serve(ready: Path) -> None:
    """Answer each answer with an item, until ended."""
    handler: Any = grpc.stream_stream_rpc_method_handler(
        _echo, request_deserializer=play_pb2.PlayRequest.FromString, response_serializer=None
    )
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Play": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    partial = ready.with_suffix(".new")
    partial.write_text(str(port))
    partial.replace(ready)
    await server.wait_for_termination()


async def ping_pong(work: Path, seconds: float, shapes: Sequence[tuple[int, int]]) -> list[Figures]:
    """Items a second over so many streams with so many items a message, each message answered by one."""
    figures = []
    with Children(work) as children:
        process = children.start("echo", ["-m", "tests.bench.ceilings", str(work / "echo.port")])
        port = await children.port(work / "echo.port")
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            for streams, items in shapes:
                figures.append(await _ping_pong(channel, process.pid, seconds, streams, items))
    return figures


async def _ping_pong(
    channel: grpc.aio.Channel, server: int, seconds: float, streams: int, items: int
) -> Figures:
    answers = [play_pb2.Answer(channel=9, decision_id=100, choice=[3], move_id=b"12345678")] * items
    call: Any = channel.stream_stream(METHOD, request_serializer=play_pb2.PlayRequest.SerializeToString)
    done = 0
    ending = False

    async def play() -> None:
        nonlocal done
        stream = call()
        while not ending:
            await stream.write(play_pb2.PlayRequest(answers=answers))
            if await stream.read() is grpc.aio.EOF:
                return
            done += items
        await stream.done_writing()
        while await stream.read() is not grpc.aio.EOF:
            pass

    async with asyncio.timeout(seconds + STALLED_SECONDS), asyncio.TaskGroup() as tasks:
        for _ in range(streams):
            tasks.create_task(play())
        await asyncio.sleep(min(1.0, seconds / 4))
        before, began, cpu, own = done, time.perf_counter(), cpu_seconds(server), time.process_time()
        await asyncio.sleep(seconds)
        counted, spent = done - before, time.perf_counter() - began
        cpu, own = cpu_seconds(server) - cpu, time.process_time() - own
        ending = True
    return {
        "streams": streams,
        "items_a_message": items,
        "items_per_second": counted / spent,
        "items_per_second_alone_estimate": alone_estimate(counted, cpu, cpu + own),
        "client_cpu_us_an_item": own / max(1, counted) * 1e6,
        "server_cpu_us_an_item": cpu / max(1, counted) * 1e6,
    }


async def appends(work: Path, seconds: float, in_flight: int) -> Figures:
    """Appends a second to the embedded store, each log's next one as soon as the last is confirmed."""
    embedded = await asyncio.to_thread(EmbeddedStore, work / "ceiling")
    try:
        store = Store(embedded.url)
        await store.open()
        try:
            return await _appends(store, embedded.pid, seconds, in_flight)
        finally:
            await store.close()
    finally:
        await asyncio.to_thread(embedded.stop)


async def _appends(store: Store, pid: int, seconds: float, in_flight: int) -> Figures:
    ending = asyncio.Event()
    done = open_logs = 0
    drained = asyncio.Event()
    failed = ""

    def put(match_id: str, tip: bytes, number: int) -> None:
        new_tip = number.to_bytes(8, "big")

        def outcome(result: int) -> None:
            nonlocal done, failed, open_logs
            if result != 1:
                failed = f"an append to {match_id} had outcome {result}"
            if result != 1 or ending.is_set():
                open_logs -= 1
                if not open_logs:
                    drained.set()
                return
            done += 1
            put(match_id, new_tip, number + 1)

        store.append(match_id, tip, new_tip, [ENTRY], outcome)

    for number in range(in_flight):
        await store.create(f"m{number}", b"header")
    tips = [(await store.read(f"m{number}")) for number in range(in_flight)]
    for number, tail in enumerate(tips):
        assert tail is not None
        open_logs += 1
        put(f"m{number}", tail.tip, 1)
    await asyncio.sleep(min(0.5, seconds / 4))
    before, began, cpu = done, time.perf_counter(), cpu_seconds(pid)
    own = time.process_time()
    await asyncio.sleep(seconds)
    counted, spent = done - before, time.perf_counter() - began
    cpu, own = cpu_seconds(pid) - cpu, time.process_time() - own
    ending.set()
    await asyncio.wait_for(drained.wait(), STALLED_SECONDS)
    if failed:
        raise BenchError(failed)
    return {
        "in_flight": in_flight,
        "durability": store.durability,
        "appends_per_second": counted / spent,
        "store_cpu_us_an_append": cpu / max(1, counted) * 1e6,
        "writer_cpu_us_an_append": own / max(1, counted) * 1e6,
    }


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serve(Path(sys.argv[1])))
