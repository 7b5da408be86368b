"""What an event has come to, for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

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
    screen.print(standings_table(f"Standings of {found.event.event_id}", found.report.bots, lost))
    if stop is not None and test is not None:
        say(screen, words.verdict_words(found.event.spec, test))


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
            words.percent(bot.credit),
            words.percent(bot.win_share),
            words.short(bot.points),
            words.rating(bot.rating),
            *(map(str, bot.places) if bot.games else [""] * seats),
            fault_words(bot.faults),
        )
    return made


def _ordinal(number: int) -> str:
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(number, "th")
