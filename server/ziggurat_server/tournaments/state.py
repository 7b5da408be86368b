"""The state of an event: the fold of its log."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from ziggurat_server.bots.values import START, Rating, RatingMap
from ziggurat_server.log import EventGame
from ziggurat_server.tournaments.event import Entrant, Memory
from ziggurat_server.tournaments.formats import FORMATS
from ziggurat_server.tournaments.formats.format import Field, Played, played_rounds
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind, State, match_id
from ziggurat_server.tournaments.results import Deal, GameResult, Round, deal_at
from ziggurat_server.tournaments.statistics.blocks import block_score, mean_score
from ziggurat_server.tournaments.statistics.live import LiveRatings
from ziggurat_server.tournaments.statistics.sprt import SequentialTest
from ziggurat_server.tournaments.statistics.values import TestStatus


class Stage(Enum):
    """How far a game is."""

    DUE = "due"
    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(slots=True)
class Game:
    """A game that was drawn. `attempt` is the try that is open, or the next one."""

    number: int
    round: int
    table: int
    rotation: int
    seats: tuple[str, ...]
    stage: Stage = Stage.DUE
    attempt: int = 0


@dataclass(slots=True)
class DrawnRound:
    """A round and the games of its tables; `left`: games that are not over."""

    round: Round
    games: list[Game]
    left: int


@dataclass(slots=True)
class EventState:
    """What the log of an event comes to."""

    header: EventHeader
    length: int = 1
    state: State = State.RUNNING
    ends_as: State | None = None
    """What it will be when it is over, once it is ending."""
    reason: str = ""
    """Why it ends."""
    ended_ms: int = 0
    entrants: dict[str, Entrant] = field(default_factory=dict)
    withdrawn: dict[str, str] = field(default_factory=dict)
    """Bots that were taken out, and why."""
    rounds: list[DrawnRound] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    due: dict[int, Game] = field(default_factory=dict)
    open: dict[int, Game] = field(default_factory=dict)
    busy: Counter[str] = field(default_factory=Counter)
    """By bot: its games in play."""
    wanted: Counter[str] = field(default_factory=Counter)
    """By bot: its games that are due."""
    results: dict[int, GameResult] = field(default_factory=dict)
    """By number of the game, in the order in which they came."""
    result_entries: list[tuple[int, int]] = field(default_factory=list)
    """(number of the entry, number of the game) of each result."""
    dropped: int = 0
    voids: int = 0
    _test: SequentialTest | None = None
    _test_deals: deque[list[list[Game]]] = field(default_factory=deque)
    """By deal: the blocks with both bots of the test that it has yet to take in."""

    def __post_init__(self) -> None:
        self.entrants = {bot.name: bot for bot in self.header.spec.bots}
        if self.header.spec.stop is not None:
            self._test = SequentialTest(self.header.spec.stop)

    @property
    def over(self) -> bool:
        """Whether the event has ended."""
        return self.state in (State.FINISHED, State.CANCELLED)

    @property
    def ending(self) -> bool:
        """Whether the event is over or about to be: no game is started any more."""
        return self.over or self.state == State.ENDING

    @property
    def played_out(self) -> bool:
        """Whether no game is in play, and none will be."""
        return self.ending and not self.open

    @property
    def rotations(self) -> int:
        """Games of a block."""
        return self.header.spec.format.rotations or self.header.spec.seats

    @property
    def _independent(self) -> bool:
        """Whether each game has a deal of its own."""
        return self.header.spec.memory == Memory.INDEPENDENT

    # Folding

    def fold(self, entry: EventEntry) -> None:
        """Take in one confirmed entry."""
        match entry.kind:
            case Kind.ROUND:
                assert entry.round is not None
                self._drawn(entry.round)
            case Kind.STARTED:
                self._started(self.games[entry.game], entry.attempt)
            case Kind.RESULT:
                assert entry.result is not None
                self.results[entry.game] = entry.result
                self.result_entries.append((self.length, entry.game))
                self._over(self.games[entry.game], Stage.DONE)
            case Kind.VOID:
                self._void(self.games[entry.game])
            case Kind.DROPPED:
                self.dropped += 1
                self._over(self.games[entry.game], Stage.DROPPED)
            case Kind.PAUSED:
                self.state = State.PAUSED
            case Kind.RESUMED:
                self.state = State.RUNNING
            case Kind.ADDED:
                assert entry.entrant is not None
                self.entrants[entry.entrant.name] = entry.entrant
            case Kind.WITHDRAWN:
                self.withdrawn[entry.bot] = entry.reason
            case Kind.ENDING:
                self.state, self.ends_as, self.reason = State.ENDING, entry.state, entry.reason
            case Kind.CLOSED:
                assert entry.state is not None
                self.state, self.reason, self.ended_ms = entry.state, entry.reason, entry.at_ms
                self._advance_test()
        self.length += 1

    def _drawn(self, drawn: Round) -> None:
        games: list[Game] = []
        tested: dict[Deal, list[list[Game]]] = {}
        for table, bots in enumerate(drawn.tables):
            block = []
            for rotation in range(self.rotations):
                seats = bots[rotation:] + bots[:rotation]
                number = len(self.games) + len(games) + rotation
                block.append(Game(number, drawn.number, table, rotation, seats))
            games += block
            rule = self.header.spec.stop
            if rule is not None and {rule.candidate, rule.baseline} <= set(bots):
                tested.setdefault(deal_at(drawn.number, table, self._independent), []).append(block)
        self._test_deals += tested.values()
        self.rounds.append(DrawnRound(drawn, games, len(games)))
        self.games += games
        for game in games:
            self._to_be_played(game)

    def _started(self, game: Game, attempt: int) -> None:
        game.stage, game.attempt = Stage.OPEN, attempt
        self._no_longer_due(game)
        self.open[game.number] = game
        self.busy.update(game.seats)

    def _to_be_played(self, game: Game) -> None:
        self.due[game.number] = game
        self.wanted.update(game.seats)

    def _no_longer_due(self, game: Game) -> None:
        if self.due.pop(game.number, None) is not None:
            self.wanted.subtract(game.seats)

    def _leave_play(self, game: Game) -> None:
        if self.open.pop(game.number, None) is not None:
            self.busy.subtract(game.seats)

    def _void(self, game: Game) -> None:
        self._leave_play(game)
        self.voids += 1
        game.stage = Stage.DUE
        game.attempt += 1
        self._to_be_played(game)

    def _over(self, game: Game, stage: Stage) -> None:
        self._leave_play(game)
        self._no_longer_due(game)
        game.stage = stage
        self.rounds[game.round].left -= 1
        self._advance_test()

    # What follows

    def match_id(self, game: Game) -> str:
        """Id of the match that is the game's open try."""
        return match_id(self.header.event_id, game.number, game.attempt)

    def deal(self, game: Game | EventGame) -> int:
        """Number of the game's deal: games with one number get one seed."""
        return game.number if self._independent else game.round

    def deal_seed(self, deal: int) -> int:
        """The 64-bit seed of a deal."""
        seed = self.header.spec.seed
        digest = hashlib.sha256(f"ziggurat tournament {seed} deal {deal}".encode()).digest()
        return int.from_bytes(digest[:8], "little")

    def begun_deals(self) -> set[int]:
        """Numbers of the deals of which a game has been started."""
        begun = (Stage.OPEN, Stage.DONE)
        return {self.deal(game) for game in self.games if game.attempt or game.stage in begun}

    def deal_is_over(self, deal: int) -> bool:
        """Whether no game of a deal will be played any more."""
        if self.played_out:
            return True
        if self._independent:
            return self.games[deal].stage in (Stage.DONE, Stage.DROPPED)
        return not self.rounds[deal].left

    def active(self) -> tuple[str, ...]:
        """Bots that are still in, in the order of entry."""
        return tuple(name for name in self.entrants if name not in self.withdrawn)

    def field(self) -> Field:
        """Who takes part in the next round."""
        spec = self.header.spec
        assert spec.seed is not None
        ratings = {bot: rating.mu for bot, rating in self.header.ratings.items()}
        return Field(self.active(), spec.seats, spec.format, spec.seed, ratings)

    def next_round(self) -> Round | None:
        """The next round, if it can be drawn now and there is one."""
        if self.waits_for_results:
            return None
        rounds = [drawn.round for drawn in self.rounds]
        fmt = FORMATS[self.header.spec.format.name]
        return fmt.draw(self.field(), rounds, self.played() if fmt.waits else ())

    @property
    def room(self) -> int:
        """How many games may be started."""
        return max(0, self.header.spec.concurrency - len(self.open))

    def games_to_draw(self) -> int:
        """Games of the rounds that will be drawn, where that does not wait for results; 0 where it does."""
        fmt = FORMATS[self.header.spec.format.name]
        return 0 if fmt.waits else fmt.tables_to_come(self.field(), len(self.rounds)) * self.rotations

    @property
    def test(self) -> TestStatus | None:
        """The sequential test over the deals of the schedule up to the first in which a block is not over."""
        return None if self._test is None else self._test.status

    def pending_blocks(self) -> set[tuple[int, int]]:
        """(round, table) of blocks with games to come; none once the event is over."""
        if self.over:
            return set()
        return {(game.round, game.table) for games in (self.due, self.open) for game in games.values()}

    def _advance_test(self) -> None:
        rule = self.header.spec.stop
        while self._test is not None and rule is not None and self._test_deals:
            blocks = self._test_deals[0]
            stages = {game.stage for games in blocks for game in games}
            if not self.over and stages & {Stage.DUE, Stage.OPEN}:
                return
            self._test_deals.popleft()
            complete = [games for games in blocks if all(game.stage == Stage.DONE for game in games)]
            scores = [
                block_score([self.results[game.number] for game in games], rule.candidate, rule.baseline)
                for games in complete
            ]
            if scores:
                self._test.add(mean_score(scores))

    @property
    def waits_for_results(self) -> bool:
        """Whether the next round cannot be drawn before games are over."""
        return FORMATS[self.header.spec.format.name].waits and any(drawn.left for drawn in self.rounds)

    def played(self) -> list[Played]:
        """The rounds that are over, with what came of them."""
        return played_rounds(self.rounds_over(), self.results.values())

    def rounds_over(self) -> list[Round]:
        """The rounds of which no game will be played any more."""
        return [drawn.round for drawn in self.rounds if self.over or not drawn.left]

    def rated(self, known: RatingMap) -> RatingMap:
        """Ratings of the bots after the event, from all those that stand. Games count in the order of their numbers."""
        results = self.ordered_results()
        keys = {name: (name, bot.version) for name, bot in self.entrants.items()}
        start = {name: (known[key].mu, known[key].sigma) for name, key in keys.items() if key in known}
        live = LiveRatings(start).add_all(results)
        games = Counter(seat.bot for result in results for seat in result.seats)
        return {
            keys[name]: Rating(*live.of(name), before.games + count, before.events + 1)
            for name, count in games.items()
            for before in (known.get(keys[name], START),)
        }

    def unplayable(self) -> Iterator[Game]:
        """Games that are due and have a bot that was taken out."""
        if not any(self.wanted[name] for name in self.withdrawn):
            return iter(())
        return (game for game in self.due.values() if not self.withdrawn.keys().isdisjoint(game.seats))

    def ordered_results(self) -> list[GameResult]:
        """All results by number of the game."""
        return [self.results[number] for number in sorted(self.results)]
