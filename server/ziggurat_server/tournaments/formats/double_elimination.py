"""Double elimination: out after the second lost table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as default

from ziggurat_server.tournaments.formats.checks import check_field, check_size
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.formats.history import byes, ranked, seeded, seeds_of, snake
from ziggurat_server.tournaments.formats.knockout import advancing, by_last_table
from ziggurat_server.tournaments.formats.seating import Seating
from ziggurat_server.tournaments.results import Round


class DoubleElimination:
    """Unbeaten bots meet at "winners" tables, bots with one loss at "losers" tables of the same round; `advance` of a
    table win it, the others lose. Bots over have a bye. Where neither group fills a table, one is filled from both
    ("mixed").

    When as many are left as a table has seats, one of them beaten, they play the "final", which only the first wins.
    If a beaten bot wins it and an unbeaten one sat there, the same bots play once more, the "reset"; its winner is the
    first of those who had no second loss before it. So that the final is full, more than `advance` may win the tables
    before it. If withdrawals leave too few for a table, the best of those who went out last fill it, without a
    chance to win; if one is left, it has won.
    """

    waits = True
    late = False

    def check(self, field: Field) -> None:
        check_field(field, uses=frozenset({"advance"}))
        check_size(field, 2 * len(field.bots), 1, "bots")

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        state = _fold(field, played)
        alive = state.alive(seeded(field))
        if len(field.bots) < field.seats or (len(alive) < 2 and not state.reset) or state.over:
            return None
        drawn = _Draw(field, rounds, played)
        if state.reset:
            return drawn.decider("reset", state.reset)
        if len(alive) <= field.seats and len(state.unbeaten(alive)) != field.seats:
            return drawn.decider("final", alive)
        return drawn.tables(state, alive)

    def tables_to_come(self, field: Field, drawn: int) -> int:
        return 0

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """Who has lost at most once, then the others by the round of their last table, place at it, credits, points,
        seed. At the end: the winner, then likewise."""
        state = _fold(field, played)
        order = by_last_table(field, played)
        if state.over:
            return sorted(order, key=lambda bot: bot not in state.eligible)
        return sorted(order, key=lambda bot: state.losses.get(bot, 0) >= 2)


@dataclass(slots=True)
class _State:
    """What the tables so far have decided."""

    losses: dict[str, int] = default(default_factory=dict)
    over: bool = False
    reset: list[str] = default(default_factory=list)
    """Who plays the reset, if there is to be one."""
    eligible: set[str] = default(default_factory=set)
    """Who could win the last table, when it is over."""

    def alive(self, bots: Iterable[str]) -> list[str]:
        return [bot for bot in bots if self.losses.get(bot, 0) < 2]

    def unbeaten(self, bots: Iterable[str]) -> list[str]:
        return [bot for bot in bots if not self.losses.get(bot, 0)]


def _fold(field: Field, played: Sequence[Played]) -> _State:
    state = _State()
    seeds = seeds_of(field)
    for done in played:
        if done.round.labels[0] in ("final", "reset"):
            _decide(state, done, seeds)
            continue
        wins = _wins(done.round, field.seats, advancing(field))
        for table, won in enumerate(wins):
            for bot in ranked(done, table, seeds)[won:]:
                state.losses[bot] = state.losses.get(bot, 0) + 1
    return state


def _decide(state: _State, done: Played, seeds: dict[str, int]) -> None:
    """The final or the reset. Withdrawn bots cannot win it."""
    order = [bot for bot in ranked(done, 0, seeds) if bot in seeds]
    state.eligible = set(state.alive(order)) or set(order)
    unbeaten = state.unbeaten(order)
    state.reset = []
    first = next((bot for bot in order if bot in state.eligible), None)
    if done.round.labels[0] == "final" and done.credits[0] and unbeaten and first not in unbeaten:
        state.reset = order
    state.over = not state.reset
    for bot in order[1:]:
        state.losses[bot] = state.losses.get(bot, 0) + 1


def _wins(drawn: Round, seats: int, advance: int) -> list[int]:
    """How many win each table of a round. Losers' tables together put out no more than may go before the final."""
    spare = len(drawn.byes) + (len(drawn.tables) - 1) * seats
    risky = sum(label != "winners" for label in drawn.labels)
    wins = []
    for label in drawn.labels:
        if label == "winners":
            wins.append(advance)
            continue
        out = min(seats - advance, -(-spare // risky))
        spare -= out
        risky -= 1
        wins.append(seats - out)
    return wins


class _Draw:
    """Draws one round."""

    def __init__(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> None:
        self.field = field
        self.number = len(rounds)
        self.seating = Seating(field, rounds)
        self.rested = byes(rounds)
        self.recent = by_last_table(field, played)

    def decider(self, label: str, members: Sequence[str]) -> Round:
        """One table, filled with those who went out last."""
        others = [bot for bot in self.recent if bot not in members]
        table = [*members, *others][: self.field.seats]
        return Round(self.number, (self.seating.seat(table),), labels=(label,))

    def tables(self, state: _State, alive: Sequence[str]) -> Round:
        """Winners' and losers' tables, or a mixed one."""
        seats = self.field.seats
        unbeaten, beaten = state.unbeaten(alive), [bot for bot in alive if state.losses.get(bot, 0)]
        winners = len(unbeaten) // seats
        losers = len(beaten) // seats
        tables = [*self._group(unbeaten, winners), *self._group(beaten, losers)]
        labels = ["winners"] * winners + ["losers"] * losers
        if not tables:
            tables = [[*self._resting_first(unbeaten)[len(beaten) - seats :], *beaten]]
            labels = ["mixed"]
        seated = {bot for table in tables for bot in table}
        resting = tuple(bot for bot in alive if bot not in seated)
        return Round(self.number, tuple(map(self.seating.seat, tables)), resting, tuple(labels))

    def _group(self, bots: Sequence[str], tables: int) -> list[list[str]]:
        if not tables:
            return []
        playing = set(self._resting_first(bots)[len(bots) - tables * self.field.seats :])
        return snake([bot for bot in bots if bot in playing], tables)

    def _resting_first(self, bots: Sequence[str]) -> list[str]:
        """Who has had fewest byes, then the better seed, has the next one."""
        return sorted(bots, key=lambda bot: self.rested[bot])
