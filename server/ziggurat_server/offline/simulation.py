"""`ziggurat simulate`: play many games in this process and report on them."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, pstdev
from typing import Annotated, Any

import typer

from ziggurat_rules.errors import IllegalChoice
from ziggurat_rules.game import Game, Options, Score, options_dict
from ziggurat_rules.match import Match
from ziggurat_server.offline.inputs import read_game, read_options, refusals
from ziggurat_server.offline.players import BotFault, Player, players


def simulate(
    game: Annotated[str, typer.Option(help="Name of the game.")],
    seats: Annotated[int | None, typer.Option(help="Number of seats; the fewest if not given.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Of the first game; the next has the next.")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE, may be repeated.")] = None,
    pack: Annotated[list[Path] | None, typer.Option(help="A card pack, may be repeated.")] = None,
    bot: Annotated[
        list[str] | None, typer.Option(help="Who plays: once for all seats or once for each.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Play games in this process, without a server.

    At random or with built-in bots; reports lengths, speed and scores.
    """
    with refusals():
        played = read_game(game, pack or [])
        number = played.seats[0] if seats is None else seats
        played.check_seats(number)
        options = read_options(played, option or [])
        seated = players(played, number, options, bot or [])
        report = run(played, number, options, seated, range(seed, seed + games))
    if as_json:
        typer.echo(json.dumps(asdict(report), indent=2))
    else:
        typer.echo("\n".join(tell(report)))


@dataclass(frozen=True)
class SeatReport:
    """How a seat did in the games that ended. A shared win counts in parts."""

    seat: int
    bot: str
    win_share: float
    points_mean: float
    points_deviation: float
    points_min: int
    points_max: int


@dataclass(frozen=True)
class Report:
    """What came of the games.

    `capped`: those that reached the game's cap of decisions and stopped. `endings`: how many of the others ended in
    each way, for a game that can end in more than one.
    """

    game: str
    rules_version: int
    seats: int
    options: dict[str, str]
    packs: list[str]
    seed: int
    games: int
    capped: int
    seconds: float
    decisions: int
    decisions_per_second: float
    length_mean: float
    length_min: int
    length_max: int
    journal_p99: int
    journal_max: int
    endings: dict[str, int]
    by_seat: list[SeatReport]


def run(
    game: Game[Any], seats: int, options: Options, seated: Sequence[tuple[str, Player]], seeds: range
) -> Report:
    """Play one game per seed; raises BotFault."""
    lengths: list[int] = []
    journals: dict[int, int] = {}
    results: list[list[Score]] = []
    endings: Counter[str] = Counter()
    began = time.perf_counter()
    for seed in seeds:
        match = Match(game, seed, seats, options)
        _play(match, seated, journals)
        lengths.append(match.answers)
        if match.over:
            results.append(match.scores())
            endings[game.ending(match.table)] += 1
    seconds = time.perf_counter() - began
    return Report(
        game=game.name,
        rules_version=game.rules_version,
        seats=seats,
        options=options_dict(options),
        packs=[pack.sha256 for pack in game.packs],
        seed=seeds[0],
        games=len(seeds),
        capped=len(seeds) - len(results),
        seconds=round(seconds, 3),
        decisions=sum(lengths),
        decisions_per_second=round(sum(lengths) / seconds, 1),
        length_mean=round(mean(lengths), 1),
        length_min=min(lengths),
        length_max=max(lengths),
        journal_p99=_percentile(journals, 99),
        journal_max=max(journals, default=0),
        endings={ending: endings[ending] for ending in sorted(endings) if ending},
        by_seat=[_seat_report(seat, name, results) for seat, (name, _) in enumerate(seated) if results],
    )


def _play(match: Match[Any], seated: Sequence[tuple[str, Player]], journals: dict[int, int]) -> None:
    cap = match.game.max_decisions
    while match.pending and match.answers < cap:
        length = len(match.journal)
        journals[length] = journals.get(length, 0) + 1
        seat = min(match.pending)
        name, player = seated[seat]
        try:
            match.apply(seat, player(match, seat))
        except IllegalChoice as error:
            prompt = match.game.vocabulary.verbs[match.decision(seat).prompt[0]].name
            raise BotFault(f"bot {name}", f"seed {match.seed}, decision {prompt}: {error}") from None


def _percentile(counts: dict[int, int], percent: int) -> int:
    rest = sum(counts.values()) * percent / 100
    for value in sorted(counts):
        rest -= counts[value]
        if rest <= 0:
            return value
    return 0


def _seat_report(seat: int, name: str, results: Sequence[Sequence[Score]]) -> SeatReport:
    points = [scores[seat].points for scores in results]
    wins = [
        1 / sum(score.place == 1 for score in scores) if scores[seat].place == 1 else 0 for scores in results
    ]
    return SeatReport(
        seat=seat,
        bot=name,
        win_share=round(mean(wins), 4),
        points_mean=round(mean(points), 2),
        points_deviation=round(pstdev(points), 2),
        points_min=min(points),
        points_max=max(points),
    )


def tell(report: Report) -> Iterator[str]:
    """A report as text."""
    yield f"{report.game}, {report.seats} seats, {report.games} games in {report.seconds:.1f} s"
    yield (
        f"{report.decisions} decisions, {report.decisions_per_second:.0f} a second; "
        f"{report.length_mean} a game ({report.length_min} to {report.length_max})"
    )
    yield f"journal: p99 {report.journal_p99}, at most {report.journal_max}; capped games: {report.capped}"
    if report.endings:
        yield "ended by: " + ", ".join(f"{ending} {count}" for ending, count in report.endings.items())
    for one in report.by_seat:
        yield (
            f"seat {one.seat} ({one.bot}): wins {one.win_share:.1%}, "
            f"points {one.points_mean} ± {one.points_deviation} ({one.points_min} to {one.points_max})"
        )
