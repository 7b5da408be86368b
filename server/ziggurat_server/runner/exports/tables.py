"""Exports as plain tables: CSV for programs, Markdown for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields

from ziggurat_server.log import Faults
from ziggurat_server.runner.exports.summary import Summary
from ziggurat_server.runner.exports.words import (
    STANDINGS,
    about,
    notes,
    ordinal,
    percent,
    rating,
    round_rows,
    short,
    verdict_words,
)
from ziggurat_server.tournaments.statistics.values import BotStanding, CrossCell

DIGITS = 6
"""Of numbers in CSV after the point; result.json has them in full."""
FAULTS = tuple(item.name for item in fields(Faults))


def standings_csv(summary: Summary) -> str:
    """A line for each bot, best first."""
    places = max((len(bot.places) for bot in summary.report.bots), default=0)
    plain = ["rank", "name", "version", "withdrawn", "games", "wins", "win_share", "credit"]
    plain += ["points", "place", "margin"]
    head = [*plain, *(f"place_{place}" for place in range(1, places + 1)), *FAULTS]
    head += ["rating", "rating_low", "rating_high", "live_mu", "live_sigma"]
    return _csv(head, ([*_values(bot, plain), *_standing_rest(bot)] for bot in summary.report.bots))


def _standing_rest(bot: BotStanding) -> list[object]:
    estimate = bot.rating
    values = (None, None, None) if estimate is None else (estimate.value, estimate.low, estimate.high)
    return [*bot.places, *astuple(bot.faults), *values, bot.live_mu, bot.live_sigma]


def games_csv(summary: Summary) -> str:
    """A line for each seat of each game, by number and seat. `tie_break`: numbers with blanks between them."""
    game_keys = ["number", "round", "table", "rotation", "attempt", "match_id", "decisions"]
    seat_keys = ["bot", "points", "place"]
    head = [*game_keys, "commitment", "seat", *seat_keys, "tie_break", "forfeited", *FAULTS]
    return _csv(
        head,
        (
            [
                *_values(game, game_keys),
                summary.commitments.get(game.match_id),
                number,
                *_values(seat, seat_keys),
                " ".join(map(str, seat.tie_break)),
                seat.forfeited,
                *astuple(seat.faults),
            ]
            for game in summary.games
            for number, seat in enumerate(game.seats)
        ),
    )


def cross_csv(summary: Summary) -> str:
    """A line for each bot and each opponent that it met in a complete block."""
    head = [item.name for item in fields(CrossCell)]
    return _csv(head, (_values(cell, head) for cell in summary.report.cross))


def _values(value: object, keys: Iterable[str]) -> list[object]:
    return [getattr(value, key) for key in keys]


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """One header line, then the rows; what is absent is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{round(value, DIGITS) + 0.0:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "" if value is None else value


# Markdown


def markdown(summary: Summary) -> str:
    """Standings, cross table, faults and notes."""
    found = summary.report
    parts = [f"# {summary.event.event_id}", "", *(f"* {name}: {_md(text)}" for name, text in about(summary))]
    parts += ["", "## Standings", "", STANDINGS, "", *_standings(found.bots)]
    stop = summary.event.spec.stop
    if stop is not None and found.test is not None:
        parts += ["", _md(verdict_words(summary.event.spec, found.test))]
    if found.cross:
        parts += [
            "",
            "## Cross table",
            "",
            "Share of games in which the bot of the line came before the other.",
        ]
        parts += ["", *_cross([bot.name for bot in found.bots], found.cross)]
    rounds = round_rows(summary)
    if rounds:
        parts += [
            "",
            "## Rounds",
            "",
            *_md_table(["round", "table", "", "bots and their credits"], rounds, text=4),
        ]
    parts += ["", "## Faults", "", *_faults(summary)]
    told = notes(summary)
    if told:
        parts += ["", "## Notes", "", *(f"* {_md(note)}" for note in told)]
    return "\n".join(parts) + "\n"


def _standings(bots: Sequence[BotStanding]) -> list[str]:
    places = max((len(bot.places) for bot in bots), default=0)
    versions = any(bot.version for bot in bots)
    head = [
        "#",
        "bot",
        *(["version"] if versions else []),
        "games",
        "credit",
        "win share",
        "points",
        "margin",
    ]
    head += ["rating", *map(ordinal, range(1, places + 1))]
    rows = [
        [
            str(bot.rank),
            bot.name + (" (withdrawn)" if bot.withdrawn else ""),
            *([bot.version] if versions else []),
            str(bot.games),
            percent(bot.credit),
            percent(bot.win_share),
            short(bot.points),
            short(bot.margin, signed=True),
            rating(bot.rating),
            *map(str, bot.places),
        ]
        for bot in bots
    ]
    return _md_table(head, rows, text=2 + versions)


def _cross(names: Sequence[str], cells: Iterable[CrossCell]) -> list[str]:
    score = {(cell.bot, cell.opponent): percent(cell.score) for cell in cells}
    rows = [[name, *(score.get((name, other), "") for other in names)] for name in names]
    return _md_table(["bot", *names], rows, text=1)


def _faults(summary: Summary) -> list[str]:
    rows = [
        [row.bot, str(row.games), str(row.faulty), *map(str, astuple(row.faults))]
        for row in summary.report.faults
        if row.faulty or any(astuple(row.faults))
    ]
    if not rows:
        return ["Nothing was held against any bot."]
    return _md_table(["bot", "games", "with faults", *FAULTS], rows, text=1)


def _md_table(head: Sequence[str], rows: Iterable[Sequence[str]], text: int) -> list[str]:
    """`text`: how many columns to the left are text; the others are numbers."""
    rule = ["---" if at < text else "---:" for at in range(len(head))]
    return [f"| {' | '.join(map(_md, row))} |" for row in [head, rule, *rows]]


_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"})


def _md(text: str) -> str:
    """Text as it is, whatever Markdown would make of it."""
    return " ".join(text.split()).translate(_ESCAPED)
