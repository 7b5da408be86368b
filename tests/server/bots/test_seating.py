"""Matches that ask for registered bots: who gets the seats, what is refused, and that no bot gets too many."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from tests.support.roster import create, enlist, here, listed, named, near, token
from tests.support.stores import valkey
from tests.support.stream_bot import StreamBot
from tests.support.wire import Wire, refused, sha, wire

from ziggurat.v1 import bot_pb2, match_pb2, record_pb2
from ziggurat_server.app import Application, Settings
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.bots.seating import assign
from ziggurat_server.bots.values import Rating
from ziggurat_server.log import Header
from ziggurat_server.matches.live import LiveMatch
from ziggurat_server.matches.node import Node
from ziggurat_server.records.zgr import unpack
from ziggurat_server.sessions.bots import HELD, NEW, NONE_FREE

OPEN = record_pb2.SeatSpec()


# Who sits where


@given(st.lists(st.lists(st.sampled_from("abcde"), unique=True, max_size=4), max_size=5))
def test_every_seat_gets_a_bot_of_its_choice_if_there_is_a_way(choices: list[list[str]]) -> None:
    found = assign(choices)
    ways = [way for way in itertools.product(*choices) if len(set(way)) == len(way)]
    if isinstance(found, int):
        assert not ways and [w for w in itertools.product(*choices[:found]) if len(set(w)) == found]
    else:
        assert tuple(found) in ways


def test_an_earlier_seat_gives_way_only_to_one_that_has_no_other() -> None:
    assert assign([["a", "b"], ["a", "b"]]) == ["a", "b"]
    assert assign([["a", "b"], ["a"]]) == ["b", "a"]
    assert assign([["a", "b"], ["b", "c"], ["a"]]) == ["b", "c", "a"]
    assert assign([["a"], ["a", "b"], ["b"]]) == 2
    assert assign([]) == []


async def rated(node: Node, **means: float) -> None:
    """Ratings for bots without a version."""
    after = {(name, ""): Rating(mean, 2.0, 9, 1) for name, mean in means.items()}
    await Ratings(node.store).update("flow", "before", lambda _: after)


async def test_the_nearest_ratings_come_first_then_names(calls: Wire, node: Node) -> None:
    await enlist(calls, "weak", "good", "best", "new", "away", "other")
    await enlist(calls, "other", games=["tta"])
    await rated(node, weak=10, good=30, best=40, away=41, other=40)
    async with here(calls, "weak", "good", "best", "new", "other"):
        assert (await create(calls, [near(41), near(41), near(41)])).seats == ["best", "good", "new"]
        assert (await create(calls, [near(26), near(26)])).seats == ["new", "good"]
        assert (await create(calls, named("", ""))).seats == ["best", "good"]
        assert (await create(calls, [near(10, 3), OPEN])).seats == ["weak", ""]
        # The only one near enough for the second seat is not given to the first.
        assert (await create(calls, [near(11), near(11, 2)])).seats == ["new", "weak"]
        assert (await create(calls, [*named("", "best"), near(40)])).seats == ["good", "best", "new"]
        mine = record_pb2.SeatSpec(name="me", token_sha256=sha(token("best")))
        assert (await create(calls, [mine, near(40)])).seats == ["me", "good"]


@pytest.mark.slow
async def test_registered_bots_play_what_they_are_asked_for(calls: Wire, server: Application) -> None:
    names = ("a", "b", "c")
    await enlist(calls, *names)
    address = f"127.0.0.1:{server.port}"
    bots = {name: StreamBot([address], token(name), 1, 2) for name in names}
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        for bot in bots.values():
            tasks.create_task(bot.run())
        while not all(bot.connected for bot in (await listed(calls)).values()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        for match_id in ("m1", "m2"):
            assert (await create(calls, named("c", "", "a"), match_id)).seats == ["c", "b", "a"]
    assert [bot.faults for bot in bots.values()] == [[]] * 3
    header, _ = unpack(await calls.record("m1"))
    assert [seat.name for seat in header.seats] == ["c", "b", "a"]
    assert [seat.wish.name for seat in header.seats if seat.wish is not None] == ["c", "", "a"]
    async with asyncio.timeout(5):
        while any(bot.open_matches for bot in (await listed(calls)).values()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


# What is refused


def wish(**fields: object) -> list[record_pb2.SeatSpec]:
    return [OPEN, record_pb2.SeatSpec(bot=bot_pb2.BotWish(**fields))]  # type: ignore[arg-type]


BAD = ("INVALID_ARGUMENT", "BAD_FIELD")
NOW = ("RESOURCE_EXHAUSTED", "BOT_UNAVAILABLE")
REFUSALS: list[tuple[list[record_pb2.SeatSpec], tuple[str, str], str, str]] = [
    (wish(name="nobody"), ("NOT_FOUND", "UNKNOWN_BOT"), "seats[1].bot.name", "no bot 'nobody' is registered"),
    (wish(name="other"), BAD, "seats[1].bot.name", "plays tta, not flow"),
    (wish(name="away"), NOW, "seats[1].bot.name", "is not connected"),
    (wish(name="full"), NOW, "seats[1].bot.name", "plays 1 matches, its capacity"),
    (named("a", "a"), BAD, "seats[1].bot.name", "asked for twice"),
    ([*named("a"), record_pb2.SeatSpec(token_sha256=sha(token("a")))], BAD, "seats[0].bot.name", "by its token"),
    (named("", "", ""), NOW, "seats[2].bot", "of 5 registered 4 play flow, 3 of these are connected, 2 have a place"),
    ([near(25), near(90, 1)], NOW, "seats[1].bot", "ask for another rating"),
    (wish(name="a", near_rating=1.0), BAD, "seats[1].bot.near_rating", "not for both"),
    (wish(name="a", max_distance=1.0), BAD, "seats[1].bot.max_distance", "not for both"),
    (wish(max_distance=1.0), BAD, "seats[1].bot.max_distance", "give near_rating too"),
    (wish(near_rating=1.0, max_distance=-1.0), BAD, "seats[1].bot.max_distance", "below 0"),
    (wish(near_rating=float("nan")), BAD, "seats[1].bot.near_rating", "nan is no number"),
    (wish(near_rating=1.0, max_distance=float("inf")), BAD, "seats[1].bot.max_distance", "inf is no number"),
    ([OPEN, record_pb2.SeatSpec(name="x", bot=bot_pb2.BotWish(name="a"))], BAD, "seats[1].bot", "not both"),
    ([OPEN, record_pb2.SeatSpec(token_sha256=sha(b"x"), bot=bot_pb2.BotWish())], BAD, "seats[1].bot", "not both"),
]  # fmt: skip


@pytest_asyncio.fixture
async def crowd(calls: Wire) -> AsyncIterator[Wire]:
    """Five bots: "a" and "b" are free, "full" has no place, "away" is not connected, "other" plays another game."""
    await enlist(calls, "a", "b", "away")
    await enlist(calls, "full", capacity=1)
    await enlist(calls, "other", games=["tta"])
    async with here(calls, "a", "b", "full", "other"):
        await create(calls, [*named("full"), OPEN], "held")
        yield calls


@pytest.mark.parametrize(("seats", "kind", "field", "words"), REFUSALS)
async def test_a_wish_that_cannot_be_fulfilled_is_refused(
    seats: list[record_pb2.SeatSpec], kind: tuple[str, str], field: str, words: str, crowd: Wire, node: Node
) -> None:
    keys = sorted(await node.store._redis.keys())
    said = await refused(create(crowd, seats, "new"))
    assert said[:3] == (*kind, field)
    assert said.text.startswith(f"{field}: ") and words in said.text
    assert sorted(await node.store._redis.keys()) == keys
    assert {name: bot.open_matches for name, bot in (await listed(crowd)).items() if bot.open_matches} == {
        "full": 1
    }


# The same call again


async def test_a_repeated_call_gives_the_same_match_whoever_is_nearer_by_then(
    calls: Wire, node: Node
) -> None:
    await enlist(calls, "far", "nearest", capacity=1)
    await rated(node, far=10, nearest=30)
    async with here(calls, "far"):
        first = await create(calls, [near(30), OPEN], "m")
        assert first.seats == ["far", ""]
        async with here(calls, "nearest"):
            assert await create(calls, [near(30), OPEN], "m") == first
            other = await refused(create(calls, [near(29), OPEN], "m"))
            assert other[:3] == ("ALREADY_EXISTS", "MATCH_EXISTS", "match_id")
            theirs = [record_pb2.SeatSpec(name="far", token_sha256=sha(token("far"))), OPEN]
            assert (await refused(create(calls, theirs, "m"))).reason == "MATCH_EXISTS"
            counts = {name: bot.open_matches for name, bot in (await listed(calls)).items()}
            assert counts == {"far": 1, "nearest": 0}
    # Now nobody is here and the one bot is full: still the same match.
    assert await create(calls, [near(30), OPEN], "m") == first


async def test_of_two_calls_for_one_match_the_later_takes_what_the_first_chose(
    calls: Wire, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    await enlist(calls, "far", "nearest", capacity=1)
    await rated(node, far=10, nearest=30)
    goes_on, create_in_node = asyncio.Event(), node.create

    async def held_up(header: Header) -> LiveMatch:
        if header.seats[0].name == "far":
            await goes_on.wait()
        return await create_in_node(header)

    monkeypatch.setattr(node, "create", held_up)
    async with here(calls, "far"):
        slow = asyncio.create_task(create(calls, [near(30), OPEN], "m"))
        while not (await listed(calls))["far"].open_matches:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        async with here(calls, "nearest"):
            quick = await create(calls, [near(30), OPEN], "m")
            assert quick.seats == ["nearest", ""]
            goes_on.set()
            assert await slow == quick
            counts = {name: bot.open_matches for name, bot in (await listed(calls)).items()}
            assert counts == {"far": 0, "nearest": 1}


async def test_a_place_that_a_broken_off_creation_took_is_its_own_again(calls: Wire, node: Node) -> None:
    await enlist(calls, "a", capacity=1)
    registry = Registry(node.store)
    bot = await registry.find("a")
    assert bot is not None
    async with here(calls, "a"):
        await node.announce("m")
        assert await registry.take_place(bot, "m") == NEW
        assert await registry.take_place(bot, "m") == HELD
        assert await registry.take_place(bot, "n") == NONE_FREE
        assert (await refused(create(calls, [*named("a"), OPEN], "n"))).reason == "BOT_UNAVAILABLE"
        assert (await create(calls, [*named("a"), OPEN], "m")).seats == ["a", ""]


async def test_a_place_in_a_match_that_never_came_to_be_is_free_again(calls: Wire, node: Node) -> None:
    await enlist(calls, "a", capacity=1)
    registry = Registry(node.store)
    bot = await registry.find("a")
    assert bot is not None
    async with here(calls, "a"):
        await node.store.note_due(["never"], 1)  # the time in which it might have been is over
        assert await registry.take_place(bot, "never") == NEW
        async with asyncio.timeout(15):
            while (await registry.presence([bot]))[0].open_games:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert (await create(calls, [*named("a"), OPEN])).seats == ["a", ""]


# Capacity


@pytest_asyncio.fixture
async def pair(tmp_path: Path) -> AsyncIterator[list[Wire]]:
    """Two nodes on one store."""
    with valkey(tmp_path / "store", appendonly="yes", appendfsync="always") as url:
        nodes = [Application(Settings(listen="127.0.0.1:0", redis=url)) for _ in range(2)]
        for node in nodes:
            await node.start()
        async with wire(f"127.0.0.1:{nodes[0].port}") as one, wire(f"127.0.0.1:{nodes[1].port}") as two:
            yield [one, two]
        for node in nodes:
            await node.stop()


async def test_calls_at_once_never_exceed_a_capacity(pair: list[Wire]) -> None:
    await enlist(pair[0], "a", capacity=3)
    async with here(pair[1], "a"):
        calls = [create(pair[n % 2], [*named("a"), OPEN], f"m{n}") for n in range(40)]
        done = await asyncio.gather(*calls, return_exceptions=True)
        made = [match.match_id for match in done if isinstance(match, match_pb2.MatchInfo)]
        assert len(made) == 3
        assert (await listed(pair[0]))["a"].open_matches == 3
        said = await refused(create(pair[1], [*named("a"), OPEN]))
        assert said[:3] == (*NOW, "seats[0].bot.name")
        end = match_pb2.AbortMatchRequest(match_id=made[0], token=token("a"))
        await pair[1].matches.AbortMatch(end)
        async with asyncio.timeout(5):
            while (await listed(pair[0]))["a"].open_matches == 3:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert (await create(pair[0], [*named("a"), OPEN])).seats == ["a", ""]


async def test_calls_at_once_share_out_the_bots_there_are(pair: list[Wire]) -> None:
    names = [f"bot-{n}" for n in range(8)]
    await enlist(pair[0], *names, capacity=1)
    async with here(pair[0], *names[:4]), here(pair[1], *names[4:]):
        calls = [create(pair[n % 2], named("", ""), f"m{n}") for n in range(12)]
        done = await asyncio.gather(*calls, return_exceptions=True)
        made = [match for match in done if isinstance(match, match_pb2.MatchInfo)]
        seated = Counter(name for match in made for name in match.seats)
        assert set(seated.values()) == {1} and 1 <= len(made) <= 4
        for _ in range(4 - len(made)):  # who was refused while others held places for a moment gets them now
            seated.update((await create(pair[0], named("", ""))).seats)
        assert seated == Counter(names)
        assert (await refused(create(pair[1], named("", "")))).reason == "BOT_UNAVAILABLE"


async def test_the_same_call_at_once_makes_one_match(pair: list[Wire]) -> None:
    names = [f"bot-{n}" for n in range(6)]
    await enlist(pair[0], *names, capacity=1)
    async with here(pair[0], *names):
        for number in range(3):
            seats, match_id = named("", ""), f"m{number}"
            made = await asyncio.gather(*(create(pair[n % 2], seats, match_id) for n in range(6)))
            assert len({tuple(match.seats) for match in made}) == 1
            counts = [bot.open_matches for bot in (await listed(pair[1])).values()]
            assert sorted(counts) == sorted([1] * 2 * (number + 1) + [0] * 2 * (2 - number))
