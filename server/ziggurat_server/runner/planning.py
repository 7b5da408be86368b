"""What an event comes to before anything runs: everything filled in, the schedule, and how balanced it is."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.table import Table

from ziggurat_rules.errors import BadPack, RulesError
from ziggurat_server.runner.eventfile import EventFile, Source
from ziggurat_server.runner.exports.words import counted
from ziggurat_server.runner.progress import say
from ziggurat_server.tournaments import check
from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.event import EventSpec
from ziggurat_server.tournaments.formats import Audit
from ziggurat_server.tournaments.formats.checks import games_per_table
from ziggurat_server.tournaments.results import Round


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event that can be played. `event` has everything filled in but the seed; `note`: what was changed."""

    event: EventFile
    rounds: Sequence[Round]
    audit: Audit
    note: str = ""


def prepare(event: EventFile, source: Source) -> Prepared:
    """Refuse, by the rules installed here, what cannot be played; TournamentError names the key and the remedy."""
    event = replace(event, id=event.id or f"{event.game}-{secrets.token_hex(4)}")
    try:
        check.check_event_id(event.id)
        event, note = _with_rounds(event, source)
        spec = check.resolve(event.spec)
        rounds, audit = check.plan_of(spec)
    except BadEvent as error:
        raise source.refuse(_key_of(error, event), error.message) from None
    except BadPack as error:
        raise source.refuse("packs", str(error)) from None
    except RulesError as error:
        raise source.refuse(error.field, error.reason) from None
    return Prepared(_filled(event, spec), rounds, audit, note)


def _key_of(error: BadEvent, event: EventFile) -> str:
    if error.field == "event_id":
        return "id"
    return "games" if error.field == "format.rounds" and event.games else error.field


def _filled(event: EventFile, spec: EventSpec) -> EventFile:
    return replace(event, seats=spec.seats, options=dict(spec.options), format=spec.format, games=0)


def _with_rounds(event: EventFile, source: Source) -> tuple[EventFile, str]:
    """The rounds that the games asked for come to."""
    if not event.games:
        return event, ""
    if event.format.rounds:
        raise source.refuse("games", "the number of rounds is given too: leave one of them out")
    one = replace(event, format=replace(event.format, rounds=1), stop=None)
    _, audit = check.plan_of(check.resolve(one.spec))
    needed = -(-event.games // audit.games)
    games = needed * audit.games
    note = (
        f"{games} games instead of {event.games}: a round of {len(event.bots)} bots has {audit.games}, "
        "and only whole rounds are fair"
    )
    found = replace(event, format=replace(event.format, rounds=needed))
    return found, note if games != event.games else ""


def show_plan(screen: Console, prepared: Prepared) -> None:
    """Print the whole schedule and its audit."""
    event, audit = prepared.event, prepared.audit
    turns = games_per_table(check.field_of(event.spec))
    bots = ", ".join(bot.name for bot in event.bots)
    say(
        screen,
        f"{event.id}: {event.game}, {event.format.name}, tables of {event.seats}, {len(event.bots)} bots",
    )
    say(screen, f"bots: {bots}")
    if prepared.note:
        say(screen, prepared.note)
    if event.seed is None:
        say(screen, "the seed is drawn when the event begins; what chance decides may then differ")
    screen.print(_schedule(prepared.rounds, turns))
    for line in audit_lines(audit):
        say(screen, line)


def _schedule(rounds: Sequence[Round], turns: int) -> Table:
    made = Table(title="Schedule", title_justify="left")
    for name in ("round", "table", "games"):
        made.add_column(name, justify="right")
    made.add_column("seats of the first game")
    if any(drawn.labels or drawn.byes for drawn in rounds):
        made.add_column("")
    game = 0
    for drawn in rounds:
        labels = drawn.labels or ("",) * len(drawn.tables)
        for number, (table, label) in enumerate(zip(drawn.tables, labels, strict=True), 1):
            numbers = f"{game}-{game + turns - 1}" if turns > 1 else str(game)
            seats = " ".join(table)
            made.add_row(str(drawn.number + 1), str(number), numbers, seats, *([label] if label else []))
            game += turns
        if drawn.byes:
            made.add_row(str(drawn.number + 1), "", "", " ".join(drawn.byes), "sit out")
    return made


def audit_lines(audit: Audit) -> list[str]:
    """An audit in words."""
    known = " in the rounds known so far" if audit.open_ended else ""
    lines = [
        f"{counted(audit.games, 'game')}{known}, {counted(audit.deals, 'deal')}",
        f"games of a bot: {_span(audit.games_low, audit.games_high)}; "
        f"in a seat: {_span(audit.seat_low, audit.seat_high)}; "
        f"of a pair: {_span(audit.pair_low, audit.pair_high)}",
    ]
    return lines + [f"note: {note}" for note in audit.notes]


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
