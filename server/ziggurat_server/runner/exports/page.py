"""`report.html`: an event on one page that needs nothing from elsewhere and runs no scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

from ziggurat_server.runner.exports.summary import Summary
from ziggurat_server.runner.exports.svg import curves_plot, rating_plot, text_of
from ziggurat_server.runner.exports.tables import FAULTS
from ziggurat_server.runner.exports.words import (
    STANDINGS,
    about,
    counted,
    likelihood,
    notes,
    ordinal,
    percent,
    rating,
    round_rows,
    short,
    state_words,
    verdict_words,
)
from ziggurat_server.tournaments.statistics import Report
from ziggurat_server.tournaments.statistics.values import BotStanding, CrossCell

STYLE = Path(__file__).with_name("report.css")
SHADES = 5
"""Shades of a win and of a loss."""
MANY = 24
"""More bots have narrower columns in the cross table; more tables of rounds are shown when they are asked for."""


def page(summary: Summary) -> str:
    """The whole page; equal summaries give equal text."""
    found, title = summary.report, text_of(summary.event.event_id)
    told = "\n".join(f"<p>{text_of(note)}</p>" for note in notes(summary))
    sections = [
        _section("Standings", _standings(found.bots), _verdict(summary)),
        _section("Ratings", *_ratings(found)),
        _section("Cross table", _cross(found.bots, found.cross)),
        _section("Rounds", _rounds(summary)),
        _section("Credit over time", *_curves(found)),
        _section("Faults", _faults(summary)),
        _section("The event", _about(summary)),
        _section("Notes", told),
    ]
    body = "\n".join(section for section in sections if section)
    return _PAGE.format(title=title, style=STYLE.read_text(encoding="utf-8"), lead=_lead(summary), body=body)


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{lead}
</header>
<main>
{body}
</main>
</body>
</html>
"""


def _lead(summary: Summary) -> str:
    spec = summary.event.spec
    counts = f"{counted(len(spec.bots), 'bot')}, {counted(len(summary.games), 'game')}"
    words = f"{spec.game}, {spec.format.name.replace('_', ' ')}, {counts}; {state_words(summary.event)}"
    return _soft(words)


def _section(title: str, *parts: str) -> str:
    """A part of the page; nothing if it would be empty."""
    shown = [part for part in parts if part]
    return "\n".join(["<section>", f"<h2>{title}</h2>", *shown, "</section>"]) if shown else ""


def _wide(content: str, name: str) -> str:
    """What may be wider than the screen scrolls by itself."""
    return f'<div class="wide" role="region" aria-label="{name}" tabindex="0">\n{content}\n</div>'


def _table(name: str, head: Sequence[str], rows: Iterable[str], caption: str, kind: str = "") -> str:
    """`head` and `rows` are HTML already."""
    columns, lines = "".join(head), "\n".join(rows)
    made = (
        f'<table class="{kind or "plain"}">\n<thead>\n<tr>{columns}</tr>\n'
        f"</thead>\n<tbody>\n{lines}\n</tbody>\n</table>"
    )
    return f"{_soft(caption)}\n{_wide(made, name)}"


def _soft(words: str) -> str:
    return f'<p class="soft">{text_of(words)}</p>'


def _head(name: str, text: bool = False) -> str:
    return f'<th scope="col"{_TEXT if text else ""}>{text_of(name)}</th>'


_TEXT = ' class="text"'


def _data(values: Iterable[object]) -> str:
    return "".join(f"<td>{text_of(value)}</td>" for value in values)


def _standings(bots: Sequence[BotStanding]) -> str:
    places = max((len(bot.places) for bot in bots), default=0)
    versions = any(bot.version for bot in bots)
    numbers = ["games", "credit", "win share", "points", "margin", "rating"]
    head = [_head("#"), _head("bot", text=True), *([_head("version", text=True)] if versions else [])]
    head += map(_head, [*numbers, *map(ordinal, range(1, places + 1)), "faults"])
    return _table("Standings", head, (_standing(bot, versions) for bot in bots), STANDINGS)


def _standing(bot: BotStanding, versions: bool) -> str:
    name = text_of(bot.name) + (" (withdrawn)" if bot.withdrawn else "")
    version = f'<td class="text">{text_of(bot.version)}</td>' if versions else ""
    values = [
        bot.games,
        percent(bot.credit),
        percent(bot.win_share),
        short(bot.points),
        short(bot.margin, signed=True),
        rating(bot.rating),
        *bot.places,
        bot.faults.total,
    ]
    kind = ' class="out"' if bot.withdrawn else ""
    return f'<tr{kind}><td>{bot.rank}</td><th scope="row">{name}</th>{version}{_data(values)}</tr>'


def _verdict(summary: Summary) -> str:
    stop, test = summary.event.spec.stop, summary.report.test
    return (
        "" if stop is None or test is None else f"<p>{text_of(verdict_words(summary.event.spec, test))}.</p>"
    )


def _ratings(found: Report) -> Iterator[str]:
    if any(bot.rating for bot in found.bots):
        yield _wide(rating_plot(found.bots), "Ratings")
        yield _soft(
            "Elo scale, the mean of the field is 0; the line is the 95% interval. Only complete blocks count, a "
            "deal counts once however many tables had it, and the order of games does not."
        )
    if found.seats:
        rows = (
            f'<tr><th scope="row">{at}</th>{_data([rating(seat)])}</tr>'
            for at, seat in enumerate(found.seats, 1)
        )
        head = [_head("seat", text=True), _head("worth")]
        yield _table("Seats", head, rows, "What a seat is worth, on the same scale.")


def _curves(found: Report) -> Iterator[str]:
    if found.curves:
        yield _wide(curves_plot(found.curves), "Credit over time")
        yield _soft("Mean credit of a bot after each of its games, by the number of the game.")


def _cross(bots: Sequence[BotStanding], cells: Iterable[CrossCell]) -> str:
    """Lines and columns in the order of the standings; the columns have the ranks, so that 32 bots fit."""
    found = {(cell.bot, cell.opponent): cell for cell in cells}
    if not found:
        return ""
    head = [_head("bot", text=True)]
    head += [f'<th scope="col"><abbr title="{text_of(bot.name)}">{bot.rank}</abbr></th>' for bot in bots]
    rows = [
        f'<tr><th scope="row">{bot.rank} {text_of(bot.name)}</th>'
        + "".join(_cell(found.get((bot.name, other.name)), bot is other) for other in bots)
        + "</tr>"
        for bot in bots
    ]
    caption = "Percent of games in which the bot of the line came before that of the column, ties half."
    return _table("Cross table", head, rows, caption, "cross" if len(bots) <= MANY else "cross dense")


def _cell(cell: CrossCell | None, own: bool) -> str:
    if cell is None or cell.score is None:
        return '<td class="self"></td>' if own else "<td></td>"
    words = f"{cell.bot} against {cell.opponent}: {percent(cell.score)} of {counted(cell.games, 'game')}"
    if cell.superiority is not None:
        words += f"; likelihood that it is the better one: {likelihood(cell.superiority)}"
    shade = f' class="{_shade(cell.score)}"' if _shade(cell.score) else ""
    return f'<td{shade} title="{text_of(words)}">{100 * cell.score:.0f}</td>'


def _shade(score: float) -> str:
    steps = round((score - 0.5) * 2 * SHADES)
    return "" if not steps else f"{'w' if steps > 0 else 'l'}{abs(steps)}"


def _rounds(summary: Summary) -> str:
    """Who met whom, where that followed from results."""
    drawn = round_rows(summary)
    kinds = any(label for _, _, label, _ in drawn)
    rows = [
        f"<tr><td>{number}</td><td>{table}</td>"
        + (f'<td class="text">{text_of(label)}</td>' if kinds else "")
        + f'<td class="text many">{text_of(bots)}</td></tr>'
        for number, table, label, bots in drawn
    ]
    head = [_head("round"), _head("table"), *([_head("kind", text=True)] if kinds else [])]
    head.append(_head("bots", text=True))
    caption = "Who met whom, best first, with the credit of each over the games of the table."
    table = _table("Rounds", head, rows, caption) if rows else ""
    if len(rows) <= MANY:
        return table
    return f"<details>\n<summary>{len(rows)} tables and byes</summary>\n{table}\n</details>"


def _faults(summary: Summary) -> str:
    rows = [row for row in summary.report.faults if row.faulty or any(astuple(row.faults))]
    if not rows:
        return "<p>Nothing was held against any bot.</p>"
    head = [_head("bot", text=True), *map(_head, ["games", "with faults", *FAULTS])]
    lines = [
        f'<tr><th scope="row">{text_of(row.bot)}</th>{_data([row.games, row.faulty, *astuple(row.faults)])}</tr>'
        for row in rows
    ]
    return _table("Faults", head, lines, "Substitutes: decisions that the server took in a bot's place.")


def _about(summary: Summary) -> str:
    facts = [f"<dt>{text_of(name)}</dt><dd>{text_of(text)}</dd>" for name, text in about(summary)]
    return "\n".join(["<dl>", *facts, "</dl>"])
