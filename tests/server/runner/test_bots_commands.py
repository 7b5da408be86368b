"""`ziggurat bots`: list, register and remove against a real server, and what is refused."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.support.roster import here, registration, token
from tests.support.wire import Wire
from typer.testing import CliRunner

from ziggurat_server.app import Application
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.values import Rating
from ziggurat_server.cli import app
from ziggurat_server.matches.node import Node

Command = Callable[..., Awaitable[Any]]
OWNER = {"ZIGGURAT_OWNER_TOKEN": "0f" * 16}


@pytest.fixture
def bots(server: Application, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `ziggurat bots ...` with the server's address in the environment, beside the server's loop."""
    for name in ("ZIGGURAT_TOKEN", "ZIGGURAT_OWNER_TOKEN"):
        monkeypatch.delenv(name, raising=False)

    async def run(*words: str, **more: str) -> Any:
        environment = {"ZIGGURAT_ADDRESS": f"127.0.0.1:{server.port}", **more}
        return await asyncio.to_thread(CliRunner().invoke, app, ["bots", *words], env=environment)

    return run


async def test_a_bot_is_registered_listed_and_removed(bots: Command, calls: Wire, node: Node) -> None:
    assert (await bots("list")).output == "no bot is registered\n"
    made = await bots("register", "a", "--version", "1", "--game", "flow", "--game", "tta", "--capacity", "2")
    assert made.exit_code == 0
    tokens = dict(re.findall(r"(ZIGGURAT_\w+)=([0-9a-f]{32})", made.output))
    assert set(tokens) == {"ZIGGURAT_TOKEN", "ZIGGURAT_OWNER_TOKEN"}
    await calls.bots.RegisterBot(registration("b"))
    await Ratings(node.store).update("flow", "e", lambda _: {("a", "1"): Rating(27.25, 3.5, 40, 2)})
    async with here(calls, "b"):
        listed = json.loads((await bots("list", "--json")).output)
        table = (await bots("list")).output
        assert json.loads((await bots("list", "--json", "--game", "era")).output) == listed[1:]
    a, b = listed
    assert (a["name"], a["version"], a["games"], a["capacity"]) == ("a", "1", ["flow", "tta"], 2)
    assert a["ratings"] == {"flow": {"mu": 27.25, "sigma": 3.5, "games": 40, "events": 2}}
    assert (a["connected"], b["connected"], b["games"], b["open_matches"]) == (False, True, [], 0)
    assert re.search(r"a +. 1 +. flow, tta . no +. 0 of 2 +. flow 27\.2 ± 3\.5, 40", table)
    assert re.search(r"b +. +. all +. yes +. 0 ", table)
    assert (await bots("list", "--game", "tta")).output.count("yes") == 0
    changed = await bots("register", "a", "--version", "2", **tokens)
    assert changed.exit_code == 0 and "TOKEN" not in changed.output
    gone = await bots("remove", "a", **tokens)
    assert (gone.exit_code, [bot["name"] for bot in json.loads((await bots("list", "--json")).output)]) == (
        0,
        ["b"],
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["register", "a b"], "name: 1 to 32 of"),
        (["register", "x", "--game", "chess"], "games[0]: no game 'chess'; there are:"),
        (["register", "x", "--capacity", "20000"], "capacity: 0 (no limit) to 10000"),
        (["register", "x", "--token", "zz"], "the token is no hex text"),
        (["register", "x", "--token", "00"], "the token is too short"),
        (["register", "x", "--token", token("b").hex()], "token_sha256: 'b' is registered with this token"),
        (["register", "b"], "name: 'b' is registered by another owner"),
        (["remove", "b"], "owner_token: only the owner of 'b' may remove it"),
        (["remove", "nobody"], "name: no bot 'nobody' is registered"),
        (["list", "--game", "chess"], "game: no game 'chess'"),
        (["list", "--server", "nowhere"], "'nowhere' is no address: HOST:PORT is wanted"),
        (["list", "--server", "127.0.0.1:1"], "no server at 127.0.0.1:1"),
    ],
)
async def test_what_is_refused_is_one_line(words: list[str], said: str, bots: Command, calls: Wire) -> None:
    await calls.bots.RegisterBot(registration("b"))
    done = await bots(*words, **OWNER)
    assert done.exit_code == 1
    assert done.output.startswith(f"error: {said}") and done.output.count("\n") == 1
