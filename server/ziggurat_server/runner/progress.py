"""How a run is shown: live on a terminal, in lines elsewhere; at the end a table."""

from __future__ import annotations

import time
from collections import deque
from typing import Self

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ziggurat_server.log import Faults
from ziggurat_server.runner.exports.words import printable
from ziggurat_server.tournaments.formats import FORMATS
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics.standings import Tally, ordered, tallies

LINE_SECONDS, SLOWEST_LINE_SECONDS = 2.0, 60.0
"""Between lines: at first, and after hours or when there is nothing new."""
LINES = 100
"""So many lines are printed in any time: a long run has them at longer intervals."""
SPEED_SECONDS = 60.0
"""Speed is that of the last minute."""
SHARE_OF_TIME = 20
"""Standings are added up anew when so many times the time has passed that it took."""


def console() -> Console:
    """Standard output; lines are not broken where it is no terminal."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=1000)


def say(screen: Console, text: str) -> None:
    """A line for people; what looks like markup in it is none, and others' texts cannot write over the screen."""
    screen.print(printable(text), markup=False, soft_wrap=True)


def complain(error: object) -> None:
    """An error on standard error, on a line or two; it may tell what a bot has written."""
    typer.echo("\n".join(map(printable, f"error: {error}".split("\n"))), err=True)


def fault_words(found: Faults) -> str:
    """Faults in words."""
    named = (
        ("illegal", found.illegal),
        ("late", found.late),
        ("gone", found.gone),
        ("forfeit", found.forfeits),
    )
    return ", ".join(f"{count} {name}" for name, count in named if count) or "none"


def rounds_words(state: EventState) -> str:
    """Of an event whose games to come are not known yet: that there are more, and in which round it is; else ""."""
    form = state.header.spec.format
    if state.over or not FORMATS[form.name].waits:
        return ""
    return f" so far, round {len(state.rounds)}" + (f" of {form.rounds}" if form.rounds else "")


class Progress:
    """Shows how an event goes on; a context. `planned` and `waiting_for` are what the server says."""

    def __init__(self, screen: Console, state: EventState) -> None:
        self._screen = screen
        self._state = state
        self._line_at = 0.0
        self._line_of: object = None
        self._began = 0.0
        self._done: deque[tuple[float, int]] = deque()
        """When, and how many games had a result then: of the last minute."""
        self._totals: list[Tally] = []
        self._totals_at = 0.0
        self.planned = 0
        self.waiting_for: tuple[str, ...] = ()
        self._live = (
            Live(console=screen, get_renderable=self._picture, refresh_per_second=4, transient=True)
            if screen.is_terminal
            else None
        )

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def say(self, text: str) -> None:
        """A line for people."""
        say(self._screen, text)

    def begin(self) -> None:
        """What has been read so far was played before: speed is measured from here."""
        self._began = self._line_at = time.monotonic()
        self._done.append((self._began, len(self._state.results)))

    def tick(self) -> None:
        """Print a line if it is time: less often in a long run, and when there is nothing new."""
        now = time.monotonic()
        if self._live is not None or not self._began:
            return
        state = self._state
        news = (
            len(state.results),
            len(state.open),
            state.dropped,
            state.voids,
            state.state,
            self.waiting_for,
        )
        pause = min(max(LINE_SECONDS, (now - self._began) / LINES), SLOWEST_LINE_SECONDS)
        if now - self._line_at >= (SLOWEST_LINE_SECONDS if news == self._line_of else pause):
            self._line_at, self._line_of = now, news
            leaders = [f"{total.bot} {float(total.credit):.1%}" for total in self.totals()[:5] if total.games]
            self.say("  ".join([self.line(), *leaders]))

    def speed(self) -> float:
        """Games a second, as of late."""
        now, done = time.monotonic(), self._done
        if not done:
            return 0.0
        if now - done[-1][0] >= 1:
            done.append((now, len(self._state.results)))
        while len(done) > 2 and done[1][0] <= now - SPEED_SECONDS:
            done.popleft()
        seconds = now - done[0][0]
        return (len(self._state.results) - done[0][1]) / seconds if seconds > 0 else 0.0

    def line(self) -> str:
        """How far it is."""
        state, speed = self._state, self.speed()
        done = len(state.results)
        planned = max(self.planned, len(state.games)) - state.dropped
        rounds = rounds_words(state)
        parts = [f"{done}/{planned} games{rounds}"]
        idle = state.state in (State.PAUSED, State.ENDING)
        parts += [f"{speed:.1f}/s"] if speed and not idle else []
        parts.append(f"{len(state.open)} open")
        faults = sum(total.faults.total for total in self.totals())
        parts += [f"{faults} faults"] if faults else []
        parts += [f"{state.voids} without a result"] if state.voids else []
        if speed and planned > done and not idle and not rounds:
            parts.append(f"{_duration((planned - done) / speed)} left")
        if idle:
            parts.append(state.state.name.lower())
        elif self.waiting_for:
            parts.append(f"waiting for {', '.join(self.waiting_for)}")
        return ", ".join(parts)

    def totals(self) -> list[Tally]:
        """Standings as of late, best first."""
        began = time.monotonic()
        if began >= self._totals_at:
            state = self._state
            self._totals = ordered(tallies(state.entrants, state.results.values()), state.withdrawn, {})
            now = time.monotonic()
            self._totals_at = now + SHARE_OF_TIME * (now - began)
        return self._totals

    def _picture(self) -> RenderableType:
        made = Table(box=None)
        for name in ("bot", "games", "credit", "points", "faults"):
            made.add_column(name, justify="left" if name == "bot" else "right")
        for total in self.totals():
            games = total.games
            points = f"{total.points / games:.2f}" if games else ""
            credit = f"{float(total.credit):.1%}" if games else ""
            made.add_row(total.bot, str(games), credit, points, fault_words(total.faults))
        return Group(Text(self.line()), made)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
