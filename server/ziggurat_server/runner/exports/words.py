"""Words and numbers as people read them in exports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from ziggurat_server.log import Fallback, Policy
from ziggurat_server.runner.exports.summary import Summary
from ziggurat_server.tournaments.event import EventSpec, StopRule
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.statistics.values import Estimate, TestStatus


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


def verdict_words(rule: StopRule, test: TestStatus) -> str:
    """A sequential test and where it is."""
    verdict = f"{rule.candidate} is {test.verdict} than {rule.baseline}" if test.verdict else "no verdict yet"
    score = "" if test.score is None else f", mean score {test.score:.3f}"
    return (
        f"Is {rule.candidate} better than {rule.baseline}? {verdict} "
        f"after {counted(test.blocks, 'block')}{score}; "
        f"log-likelihood ratio {test.llr:.2f} between {test.lower:.2f} and {test.upper:.2f}"
    )


def about(summary: Summary) -> list[tuple[str, str]]:
    """The event in words: (name, text), with no more in it than is known."""
    event, spec, found = summary.event, summary.event.spec, summary.report
    ended = event.state in (State.FINISHED, State.CANCELLED)
    state = event.state.name.lower() if ended or event.state == State.PAUSED else "not over"
    blocks = counted(found.complete_blocks, "complete block")
    if found.incomplete_blocks:
        blocks += f", {found.incomplete_blocks} with games missing"
    facts = [
        ("state", f"{state}: {event.reason}" if event.reason else state),
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
