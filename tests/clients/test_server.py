"""The client and the bots against the real server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ziggurat import AsyncClient, Bot, Choice, Client, Decision, Refused, Result, SeatFor, View, new_token
from ziggurat_bots.random import seeded

pytest.importorskip("ziggurat_rules.games.flow")
app = pytest.importorskip("ziggurat_server.app")

GAME = "flow"


@pytest.mark.slow
async def test_random_bots_play_to_the_end_and_a_watcher_sees_all(address: str) -> None:
    tokens = [new_token() for _ in range(3)]
    results: list[Result] = []
    async with AsyncClient(address) as client:
        assert GAME in [game.name for game in await client.list_games()]
        made = [
            await client.create_match(
                GAME, [SeatFor(f"s{i}", token) for i, token in enumerate(tokens)], seed=seed
            )
            for seed in range(4)
        ]
        bots = [
            Bot(
                seeded(str(i)).decide,
                address,
                token,
                matches=len(made),
                on_result=results.append,
                threads=1 + i,
            )
            for i, token in enumerate(tokens)
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        views = [view async for view in client.watch(made[0].match_id)]
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        assert isinstance(views[-1], Result) and len(views[-1].standings) == 3
        assert all(isinstance(view, View) for view in views[:-1]) and len(views) > 50
        assert len(results) == 12 and not any(result.void_reason for result in results)
        assert len(await client.get_record(made[0].match_id)) > 100


@pytest.mark.slow
async def test_a_match_can_be_played_call_by_call(address: str) -> None:
    def play() -> None:
        with Client(address) as client:
            tokens = [new_token().hex() for _ in range(2)]
            match = client.create_match(GAME, [SeatFor(), SeatFor()], match_id="by-hand")
            assert [m.match_id for m in client.list_matches()] == [match.match_id]
            for seat, token in enumerate(tokens):
                client.join("by-hand", seat, token, f"p{seat}", ready=True)
            for _ in range(6):
                for token in tokens:
                    _, view, decision = client.get_match("by-hand", token)
                    if decision is not None:
                        assert view.to_act
                        done = client.act("by-hand", token, decision.id, decision.default, b"once")
                        assert done.status == "accepted"
                        assert (
                            client.act("by-hand", token, decision.id, decision.default, b"once").status
                            == "accepted"
                        )
            watched = client.watch("by-hand")
            assert isinstance(next(watched), View)
            with pytest.raises(Refused) as sealed:
                client.get_record("by-hand")
            assert sealed.value.reason == "SEALED"
            client.abort("by-hand", tokens[0], "enough")
            assert isinstance(list(watched)[-1], Result)
            with pytest.raises(Refused) as unknown:
                client.get_match("nowhere")
            assert (unknown.value.reason, unknown.value.field) == ("UNKNOWN_MATCH", "match_id")

    await asyncio.wait_for(asyncio.to_thread(play), 60)


@pytest.mark.slow
async def test_a_newer_stream_of_a_token_ends_the_older(address: str) -> None:
    token = new_token()
    older = Bot(lambda view, decision: decision.default, address, token)
    playing = asyncio.create_task(older.play())
    while not older.attached:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    newer = Bot(lambda view, decision: decision.default, address, token)
    other = asyncio.create_task(newer.play())
    with pytest.raises(Refused, match="took over"):
        await asyncio.wait_for(playing, 10)
    newer.stop()
    await asyncio.wait_for(other, 10)


@pytest.mark.slow
async def test_bot_processes_play_and_end_on_sigterm(address: str) -> None:
    tokens = [new_token() for _ in range(2)]
    processes = []
    for bot, token in zip(("random", "random"), tokens, strict=True):
        environment = {**os.environ, "ZIGGURAT_ADDRESS": address, "ZIGGURAT_TOKEN": token.hex()}
        command = [sys.executable, "-m", "ziggurat_bots", bot, "--seed", "1"]
        process = await asyncio.create_subprocess_exec(*command, env=environment, stderr=subprocess.PIPE)
        processes.append(process)
    async with AsyncClient(address) as client:
        made = await client.create_match(GAME, [SeatFor(f"s{i}", token) for i, token in enumerate(tokens)])
        async with asyncio.timeout(60):
            views = [view async for view in client.watch(made.match_id)]
    assert isinstance(views[-1], Result) and views[-1].standings
    for process in processes:
        process.send_signal(signal.SIGTERM)
    for process in processes:
        _, said = await asyncio.wait_for(process.communicate(), 10)
        assert (process.returncode, said) == (0, b"")


@pytest.mark.slow
@pytest.mark.chaos
async def test_bots_play_on_after_the_server_was_stopped_and_started_again(tmp_path: Path) -> None:
    first = app.Application(app.Settings(listen="127.0.0.1:0", data_dir=tmp_path))
    await first.start()
    address = f"127.0.0.1:{first.port}"
    tokens = [new_token() for _ in range(2)]
    underway = asyncio.Event()
    results: list[Result] = []
    async with AsyncClient(address) as client:
        for seed in range(8):
            await client.create_match(GAME, [SeatFor(f"s{i}", t) for i, t in enumerate(tokens)], seed=seed)
    loop = asyncio.get_running_loop()

    def decide(view: View, decision: Decision) -> Choice:
        if decision.id == 10:
            loop.call_soon_threadsafe(underway.set)
        return seeded("1").decide(view, decision)

    bots = [Bot(decide, address, token, matches=8, on_result=results.append) for token in tokens]
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    await asyncio.wait_for(underway.wait(), 30)
    await first.stop()
    assert len(results) < 16
    second = app.Application(app.Settings(listen=address, data_dir=tmp_path))
    await second.start()
    await asyncio.wait_for(asyncio.gather(*playing), 60)
    assert len(results) == 16 and all(result.standings for result in results)
    await second.stop()
