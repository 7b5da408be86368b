"""Events without games: bots with a known skill, tables played by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random

from ziggurat_server.tournaments.event import FormatSpec
from ziggurat_server.tournaments.formats import FORMATS, Field, Played
from ziggurat_server.tournaments.results import GameResult, Round, SeatResult, block_credits

Skills = Mapping[str, float]


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number:02}" for number in range(count))


def field_of(
    name: str,
    bots: int | Sequence[str],
    seats: int,
    seed: int = 0,
    ratings: Mapping[str, float] | None = None,
    **settings: object,
) -> Field:
    everybody = names(bots) if isinstance(bots, int) else tuple(bots)
    return Field(everybody, seats, FormatSpec(name, **settings), seed, ratings or {})  # type: ignore[arg-type]


def play_table(table: Sequence[str], skills: Skills, chance: Random, games: int) -> dict[str, Fraction]:
    """A block: in each game everybody's strength is its skill and a normal error of 1."""
    results = []
    for game in range(games):
        strength = {bot: skills[bot] + chance.gauss(0, 1) for bot in table}
        order = sorted(table, key=lambda bot: -strength[bot])
        seats = tuple(SeatResult(bot, -place, place) for place, bot in enumerate(order, 1))
        results.append(GameResult(game, 0, 0, game, seats))
    return block_credits(results)


def play_round(drawn: Round, field: Field, skills: Skills, chance: Random) -> Played:
    games = field.spec.rotations or field.seats
    return Played(drawn, tuple(play_table(table, skills, chance, games) for table in drawn.tables))


def favourite_wins(drawn: Round, skills: Skills) -> Played:
    """Every table ends in the order of skill."""
    credits = []
    for table in drawn.tables:
        order = sorted(table, key=lambda bot: skills[bot])
        credits.append({bot: Fraction(place, len(table) - 1) for place, bot in enumerate(order)})
    return Played(drawn, tuple(credits))


def run_event(field: Field, play: Callable[[Round], Played], most_rounds: int = 300) -> list[Played]:
    """All rounds of an undisturbed event."""
    form = FORMATS[field.spec.name]
    form.check(field)
    played: list[Played] = []
    while (drawn := form.draw(field, [done.round for done in played], played)) is not None:
        played.append(play(drawn))
        assert len(played) <= most_rounds, "the event does not end"
    return played


def simulate(field: Field, step: float, chance: Random) -> tuple[list[Played], list[str], list[str]]:
    """An event of bots whose skills lie `step` apart, in random order of entry: its rounds, its ranking, the truth."""
    truth = list(field.bots)
    chance.shuffle(truth)
    skills = {bot: -step * place for place, bot in enumerate(truth)}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    return played, FORMATS[field.spec.name].ranking(field, played), truth
