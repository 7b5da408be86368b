"""What a format is: a pure function from what was played to the next round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from ziggurat_server.tournaments.event import FormatSpec
from ziggurat_server.tournaments.results import GameResult, Round, block_credits, mean_points


@dataclass(frozen=True, slots=True)
class Field:
    """Who takes part. `bots`: those still in, in the order of entry; `ratings`: what is known of them before."""

    bots: tuple[str, ...]
    seats: int
    spec: FormatSpec
    seed: int
    """For what chance decides: the same seed, the same draw."""
    ratings: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Played:
    """A round and what came of it. `credits[t]` are the mean credits (0 to 1) of table t's bots in its games.

    Where a table has no result for a bot (withdrawn, games given up) the bot is missing there. `points[t]` are mean
    points in the game's own sense, to part equal credits.
    """

    round: Round
    credits: tuple[Mapping[str, Fraction], ...]
    points: tuple[Mapping[str, Fraction], ...] = ()


def played_rounds(rounds: Iterable[Round], games: Iterable[GameResult]) -> list[Played]:
    """Rounds with what came of them; games of other rounds do not count."""
    blocks: dict[tuple[int, int], list[GameResult]] = {}
    for game in games:
        blocks.setdefault((game.round, game.table), []).append(game)
    return [_played(drawn, blocks) for drawn in rounds]


def _played(drawn: Round, blocks: Mapping[tuple[int, int], list[GameResult]]) -> Played:
    tables = [blocks.get((drawn.number, table), []) for table in range(len(drawn.tables))]
    return Played(drawn, tuple(map(block_credits, tables)), tuple(map(mean_points, tables)))


class Format(Protocol):
    """Draws rounds."""

    waits: bool
    """Whether a round can be drawn only when all rounds before it have been played."""
    late: bool
    """Whether a bot may join after the first round."""

    def check(self, field: Field) -> None:
        """Refuse what cannot be played; raises BadEvent naming the key and the remedy."""

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        """The next round; None if the event is over. `rounds` are all that were drawn; `played` (as many, if
        `waits`) are those with results."""

    def tables_to_come(self, field: Field, drawn: int) -> int:
        """Tables of the rounds after the first `drawn`, if the bots stay; 0 if the format waits. Draws nothing."""

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """The bots still in from first to last, as the format sees it (a knockout: by how far they came)."""
