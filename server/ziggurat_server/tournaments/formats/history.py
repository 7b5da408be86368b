"""What formats read from rounds: seeding, scores, who met, who sat out, and the order of a table."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import fsum, isfinite

from ziggurat_rules.keyed import keyed
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.results import Round

Pair = tuple[str, str]
HALF = Fraction(1, 2)


def pair(a: str, b: str) -> Pair:
    """Two bots, in whichever order."""
    return (a, b) if a < b else (b, a)


def shuffled(bots: Iterable[str], *key: int) -> list[str]:
    """The bots by keyed chance; a bot's place among others does not depend on who else is there."""
    return sorted(bots, key=lambda bot: (keyed(*key, _number(bot)), bot))


def _number(bot: str) -> int:
    return int.from_bytes(hashlib.sha256(bot.encode()).digest()[:8], "little")


def ratings_before(field: Field) -> dict[str, float]:
    """The rating of each bot; one without counts as the mean of those with one."""
    known = [rating for bot in field.bots if isfinite(rating := field.ratings.get(bot, float("nan")))]
    mean = fsum(known) / len(known) if known else 0.0
    rated = {bot: field.ratings.get(bot, mean) for bot in field.bots}
    return {bot: rating if isfinite(rating) else mean for bot, rating in rated.items()}


def seeded(field: Field) -> list[str]:
    """The bots by rating, best first; of equal ones, who entered first."""
    ratings = ratings_before(field)
    return sorted(field.bots, key=lambda bot: -ratings[bot])


def seeds_of(field: Field) -> dict[str, int]:
    """The place of each bot in the seeding, from 0."""
    return {bot: number for number, bot in enumerate(seeded(field))}


def scores(bots: Iterable[str], played: Sequence[Played]) -> dict[str, Fraction]:
    """Sums of mean credits. A round without a table (a bye, or not yet entered) counts 1/2, the mean of a table, so
    it neither lifts nor sinks; a table without a result for the bot counts 0."""
    totals = dict.fromkeys(bots, Fraction(0))
    for done in played:
        credits = {
            bot: table.get(bot, Fraction(0))
            for members, table in zip(done.round.tables, done.credits, strict=True)
            for bot in members
        }
        for bot in totals:
            totals[bot] += credits.get(bot, HALF)
    return totals


def ranked(done: Played, table: int, seeds: Mapping[str, int]) -> list[str]:
    """A table from first to last: by credits, then points, then seed; who has no result comes last."""

    def key(bot: str) -> tuple[bool, Fraction, Fraction, int, str]:
        credit, points = result_of(done, table, bot)
        return bot not in done.credits[table], -credit, -points, seeds.get(bot, len(seeds)), bot

    return sorted(done.round.tables[table], key=key)


def result_of(done: Played, table: int, bot: str) -> tuple[Fraction, Fraction]:
    """Credits and points of a bot at a table, 0 where there are none."""
    points = done.points[table] if done.points else {}
    return done.credits[table].get(bot, Fraction(0)), points.get(bot, Fraction(0))


def meetings(rounds: Iterable[Round]) -> Counter[Pair]:
    """At how many tables two bots have met."""
    return Counter(
        pair(a, b) for drawn in rounds for table in drawn.tables for a, b in combinations(table, 2)
    )


def byes(rounds: Iterable[Round]) -> Counter[str]:
    """How often each bot sat out."""
    return Counter(bot for drawn in rounds for bot in drawn.byes)


def tables_played(rounds: Iterable[Round]) -> Counter[str]:
    """At how many tables each bot sat."""
    return Counter(bot for drawn in rounds for table in drawn.tables for bot in table)


def snake(bots: Sequence[str], tables: int) -> list[list[str]]:
    """Seeds to tables, to and fro, so that the best are apart: 1 2 3, 6 5 4, 7 8 9."""
    rows = [bots[start : start + tables] for start in range(0, len(bots), tables)]
    turned = [row if number % 2 == 0 else row[::-1] for number, row in enumerate(rows)]
    return [list(table) for table in zip(*turned, strict=True)]
