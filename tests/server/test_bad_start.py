"""What cannot start says so in a line or two, with the remedy, and leaves nothing running."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from tests.support.servers import ServerProcess
from tests.support.stores import valkey
from tests.support.wire import Wire, wire
from tests.support.wire import refused as refusal

from ziggurat.v1 import play_pb2
from ziggurat_server import app, cli
from ziggurat_server.app import Application, Settings
from ziggurat_server.errors import StartupError
from ziggurat_server.health import ask


def ziggurat(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    command = [sys.executable, "-m", "ziggurat_server.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def refused(*arguments: str) -> str:
    """What is said about arguments that must be refused."""
    done = ziggurat(*arguments)
    assert done.returncode not in (0, None), done
    lines = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert 1 <= len(lines) <= 2, done.stderr
    assert "Traceback" not in done.stderr
    assert lines[0].startswith("error: ")
    return "\n".join(lines)


def serve(tmp_path: Path, *arguments: str) -> str:
    """What `serve` says when it cannot."""
    data = [] if "--data-dir" in arguments else ["--data-dir", str(tmp_path / "data")]
    listen = [] if "--listen" in arguments else ["--listen", "127.0.0.1:0"]
    return refused("serve", *listen, *data, *arguments)


async def cannot_start(tmp_path: Path, **settings: Any) -> str:
    """What the application says when it cannot start with these settings; `serve` prints just that."""
    usual: dict[str, Any] = {"listen": "127.0.0.1:0", "data_dir": tmp_path / "data"}
    with pytest.raises(StartupError) as caught:
        await Application(Settings(**usual | settings)).start()
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--durability", "never"], "--durability 'never'"),
        (["serve", "--log-level", "loud"], "--log-level 'loud'"),
        (["serve", "--port", "5"], "No such option: --port"),
        (["play"], "No such command 'play'"),
        (["verify"], "Missing argument"),
        (["show", "x.zgr", "--at", "three"], "'--at'"),
    ],
)
def test_arguments(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ziggurat", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    said = capsys.readouterr()
    assert caught.value.code not in (0, None) and said.out == ""
    assert says in said.err and said.err.startswith("error: ") and said.err.count("\n") == 1


async def test_addresses_that_are_none(tmp_path: Path) -> None:
    assert "no HOST:PORT" in await cannot_start(tmp_path, listen="here")
    assert "no HOST:PORT" in await cannot_start(tmp_path, listen="127.0.0.1:99999")
    assert "cannot listen on 192.0.2.7:50051" in await cannot_start(tmp_path, listen="192.0.2.7:50051")
    assert not (tmp_path / "data").exists()


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert f"cannot listen on {address}: Address already in use; name another --listen" in serve(
            tmp_path, "--listen", address
        )


def test_a_port_of_another_server_and_a_directory_of_another_server(tmp_path: Path) -> None:
    first = ServerProcess(tmp_path / "first")
    try:
        assert f"cannot listen on {first.address}" in serve(tmp_path, "--listen", first.address)
        said = serve(tmp_path, "--data-dir", str(tmp_path / "first" / "data"))
        assert "is in use by another server; stop it or name another --data-dir" in said
        assert ask(first.address) == ("SERVING", True)
    finally:
        first.stop()
    gone = ziggurat("health", "--address", first.address)
    assert (gone.returncode, gone.stdout) == (1, "") and "no answer" in gone.stderr
    assert ask("nowhere") == ("no address: HOST:PORT is wanted", False)


async def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert f"data directory {file} cannot be used: File exists" in await cannot_start(tmp_path, data_dir=file)
    ready = file / "ready"
    with pytest.raises(StartupError, match=r"--ready-file .*: Not a directory"):
        await app.serve(Settings(listen="127.0.0.1:0", data_dir=tmp_path / "data"), ready)
    again = Application(
        Settings(listen="127.0.0.1:0", data_dir=tmp_path / "data")
    )  # nothing was left running
    await again.start()
    await again.stop()


async def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be reached" in serve(tmp_path, "--redis", f"unix://{tmp_path}/none.sock")
    said = await cannot_start(tmp_path, redis="redis://user:hush@127.0.0.1:1/0")
    assert "redis://127.0.0.1:1/0 cannot be reached" in said and "hush" not in said
    assert "--redis 'http://x': " in await cannot_start(tmp_path, redis="http://x")
    assert "--redis 'redis://x:port': " in await cannot_start(tmp_path, redis="redis://x:port")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"appendonly": "no"}, "has no append-only file: moves would be lost; set 'appendonly yes'"),
        (
            {"appendonly": "yes", "maxmemory_policy": "allkeys-lru"},
            "evicts keys (maxmemory-policy allkeys-lru)",
        ),
        (
            {"appendonly": "yes", "maxmemory_policy": "volatile-ttl"},
            "evicts keys (maxmemory-policy volatile-ttl)",
        ),
        (
            {"appendonly": "yes", "rename_command": "CONFIG forbidden"},
            "does not allow CONFIG GET; say --durability",
        ),
        ({"appendonly": "yes", "requirepass": "hush"}, "cannot be reached: "),
    ],
)
async def test_a_store_that_would_lose_moves(settings: dict[str, str], says: str, tmp_path: Path) -> None:
    with valkey(tmp_path / "store", **settings) as url:
        assert says in await cannot_start(tmp_path, redis=url)


@pytest.mark.parametrize(
    ("settings", "stated", "named"),
    [
        ({"appendonly": "yes", "appendfsync": "everysec"}, None, "everysec"),
        ({"appendonly": "yes", "rename_command": "CONFIG forbidden"}, "always", "always"),
    ],
)
async def test_stores_that_are_served(
    settings: dict[str, str], stated: str | None, named: str, tmp_path: Path
) -> None:
    with valkey(tmp_path / "store", **settings) as url:
        application = Application(Settings(listen="127.0.0.1:0", redis=url, durability=stated))
        await application.start()
        async with wire(f"127.0.0.1:{application.port}") as calls:
            stream = calls.bots.Play()
            await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=b"t" * 16)))
            assert (await stream.read()).welcome.durability == named
            stream.cancel()
            await calls.create("m")
            assert await calls.step("m")
        await application.stop()


async def test_a_store_that_dies_while_nobody_plays(server: Application, calls: Wire) -> None:
    await calls.create("m")
    embedded = server._node.store._revive.__self__  # type: ignore[union-attr, attr-defined]
    os.kill(embedded.pid, signal.SIGKILL)
    embedded._process.wait()
    said = await refusal(calls.matches.CreateMatch(calls.creation("new")))
    assert said[:3] == ("UNAVAILABLE", "STORE_UNAVAILABLE", "redis") and "Errno" not in said.text
    async with asyncio.timeout(10):
        while True:
            try:
                await calls.create("new")
                break
            except grpc.aio.AioRpcError as error:
                assert error.code() == grpc.StatusCode.UNAVAILABLE
                await asyncio.sleep(0.02)
    assert await calls.step("m") and await calls.step("new")


def test_what_is_missing_comes_with_where_to_look() -> None:
    assert ziggurat("simulate").stderr == "error: Missing option '--game'. (see `ziggurat simulate --help`)\n"
    assert ziggurat("gaems").stderr.endswith("Did you mean 'games'? (see `ziggurat --help`)\n")
