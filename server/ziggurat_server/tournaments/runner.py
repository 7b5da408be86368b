"""Runs a tournament: bots as processes, matches at the server, results from the server alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ziggurat import AsyncClient, Policy, SeatFor, new_token
from ziggurat_server.tournaments.errors import TournamentError
from ziggurat_server.tournaments.processes import BOT_GRACE_SECONDS, Child, Keepers, new_output
from ziggurat_server.tournaments.referee import (
    FINISHED,
    PLAYING,
    VOID,
    WAITING,
    MatchInfo,
    patiently,
    refused_as,
    unsealed,
)
from ziggurat_server.tournaments.result import Outcome, Played, keep_record
from ziggurat_server.tournaments.schedule import Game, deal_seed
from ziggurat_server.tournaments.settings import BotSpec, Settings, clean_environment
from ziggurat_server.tournaments.standings import Seat

TRIES = 3
"""How often a game is played that ends without a result."""
LOOKS_A_SECOND = 200
"""How many matches are looked at in a second, at most twenty times each."""


class Listener(Protocol):
    """Who is told how a run goes."""

    def game_over(self, outcome: Outcome, open_games: int) -> None:
        """A game has ended, or a deal's records are there."""

    def say(self, text: str) -> None:
        """Something worth a line."""


@dataclass(slots=True)
class Bot:
    """A bot and its process. `started`: it has been ready for a match; `lost`: its process has ended since."""

    spec: BotSpec
    token: bytes
    child: Child
    started: bool = False
    lost: bool = False


@dataclass(slots=True)
class Deal:
    """One seed. A match that is never played keeps it sealed until its last game is over."""

    seed: int
    left: int
    played: list[Played] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    keeper: bytes = b""


@dataclass(slots=True)
class Open:
    """A match that is not over."""

    game: Game
    over: asyncio.Future[MatchInfo]
    may_start: set[str]
    """Bots for which the runner says ready, since they cannot."""


class Tournament:
    """One run. `play` fills in `outcome`, as far as it gets."""

    def __init__(self, settings: Settings, games: list[Game], outcome: Outcome, listener: Listener) -> None:
        self.settings = settings
        self.outcome = outcome
        self._games = games
        self._listener = listener
        self._bots: dict[str, Bot] = {}
        self._deals: dict[int, Deal] = {}
        for game in games:
            deal = self._deals.setdefault(game.deal, Deal(deal_seed(settings.seed, game.deal), 0))
            deal.left += 1
        self._open: dict[str, Open] = {}
        self._client: AsyncClient
        self._logs = logs_of(settings, outcome)

    async def play(self, keepers: Keepers, client: AsyncClient, server: Child | None) -> None:
        """Play all games. Raises TournamentError when that is not possible."""
        self._client = client
        self._start_bots(keepers)
        try:
            async with asyncio.TaskGroup() as tasks:
                watcher = tasks.create_task(self._watch_processes(server))
                poller = tasks.create_task(self._poll())
                async with asyncio.TaskGroup() as work:
                    games = iter(self._games)
                    for _ in range(min(self.settings.concurrency, len(self._games))):
                        work.create_task(self._worker(games, work))
                watcher.cancel()
                poller.cancel()
        except BaseExceptionGroup as group:
            raise _first_of(group) from None

    # Bots

    def _start_bots(self, keepers: Keepers) -> None:
        for spec in self.settings.bots:
            token = new_token()
            environment = clean_environment() | {
                "ZIGGURAT_ADDRESS": self._client.address,
                "ZIGGURAT_NAME": spec.name,
                "ZIGGURAT_TOKEN": token.hex(),
            }
            output = new_output(self._logs, f"bot-{spec.name}")
            child = keepers.start(spec.command, output, environment, BOT_GRACE_SECONDS)
            self._bots[spec.name] = Bot(spec, token, child)

    async def _watch_processes(self, server: Child | None) -> None:
        while True:
            await asyncio.sleep(0.1)
            if server is not None and server.poll() is not None:
                raise TournamentError(f"the server {server.how_it_ended()}\nits log is {server.output}")
            for bot in self._bots.values():
                if not bot.lost and bot.child.poll() is not None:
                    self._bot_ended(bot)

    def _bot_ended(self, bot: Bot) -> None:
        how = bot.child.how_it_ended()
        if not bot.started:
            raise TournamentError(f"bot {bot.spec.name} ({bot.spec.text}) {how}\nits output is in {bot.child.output}")
        bot.lost = True
        self.outcome.lost[bot.spec.name] = how
        self._problem(f"bot {bot.spec.name} {how}; its games go on by policy")

    def _problem(self, text: str) -> None:
        self.outcome.problems.append(text)
        self._listener.say(text)

    # Games

    async def _worker(self, games: Iterator[Game], tasks: asyncio.TaskGroup) -> None:
        for game in games:
            deal = self._deals[game.deal]
            await self._seal(game.deal, deal)
            for attempt in range(TRIES):
                if await self._play(game, deal, attempt):
                    break
            else:
                self._problem(f"game {game.number} has no result after {TRIES} tries")
            deal.left -= 1
            if not deal.left:
                tasks.create_task(self._finish(game.deal, deal))

    async def _seal(self, number: int, deal: Deal) -> None:
        """Create a match of the deal that stays open: no record of it can be had while another game is to come."""
        async with deal.lock:
            if not deal.keeper:
                tokens = [new_token() for _ in range(self.outcome.seats)]
                seats = [SeatFor("-", token) for token in tokens]
                await self._create(self._keeper_id(number), seats, deal.seed, self._keeper_policy())
                deal.keeper = tokens[0]

    def _keeper_id(self, number: int) -> str:
        return f"{self.outcome.run_id}-deal-{number:04d}"

    @staticmethod
    def _keeper_policy() -> Policy:
        """None of its seats will be ready; after a day without its tournament it ends by itself."""
        return Policy(ready_ms=24 * 3600 * 1000)

    async def _create(self, match_id: str, seats: list[SeatFor], seed: int, policy: Policy) -> MatchInfo:
        settings = self.settings
        packs = {pack.name: pack.text for pack in settings.packs}

        async def call() -> MatchInfo:
            return await self._client.create_match(
                settings.game, seats, match_id=match_id, options=settings.options, packs=packs, seed=seed,
                policy=policy,
            )  # fmt: skip

        return await patiently(call)

    async def _play(self, game: Game, deal: Deal, attempt: int) -> bool:
        """Play a game once; whether it has a result."""
        match_id = f"{self.outcome.run_id}-{game.number:05d}" + (f"-again-{attempt}" if attempt else "")
        began = time.monotonic()
        seats = [SeatFor(name, self._bots[name].token) for name in game.seats]
        info = await self._create(match_id, seats, deal.seed, self.settings.policy_message())
        played = Played(game, match_id, info.commitment.hex(), info.rules_version)
        over: asyncio.Future[MatchInfo] = asyncio.get_running_loop().create_future()
        self._open[match_id] = Open(game, over, set(game.seats) if attempt else set())
        try:
            info = await over
        finally:
            del self._open[match_id]
        played.seconds = time.monotonic() - began
        self._note_end(played, info)
        deal.played.append(played)
        return info.state == FINISHED

    def _note_end(self, played: Played, info: MatchInfo) -> None:
        game = played.game
        played.decisions = info.decisions
        self.outcome.played.append(played)
        if info.state == FINISHED:
            played.standings = tuple(
                Seat(game.seats[s.seat], s.points, s.place, tuple(s.tie_break), s.forfeited)
                for s in sorted(info.standings, key=lambda s: s.seat)
            )
            self.outcome.standings.add(played.match_id, played.standings)
            self._listener.game_over(self.outcome, len(self._open))
            return
        played.void_reason = info.void_reason or "no reason given"
        if not all(self._bots[name].started for name in game.seats):
            who = ", ".join(f"{seat} {name}" for seat, name in enumerate(game.seats))
            raise TournamentError(
                f"match {played.match_id} did not begin: {played.void_reason} (seats: {who})\n"
                f"the bots' output is in {self._logs}; --ready-ms gives them more time"
            )
        self._problem(f"match {played.match_id} has no result: {played.void_reason}")

    # What the server says

    async def _poll(self) -> None:
        """Look at the open matches again and again."""
        while True:
            await asyncio.sleep(max(0.05, len(self._open) / LOOKS_A_SECOND))
            if not self._open:
                continue
            asked = list(self._open)
            listed = {info.match_id: info for info in await patiently(lambda: self._client.list_matches(1000))}
            for match_id in asked:
                info = listed.get(match_id) or await self._look(match_id)
                await self._seen(info)

    async def _look(self, match_id: str) -> MatchInfo:
        return (await patiently(lambda: self._client.get_match(match_id))).match

    async def _seen(self, info: MatchInfo) -> None:
        match = self._open[info.match_id]
        if info.state == WAITING:
            await self._stand_in(info.match_id, match)
        elif info.state in (PLAYING, FINISHED):
            for name in match.game.seats:
                self._bots[name].started = True
        if info.state in (FINISHED, VOID) and not match.over.done():
            match.over.set_result(info)

    async def _stand_in(self, match_id: str, match: Open) -> None:
        """Say ready for bots that are lost: from then on the policy answers for them."""
        for seat, name in enumerate(match.game.seats):
            bot = self._bots[name]
            if bot.lost or name in match.may_start:
                match.may_start.discard(name)
                await self._ready(match_id, seat, bot)

    async def _ready(self, match_id: str, seat: int, bot: Bot) -> None:
        try:
            await patiently(lambda: self._client.join(match_id, seat, bot.token, bot.spec.name, ready=True))
        except TournamentError as error:
            if not refused_as(error, "MATCH_OVER"):
                raise

    # Records

    async def _finish(self, number: int, deal: Deal) -> None:
        """Open the deal's records and keep them."""
        await patiently(lambda: self._client.abort(self._keeper_id(number), deal.keeper, "the deal is over"))
        for played in deal.played:
            zgr = await unsealed(lambda played=played: self._client.get_record(played.match_id))  # type: ignore[misc]
            if zgr is None:
                self._problem(f"no record of {played.match_id}: a match of its deal outside this run is open")
                continue
            keep_record(self.settings.records, played, zgr)
            self.outcome.standings.add_faults(played.match_id, played.faults)
        self._listener.game_over(self.outcome, len(self._open))


def _first_of(group: BaseException) -> BaseException:
    """One cause of many: what a task raised, before what that cancelled."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group


def logs_of(settings: Settings, outcome: Outcome) -> Path:
    """Where the output of the run's processes goes."""
    return settings.records / f"{outcome.run_id}.logs"
