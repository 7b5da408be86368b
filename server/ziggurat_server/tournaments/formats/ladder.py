"""Open ladder: every round seats bots of near rating; bots come and go."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.formats.checks import check_field, check_size
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.formats.history import (
    meetings,
    pair,
    ratings_before,
    shuffled,
    tables_played,
)
from ziggurat_server.tournaments.formats.pairing import pair_up
from ziggurat_server.tournaments.formats.seating import Seating
from ziggurat_server.tournaments.results import Round

_FIRST_STEP = 160.0
_LEAST_STEP = 24.0
"""Most that one table moves a rating: 160 at a bot's first table, 160/n at its n-th, 24 at least."""
_RECENT = 4
_REPEAT = 100
"""To have met in the last 4 rounds keeps bots apart like 100 points of rating, for each time."""
_FAR = 4000.0


class Ladder:
    """The rating is Elo's: after each table it moves by (mean credit - expected credit) times a step that falls with
    the tables a bot has played. It starts at what is known of the bot, else at the mean of the field. Who has played
    most sits out first."""

    waits = True
    late = True

    def check(self, field: Field) -> None:
        check_field(field, uses=frozenset({"rounds"}))
        if not field.spec.rounds:
            raise BadEvent("format.rounds", "a ladder has no end of its own; give a number of rounds")
        check_size(field, len(field.bots) // field.seats, field.spec.rounds)

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        if len(rounds) >= field.spec.rounds or len(field.bots) < field.seats:
            return None
        ratings = running_ratings(field, played)
        out = _sit_out(field, rounds)
        order = [bot for bot in shuffled(field.bots, field.seed, len(rounds)) if bot not in out]
        order.sort(key=lambda bot: -ratings[bot])
        met = meetings(rounds[-_RECENT:])
        whole = {bot: round(max(-_FAR, min(_FAR, rating))) for bot, rating in ratings.items()}
        costs = [
            [(whole[a] - whole[b]) ** 2 + _REPEAT**2 * met[pair(a, b)] ** 2 if a != b else 0 for b in order]
            for a in order
        ]
        seating = Seating(field, rounds)
        tables = pair_up(costs, field.seats)
        return Round(
            len(rounds), tuple(seating.seat([order[i] for i in table]) for table in tables), tuple(out)
        )

    def tables_to_come(self, field: Field, drawn: int) -> int:
        return 0

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """The bots by running rating."""
        ratings = running_ratings(field, played)
        return sorted(field.bots, key=lambda bot: -ratings[bot])


def running_ratings(field: Field, played: Sequence[Played]) -> dict[str, float]:
    """Ratings (Elo scale) of the bots still in."""
    ratings = ratings_before(field)
    start = sum(ratings.values()) / len(ratings) if ratings else 0.0
    tables: dict[str, int] = {}
    for done in played:
        moves: dict[str, float] = {}
        for credits in done.credits:
            if len(credits) < 2:
                continue
            here = {bot: ratings.setdefault(bot, field.ratings.get(bot, start)) for bot in credits}
            for bot, credit in credits.items():
                tables[bot] = tables.get(bot, 0) + 1
                step = max(_LEAST_STEP, _FIRST_STEP / tables[bot])
                moves[bot] = step * (float(credit) - _expected(bot, here))
        for bot, move in moves.items():
            ratings[bot] += move
    return {bot: ratings[bot] for bot in field.bots}


def _expected(bot: str, ratings: dict[str, float]) -> float:
    """The credit that ratings let expect: the mean of the chances to come before each other bot."""
    others = [rating for other, rating in ratings.items() if other != bot]
    gaps = [max(-_FAR, min(_FAR, rating - ratings[bot])) for rating in others]
    return sum(1 / (1 + 10 ** (gap / 400)) for gap in gaps) / len(gaps)


def _sit_out(field: Field, rounds: Sequence[Round]) -> list[str]:
    count = tables_played(rounds)
    order = sorted(shuffled(field.bots, field.seed, len(rounds), 1), key=lambda bot: -count[bot])
    return order[: len(order) % field.seats]
