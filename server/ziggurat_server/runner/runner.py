"""Runs a tournament: bots as processes, matches at the server, results from the server alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ziggurat import AsyncClient, Policy, SeatFor
from ziggurat_server.runner.bots import Bot, Bots
from ziggurat_server.runner.deals import Deal, Deals
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.processes import Child, Keepers
from ziggurat_server.runner.referee import (
    FINISHED,
    PLAYING,
    VOID,
    WAITING,
    Broken,
    MatchInfo,
    patiently,
    refused_as,
)
from ziggurat_server.runner.result import Outcome, Played
from ziggurat_server.runner.schedule import Game
from ziggurat_server.runner.settings import Settings
from ziggurat_server.runner.standings import Seat

TRIES = 3
"""How often a game is played that ends without a result."""
LOOKS_A_SECOND = 200
"""How many matches are looked at in a second, at most twenty times each."""
GOODBYE_SECONDS = 3.0


class Listener(Protocol):
    """Who is told how a run goes."""

    def game_over(self, outcome: Outcome, open_games: int) -> None:
        """A game has ended, or a deal's records are there."""

    def say(self, text: str) -> None:
        """Something worth a line."""


@dataclass(slots=True)
class Open:
    """A match that is not over. `absent`: bots for which the runner says ready, since they did not."""

    game: Game
    over: asyncio.Future[MatchInfo]
    absent: set[str]


class Tournament:
    """One run. `play` fills in `outcome`, as far as it gets."""

    def __init__(
        self,
        settings: Settings,
        games: list[Game],
        outcome: Outcome,
        listener: Listener,
        client: AsyncClient,
    ) -> None:
        self.settings = settings
        self.outcome = outcome
        self._games = games
        self._listener = listener
        self._client = client
        self._bots = Bots(games, logs_of(settings, outcome))
        self._deals = Deals(settings, outcome, client, games)
        self._open: dict[str, Open] = {}

    async def play(self, keepers: Keepers, server: Child | None) -> None:
        """Play all games. Raises TournamentError when that is not possible."""
        self._bots.start(self.settings.bots, self._client.address, keepers)
        try:
            async with asyncio.TaskGroup() as tasks:
                helpers = [tasks.create_task(self._watch_processes(server)), tasks.create_task(self._poll())]
                async with asyncio.TaskGroup() as work:
                    games = iter(self._games)
                    for _ in range(min(self.settings.concurrency, len(self._games))):
                        work.create_task(self._worker(games, work))
                for helper in helpers:
                    helper.cancel()
        except BaseExceptionGroup as group:
            raise _first_of(group) from None
        finally:
            await self._leave()

    async def _leave(self) -> None:
        """End the matches that are still open, as far as the server is there: nobody will play them."""
        left = [*self._deals.open_keepers(), *self._open]
        goodbyes = [self._deals.abort(match_id, "the tournament has ended") for match_id in left]
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await asyncio.gather(*goodbyes, return_exceptions=True)
        except TimeoutError:
            return

    async def _watch_processes(self, server: Child | None) -> None:
        while True:
            await asyncio.sleep(0.1)
            if server is not None and server.poll() is not None:
                raise TournamentError(f"the server {server.how_it_ended()}\nits log is {server.output}")
            for name, how in self._bots.newly_lost():
                self.outcome.lost[name] = how
                self._problem(f"bot {name} {how}; its games go on by policy")

    def _problem(self, text: str) -> None:
        self.outcome.problems.append(text)
        self._listener.say(text)

    # Games

    async def _worker(self, games: Iterator[Game], tasks: asyncio.TaskGroup) -> None:
        for game in games:
            deal = self._deals.of(game)
            await self._deals.seal(deal)
            for attempt in range(TRIES):
                if await self._play(game, deal, attempt):
                    break
            else:
                self._problem(f"game {game.number} has no result after {TRIES} tries")
            self._bots.played(game)
            deal.left -= 1
            if not deal.left:
                tasks.create_task(self._finish(deal))

    async def _finish(self, deal: Deal) -> None:
        for match_id in await self._deals.finish(deal):
            self._problem(f"no record of {match_id}: another match of its deal is still open at the server")
        self._listener.game_over(self.outcome, len(self._open))

    async def _play(self, game: Game, deal: Deal, attempt: int) -> bool:
        """Play a game once; whether it has a result."""
        match_id = f"{self.outcome.run_id}-{game.number:05d}" + (f"-again-{attempt}" if attempt else "")
        began = time.monotonic()
        seats = [SeatFor(name, self._bots[name].token) for name in game.seats]
        info = await self._deals.create(match_id, seats, deal, self._policy(game))
        played = Played(game, match_id, info.commitment.hex(), info.rules_version)
        over: asyncio.Future[MatchInfo] = asyncio.get_running_loop().create_future()
        self._open[match_id] = Open(game, over, set(game.seats) if attempt else set())
        info = await over
        del self._open[match_id]
        played.seconds = time.monotonic() - began
        deal.played.append(played)
        self._note_end(played, info)
        return info.state == FINISHED

    def _policy(self, game: Game) -> Policy:
        """The policy of a game; a bot that is lost for good is not waited for."""
        policy = self.settings.policy_message()
        if any(self._bots[name].lost for name in game.seats):
            policy.gone_ms = 1
        return policy

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
                f"the bots' output is in {logs_of(self.settings, self.outcome)}; --ready-ms gives more time"
            )
        self._problem(f"match {played.match_id} has no result: {played.void_reason}")

    # What the server says

    async def _poll(self) -> None:
        """Look at the open matches again and again."""
        while True:
            await asyncio.sleep(max(0.05, len(self._open) / LOOKS_A_SECOND))
            asked = list(self._open)
            if asked:
                infos = await patiently(lambda: self._client.list_matches(1000))
                listed: dict[str, MatchInfo] = {info.match_id: info for info in infos}
                for match_id in asked:
                    await self._seen(match_id, listed.get(match_id) or await self._look(match_id))

    async def _look(self, match_id: str) -> MatchInfo:
        try:
            return (await patiently(lambda: self._client.get_match(match_id))).match
        except TournamentError as error:
            if refused_as(error, "ENGINE_FAULT", "UNKNOWN_MATCH", "RULES_VERSION"):
                return Broken(match_id, str(error))
            raise

    async def _seen(self, match_id: str, info: MatchInfo) -> None:
        match = self._open[match_id]
        if info.state == WAITING:
            await self._stand_in(match_id, match)
        elif info.state in (PLAYING, FINISHED):
            self._bots.in_play(match.game)
        if info.state in (FINISHED, VOID):
            match.over.set_result(info)

    async def _stand_in(self, match_id: str, match: Open) -> None:
        """Say ready for bots that cannot: from then on the policy answers for them."""
        for seat, name in enumerate(match.game.seats):
            bot = self._bots[name]
            if bot.lost or name in match.absent:
                match.absent.discard(name)
                await self._ready(match_id, seat, bot)

    async def _ready(self, match_id: str, seat: int, bot: Bot) -> None:
        try:
            await patiently(lambda: self._client.join(match_id, seat, bot.token, bot.spec.name, ready=True))
        except TournamentError as error:
            if not refused_as(error, "MATCH_OVER"):
                raise


def _first_of(group: BaseException) -> BaseException:
    """One cause of many."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group


def logs_of(settings: Settings, outcome: Outcome) -> Path:
    """Where the output of the run's processes goes."""
    return settings.records / f"{outcome.run_id}.logs"
