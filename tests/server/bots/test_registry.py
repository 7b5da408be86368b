"""The register of bots over the wire: who may change it, what it refuses, what it tells, who is connected."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.roster import (
    OWNER,
    create,
    enlist,
    here,
    listed,
    named,
    registration,
    token,
    until_connected,
)
from tests.support.servers import ServerProcess
from tests.support.stores import valkey
from tests.support.wire import Wire, refused, sha, wire

from ziggurat.v1 import bot_pb2, record_pb2
from ziggurat_server.app import Application, Settings
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.bots.values import Rating, RegisteredBot
from ziggurat_server.matches.node import Node

OTHER = b"somebody else's one"


def removal(name: str, owner: bytes = OWNER) -> bot_pb2.UnregisterBotRequest:
    return bot_pb2.UnregisterBotRequest(name=name, owner_token=owner)


async def test_a_bot_is_registered_changed_by_its_owner_and_removed(calls: Wire, node: Node) -> None:
    request = registration("a", version="1", games=["flow", "tta"], capacity=3)
    first = (await calls.bots.RegisterBot(request)).bot
    assert (first.name, first.version, list(first.games), first.capacity) == ("a", "1", ["flow", "tta"], 3)
    assert (first.connected, first.open_matches, len(first.ratings)) == (False, 0, 0)
    assert (await calls.bots.RegisterBot(request)).bot == first
    registry = Registry(node.store)
    kept = RegisteredBot("a", "1", ("flow", "tta"), 3, sha(token("a")), sha(OWNER))
    assert await registry.find("a") == kept and await registry.find("b") is None
    changed = registration("a", version="2", token_sha256=sha(token("new")))
    assert (await calls.bots.RegisterBot(changed)).bot.version == "2"
    await enlist(calls, "b", token_sha256=sha(token("a")))  # nobody's any more
    assert list(await listed(calls)) == ["a", "b"]
    await calls.bots.UnregisterBot(removal("a"))
    assert list(await listed(calls)) == ["b"]
    await enlist(calls, "c", token_sha256=sha(token("new")))
    assert (await refused(calls.bots.UnregisterBot(removal("a"))))[:3] == ("NOT_FOUND", "UNKNOWN_BOT", "name")


async def test_another_owner_changes_nothing(calls: Wire) -> None:
    await enlist(calls, "a", version="1")
    taken = registration("a", version="1", owner_token=OTHER)
    assert (await refused(calls.bots.RegisterBot(taken)))[:3] == ("ALREADY_EXISTS", "BOT_EXISTS", "name")
    # Not even with what the store keeps of the owner's token.
    taken = registration("a", version="9", owner_token=sha(OWNER))
    assert (await refused(calls.bots.RegisterBot(taken))).reason == "BOT_EXISTS"
    removed = await refused(calls.bots.UnregisterBot(removal("a", OTHER)))
    assert removed[:3] == ("PERMISSION_DENIED", "BAD_TOKEN", "owner_token")
    assert (await listed(calls))["a"].version == "1"


@pytest.mark.parametrize(
    ("content", "code", "reason", "field"),
    [
        ({"name": ""}, "INVALID_ARGUMENT", "BAD_FIELD", "name"),
        ({"name": "x" * 33}, "INVALID_ARGUMENT", "BAD_FIELD", "name"),
        ({"name": "a b"}, "INVALID_ARGUMENT", "BAD_FIELD", "name"),
        ({"name": "-a"}, "INVALID_ARGUMENT", "BAD_FIELD", "name"),
        ({"version": "v" * 65}, "INVALID_ARGUMENT", "BAD_FIELD", "version"),
        ({"version": "1/2"}, "INVALID_ARGUMENT", "BAD_FIELD", "version"),
        ({"games": ["flow", "chess"]}, "NOT_FOUND", "UNKNOWN_GAME", "games[1]"),
        ({"games": ["flow", "flow"]}, "INVALID_ARGUMENT", "BAD_FIELD", "games[1]"),
        ({"games": ["flow"] * 65}, "INVALID_ARGUMENT", "BAD_FIELD", "games"),
        ({"capacity": 10_001}, "INVALID_ARGUMENT", "BAD_FIELD", "capacity"),
        ({"token_sha256": b"short"}, "INVALID_ARGUMENT", "BAD_FIELD", "token_sha256"),
        ({"token_sha256": b""}, "INVALID_ARGUMENT", "BAD_FIELD", "token_sha256"),
        ({"token_sha256": sha(token("a"))}, "INVALID_ARGUMENT", "BAD_FIELD", "token_sha256"),
        ({"owner_token": b"short"}, "UNAUTHENTICATED", "NO_TOKEN", "owner_token"),
    ],
)
async def test_a_bad_registration_is_refused(
    content: dict[str, Any], code: str, reason: str, field: str, calls: Wire
) -> None:
    await enlist(calls, "a")
    said = await refused(calls.bots.RegisterBot(registration("new", **content)))
    assert said[:3] == (code, reason, field)
    assert said.text.startswith(f"{field}: ")
    assert list(await listed(calls)) == ["a"]


async def test_bots_are_listed_by_game_and_in_pages(calls: Wire, node: Node) -> None:
    await enlist(calls, "c", "a", games=["flow"])
    await enlist(calls, "b", games=["tta"])
    await enlist(calls, "d", version="2")
    assert list(await listed(calls)) == ["a", "b", "c", "d"]
    assert list(await listed(calls, game="tta")) == ["b", "d"]
    page = await calls.bots.ListBots(bot_pb2.ListBotsRequest(limit=2, game="flow"))
    assert [bot.name for bot in page.bots] == ["a", "c"] and page.next_after_name == "c"
    page = await calls.bots.ListBots(bot_pb2.ListBotsRequest(limit=2, game="flow", after_name="c"))
    assert [bot.name for bot in page.bots] == ["d"] and page.next_after_name == ""
    many = await refused(calls.bots.ListBots(bot_pb2.ListBotsRequest(limit=1001)))
    assert many[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "limit")
    unknown = await refused(calls.bots.ListBots(bot_pb2.ListBotsRequest(game="chess")))
    assert unknown[:3] == ("NOT_FOUND", "UNKNOWN_GAME", "game")
    ratings = Ratings(node.store)
    await ratings.update(
        "flow", "e1", lambda _: {("d", "2"): Rating(28.5, 4.0, 12, 1), ("a", "old"): Rating(1.0, 1.0, 1, 1)}
    )
    await ratings.update("tta", "e2", lambda _: {("d", "2"): Rating(20.0, 5.0, 8, 1)})
    found = await listed(calls)
    told = [(one.game, one.mu, one.sigma, one.games, one.events) for one in found["d"].ratings]
    assert told == [("flow", 28.5, 4.0, 12, 1), ("tta", 20.0, 5.0, 8, 1)]
    assert not found["a"].ratings, "the rating of another version"
    assert [one.game for one in (await listed(calls, game="tta"))["d"].ratings] == ["tta"]


async def test_a_list_shows_no_token_and_no_hash(calls: Wire) -> None:
    await enlist(calls, "a", "b", capacity=2)
    async with here(calls, "a", "b"):
        await create(calls, named("a", "b"))
        answers = [
            await calls.bots.ListBots(bot_pb2.ListBotsRequest()),
            await calls.bots.RegisterBot(registration("a", capacity=2)),
        ]
    secrets = [token("a"), sha(token("a")), token("b"), sha(token("b")), OWNER, sha(OWNER)]
    for answer in answers:
        said = answer.SerializeToString()
        assert b"a" in said
        for secret in secrets:
            assert secret not in said and secret.hex().encode() not in said


@pytest_asyncio.fixture
async def store_url(tmp_path: Path) -> AsyncIterator[str]:
    with valkey(tmp_path / "store", appendonly="yes", appendfsync="always") as url:
        yield url


@pytest_asyncio.fixture
async def apps(store_url: str) -> AsyncIterator[list[Application]]:
    """Two nodes on one store."""
    nodes = [Application(Settings(listen="127.0.0.1:0", redis=store_url)) for _ in range(2)]
    for node in nodes:
        await node.start()
    yield nodes
    for node in nodes:
        await node.stop()


@pytest_asyncio.fixture
async def pair(apps: list[Application]) -> AsyncIterator[list[Wire]]:
    async with wire(f"127.0.0.1:{apps[0].port}") as one, wire(f"127.0.0.1:{apps[1].port}") as two:
        yield [one, two]


async def test_a_bot_at_one_node_is_connected_at_all(
    apps: list[Application], pair: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ziggurat_server.sessions.bots.PRESENT_SECONDS", 600.0
    )  # nothing is forgotten by itself
    one, two = pair
    await enlist(one, "a", "b")
    assert not (await listed(two))["a"].connected
    async with here(one, "a"):
        assert (await listed(two))["a"].connected and not (await listed(two))["b"].connected
        tokens = {sha(token("a")), sha(token("b"))}
        for app in apps:
            assert app._node is not None and await app._node.connections.connected(tokens) == {
                sha(token("a"))
            }
        async with here(two, "a"):
            pass
        await until_connected(two, "a", False)  # the second stream took it along,
        await until_connected(two, "a")  # until the node with the first one says so again
        assert (await create(two, [*named("a"), record_pb2.SeatSpec()])).seats == ["a", ""]
    await until_connected(two, "a", False)


async def test_bots_of_a_node_that_stops_are_not_connected(
    store_url: str, pair: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ziggurat_server.sessions.bots.PRESENT_SECONDS", 600.0)
    one, _ = pair
    third = Application(Settings(listen="127.0.0.1:0", redis=store_url))
    await third.start()
    await enlist(one, "a")
    async with wire(f"127.0.0.1:{third.port}") as stopping, here(stopping, "a"):
        assert (await listed(one))["a"].connected
        await third.stop()
        assert not (await listed(one))["a"].connected


@pytest.mark.chaos
async def test_bots_of_a_killed_node_are_connected_no_longer(
    pair: list[Wire], store_url: str, tmp_path: Path
) -> None:
    one, _ = pair
    await enlist(one, "a")
    server = ServerProcess(tmp_path / "third", store_url)
    try:
        async with wire(server.address) as third, here(third, "a"):
            assert (await listed(one))["a"].connected
            server.kill()
            await until_connected(one, "a", False)
    finally:
        server.stop()
