"""Blocks: which tables have all their games, which of them hang together, and what duplicate deals have won.

All tables of a round are played with one deal, unless each game has its own. A deal may suit a bot at every table
that it sits at, so its blocks of one deal are no independent evidence. Statistics of two bots therefore take one
score of each deal; ratings take the blocks of a deal that bots link, a bundle, as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ziggurat_server.tournaments.results import Deal, GameResult, Round, credits_of, deal_at, pair_score

LEAST_FREEDOM = 10
"""Degrees of freedom below which a ratio of variances says nothing."""


@dataclass(frozen=True, slots=True)
class Block:
    """A table of a round with all its games, in the order of their rotations."""

    round: int
    table: int
    bots: tuple[str, ...]
    games: tuple[GameResult, ...]
    deal: Deal

    def score(self, bot: str, opponent: str) -> Fraction:
        """Share of its games in which a bot came before another of its table, ties half: 0 to 1."""
        return block_score(self.games, bot, opponent)


def block_score(games: Sequence[GameResult], bot: str, opponent: str) -> Fraction:
    """Share of a block's games in which a bot came before another, ties half: 0 to 1."""
    pairs = ((game.seat_of(bot), game.seat_of(opponent)) for game in games)
    return sum((pair_score(a, b) for a, b in pairs if a and b), Fraction(0)) / len(games)


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of an event in the order of its schedule; `incomplete` are (round, table)."""

    complete: tuple[Block, ...]
    incomplete: tuple[tuple[int, int], ...]


def counted(results: Iterable[GameResult]) -> tuple[GameResult, ...]:
    """Each game once, by number, in that order. Raises ValueError if one has two results that differ."""
    games: dict[int, GameResult] = {}
    for result in results:
        if games.setdefault(result.number, result) != result:
            raise ValueError(f"game {result.number} has two results")
    return tuple(games[number] for number in sorted(games))


def scores_by_deal(blocks: Iterable[Block], bot: str, opponent: str) -> dict[Deal, Fraction]:
    """What a bot scored against another, 0 to 1: the mean over the blocks of each deal in which both sit."""
    scores: dict[Deal, list[Fraction]] = {}
    for block in blocks:
        if bot in block.bots and opponent in block.bots:
            scores.setdefault(block.deal, []).append(block.score(bot, opponent))
    return {deal: mean_score(of_deal) for deal, of_deal in scores.items()}


def mean_score(scores: Sequence[Fraction]) -> Fraction:
    """Score of a deal, from those of its blocks."""
    return sum(scores, Fraction(0)) / len(scores)


def bundles(blocks: Sequence[Block]) -> list[int]:
    """The number of the bundle, from 0, to which each block belongs: blocks of one deal that bots link.

    Where everybody sits at one table of a round, as in a Swiss, that is the block alone.
    """
    seated: dict[tuple[Deal, str], list[int]] = {}
    for at, block in enumerate(blocks):
        for bot in block.bots:
            seated.setdefault((block.deal, bot), []).append(at)
    found = [-1] * len(blocks)
    count = 0
    for at in range(len(blocks)):
        todo = [at] if found[at] < 0 else []
        count += len(todo)
        while todo:
            here = todo.pop()
            found[here] = count - 1
            for bot in blocks[here].bots:
                todo += seated.pop((blocks[here].deal, bot), ())
    return found


def blocks_of(
    rounds: Sequence[Round], games: Iterable[GameResult], rotations: int = 0, independent: bool = False
) -> Blocks:
    """Sort games into blocks.

    `rotations`: games of a block; 0 for as many as the table has seats. `independent`: whether each game has a deal
    of its own, and not each round.
    """
    found: dict[tuple[int, int], dict[int, GameResult]] = {}
    for game in games:
        found.setdefault((game.round, game.table), {})[game.rotation] = game
    complete: list[Block] = []
    incomplete: list[tuple[int, int]] = []
    for drawn in sorted(rounds, key=lambda drawn: drawn.number):
        for table, bots in enumerate(drawn.tables):
            played = found.get((drawn.number, table), {})
            turns = [played.get(rotation) for rotation in range(rotations or len(bots))]
            fitting = tuple(
                game for game in turns if game and sorted(seat.bot for seat in game.seats) == sorted(bots)
            )
            if len(fitting) == len(turns):
                deal = deal_at(drawn.number, table, independent)
                complete.append(Block(drawn.number, table, bots, fitting, deal))
            else:
                incomplete.append((drawn.number, table))
    return Blocks(tuple(complete), tuple(incomplete))


def variance_ratio(blocks: Iterable[Block]) -> float | None:
    """Variance of a block's mean credit, by what it would be if its games were independent; None if unknown.

    Blocks are compared within line-ups: the same bots in the same seats. There a bot's credit in a seat varies by
    deal and chance alone, whatever seats are worth and whoever is the better. Over a line-up's n blocks S is the
    covariance matrix of a bot's credits by seat: the sum of S is what the block's total varies, its trace what it
    would without dependence. Both are pooled over bots and line-ups with weight n - 1, which is the same as pooling
    the differences of credit of all pairs, since the credits of a game sum to a constant.
    """
    lineups: dict[tuple[tuple[str, tuple[int, ...]], ...], list[Mapping[str, Sequence[float]]]] = {}
    for block in blocks:
        if len(block.games) > 1 and len(block.bots) > 1:
            rows = _by_seat(block)
            key = tuple((bot, tuple(sorted(rows[bot]))) for bot in sorted(rows))
            lineups.setdefault(key, []).append(
                {bot: [row[seat] for seat in sorted(row)] for bot, row in rows.items()}
            )
    together = apart = 0.0
    freedom = 0
    for line in lineups.values():
        freedom += len(line) - 1
        for bot in line[0]:
            together += _spread([sum(block[bot]) for block in line])
            apart += sum(_spread(column) for column in zip(*(block[bot] for block in line), strict=True))
    return together / apart if freedom >= LEAST_FREEDOM and apart > 1e-9 else None


def _by_seat(block: Block) -> dict[str, dict[int, float]]:
    """Credit of each bot by the seat in which it got it."""
    rows: dict[str, dict[int, float]] = {bot: {} for bot in block.bots}
    for game in block.games:
        credits = credits_of(game.seats)
        for seat, result in enumerate(game.seats):
            rows[result.bot][seat] = float(credits[result.bot])
    return rows


def _spread(values: Sequence[float]) -> float:
    """Sum of squared deviations from the mean."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)
