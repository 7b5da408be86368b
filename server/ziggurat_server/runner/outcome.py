"""What an event has come to, for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from ziggurat import Event
from ziggurat_server import convert_events
from ziggurat_server.runner.progress import fault_words
from ziggurat_server.tournaments.log import EventHeader
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics import Report, report
from ziggurat_server.tournaments.statistics.values import BotStanding, Estimate, TestStatus


def empty_state(event: Event) -> EventState:
    """An event before the first entry of its log."""
    spec = convert_events.read_spec(event.spec)
    return EventState(
        EventHeader(event.event_id, spec, b"", b"", event.created_ms, event.rules_version, seed_chosen=False)
    )


def results(state: EventState) -> Report:
    """Standings and statistics."""
    spec = replace(state.header.spec, bots=tuple(state.entrants.values()))
    rounds = [drawn.round for drawn in state.rounds]
    return report(spec, rounds, state.ordered_results(), state.withdrawn)


def show_standings(screen: Console, state: EventState, lost: Iterable[str] = ()) -> None:
    """Print the standings, and the sequential test if there is one. `lost`: bots that were given up."""
    found, stop = results(state), state.header.spec.stop
    screen.print(standings_table(f"Standings of {state.header.event_id}", found.bots, lost))
    if stop is not None and found.test is not None:
        screen.print(test_line(stop.candidate, stop.baseline, found.test), markup=False)


def standings_table(title: str, bots: Iterable[BotStanding], lost: Iterable[str] = ()) -> Table:
    """Standings, best first."""
    bots, lost = list(bots), set(lost)
    seats = max((len(bot.places) for bot in bots), default=0)
    made = Table(title=title, title_justify="left")
    made.add_column("#", justify="right")
    made.add_column("bot")
    names = ["games", "credit", "win share", "points", "rating"]
    for name in [*names, *map(_ordinal, range(1, seats + 1))]:
        made.add_column(name, justify="right")
    made.add_column("faults")
    for bot in bots:
        state = " (lost)" if bot.name in lost else " (withdrawn)" if bot.withdrawn else ""
        made.add_row(
            str(bot.rank),
            bot.name + state,
            str(bot.games),
            _share(bot.credit),
            _share(bot.win_share),
            "" if bot.points is None else f"{bot.points:.2f}",
            _estimate(bot.rating),
            *(map(str, bot.places) if bot.games else [""] * seats),
            fault_words(bot.faults),
        )
    return made


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _estimate(value: Estimate | None) -> str:
    if value is None:
        return ""
    if value.low is None or value.high is None:
        return f"{value.value:+.0f}"
    return f"{value.value:+.0f} ({value.low:+.0f} to {value.high:+.0f})"


def test_line(candidate: str, baseline: str, test: TestStatus) -> str:
    """A sequential test in words."""
    verdict = f"{candidate} is {test.verdict} than {baseline}" if test.verdict else "no verdict yet"
    score = "" if test.score is None else f", mean score {test.score:.3f}"
    return (
        f"test whether {candidate} is better than {baseline}: {verdict} after {test.blocks} blocks{score} "
        f"(ratio {test.llr:.2f} between {test.lower:.2f} and {test.upper:.2f})"
    )


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }".replace(" ", "")
