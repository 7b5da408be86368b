"""Words and numbers as people read them in exports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from ziggurat_server.log import Fallback, Policy
from ziggurat_server.runner.exports.summary import Description, Summary
from ziggurat_server.tournaments.event import EventSpec
from ziggurat_server.tournaments.formats import FORMATS
from ziggurat_server.tournaments.formats.format import Played, played_rounds
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.statistics.sprt import deals_in_words
from ziggurat_server.tournaments.statistics.values import Estimate, TestStatus

STANDINGS = (
    "Best first. Credit: the part of its opponents that a bot came before, ties half. Margin: its points less those of "
    "the best of the others. Credit, points and margin are means over its games."
)


def printable(text: str) -> str:
    """Text on one line; what no text may hold, such as codes that move a terminal's cursor, is replaced."""
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "\ufffd" for sign in text)


def percent(value: float | None) -> str:
    """A share; empty if absent."""
    return "" if value is None else f"{value:.1%}"


def short(value: float | None, signed: bool = False) -> str:
    """A number with two digits; empty if absent."""
    if value is None:
        return ""
    return f"{value:+.2f}" if signed else f"{value:.2f}"


def rating(value: Estimate | None) -> str:
    """An estimate with its interval; empty if absent."""
    if value is None:
        return ""
    if value.low is None or value.high is None:
        return _whole(value.value)
    return f"{_whole(value.value)} ({_whole(value.low)} to {_whole(value.high)})"


def _whole(value: float) -> str:
    return f"{round(value):+d}" if round(value) else "0"


def likelihood(value: float) -> str:
    """A likelihood, which is never quite nothing or certainty."""
    return "under 0.1%" if value < 0.001 else "over 99.9%" if value > 0.999 else percent(value)


def counted(count: int, word: str) -> str:
    """So many of a thing."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def ordinal(number: int) -> str:
    """A place."""
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(number, "th")


def verdict_words(spec: EventSpec, test: TestStatus) -> str:
    """The sequential test of an event that has one, and where it is."""
    rule = spec.stop
    assert rule is not None
    verdict = f"{rule.candidate} is {test.verdict} than {rule.baseline}" if test.verdict else "no verdict yet"
    score = "" if test.score is None else f", mean score {test.score:.3f}"
    return (
        f"Is {rule.candidate} better than {rule.baseline}? {verdict} "
        f"after {deals_in_words(spec, test)}{score}; "
        f"log-likelihood ratio {test.llr:.2f} between {test.lower:.2f} and {test.upper:.2f}"
    )


def about(summary: Summary) -> list[tuple[str, str]]:
    """The event in words: (name, text), with no more in it than is known."""
    event, spec, found = summary.event, summary.event.spec, summary.report
    blocks = counted(found.complete_blocks, "complete block")
    if found.incomplete_blocks:
        blocks += f", {found.incomplete_blocks} with games missing"
    facts = [
        ("state", state_words(event)),
        ("game", _joined([spec.game, *(f"{key}={value}" for key, value in sorted(spec.options.items()))])),
        ("rules", f"version {event.rules_version}" if event.rules_version else ""),
        ("card packs", _joined(pack.name for pack in spec.packs)),
        ("format", _format(spec)),
        ("games", _games(summary)),
        ("blocks", blocks),
        ("variance of duplicate deals", _variance(found.variance_ratio)),
        ("memory of the bots", spec.memory.name.lower()),
        ("seed", "" if spec.seed is None else str(spec.seed)),
        ("policy", policy_words(spec.policy)),
        ("withdrawn", _joined(f"{bot} ({why})" if why else bot for bot, why in event.withdrawn.items())),
    ]
    return [(name, text) for name, text in facts if text]


def state_words(event: Description) -> str:
    """Whether it is over, and why."""
    known = event.state in (State.FINISHED, State.CANCELLED, State.PAUSED)
    state = event.state.name.lower() if known else "not over"
    return f"{state}: {event.reason}" if event.reason else state


def _format(spec: EventSpec) -> str:
    form = spec.format
    parts = [form.name.replace("_", " "), counted(len(spec.bots), "bot")]
    parts += [f"tables of {spec.seats}"] if spec.seats else []
    parts += [counted(form.rounds, "round")] if form.rounds else []
    parts += [f"candidates {' '.join(form.candidates)}"] if form.candidates else []
    parts += [f"{form.advance} of a table go on"] if form.advance else []
    parts += [f"{form.rotations} games to a block"] if form.rotations else []
    return _joined(parts)


def _games(summary: Summary) -> str:
    event = summary.event
    parts = [f"{len(summary.games)} with a result"]
    parts += [f"{event.dropped} not played"] if event.dropped else []
    parts += [f"{event.voids} tries without a result"] if event.voids else []
    return _joined(parts)


def _variance(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.1%} of what independent games would have"


def policy_words(policy: Policy) -> str:
    """All of a policy that says something."""
    found = {item.name: getattr(policy, item.name) for item in fields(policy)}
    said = {
        name: value.name.lower() if isinstance(value, Fallback) else value for name, value in found.items()
    }
    return _joined(f"{name} {value}" for name, value in said.items() if value)


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def notes(summary: Summary) -> list[str]:
    """What a reader should know besides."""
    return [*lost_notes(summary.event), *summary.report.notes]


def lost_notes(event: Description) -> list[str]:
    """What became of launched bots that ended for good."""
    return [
        f"{bot} {how}; {'it was taken out' if bot in event.withdrawn else 'its game went on by policy'}"
        for bot, how in event.lost.items()
    ]


def round_rows(summary: Summary) -> list[tuple[str, str, str, str]]:
    """Round, table, its label, and the bots with their credits, best first; a row for byes, too.

    Only of formats that wait for results: in others everybody meets everybody, and nobody goes on.
    """
    if not FORMATS[summary.event.spec.format.name].waits:
        return []
    rows = []
    for played in played_rounds(summary.event.rounds, summary.games):
        drawn, number = played.round, str(played.round.number + 1)
        labels = drawn.labels or ("",) * len(drawn.tables)
        for table, (bots, label) in enumerate(zip(drawn.tables, labels, strict=True)):
            rows.append((number, str(table + 1), label, _credits(bots, played, table)))
        if drawn.byes:
            rows.append((number, "", "sit out", ", ".join(drawn.byes)))
    return rows


def _credits(bots: Sequence[str], played: Played, table: int) -> str:
    credits, points = played.credits[table], played.points[table]
    best_first = sorted(bots, key=lambda bot: (-credits.get(bot, -1), -points.get(bot, 0)))
    return ", ".join(f"{bot} {percent(float(credits[bot]))}" if bot in credits else bot for bot in best_first)
