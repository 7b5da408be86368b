"""What a run shows while it goes on."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from ziggurat_server.log import Faults
from ziggurat_server.runner import progress as shown
from ziggurat_server.runner.progress import Progress
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind
from ziggurat_server.tournaments.results import GameResult, Round, SeatResult
from ziggurat_server.tournaments.state import EventState


@pytest.fixture
def state() -> EventState:
    """An event of four games, one of which has a result, with a fault, and one of which is open."""
    spec = EventSpec("flow", (Entrant("a"), Entrant("b")), seats=2)
    found = EventState(EventHeader("it", spec, b"", b"", 0, 1, False))
    for number in (0, 1):
        found.fold(EventEntry(Kind.ROUND, round=Round(number, (("a", "b"),))))
    for game in (0, 1):
        found.fold(EventEntry(Kind.STARTED, game=game))
    seats = (SeatResult("a", 5, 2, faults=Faults(illegal=2)), SeatResult("b", 9, 1))
    found.fold(EventEntry(Kind.RESULT, game=0, result=GameResult(0, 0, 0, 0, seats)))
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds, which stand still until they are changed."""
    now = [1000.0]
    monkeypatch.setattr(shown.time, "monotonic", lambda: now[0])
    return now


def test_a_line_of_progress(state: EventState, clock: list[float]) -> None:
    screen = Console(file=io.StringIO(), width=160)
    with Progress(screen, state) as progress:
        progress.tick()
        progress.begin()
        clock[0] += 4
        assert progress.line() == "1/4 games, 1 open, 2 faults"
        seats = tuple(replace(seat, faults=Faults()) for seat in state.results[0].seats)
        state.fold(EventEntry(Kind.RESULT, game=1, result=GameResult(1, 0, 0, 1, seats)))
        progress.waiting_for = ("b",)
        assert progress.line() == "2/4 games, 0.2/s, 0 open, 2 faults, 8 s left, waiting for b"
        progress.tick()
        progress.tick()
        state.fold(EventEntry(Kind.PAUSED))
        assert progress.line() == "2/4 games, 0 open, 2 faults, paused"
    assert isinstance(screen.file, io.StringIO)
    assert screen.file.getvalue().splitlines() == [
        "2/4 games, 0.2/s, 0 open, 2 faults, 8 s left, waiting for b  b 100.0%  a 0.0%"
    ]


def test_of_games_that_depend_on_results_only_some_are_known(state: EventState, clock: list[float]) -> None:
    state.header = replace(
        state.header, spec=replace(state.header.spec, format=FormatSpec("ladder", rounds=9))
    )
    progress = Progress(Console(file=io.StringIO()), state)
    progress.begin()
    clock[0] += 1
    state.results[1] = state.results[0]
    assert progress.line() == "2/4 games so far, round 2 of 9, 1.0/s, 1 open, 4 faults"
    state.header = replace(state.header, spec=replace(state.header.spec, format=FormatSpec("swiss")))
    assert progress.line().startswith("2/4 games so far, round 2, ")


def test_lines_are_rarer_when_there_is_nothing_new(state: EventState, clock: list[float]) -> None:
    screen = Console(file=io.StringIO(), width=160)
    said = lambda: len(screen.file.getvalue().splitlines())  # type: ignore[attr-defined]  # noqa: E731
    with Progress(screen, state) as progress:
        progress.begin()
        for _ in range(130):
            clock[0] += 1
            progress.tick()
        assert said() == 3, "after 2, 62 and 122 seconds"
        clock[0] += 5000
        progress.tick()
        state.fold(EventEntry(Kind.PAUSED))
        clock[0] += 40
        progress.tick()
        assert said() == 4
        clock[0] += 20
        progress.tick()
        assert said() == 5


def test_speed_is_that_of_the_last_minute(state: EventState, clock: list[float]) -> None:
    state.results.clear()
    progress = Progress(Console(file=io.StringIO()), state)
    assert progress.speed() == 0
    progress.begin()
    for second in range(300):
        clock[0] += 1
        state.results[second] = GameResult(second, 0, 0, 0, ())
        progress.speed()
    assert progress.speed() == pytest.approx(1)
    for _ in range(60):
        clock[0] += 1
        progress.speed()
    assert progress.speed() == 0


def test_a_terminal_is_shown_the_standings(state: EventState) -> None:
    text = io.StringIO()
    with Progress(Console(file=text, force_terminal=True, width=100), state) as progress:
        progress.begin()
        progress.tick()
        progress.say("a word")
    assert "1/4 games" in text.getvalue() and "2 illegal" in text.getvalue() and "a word" in text.getvalue()


def test_others_texts_cannot_write_over_the_screen() -> None:
    """Why a bot was taken out is told by its owner, who need not be ours."""
    screen = Console(file=io.StringIO(), width=160, force_terminal=True, highlight=False)
    shown.say(screen, "bot b is out: \x1b[2J\x1b]0;owned\x07 [bold]x\n\u202ey")
    assert isinstance(screen.file, io.StringIO)
    assert screen.file.getvalue() == "bot b is out: \ufffd[2J\ufffd]0;owned\ufffd [bold]x \ufffdy\n"
