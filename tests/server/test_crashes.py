"""SIGKILL of the server at named places, and of the store: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.events import Event
from tests.support.servers import ServerProcess

from ziggurat_server.failpoints import NAMES
from ziggurat_server.sessions.embedded import EmbeddedStore

MATCHES = int(os.environ.get("ZIGGURAT_CRASH_MATCHES", "50"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    made = EmbeddedStore(tmp_path / "store")
    yield made
    made.stop()


@pytest.mark.chaos
@pytest.mark.parametrize("place", NAMES)
async def test_another_node_goes_on_after_a_sigkill(place: str, store: EmbeddedStore, tmp_path: Path) -> None:
    # One passing of append_sent is a whole group of appends; of the other places, one move.
    passing = 1 + secrets.randbelow(60 if place == "append_sent" else MATCHES * 60)
    print(f"killed at passing {passing} of {place}")
    event = Event("flow", 4, MATCHES, f"{place}-{passing}")
    other = ServerProcess(tmp_path / "other", store.url)
    first = ServerProcess(tmp_path / "first", store.url, f"{place}:{passing}")
    try:
        await event.create(other.address)
        bots = await event.play([first.address, other.address])
        assert first.process.poll() == -signal.SIGKILL, "the failpoint was not passed"
        assert all(bot.attached >= 2 for bot in bots)
        await event.check(other.address, bots)
    finally:
        first.kill()
        other.stop()


@pytest.mark.chaos
async def test_the_same_server_goes_on_after_a_restart(tmp_path: Path) -> None:
    event = Event("flow", 4, MATCHES, "restart")
    servers = [ServerProcess(tmp_path / "server")]
    await event.create(servers[0].address)
    bots_addresses = [servers[0].address]

    async def disturb() -> None:
        for _ in range(2):
            await asyncio.sleep(0.7)
            servers[-1].kill()
            servers.append(await asyncio.to_thread(ServerProcess, tmp_path / "server"))
            bots_addresses.append(servers[-1].address)

    try:
        bots = await event.play(bots_addresses, disturb)
        await event.check(servers[-1].address, bots)
    finally:
        servers[-1].stop()


@pytest.mark.chaos
async def test_the_store_is_killed(store: EmbeddedStore, tmp_path: Path) -> None:
    event = Event("flow", 4, MATCHES, "store")
    server = ServerProcess(tmp_path / "server", store.url)

    async def disturb() -> None:
        for _ in range(3):
            await asyncio.sleep(0.4 + secrets.randbelow(300) / 1000)
            os.kill(store.pid, signal.SIGKILL)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(store.revive)

    try:
        await event.create(server.address)
        bots = await event.play([server.address], disturb)
        await event.check(server.address, bots)
    finally:
        server.stop()
