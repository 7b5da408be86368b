"""How a run is shown: live on a terminal, in lines elsewhere; at the end a table."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ziggurat_server.runner.result import Outcome
from ziggurat_server.runner.standings import Total

LINE_SECONDS = 2.0


def console() -> Console:
    """Standard output; lines are not broken where it is no terminal."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=160)


class Report:
    """Shows the progress of a run; a context."""

    def __init__(self, screen: Console, outcome: Outcome) -> None:
        self._screen = screen
        self._outcome = outcome
        self._began = self._line_at = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=screen,
        )
        self._task = self._bar.add_task("games", total=outcome.scheduled)
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

    def _picture(self) -> RenderableType:
        return Group(self._bar, table(self._outcome))

    def say(self, text: str) -> None:
        """A line for people."""
        self._screen.print(text, markup=False)

    def game_over(self, outcome: Outcome, open_games: int) -> None:
        """A game has ended."""
        finished = sum(bool(played.standings) for played in outcome.played)
        self._bar.update(self._task, completed=finished, description=f"games ({open_games} open)")
        now = time.monotonic()
        if self._live is None and now - self._line_at >= LINE_SECONDS:
            self._line_at = now
            speed = finished / (now - self._began)
            leaders = "  ".join(f"{total.name} {_share(total)}" for total in outcome.standings.ranking()[:5])
            self.say(f"{finished}/{outcome.scheduled} games, {speed:.1f}/s  {leaders}")


def table(outcome: Outcome) -> Table:
    """The standings."""
    made = Table(title=f"Standings of {outcome.run_id}", title_justify="left")
    made.add_column("#", justify="right")
    made.add_column("bot")
    for name in ["games", "win share", "points", *map(_ordinal, range(1, outcome.seats + 1))]:
        made.add_column(name, justify="right")
    made.add_column("faults")
    for rank, total in enumerate(outcome.standings.ranking(), 1):
        points = total.points_mean
        made.add_row(
            str(rank),
            total.name + (" (lost)" if total.name in outcome.lost else ""),
            str(total.games),
            _share(total),
            "" if points is None else f"{float(points):.2f}",
            *map(str, total.places),
            _faults(total),
        )
    return made


def _share(total: Total) -> str:
    return "" if total.win_share is None else f"{float(total.win_share):.1%}"


def _faults(total: Total) -> str:
    found = total.faults
    named = (
        ("illegal", found.illegal),
        ("late", found.late),
        ("gone", found.gone),
        ("forfeit", found.forfeits),
    )
    return ", ".join(f"{count} {name}" for name, count in named if count) or "none"


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }".replace(" ", "")
