"""`ziggurat tournament report` and `recompute`, in the directory of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import typer
from tests.server.runner.exports.records import EVENT, SPEC, header, write
from typer.testing import CliRunner, Result

from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import BotSpec, EventFile, as_table
from ziggurat_server.runner.exports import EXPORTS, RESULT, cli, read_result, recomputed, result_json
from ziggurat_server.runner.exports.files import recompute, write_exports
from ziggurat_server.runner.tomltext import toml_text
from ziggurat_server.tournaments.event import FormatSpec
from ziggurat_server.tournaments.log import State


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that has been played, without exports."""
    write(tmp_path / "records", *(header(number) for number in range(4)))
    event = EventFile(
        "flow",
        (BotSpec("a", "random", "1.0"), BotSpec("b", "random", "2.0")),
        "event",
        seats=2,
        seed=5,
        format=FormatSpec(rounds=2),
        policy=SPEC.policy,
    )
    (tmp_path / "event.toml").write_text(toml_text(as_table(event)))
    return tmp_path


def said(*words: object) -> Result:
    """What a command says."""
    app = typer.Typer()
    cli.register(app)
    return CliRunner().invoke(app, list(map(str, words)))


def test_report_writes_all_exports_and_recompute_agrees_with_them(run: Path) -> None:
    first = said("recompute", run)
    assert first.exit_code == 0
    assert (
        "event: 4 games verified, 2 complete blocks\nthere is no result.json to compare with" in first.output
    )
    assert said("report", run).exit_code == 0
    texts = {name: (run / name).read_bytes() for name in EXPORTS}
    written = read_result(texts[RESULT].decode())
    assert [(bot.name, bot.version) for bot in written.event.spec.bots] == [("a", "1.0"), ("b", "2.0")]
    assert written.event.rules_version == EVENT.rules_version
    assert said("report", run).exit_code == 0
    assert {name: (run / name).read_bytes() for name in EXPORTS} == texts
    again = said("recompute", run)
    assert again.exit_code == 0 and f"all agree with {run / RESULT}" in again.output


def test_a_result_that_the_records_do_not_give_is_told(run: Path) -> None:
    found = recomputed(EVENT, run / "records")
    seat = replace(found.games[0].seats[0], points=99)
    game = replace(found.games[0], seats=(seat, *found.games[0].seats[1:]))
    bots = (replace(found.report.bots[0], games=5), *found.report.bots[1:])
    forged = replace(found, games=(game, *found.games[1:]), report=replace(found.report, bots=bots))
    write_exports(run, forged)
    told = said("recompute", run)
    assert told.exit_code == 1
    assert told.output.index("game 0 is not the same\n") < told.output.index(
        "games is 4 by the records and 5 in res"
    )
    assert f"error: {run / RESULT} differs from the records in 2 points" in told.output
    open_event = replace(found, event=replace(found.event, state=State.PAUSED))
    (run / RESULT).write_text(result_json(open_event))
    (run / "records" / "event-00003.zgr").unlink()
    told = said("recompute", run)
    assert told.exit_code == 1 and "complete_blocks is 1 by the records and 2 in result.json" in told.output
    assert f"game 3 is in {RESULT} alone: its record is missing\n" in told.output
    assert "the event is not over, and records of open deals come with its end" in told.output


def test_a_damaged_result_is_mended_as_its_error_says(run: Path) -> None:
    (run / RESULT).write_text("{")
    told = said("report", run)
    assert told.exit_code == 1 and "it is no JSON" in told.output
    assert told.output.rstrip().endswith("; move it elsewhere and export it anew")
    (run / RESULT).unlink()
    assert said("report", run).exit_code == 0 and said("recompute", run).exit_code == 0


def test_bots_that_came_late_are_in_the_event(run: Path) -> None:
    (run / "added").mkdir()
    (run / "added" / "late.toml").write_text('name = "late"\ncommand = "random"\nversion = "3"\n')
    found, written = recompute(run)
    assert written is None
    assert [bot.name for bot in found.event.spec.bots] == ["a", "b", "late"]
    assert found.report.bots[-1].version == "3"


def test_what_is_no_run_is_refused(run: Path) -> None:
    told = said("recompute", run / "nowhere")
    assert (
        told.exit_code == 1
        and "neither result.json nor event.toml; name the directory of a run" in told.output
    )
    (run / RESULT).write_text("{")
    told = said("report", run)
    assert told.exit_code == 1 and f"error: {run / RESULT}: it is no JSON" in told.output
    (run / RESULT).unlink()
    (run / "records" / "event-00001.zgr").write_bytes(b"ZGR1")
    told = said("recompute", run)
    assert (
        told.exit_code == 1
        and f"error: {run / 'records' / 'event-00001.zgr'}: record: damaged" in told.output
    )


def test_exports_that_cannot_be_written_are_refused(run: Path) -> None:
    with pytest.raises(TournamentError, match="cannot write"):
        write_exports(run / "nowhere", recomputed(EVENT, run / "records"))


def test_how_a_run_noted_its_end_is_told(run: Path) -> None:
    (run / "run.json").write_text('{"format": 1, "ended": "cancelled: no more time: none"}')
    found, _ = recompute(run)
    assert (found.event.state, found.event.reason) == (State.CANCELLED, "no more time: none")
    (run / "run.json").write_text('{"format": 1}')
    found, _ = recompute(run)
    assert (found.event.state, found.event.reason) == (State.RUNNING, "")
