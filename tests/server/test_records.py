"""Records on the command line: verify refuses every damage, show tells what a seat saw."""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path

import pytest
from tests.support.wire import Wire
from typer.testing import CliRunner

from ziggurat.v1 import play_pb2, record_pb2
from ziggurat_server.app import Application
from ziggurat_server.cli import app
from ziggurat_server.log import Kind
from ziggurat_server.records.zgr import MAGIC, unpack


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status and what was said."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def packed(record: record_pb2.Record) -> bytes:
    """A .zgr file with a right checksum, whatever it holds."""
    body = zlib.compress(record.SerializeToString())
    return MAGIC + hashlib.sha256(body).digest() + body


def content(data: bytes) -> record_pb2.Record:
    return record_pb2.Record.FromString(zlib.decompress(data[36:]))


async def test_records(calls: Wire, server: Application, tmp_path: Path) -> None:
    await calls.create("m", 3, seed=11)
    seen = {}
    for taken in range(12):  # what the seats saw on the way
        for seat in range(3):
            got = await calls.get("m", seat)
            seen[taken, seat] = got
        assert await calls.step("m", 3)
    await calls.finish("m", 3)
    data = await calls.record("m")
    good = tmp_path / "good.zgr"
    good.write_bytes(data)
    code, said, _ = run("verify", good)
    assert code == 0 and ": ok, flow, " in said and said.endswith("1 of 1 records verified\n")

    _damage(data, good, tmp_path)
    _forge(data, tmp_path)
    _go_on(data, tmp_path)
    _show(good, data, seen)


def _damage(data: bytes, good: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.zgr"
    for place in (0, 3, 4, 35, 36, len(data) // 2, len(data) - 1):
        bad.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        code, said, error = run("verify", bad)
        assert code == 1 and error.count("\n") == 1 and error.startswith(f"{bad}: ")
        assert said.endswith("0 of 1 records verified\n")
        code, said, error = run("show", bad, "--seat", 0)
        assert (code, said, error.count("\n")) == (1, "", 1) and error.startswith("error: ")
    for broken in (b"", data[:30], data[:-1], data + b"x", MAGIC + hashlib.sha256(b"").digest()):
        bad.write_bytes(broken)
        assert run("verify", bad)[0] == 1
    assert run("verify", tmp_path / "none.zgr")[2].endswith("none.zgr: No such file or directory\n")


def _forge(data: bytes, tmp_path: Path) -> None:
    """Changes under a checksum that was made anew."""
    bad = tmp_path / "forged.zgr"

    def refused(record: record_pb2.Record) -> str:
        bad.write_bytes(packed(record))
        code, _, error = run("verify", bad)
        assert code == 1 and error.count("\n") == 1, error
        return error

    record = content(data)
    moves = [n for n, entry in enumerate(record.entries) if entry.kind == Kind.ANSWER]

    def changed() -> record_pb2.Record:
        return content(data)

    forged = changed()
    forged.header.seed += 1
    assert "commitment" in refused(forged)
    forged = changed()
    forged.header.salt = b"x"
    assert "commitment" in refused(forged)
    for field, value in (("game", "chess"), ("rules_version", 99), ("match_id", "x")):
        forged = changed()
        setattr(forged.header, field, value)
        if field != "match_id":
            refused(forged)
    forged = changed()
    forged.header.options["edition"] = "ko"
    refused(forged)
    forged = changed()
    del forged.header.seats[1:]
    refused(forged)
    forged = changed()
    forged.header.policy.on_gone = 77
    refused(forged)
    for move in (moves[0], moves[len(moves) // 2], moves[-1]):
        forged = changed()
        del forged.entries[move]
        refused(forged)
        forged = changed()
        forged.entries[move].choice[:] = [4_000]
        refused(forged)
        forged = changed()
        forged.entries[move].seat = 77
        refused(forged)
        forged = changed()
        forged.entries[move].kind = 88  # type: ignore[assignment]
        refused(forged)
    forged = changed()
    forged.entries[-1].standings[0].points += 1
    assert "standings" in refused(forged)
    forged = changed()
    forged.entries[-1].state_hash ^= 1
    assert "final hash" in refused(forged)
    forged = changed()
    del forged.entries[-1]
    assert "not ended" in refused(forged)


def _go_on(data: bytes, tmp_path: Path) -> None:
    """A result twice, or after a match was made void, is none."""
    bad = tmp_path / "more.zgr"
    for first in (record_pb2.LogEntry(kind=record_pb2.ENTRY_KIND_VOID), content(data).entries[-1]):
        record = content(data)
        record.entries.insert(-1, first)
        bad.write_bytes(packed(record))
        code, _, error = run("verify", bad)
        assert code == 1 and "entries follow after the end" in error


def _show(good: Path, data: bytes, seen: dict[tuple[int, int], object]) -> None:
    _, log = unpack(data)
    taken = 0
    checked = 0
    for at, entry in enumerate(log, 1):
        taken += entry.kind == Kind.ANSWER
        for seat in range(3):
            got = seen.pop((taken, seat), None) if entry.kind == Kind.ANSWER else None
            if got is None:
                continue
            code, said, _ = run("show", good, "--at", at, "--seat", seat, "--json")
            told = json.loads(said)
            assert code == 0 and told["at"] == at and told["seat"] == seat
            assert told["version"] == got.view.version and told["hash"] == f"{got.view.hash:08x}"  # type: ignore[attr-defined]
            asked: play_pb2.Decision = got.decision  # type: ignore[attr-defined]
            assert (told["decision"] is not None) == (asked.id > 0)
            if told["decision"]:
                options = told["decision"]["options"]
                assert told["decision"]["id"] == asked.id and told["to_act"] == [seat]
                assert len(options) == len(asked.option_sizes) or len(asked.options) // asked.option_size
                assert all(option["text"] for option in options)
            checked += 1
    assert checked > 20
    names = {cell["name"] for cell in told["cells"]}
    assert "deck" in names and "market_1" in names

    at = next(n for n, entry in enumerate(log, 1) if entry.kind == Kind.ANSWER)
    code, said, _ = run("show", good, "--at", at - 1, "--seat", log[at - 1].seat)
    assert code == 0 and f"decision {log[at - 1].decision_id}: " in said and "  takes " in said
    assert "market_1: " in said and "must act: seat" in said and "in resolution: " in said
    code, said, _ = run("show", good)
    assert code == 0 and "finished" in said and "seen by everybody" in said
    assert "0 to" in run("show", good, "--at", len(log) + 1)[2]
    assert "0 to" in run("show", good, "--at", -1)[2]
    assert "error" in run("show", good, "--seat", 3)[2]


@pytest.mark.parametrize("arguments", [("show", "none.zgr"), ("show", ".")])
def test_files_that_cannot_be_read(arguments: tuple[str, ...]) -> None:
    code, said, error = run(*arguments)
    assert (code, said, error.count("\n")) == (1, "", 1)
