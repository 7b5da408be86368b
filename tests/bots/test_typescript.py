"""The TypeScript client against the rules' own projection, and its bot in matches on a real server."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.rules.toy import TOY
from tests.support.servers import ServerProcess

from ziggurat.v1 import match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc
from ziggurat.v1.record_pb2 import SeatSpec
from ziggurat_rules.match import Match
from ziggurat_rules.projection import PUBLIC, Cells, Projector, cell_hash, state_hash

ROOT = Path(__file__).parents[2]
BOT = ROOT / "bots" / "typescript"

FOLD = """
import { readFileSync } from "node:fs";
const { View } = await import(process.argv[1]);
const folded = JSON.parse(readFileSync(0, "utf8")).map((updates) => {
  const view = new View();
  const valid = updates.map((update) => view.fold(update));
  return { valid, hash: view.hash, version: view.version, cells: [...view.cells] };
});
process.stdout.write(JSON.stringify(folded));
"""


@pytest.fixture(scope="session")
def node() -> Path:
    """The node that the bot runs on; set up under a lock, as tests run side by side."""
    with open(Path(tempfile.gettempdir()) / "ziggurat-typescript.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["bash", BOT / "setup.sh"], capture_output=True, text=True, timeout=240, check=False
        )
    assert done.returncode == 0, done.stderr
    return BOT / "node_modules" / ".bin" / "node"


def fold(node: Path, streams: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What the TypeScript view makes of some streams of updates."""
    command = [node, "--input-type=module", "--eval", FOLD, (BOT / "dist" / "view.js").as_uri()]
    done = subprocess.run(
        command, input=json.dumps(streams), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    folded: list[dict[str, Any]] = json.loads(done.stdout)
    return folded


def update(version: int, state: int, cells: Cells, snapshot: bool = False) -> dict[str, Any]:
    return {
        "version": version,
        "hash": state,
        "keys": list(cells),
        "sizes": [len(values) for values in cells.values()],
        "values": [value for values in cells.values() for value in values],
        "snapshot": snapshot,
        "rolledBack": False,
    }


def play(seed: int, seats: int) -> tuple[list[list[dict[str, Any]]], dict[int, Cells]]:
    """The updates of a random match for each audience, and the last views."""
    match = Match(TOY, seed, seats)
    rng = random.Random(seed)
    projector: Projector = match.projector()
    streams = [[update(1, projector.hash(a), projector.view(a), True)] for a in projector.audiences[:-1]]
    while not match.over:
        seat = rng.choice(match.to_act)
        match.apply(seat, match.decision(seat).sample(rng.getrandbits(64)))
        changes = projector.advance(match.table, match.to_act)
        for audience, stream in zip(projector.audiences, streams, strict=False):
            cells = changes.shared | changes.own.get(audience, {})
            stream.append(update(projector.version[audience], projector.hash(audience), cells))
    return streams, {audience: match.view(audience) for audience in (*range(seats), PUBLIC)}


def shown(folded: dict[str, Any]) -> Cells:
    """The cells of a folded view that are not empty."""
    cells = {key: tuple(values) for key, values in folded["cells"]}
    return {key: values for key, values in cells.items() if key % 4 != 2 or values != (0,)}


@pytest.mark.parametrize("seats", [2, 4])
def test_folded_updates_make_the_view_and_hash_of_the_rules(node: Path, seats: int) -> None:
    streams, views = play(seats, seats)
    for stream, view, folded in zip(streams, views.values(), fold(node, streams), strict=True):
        assert folded["valid"] == [True] * len(stream)
        assert folded["version"] == stream[-1]["version"]
        assert shown(folded) == view
        assert folded["hash"] == state_hash(view)


def test_values_of_32_bits_are_hashed(node: Path) -> None:
    cells = {5: (0, 7, -2, 3), 2: (-1,), 6: (2**31 - 1,), 10: (-(2**31),), 2**20 + 3: tuple(range(-50, 50))}
    [folded] = fold(node, [[update(1, state_hash(cells), cells, True)]])
    assert folded["valid"] == [True]


def test_a_counter_of_zero_is_an_empty_cell(node: Path) -> None:
    before: Cells = {2: (0,), 6: (4,)}
    after: Cells = {6: (0,)}
    [folded] = fold(node, [[update(1, state_hash(before), before, True), update(2, 0, after)]])
    assert folded["valid"] == [True, True]
    assert state_hash({}) == folded["hash"] == 0


def test_a_zone_of_card_zero_is_no_empty_cell(node: Path) -> None:
    cells: Cells = {4: (0,), 5: (0,)}
    [folded] = fold(node, [[update(1, state_hash(cells), cells, True)]])
    assert folded["valid"] == [True] and folded["hash"] != 0


def test_a_mismatch_lasts_until_the_next_snapshot(node: Path) -> None:
    cells: Cells = {2: (1,), 5: (3, 4)}
    right = update(3, state_hash(cells | {2: (2,)}), {2: (2,)})
    stream = [
        update(1, state_hash(cells), cells, True),
        update(2, 1, {2: (5,)}),
        right,
        update(4, state_hash(cells), cells, True),
    ]
    [folded] = fold(node, [stream])
    assert folded["valid"] == [True, False, False, True]


def test_values_that_no_key_claims_are_a_mismatch(node: Path) -> None:
    long = update(1, state_hash({2: (1,)}), {2: (1,)}, True)
    long["values"].append(9)
    [folded] = fold(node, [[long]])
    assert folded["valid"] == [False]


def test_the_lock_file_names_no_host() -> None:
    text = (BOT / "package-lock.json").read_text()
    assert "://" not in text and '"resolved"' not in text


class Session:
    """One stream of the bot, as the server sees it."""

    def __init__(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        self.context = context
        self.over: asyncio.Future[grpc.StatusCode] = asyncio.get_running_loop().create_future()

    async def read(self) -> play_pb2.PlayRequest:
        return await asyncio.wait_for(self.context.read(), 20)

    async def send(self, *items: play_pb2.MatchItem, **fields: Any) -> None:
        await self.context.write(play_pb2.PlayResponse(items=items, **fields))

    def end(self, code: grpc.StatusCode = grpc.StatusCode.OK) -> None:
        self.over.set_result(code)


class ScriptedServer(play_pb2_grpc.BotServiceServicer):
    """A server that does what the test says."""

    def __init__(self) -> None:
        self.sessions: asyncio.Queue[Session] = asyncio.Queue()
        self.address = ""

    async def Play(self, request_iterator: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        session = Session(context)
        await self.sessions.put(session)
        code = await session.over
        if code != grpc.StatusCode.OK:
            await context.abort(code, "because the test says so")

    async def welcome(self, keepalive_ms: int = 60_000) -> tuple[Session, play_pb2.Hello]:
        session = await asyncio.wait_for(self.sessions.get(), 20)
        request = await session.read()
        await session.send(welcome=play_pb2.Welcome(max_answers=2, keepalive_ms=keepalive_ms))
        return session, request.hello


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    scripted = ScriptedServer()
    served = grpc.aio.server()
    play_pb2_grpc.add_BotServiceServicer_to_server(scripted, served)
    scripted.address = f"127.0.0.1:{served.add_insecure_port('127.0.0.1:0')}"
    await served.start()
    yield scripted
    await served.stop(None)


@pytest.fixture
async def bot(node: Path, server: ScriptedServer) -> AsyncIterator[Process]:
    environment = os.environ | {
        "ZIGGURAT_ADDRESS": server.address,
        "ZIGGURAT_NAME": "ts",
        "ZIGGURAT_TOKEN": "0a0b",
    }
    process = await asyncio.create_subprocess_exec(
        BOT / "random-bot", "--seed=1", env=environment, stdout=PIPE, stderr=PIPE
    )
    yield process
    if process.returncode is None:
        process.kill()
        await process.wait()


async def stop(bot: Process) -> tuple[int | None, str]:
    bot.terminate()
    stdout, stderr = await asyncio.wait_for(bot.communicate(), 20)
    return bot.returncode, (stdout + stderr).decode()


def opened(channel: int) -> play_pb2.MatchItem:
    return play_pb2.MatchItem(
        channel=channel, opened=play_pb2.Opened(match_id=f"m{channel}", seat=1, awaits_ready=True)
    )


def viewed(
    channel: int, version: int, counter: int, snapshot: bool = False, wrong: bool = False
) -> play_pb2.MatchItem:
    change = play_pb2.Update(
        version=version, hash=cell_hash(2, (counter,)) ^ wrong, keys=[2], sizes=[1], values=[counter]
    )
    change.snapshot = snapshot
    return play_pb2.MatchItem(channel=channel, update=change)


def asked(channel: int, decision_id: int) -> play_pb2.MatchItem:
    decision = play_pb2.Decision(
        id=decision_id, kind=1, options=[0, 1, 2, 3], option_size=1, default_choice=[0]
    )
    return play_pb2.MatchItem(channel=channel, decision=decision)


def accepted(channel: int, answer: play_pb2.Answer) -> play_pb2.MatchItem:
    verdict = play_pb2.Verdict(decision_id=answer.decision_id, status=play_pb2.VERDICT_STATUS_ACCEPTED)
    return play_pb2.MatchItem(channel=channel, verdict=verdict)


async def test_the_bot_answers_in_batches_and_stops_when_told(bot: Process, server: ScriptedServer) -> None:
    session, hello = await server.welcome()
    assert (hello.name, hello.token, len(hello.held)) == ("ts", b"\x0a\x0b", 0)
    await session.send(*(item for c in (1, 2, 3) for item in (opened(c), viewed(c, 1, 7, True), asked(c, 1))))
    first = await session.read()
    second = await session.read()
    assert list(first.ready) == [1, 2, 3]
    answers = [*first.answers, *second.answers]
    assert [len(first.answers), len(second.answers)] == [2, 1]
    assert [answer.channel for answer in answers] == [1, 2, 3]
    assert all(0 <= answer.choice[0] < 4 and answer.move_id for answer in answers)
    await session.send(heartbeat=1)
    await session.send(play_pb2.MatchItem(channel=1, closed=play_pb2.Closed()))
    code, said = await stop(bot)
    assert code == 0 and "0 mismatches" in said


async def test_an_answer_without_verdict_is_repeated_on_the_next_stream(
    bot: Process, server: ScriptedServer
) -> None:
    session, _ = await server.welcome()
    await session.send(opened(1), viewed(1, 1, 7, True), viewed(1, 2, 8), asked(1, 1))
    [before] = (await session.read()).answers
    session.end(grpc.StatusCode.UNAVAILABLE)

    session, hello = await server.welcome()
    [held] = hello.held
    assert (held.match_id, held.seat, held.version, held.hash) == ("m1", 1, 2, cell_hash(2, (8,)))
    again = opened(1)
    again.channel = 5
    await session.send(again, asked(5, 1))
    [after] = (await session.read()).answers
    assert after.channel == 5
    assert (after.decision_id, after.choice, after.move_id) == (1, before.choice, before.move_id)
    await session.send(accepted(5, after), asked(5, 2))
    [following] = (await session.read()).answers
    assert following.decision_id == 2 and following.move_id != after.move_id
    code, _ = await stop(bot)
    assert code == 0


async def test_a_mismatch_is_resynced_before_the_answer_and_told_at_the_end(
    bot: Process, server: ScriptedServer
) -> None:
    session, _ = await server.welcome()
    await session.send(
        opened(1), viewed(1, 1, 7, True), viewed(1, 2, 8, wrong=True), viewed(1, 3, 9), asked(1, 1)
    )
    request = await session.read()
    assert list(request.resync) == [1] and not request.answers
    await session.send(viewed(1, 3, 9, True))
    assert len((await session.read()).answers) == 1
    code, said = await stop(bot)
    assert code == 1 and "1 mismatches" in said


async def test_after_an_illegal_answer_the_default_is_given(bot: Process, server: ScriptedServer) -> None:
    session, _ = await server.welcome()
    await session.send(opened(1), viewed(1, 1, 7, True), asked(1, 1))
    [first] = (await session.read()).answers
    refused = accepted(1, first)
    refused.verdict.status = play_pb2.VERDICT_STATUS_ILLEGAL
    await session.send(refused)
    [second] = (await session.read()).answers
    assert (second.decision_id, list(second.choice)) == (1, [0]) and second.move_id != first.move_id


async def test_a_ping_is_sent_back_at_once(bot: Process, server: ScriptedServer) -> None:
    session, _ = await server.welcome()
    for number in (1, 9):
        await session.send(ping=number)
        assert (await session.read()).pong == number


async def test_a_server_that_leaves_heartbeats_unanswered_is_left(
    bot: Process, server: ScriptedServer
) -> None:
    session, _ = await server.welcome(keepalive_ms=50)
    assert (await session.read()).heartbeat == 1
    await server.welcome()


async def test_a_stopping_server_is_left_and_attached_to_again(bot: Process, server: ScriptedServer) -> None:
    session, _ = await server.welcome()
    await session.send(stopping=True)
    assert await session.read() == grpc.aio.EOF
    session.end()
    await server.welcome()
    code, _ = await stop(bot)
    assert code == 0


async def test_a_refusal_is_one_line_and_a_failure(bot: Process, server: ScriptedServer) -> None:
    session = await server.sessions.get()
    session.end(grpc.StatusCode.UNAUTHENTICATED)
    _, stderr = await asyncio.wait_for(bot.communicate(), 20)
    assert bot.returncode == 1
    assert stderr.decode() == "random-ts: because the test says so\n"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--token="], "--token or ZIGGURAT_TOKEN must be set, as hex digits"),
        (["--token=0a", "--address=nowhere"], 'the address "nowhere" is not host:port'),
        (["--token=0a", "--address=127.0.0.1:1", "--patience=0"], "no server at 127.0.0.1:1"),
    ],
)
def test_bad_settings_are_one_line_and_a_failure(node: Path, arguments: list[str], error: str) -> None:
    done = subprocess.run(
        [BOT / "random-bot", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, f"random-ts: {error}\n")


@pytest.fixture
def real_server(tmp_path: Path) -> Iterator[ServerProcess]:
    served = ServerProcess(tmp_path)
    yield served
    served.stop()


TOKENS = [bytes([seat] * 16) for seat in range(3)]


@pytest.fixture
def players(node: Path, real_server: ServerProcess) -> Iterator[list[subprocess.Popen[str]]]:
    """Two TypeScript bots and a Python bot, attached."""
    python = [sys.executable, "-m", "ziggurat_bots", "random"]
    typescript = [str(BOT / "random-bot")]
    bots = []
    for command, token in zip([typescript, python, typescript], TOKENS, strict=True):
        at = ["--address", real_server.address, "--token", token.hex(), "--seed", "1"]
        bots.append(subprocess.Popen([*command, *at], stdout=PIPE, stderr=PIPE, text=True))
    yield bots
    for bot in bots:
        bot.kill()
        bot.communicate()


def create(server: ServerProcess, matches: int) -> list[str]:
    """Matches of Flow among the players; their ids."""
    seats = [SeatSpec(name=f"bot {n}", token_sha256=sha256(token).digest()) for n, token in enumerate(TOKENS)]
    with grpc.insecure_channel(server.address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        ids = [f"match-{number}" for number in range(matches)]
        for number, match_id in enumerate(ids):
            request = match_pb2.CreateMatchRequest(match_id=match_id, game="flow", seats=seats, seed=number)
            stub.CreateMatch(request, timeout=20)
    return ids


def wait(
    server: ServerProcess, players: list[subprocess.Popen[str]], ids: list[str], decisions: int | None = None
) -> list[match_pb2.MatchInfo]:
    """The matches, when they are over or so many decisions are taken."""
    with grpc.insecure_channel(server.address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        for _ in range(1200):
            requests = [match_pb2.GetMatchRequest(match_id=match_id) for match_id in ids]
            infos = [stub.GetMatch(request, timeout=20).match for request in requests]
            if all(info.state >= match_pb2.MATCH_STATE_FINISHED for info in infos):
                return infos
            if decisions is not None and sum(info.decisions for info in infos) >= decisions:
                return infos
            for player in players:
                assert player.poll() is None, player.communicate()
            time.sleep(0.05)
    raise AssertionError(infos)


def farewells(players: list[subprocess.Popen[str]], infos: list[match_pb2.MatchInfo]) -> list[str]:
    """What the TypeScript bots say at the end, which is a good one, as that of the matches."""
    assert [info.state for info in infos] == [match_pb2.MATCH_STATE_FINISHED] * len(infos), infos
    for info in infos:
        assert len(info.standings) == 3 and not any(standing.forfeited for standing in info.standings)
    time.sleep(0.3)  # bots may hear of the end a moment later
    said = []
    for bot in (players[0], players[2]):
        bot.terminate()
        stdout, stderr = bot.communicate(timeout=20)
        assert (bot.returncode, stderr) == (0, ""), stdout
        assert " 0 mismatches" in stdout
        said.append(stdout)
    return said


@pytest.mark.slow
def test_whole_matches_of_flow_against_a_python_bot(
    real_server: ServerProcess, players: list[subprocess.Popen[str]]
) -> None:
    ids = create(real_server, 3)
    for said in farewells(players, wait(real_server, players, ids)):
        assert ": 3 matches" in said and " 0 refused" in said and " 1 attached" in said


@pytest.mark.slow
@pytest.mark.chaos
def test_matches_go_on_when_the_server_comes_back(
    real_server: ServerProcess, players: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    ids = create(real_server, 20)
    for end, decisions in ((signal.SIGTERM, 400), (signal.SIGKILL, 1200)):
        wait(real_server, players, ids, decisions)
        real_server.process.send_signal(end)
        real_server.process.wait(30)
        real_server.process = ServerProcess(tmp_path, "", "", "--listen", real_server.address).process
    for said in farewells(players, wait(real_server, players, ids)):
        assert " 1 attached" not in said
