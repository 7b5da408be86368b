"""Deals: each is one seed, sealed until its last game is over; then its records are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from ziggurat import AsyncClient, Policy, SeatFor, new_token
from ziggurat_server.tournaments.referee import MatchInfo, patiently, unsealed
from ziggurat_server.tournaments.result import Outcome, Played, keep_record
from ziggurat_server.tournaments.schedule import Game, deal_seed
from ziggurat_server.tournaments.settings import Settings

DAY_MS = 24 * 3600 * 1000


@dataclass(slots=True)
class Deal:
    """One seed. `left`: games that are not over; `keeper`: a token of the match that keeps it sealed."""

    number: int
    seed: int
    left: int = 0
    played: list[Played] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    keeper: bytes = b""


class Deals:
    """All deals of a run, and the matches that are made of them."""

    def __init__(
        self, settings: Settings, outcome: Outcome, client: AsyncClient, games: Iterable[Game]
    ) -> None:
        self._settings = settings
        self._outcome = outcome
        self._client = client
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
            if not deal.keeper:
                tokens = [new_token() for _ in range(self._outcome.seats)]
                seats = [SeatFor("-", token) for token in tokens]
                await self.create(self._keeper_id(deal), seats, deal, Policy(ready_ms=DAY_MS))
                deal.keeper = tokens[0]

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
            )

        # A server that was asked about the match while it was being created may say that there is none.
        return await patiently(call, also=("UNKNOWN_MATCH",))

    async def finish(self, deal: Deal) -> list[str]:
        """Unseal a deal and keep its records; returns the ids of matches whose records cannot be had."""
        await patiently(lambda: self._client.abort(self._keeper_id(deal), deal.keeper, "the deal is over"))
        missing: list[str] = []
        for played in deal.played:
            zgr = await self._record(played.match_id, patient=not missing)
            if zgr is None:
                missing.append(played.match_id)
                continue
            keep_record(self._settings.records, played, zgr)
            self._outcome.standings.add_faults(played.match_id, played.faults)
        deal.keeper = b""
        return missing

    async def _record(self, match_id: str, patient: bool) -> bytes | None:
        return await unsealed(lambda: self._client.get_record(match_id), patient)

    def open_keepers(self) -> list[tuple[str, bytes]]:
        """Ids and tokens of the matches that keep deals sealed."""
        return [(self._keeper_id(deal), deal.keeper) for deal in self._deals.values() if deal.keeper]
