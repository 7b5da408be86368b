"""The live view: OpenSkill, updated game by game. It depends on the order of the games, and is always finite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openskill.models import PlackettLuce

from ziggurat_server.tournaments.results import GameResult

START = (25.0, 25.0 / 3)
"""Mean and uncertainty of a bot of which nothing is known."""


class LiveRatings:
    """Ratings of bots as (mean, uncertainty). `start`: those known from before; a new bot begins with START."""

    def __init__(self, start: Mapping[str, tuple[float, float]] | None = None) -> None:
        self._model = PlackettLuce(mu=START[0], sigma=START[1])
        self._ratings = {
            bot: self._model.rating(mu, sigma, bot) for bot, (mu, sigma) in (start or {}).items()
        }

    def add(self, game: GameResult) -> None:
        """Take a game in; those with one seat say nothing."""
        if len(game.seats) < 2:
            return
        teams = [[self._ratings.get(seat.bot) or self._model.rating(name=seat.bot)] for seat in game.seats]
        rated = self._model.rate(teams, ranks=[float(seat.place) for seat in game.seats])
        for seat, (rating,) in zip(game.seats, rated, strict=True):
            self._ratings[seat.bot] = rating

    def add_all(self, games: Iterable[GameResult]) -> LiveRatings:
        """Take games in, in the order given."""
        for game in games:
            self.add(game)
        return self

    def of(self, bot: str) -> tuple[float, float]:
        """Mean and uncertainty of a bot."""
        rating = self._ratings.get(bot)
        return (rating.mu, rating.sigma) if rating else START
