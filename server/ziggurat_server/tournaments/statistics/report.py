"""The one entry point: standings and statistics of an event from its rounds and results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ziggurat_server.tournaments.event import EventSpec, Memory, StopRule
from ziggurat_server.tournaments.formats import FORMATS
from ziggurat_server.tournaments.formats.format import Field, played_rounds
from ziggurat_server.tournaments.results import GameResult, Round
from ziggurat_server.tournaments.statistics import sprt
from ziggurat_server.tournaments.statistics.blocks import Block, blocks_of, counted, variance_ratio
from ziggurat_server.tournaments.statistics.live import LiveRatings
from ziggurat_server.tournaments.statistics.standings import (
    Tally,
    curve,
    fault_row,
    ordered,
    tallies,
)
from ziggurat_server.tournaments.statistics.superiority import cross_table
from ziggurat_server.tournaments.statistics.values import BotStanding, Estimate, Report


def report(
    spec: EventSpec,
    rounds: Sequence[Round],
    results: Iterable[GameResult],
    withdrawn: Collection[str] = (),
    live: Mapping[str, tuple[float, float]] | None = None,
    pending: Collection[tuple[int, int]] = (),
    rated: bool = True,
) -> Report:
    """What the results show; the same for any order of `results`.

    A game counts once, by its number; ValueError if one has two results that differ. `live`: live ratings (mean,
    uncertainty) before the event. `pending`: (round, table) of blocks that may yet be completed, for which the
    sequential test and the format's own order wait; none once the event is over. `rated`: whether batch ratings are
    wanted.
    """
    games = counted(results)
    versions = {bot.name: bot.version for bot in spec.bots}
    found = tallies(versions, games)
    before = {bot: mu for bot, (mu, _) in (live or {}).items()}
    order = _order_of_format(spec, rounds, games, withdrawn, pending, before)
    independent = spec.memory == Memory.INDEPENDENT
    blocks = blocks_of(rounds, games, spec.format.rotations, independent)
    ratings, seats, notes = _ratings(blocks.complete, list(found)) if rated else ({}, (), ())
    lives = _live(live, games)
    places = max((len(game.seats) for game in games), default=0)
    bots = [
        _standing(
            tally,
            rank=rank,
            version=versions.get(tally.bot, ""),
            withdrawn=tally.bot in withdrawn,
            places=tally.counts(places),
            rating=ratings.get(tally.bot),
            live=lives.get(tally.bot),
        )
        for rank, tally in enumerate(ordered(found, withdrawn, order), 1)
    ]
    best_first = [found[bot.name] for bot in bots]
    return Report(
        bots=tuple(bots),
        cross=cross_table(blocks.complete, list(found)),
        seats=seats,
        complete_blocks=len(blocks.complete),
        incomplete_blocks=len(blocks.incomplete),
        variance_ratio=variance_ratio(blocks.complete),
        test=sprt.run(spec.stop, blocks.complete, _awaited(spec.stop, rounds, pending), independent)
        if spec.stop
        else None,
        curves=tuple(curve(tally) for tally in best_first if tally.games),
        faults=tuple(fault_row(tally) for tally in best_first),
        notes=notes,
    )


def _order_of_format(
    spec: EventSpec,
    rounds: Sequence[Round],
    games: Sequence[GameResult],
    withdrawn: Collection[str],
    pending: Collection[tuple[int, int]],
    ratings: Mapping[str, float],
) -> dict[str, int]:
    """Places by bot in a format that goes by its own order (who won the final, who climbed); of others none."""
    form = FORMATS[spec.format.name]
    if not form.waits:
        return {}
    bots = tuple(bot.name for bot in spec.bots if bot.name not in withdrawn)
    under_way = {number for number, _ in pending}
    over = [drawn for drawn in rounds if drawn.number not in under_way]
    field = Field(bots, spec.seats, spec.format, spec.seed or 0, ratings)
    return {bot: place for place, bot in enumerate(form.ranking(field, played_rounds(over, games)))}


def _awaited(
    rule: StopRule, rounds: Iterable[Round], pending: Collection[tuple[int, int]]
) -> frozenset[tuple[int, int]]:
    """Those of the pending blocks in which the two bots of the rule meet."""
    return frozenset(
        (drawn.number, table)
        for drawn in rounds
        for table, bots in enumerate(drawn.tables)
        if (drawn.number, table) in pending and rule.candidate in bots and rule.baseline in bots
    )


def _standing(
    tally: Tally,
    *,
    rank: int,
    version: str,
    withdrawn: bool,
    places: tuple[int, ...],
    rating: Estimate | None,
    live: tuple[float, float] | None,
) -> BotStanding:
    played = tally.games > 0
    return BotStanding(
        rank=rank,
        name=tally.bot,
        version=version,
        withdrawn=withdrawn,
        games=tally.games,
        wins=float(tally.wins),
        win_share=float(tally.wins / tally.games) if played else None,
        credit=float(tally.credit) if played else None,
        points=tally.points / tally.games if played else None,
        place=float(tally.place) if played else None,
        margin=float(tally.margin) if tally.margins else None,
        places=places,
        faults=tally.faults,
        rating=rating,
        live_mu=live[0] if live else None,
        live_sigma=live[1] if live else None,
    )


def _ratings(
    blocks: Sequence[Block], bots: Sequence[str]
) -> tuple[dict[str, Estimate], tuple[Estimate, ...], tuple[str, ...]]:
    """Batch ratings by bot, worth by seat, notes. A server that plays no event never pays for numpy."""
    if not blocks:
        return {}, (), ("No ratings: no block is complete.",)
    from ziggurat_server.tournaments.statistics.rating import rate  # noqa: PLC0415

    ratings = rate(blocks, bots)
    return ratings.bots, ratings.seats, ratings.notes


def _live(
    start: Mapping[str, tuple[float, float]] | None, games: Sequence[GameResult]
) -> dict[str, tuple[float, float]]:
    """Live ratings of all who have one before the event or have played in it."""
    ratings = LiveRatings(start).add_all(games)
    played = {seat.bot: None for game in games for seat in game.seats}
    return {bot: ratings.of(bot) for bot in (*(start or {}), *played)}
