"""Records that do not belong to an event are refused before anything is replayed, naming file, key and remedy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.runner.exports.records import EVENT, SPEC, changed, header, played, write, zgr

from ziggurat_rules.catalogue import Pack
from ziggurat_server.log import Entry, Kind, Policy, SeatSpec
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.exports import Description, read_records, recomputed, results
from ziggurat_server.tournaments.event import Memory
from ziggurat_server.tournaments.results import Round

GOOD = [header(number) for number in range(4)]


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be replayed."""

    def verify(data: bytes) -> None:
        raise AssertionError("a record was replayed")

    monkeypatch.setattr(results, "verify", verify)


def refused(directory: Path, event: Description | None = EVENT) -> str:
    with pytest.raises(TournamentError) as caught:
        read_records(directory, event)
    return str(caught.value)


def test_good_records_are_read(tmp_path: Path) -> None:
    write(tmp_path, *GOOD)
    for event in (EVENT, None):
        found = read_records(tmp_path, event)
        assert [game.number for game in found.games] == [0, 1, 2, 3]
        assert [[seat.bot for seat in game.seats] for game in found.games] == [
            [*"ab"],
            [*"ba"],
            [*"ba"],
            [*"ab"],
        ]
        assert found.rounds == EVENT.rounds and found.policy == SPEC.policy
        assert found.commitments == {head.match_id: head.commitment.hex() for head in GOOD}
        assert all(game.decisions > 10 for game in found.games)


def test_a_directory_without_records_has_no_results(tmp_path: Path) -> None:
    assert read_records(tmp_path).games == ()
    found = recomputed(EVENT, tmp_path)
    assert found.report.complete_blocks == 0 and found.report.incomplete_blocks == 2
    assert f"{tmp_path / 'none'}: it is no directory" in refused(tmp_path / "none")


ANOTHER = "event-00001.zgr"
BAD: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "another event": (
        lambda path: write(
            path, changed(replace(GOOD[1], match_id="other-00001"), event_id="other"), name=ANOTHER[:-4]
        ),
        "event_id",
        "it is of event 'other', not 'event'; move it elsewhere",
    ),
    "no event": (
        lambda path: write(path, replace(GOOD[1], event=None)),
        "event",
        "it is of no event; move it elsewhere",
    ),
    "another match": (
        lambda path: write(path, replace(GOOD[1], match_id="event-00003"), name=ANOTHER[:-4]),
        "match_id",
        "'event-00003', but its game is 'event-00001'",
    ),
    "rules": (
        lambda path: (path / ANOTHER).write_bytes(zgr(replace(GOOD[1], rules_version=999), [])),
        "rules_version",
        f"it is 999, the event's is {EVENT.rules_version}",
    ),
    "game": (
        lambda path: (path / ANOTHER).write_bytes(zgr(replace(GOOD[1], game="chess"), [])),
        "game",
        "it is 'chess', the event's is 'flow'",
    ),
    "policy": (
        lambda path: write(path, replace(GOOD[1], policy=Policy())),
        "policy",
        "not the event's; move the record",
    ),
    "packs": (
        lambda path: (path / ANOTHER).write_bytes(zgr(replace(GOOD[1], packs=(Pack("p", ""),)), [])),
        "packs",
        "not the event's",
    ),
    "seats": (
        lambda path: (path / ANOTHER).write_bytes(zgr(replace(GOOD[1], seats=(SeatSpec("a"),) * 2), [])),
        "seats",
        "a, a are no table",
    ),
    "bots": (
        lambda path: write(path, replace(GOOD[1], seats=(SeatSpec("b"), SeatSpec("c")))),
        "seats",
        "b, c are not table 0 of round 0",
    ),
    "table": (lambda path: write(path, changed(GOOD[1], table=7)), "seats", "which was not drawn"),
    "no such table": (
        lambda path: write(path, changed(GOOD[1], table=2**32 - 1)),
        "table",
        "4294967295: no round has so many; fetch it again",
    ),
    "doubled": (
        lambda path: write(path, GOOD[0], name="event-00001"),
        "match_id",
        "event-00000.zgr is of the same match; move one of them elsewhere",
    ),
    "two results": (
        lambda path: write(path, header(0, attempt=1), name="event-00001"),
        "match_id",
        "event-00000.zgr has a result of the same game",
    ),
    "deal": (lambda path: write(path, replace(GOOD[1], seed=1)), "seed", "does not follow from the event's"),
    "cut": (
        lambda path: (path / ANOTHER).write_bytes(zgr(GOOD[1], played(GOOD[1]))[:-9]),
        "record",
        "damaged: its content does not match its checksum; fetch it again, or move it elsewhere",
    ),
    "no record": (lambda path: (path / ANOTHER).write_bytes(b"hello"), "record", "this is no .zgr file"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.usefixtures("unplayed")
def test_what_does_not_belong_is_refused_first(tmp_path: Path, name: str) -> None:
    make, key, why = BAD[name]
    write(tmp_path, GOOD[0], GOOD[2])
    make(tmp_path)
    said = refused(tmp_path)
    assert said.startswith(f"{tmp_path / ANOTHER}: {key}: "), said
    assert why in said and "\n" not in said


@pytest.mark.usefixtures("unplayed")
def test_without_a_description_the_first_file_tells_the_event(tmp_path: Path) -> None:
    write(tmp_path, GOOD[0])
    (tmp_path / ANOTHER).write_bytes(zgr(replace(GOOD[1], game="tta"), []))
    assert f"{tmp_path / ANOTHER}: game: it is 'tta'" in refused(tmp_path, None)


@pytest.mark.usefixtures("unplayed")
def test_rules_that_are_not_here_are_named(tmp_path: Path) -> None:
    (tmp_path / "old.zgr").write_bytes(zgr(replace(GOOD[0], rules_version=99), []))
    said = refused(tmp_path, None)
    assert said.startswith(
        f"{tmp_path / 'old.zgr'}: rules_version: it was played by version 99 of the rules of flow"
    )
    assert f"here is version {EVENT.rules_version}" in said


def test_a_log_that_the_rules_do_not_give_is_refused(tmp_path: Path) -> None:
    entries = played(GOOD[0])
    close = entries[-1]
    better = replace(close.standings[0], points=close.standings[0].points + 1)
    forged = [*entries[:-1], replace(close, standings=(better, *close.standings[1:]))]
    (tmp_path / "event-00000.zgr").write_bytes(zgr(GOOD[0], forged))
    said = refused(tmp_path)
    assert said.startswith(f"{tmp_path / 'event-00000.zgr'}: record: ")
    assert "the standings are not those of the replayed game; fetch it again" in said
    (tmp_path / "event-00000.zgr").write_bytes(zgr(GOOD[0], entries[:-1]))
    assert "the match has not ended in it" in refused(tmp_path)


def test_tries_without_a_result_count_apart(tmp_path: Path) -> None:
    void = Entry(Kind.VOID, note="a fault of the server")
    (tmp_path / "event-00000.zgr").write_bytes(zgr(GOOD[0], [void]))
    write(tmp_path, header(0, attempt=1), GOOD[1])
    found = recomputed(EVENT, tmp_path)
    assert [(game.number, game.attempt) for game in found.games] == [(0, 1), (1, 0)]
    assert found.event.voids == 1 and found.report.complete_blocks == 1


def test_independent_deals_have_the_seed_of_their_game(tmp_path: Path) -> None:
    write(tmp_path, *GOOD)
    event = replace(EVENT, spec=replace(SPEC, memory=Memory.INDEPENDENT))
    assert "event-00001.zgr: seed: " in refused(tmp_path, event)


def test_tables_that_no_record_tells_of_are_counted(tmp_path: Path) -> None:
    write(tmp_path, *(changed(head, table=2) for head in GOOD[:2]))
    found = read_records(tmp_path)
    assert [len(drawn.tables) for drawn in found.rounds] == [3]
    report = recomputed(replace(EVENT, rounds=()), tmp_path).report
    assert (report.complete_blocks, report.incomplete_blocks) == (1, 2)
    assert {bot.name for bot in report.bots} == {"a", "b"}


def test_rounds_that_the_description_does_not_know_are_added(tmp_path: Path) -> None:
    write(tmp_path, *GOOD)
    found = recomputed(replace(EVENT, rounds=EVENT.rounds[:1]), tmp_path)
    assert found.event.rounds == EVENT.rounds and found.report.complete_blocks == 2
    wrong = replace(EVENT, rounds=(Round(0, (("b", "a"),)),))
    assert "a, b are not table 0 of round 0, b, a turned by 0" in refused(tmp_path, wrong)
