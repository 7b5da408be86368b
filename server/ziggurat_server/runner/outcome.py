"""What an event has come to, for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set

from rich.console import Console
from rich.table import Column, Table

from ziggurat import Event
from ziggurat_server.convert import events as convert_events
from ziggurat_server.runner.exports import Summary, words
from ziggurat_server.runner.progress import fault_words, say
from ziggurat_server.tournaments.log import EventHeader
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics.values import BotStanding


def empty_state(event: Event) -> EventState:
    """An event before the first entry of its log."""
    spec = convert_events.read_spec(event.spec)
    ratings = convert_events.read_ratings(event.ratings)
    return EventState(
        EventHeader(event.event_id, spec, b"", b"", event.created_ms, event.rules_version, False, ratings)
    )


def show_standings(screen: Console, found: Summary, lost: Iterable[str] = ()) -> None:
    """Print the standings, and the sequential test if there is one. `lost`: bots that were given up."""
    stop, test = found.event.spec.stop, found.report.test
    say(screen, f"Standings of {found.event.event_id}")
    screen.print(standings_table(screen, found.report.bots, lost))
    if stop is not None and test is not None:
        say(screen, words.verdict_words(found.event.spec, test))


def standings_table(screen: Console, bots: Iterable[BotStanding], lost: Iterable[str] = ()) -> Table:
    """Standings, best first, with as many columns as the screen has room for."""
    bots, lost = list(bots), set(lost)
    left_out: list[str] = []
    boundless = screen.options.update(max_width=10_000)
    for column in (*LEAVE_OUT, ""):
        made = _table(bots, lost, left_out)
        if screen.measure(made, options=boundless).maximum <= screen.width:
            break
        left_out.append(column)
    return made


LEAVE_OUT = ("win share", "places", "points", "faults", "games")
"""Columns that a narrow screen goes without, in this order."""


def _table(bots: Sequence[BotStanding], lost: Set[str], left_out: Collection[str]) -> Table:
    seats = 0 if "places" in left_out else max((len(bot.places) for bot in bots), default=0)
    names = [*_NUMBERS, *map(words.ordinal, range(1, seats + 1)), "faults"]
    names = [name for name in names if name not in left_out]
    made = Table(*map(_column, names))
    for bot in bots:
        row = {
            "#": str(bot.rank),
            "bot": bot.name + (" (lost)" if bot.name in lost else " (withdrawn)" if bot.withdrawn else ""),
            "games": str(bot.games),
            "credit": words.percent(bot.credit),
            "win share": words.percent(bot.win_share),
            "points": words.short(bot.points),
            "rating": words.rating(bot.rating),
            "faults": fault_words(bot.faults),
        }
        row |= {words.ordinal(place): str(count) for place, count in enumerate(bot.places, 1) if bot.games}
        made.add_row(*(row.get(name, "") for name in names))
    return made


_NUMBERS = ("#", "bot", "games", "credit", "win share", "points", "rating")


def _column(name: str) -> Column:
    return Column(name, justify="left" if name in ("bot", "faults") else "right", no_wrap=True)
