"""The live view: OpenSkill, updated game by game. It depends on the order of the games, and is always finite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import lcm

from openskill.models import PlackettLuce

from ziggurat_server.bots.values import START
from ziggurat_server.tournaments.results import GameResult


class LiveRatings:
    """Ratings of bots as (mean, uncertainty). `start`: those known from before; a new bot begins with START."""

    def __init__(self, start: Mapping[str, tuple[float, float]] | None = None) -> None:
        self._model = PlackettLuce(mu=START.mu, sigma=START.sigma)
        self._ratings = {
            bot: self._model.rating(mu, sigma, bot) for bot, (mu, sigma) in (start or {}).items()
        }

    def add(self, game: GameResult) -> None:
        """Take a game in; those with one seat say nothing.

        Shared places count as the mean over orders in which each of those who share comes at each of their places
        once. OpenSkill's own way with ties would rate two winners of four no higher than the third.
        """
        bots = [seat.bot for seat in game.seats]
        if len(bots) < 2:
            return
        before = [self._ratings.get(bot) or self._model.rating(name=bot) for bot in bots]
        orders = list(_orders([seat.place for seat in game.seats]))
        rated = [self._model.rate([[rating] for rating in before], ranks=order) for order in orders]
        for seat, bot in enumerate(bots):
            mu = sum(teams[seat][0].mu for teams in rated) / len(rated)
            sigma = sum(teams[seat][0].sigma for teams in rated) / len(rated)
            self._ratings[bot] = self._model.rating(mu, sigma, bot)

    def add_all(self, games: Iterable[GameResult]) -> LiveRatings:
        """Take games in, in the order given."""
        for game in games:
            self.add(game)
        return self

    def of(self, bot: str) -> tuple[float, float]:
        """Mean and uncertainty of a bot."""
        rating = self._ratings.get(bot)
        return (rating.mu, rating.sigma) if rating else (START.mu, START.sigma)


def _orders(places: Sequence[int]) -> Iterator[list[float]]:
    """Ranks without ties, by seat: the seats that share a place are turned until each group is where it began."""
    groups = [[seat for seat, other in enumerate(places) if other == place] for place in sorted(set(places))]
    for turn in range(lcm(*map(len, groups))):
        order = [group[(at + turn) % len(group)] for group in groups for at in range(len(group))]
        yield [float(order.index(seat)) for seat in range(len(places))]
