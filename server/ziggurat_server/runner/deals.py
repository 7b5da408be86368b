"""Deals: each is one seed, sealed until its last game is over; then its records are kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from ziggurat import AsyncClient, Policy, SeatFor, new_token
from ziggurat_server.runner.referee import MatchInfo, patiently, unsealed
from ziggurat_server.runner.result import Outcome, Played, keep_record
from ziggurat_server.runner.schedule import Game, deal_seed
from ziggurat_server.runner.settings import Settings

DAY_MS = 24 * 3600 * 1000


@dataclass(slots=True)
class Deal:
    """One seed. `left`: games that are not over; `sealed`: whether the match is open that keeps it sealed."""

    number: int
    seed: int
    left: int = 0
    played: list[Played] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    sealed: bool = False


class Deals:
    """All deals of a run, and the matches that are made of them."""

    def __init__(
        self, settings: Settings, outcome: Outcome, client: AsyncClient, games: Iterable[Game]
    ) -> None:
        self._settings = settings
        self._outcome = outcome
        self._client = client
        # No bot can end a match of the run: it is taken out of the environment that bots inherit.
        self._owner = bytes.fromhex(os.environ.pop("ZIGGURAT_OWNER_TOKEN", "")) or new_token()
        self._deals: dict[int, Deal] = {}
        for game in games:
            deal = self._deals.setdefault(game.deal, Deal(game.deal, deal_seed(settings.seed, game.deal)))
            deal.left += 1

    def of(self, game: Game) -> Deal:
        """The deal of a game."""
        return self._deals[game.deal]

    async def seal(self, deal: Deal) -> None:
        """Create a match that nobody plays: while it is open, so is the deal, and no record can be had.

        After a day without its tournament it ends by itself.
        """
        async with deal.lock:
            if not deal.sealed:
                seats = [SeatFor("-", new_token()) for _ in range(self._outcome.seats)]
                await self.create(self._keeper_id(deal), seats, deal, Policy(ready_ms=DAY_MS))
                deal.sealed = True

    def _keeper_id(self, deal: Deal) -> str:
        return f"{self._outcome.run_id}-deal-{deal.number:04d}"

    async def create(self, match_id: str, seats: list[SeatFor], deal: Deal, policy: Policy) -> MatchInfo:
        """Create a match of a deal."""
        settings = self._settings
        packs = {pack.name: pack.text for pack in settings.packs}

        async def call() -> MatchInfo:
            return await self._client.create_match(
                settings.game,
                seats,
                match_id=match_id,
                options=settings.options,
                packs=packs,
                seed=deal.seed,
                policy=policy,
                owner=self._owner,
            )

        # A server that was asked about the match while it was being created may say that there is none.
        return await patiently(call, also=("UNKNOWN_MATCH",))

    async def finish(self, deal: Deal) -> list[str]:
        """Unseal a deal and keep its records; returns the ids of matches whose records cannot be had."""
        await patiently(lambda: self.abort(self._keeper_id(deal), "the deal is over"))
        missing: list[str] = []
        for played in deal.played:
            zgr = await self._record(played.match_id, patient=not missing)
            if zgr is None:
                missing.append(played.match_id)
                continue
            keep_record(self._settings.records, played, zgr)
            self._outcome.standings.add_faults(played.match_id, played.faults)
        deal.sealed = False
        return missing

    async def _record(self, match_id: str, patient: bool) -> bytes | None:
        return await unsealed(lambda: self._client.get_record(match_id), patient)

    async def abort(self, match_id: str, reason: str) -> None:
        """End a match of the run without a result."""
        await self._client.abort(match_id, self._owner, reason)

    def open_keepers(self) -> list[str]:
        """Ids of the matches that keep deals sealed."""
        return [self._keeper_id(deal) for deal in self._deals.values() if deal.sealed]
