"""Registered bots by the Python client: a registry of real bots, and matches that ask for them."""

from __future__ import annotations

import asyncio

import pytest

from ziggurat import AnyBot, AsyncClient, Bot, Client, Refused, Result, SeatFor, new_token
from ziggurat_bots.random import seeded

pytest.importorskip("ziggurat_server.app")


@pytest.mark.slow
async def test_bots_are_asked_for_by_name_and_by_rating_and_play(address: str) -> None:
    owner, tokens = new_token(), {name: new_token() for name in ("left", "middle", "right")}
    results: list[Result] = []
    async with AsyncClient(address) as client:
        for name, token in tokens.items():
            made = await client.register_bot(name, token, owner, version="1", games=["flow"], capacity=1)
            assert (made.name, made.version, made.capacity, made.connected) == (name, "1", 1, False)
        bots = [
            Bot(seeded(name).decide, address, token, matches=1, on_result=results.append)
            for name, token in tokens.items()
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        async with asyncio.timeout(10):
            while not all(bot.connected for bot in await client.list_bots("flow")):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        seats = [SeatFor(bot=AnyBot()), SeatFor(bot="left"), SeatFor(bot=AnyBot(25.0, 0.5))]
        match = await client.create_match("flow", seats, match_id="m")
        assert match.seats == ["middle", "left", "right"]
        with pytest.raises(Refused) as full:
            await client.create_match("flow", [SeatFor(bot="left"), SeatFor()])
        assert (full.value.reason, full.value.field) == ("BOT_UNAVAILABLE", "seats[0].bot.name")
        assert full.value.passing
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        assert len(results) == 3 and {result.match_id for result in results} == {"m"}
        assert await client.create_match("flow", seats, match_id="m") == (await client.get_match("m")).match


async def test_the_blocking_client_has_the_same_calls(address: str) -> None:
    def calls() -> None:
        with Client(address) as client:
            token, owner = new_token().hex(), new_token().hex()
            client.register_bot("a", token, owner, capacity=2)
            assert [(bot.name, bot.capacity) for bot in client.list_bots()] == [("a", 2)]
            with pytest.raises(Refused) as theirs:
                client.unregister_bot("a", new_token())
            assert (theirs.value.reason, theirs.value.field) == ("BAD_TOKEN", "owner_token")
            client.unregister_bot("a", owner)
            assert client.list_bots("flow") == []

    await asyncio.wait_for(asyncio.to_thread(calls), 20)
