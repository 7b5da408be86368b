"""Plots as SVG that stands in a page: colours come from the page's style, every mark has a title."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from math import ceil, floor, log10

from ziggurat_server.runner.exports.words import counted, percent, printable, rating
from ziggurat_server.tournaments.statistics.values import BotStanding, Curve, Estimate

WIDTH = 860
LINE = 24
"""Height of a bot's line."""
NAMES, LETTER = 250, 7.3
"""Most room for names, which have up to 32 letters, and room for a letter."""
HUES = 8
"""Curves with a colour of their own; the others are grey."""
MOST_POINTS = 240
"""Points of a curve that are drawn."""
MIDDLE = 0.5


def text_of(value: object) -> str:
    """Text as it may stand in HTML and SVG; what no text may hold becomes a replacement character."""
    return html.escape(printable(str(value)))


def rating_plot(bots: Iterable[BotStanding]) -> str:
    """A line for each rated bot, in the order of the standings: its rating, and the interval; "" if there is none."""
    rated = [(bot, bot.rating) for bot in bots if bot.rating is not None]
    if not rated:
        return ""
    ends = [end for _, value in rated for end in (value.low, value.value, value.high) if end is not None]
    left = _room(bot.name for bot, _ in rated)
    scale = _Scale(min(*ends, 0.0), max(*ends, 0.0), left, WIDTH - 20)
    bottom = LINE * len(rated) + 8
    parts = [_tick(at, scale.at(at), bottom, f"{at:+.0f}" if at else "0") for at in scale.ticks]
    parts += [
        _rating(bot.name, value, scale, left - 14, LINE * (row + 0.5))
        for row, (bot, value) in enumerate(rated)
    ]
    words = "; ".join(f"{bot.name} {rating(value)}" for bot, value in rated)
    return _svg("ratings", "Ratings with 95 % intervals", words, bottom + 26, parts)


def _room(names: Iterable[str]) -> float:
    """Room beside a plot for the longest of these names."""
    return min(NAMES, 24 + LETTER * max(map(len, names)))


def _rating(name: str, value: Estimate, scale: _Scale, right: float, y: float) -> str:
    low, high = (value.value if end is None else end for end in (value.low, value.high))
    spread = f'<line class="spread" x1="{scale.at(low)}" x2="{scale.at(high)}" y1="{y}" y2="{y}"/>'
    return (
        f"<g><title>{text_of(name)}: {rating(value)}</title>"
        f'<text class="name" x="{_number(right)}" y="{y + 4}">{text_of(name)}</text>'
        f'{spread}<circle class="dot" cx="{scale.at(value.value)}" cy="{y}" r="5"/></g>'
    )


def curves_plot(curves: Sequence[Curve]) -> str:
    """Mean credit of each bot after each of its games, by the game's number; "" if nobody has played."""
    drawn = [curve for curve in curves if curve.numbers]
    if not drawn:
        return ""
    others = f"{len(drawn) - HUES} others" if len(drawn) > HUES else ""
    right, bottom = _number(WIDTH - _room([others, *(curve.bot for curve in drawn[:HUES])])), 360
    across = _Scale(0, max(1, *(curve.numbers[-1] for curve in drawn)), 48, right)
    up = _Scale(0, 1, bottom - 8, 12, step=0.25)
    parts = [_tick(at, across.at(at), bottom, f"{at:.0f}") for at in across.ticks]
    parts += [_level(at, up.at(at), right) for at in up.ticks]
    parts += [
        _curve(curve, hue, across, up) for hue, curve in reversed(list(enumerate(drawn)))
    ]  # the best come last, on top of the others
    named = [(f"hue{hue}", curve.bot, up.at(curve.credits[-1])) for hue, curve in enumerate(drawn[:HUES])]
    named += [("rest", others, float(bottom))] if others else []
    places = _spaced([y for _, _, y in named], 15, bottom)
    parts += [
        f'<text class="label {kind}" x="{_number(right + 14)}" y="{_number(y + 4)}">{text_of(name)}</text>'
        for (kind, name, _), y in zip(named, places, strict=True)
    ]
    words = "; ".join(f"{curve.bot} {percent(curve.credits[-1])} in the end" for curve in drawn)
    return _svg("curves", "Mean credit over time, by number of the game", words, bottom + 26, parts)


def _curve(curve: Curve, hue: int, across: _Scale, up: _Scale) -> str:
    count, last_credit = len(curve.numbers), curve.credits[-1]
    step = max(1, ceil(count / MOST_POINTS))
    chosen = [*range(0, count - 1, step), count - 1]
    points = " ".join(f"{across.at(curve.numbers[i])},{up.at(curve.credits[i])}" for i in chosen)
    last = f'cx="{across.at(curve.numbers[-1])}" cy="{up.at(last_credit)}"'
    kind = f"hue{hue}" if hue < HUES else "rest"
    words = f"{curve.bot}: {percent(last_credit)} after {counted(count, 'game')}"
    return (
        f'<g class="{kind}"><title>{text_of(words)}</title>'
        f'<polyline class="curve" points="{points}"/><circle class="end" {last} r="3"/></g>'
    )


def _spaced(wanted: Sequence[float], gap: float, bottom: float) -> list[float]:
    """Where labels go that should stand at `wanted`: in that order, `gap` apart, none below `bottom`."""
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    found = [0.0] * len(wanted)
    least = 12.0
    for i in order:
        found[i] = least = max(wanted[i], least)
        least += gap
    most = float(bottom)
    for i in reversed(order):
        found[i] = most = min(found[i], most)
        most -= gap
    return [_number(y) for y in found]


class _Scale:
    """From values to places, with round ticks."""

    def __init__(self, low: float, high: float, start: float, end: float, step: float = 0.0) -> None:
        step = step or _round_step(max((high - low) / 8, 1.0))
        first, last = floor(low / step), ceil(high / step)
        last += first == last
        self.ticks = [tick * step for tick in range(first, last + 1)]
        self._low, self._span = first * step, (last - first) * step
        self._start, self._length = start, end - start

    def at(self, value: float) -> float:
        """The place of a value."""
        return _number(self._start + (value - self._low) / self._span * self._length)


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, and not less."""
    power = 10.0 ** floor(log10(least))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))


def _number(value: float) -> float:
    return round(value, 1)


def _tick(value: float, x: float, bottom: float, words: str) -> str:
    kind = "tick" if value else "tick zero"
    return (
        f'<line class="{kind}" x1="{x}" x2="{x}" y1="4" y2="{bottom}"/>'
        f'<text class="scale" x="{x}" y="{bottom + 18}">{words}</text>'
    )


def _level(value: float, y: float, right: float) -> str:
    kind = "tick zero" if value == MIDDLE else "tick"
    return (
        f'<line class="{kind}" x1="48" x2="{right}" y1="{y}" y2="{y}"/>'
        f'<text class="level" x="40" y="{y + 4}">{value:.0%}</text>'
    )


def _svg(key: str, title: str, words: str, height: float, parts: Iterable[str]) -> str:
    """A picture that scales with the page; `words` tell its content to who does not see it."""
    lines = "\n".join(parts)
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="{key}-title {key}-desc">\n'
        f'<title id="{key}-title">{text_of(title)}</title>\n<desc id="{key}-desc">{text_of(words)}</desc>\n'
        f"{lines}\n</svg>"
    )
