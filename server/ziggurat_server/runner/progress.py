"""How a run is shown: live on a terminal, in lines elsewhere; at the end a table."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ziggurat_server.log import Faults
from ziggurat_server.runner.exports.words import printable
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics.standings import Tally, ordered, tallies

LINE_SECONDS = 2.0
SHARE_OF_TIME = 20
"""Standings are added up anew when so many times the time has passed that it took."""


def console() -> Console:
    """Standard output; lines are not broken where it is no terminal."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=160)


def say(screen: Console, text: str) -> None:
    """A line for people; what looks like markup in it is none, and others' texts cannot write over the screen."""
    screen.print(printable(text), markup=False)


def fault_words(found: Faults) -> str:
    """Faults in words."""
    named = (
        ("illegal", found.illegal),
        ("late", found.late),
        ("gone", found.gone),
        ("forfeit", found.forfeits),
    )
    return ", ".join(f"{count} {name}" for name, count in named if count) or "none"


class Progress:
    """Shows how an event goes on; a context. `planned` and `waiting_for` are what the server says."""

    def __init__(self, screen: Console, state: EventState) -> None:
        self._screen = screen
        self._state = state
        self._line_at = 0.0
        self._began = 0.0
        self._before = 0
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
        self._before = len(self._state.results)

    def tick(self) -> None:
        """Print a line if it is time."""
        now = time.monotonic()
        if self._live is None and self._began and now - self._line_at >= LINE_SECONDS:
            self._line_at = now
            leaders = "  ".join(f"{total.bot} {float(total.credit):.1%}" for total in self.totals()[:5])
            self.say(f"{self.line()}  {leaders}")

    def speed(self) -> float:
        """Games a second since `begin`."""
        seconds = time.monotonic() - self._began
        return (len(self._state.results) - self._before) / seconds if self._began and seconds > 0 else 0.0

    def line(self) -> str:
        """How far it is."""
        state, speed = self._state, self.speed()
        done = len(state.results)
        planned = max(self.planned, len(state.games)) - state.dropped
        parts = [f"{done}/{planned} games", f"{speed:.1f}/s", f"{len(state.open)} open"]
        faults = sum(total.faults.total for total in self.totals())
        parts += [f"{faults} faults"] if faults else []
        parts += [f"{state.voids} without a result"] if state.voids else []
        if speed and planned > done:
            parts.append(f"{_duration((planned - done) / speed)} left")
        if state.state in (State.PAUSED, State.ENDING):
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
