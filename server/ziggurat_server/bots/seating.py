"""Seats for registered bots: who takes the seats of a match that asks for bots by name or by rating."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Presence, Registry, unknown_bot
from ziggurat_server.bots.values import START, RatingMap, RegisteredBot
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import SeatSpec, Wish


def check_wish(wish: Wish, field: str) -> None:
    """Refuse a wish that says too much, or nothing sensible."""
    for name in ("near_rating", "max_distance"):
        value = getattr(wish, name)
        if value is None:
            continue
        if wish.name:
            raise ServiceError("BAD_FIELD", f"{field}.{name}", "ask for a name or for a rating, not for both")
        if not math.isfinite(value):
            raise ServiceError("BAD_FIELD", f"{field}.{name}", f"{value} is no number; leave it out for none")
    if wish.max_distance is not None:
        if wish.near_rating is None:
            raise ServiceError(
                "BAD_FIELD", f"{field}.max_distance", "give near_rating too: it counts from there"
            )
        if wish.max_distance < 0:
            raise ServiceError("BAD_FIELD", f"{field}.max_distance", f"{wish.max_distance} is below 0")


def assign(choices: Sequence[Sequence[str]]) -> list[str] | int:
    """A different name for each seat from its choices (best first), or the first seat for which there is none.

    An earlier seat keeps its best choice unless a later one could have nothing else.
    """
    holder: dict[str, int] = {}

    def place(seat: int, tried: set[str]) -> bool:
        free = next((name for name in choices[seat] if name not in holder), None)
        if free is not None:
            holder[free] = seat
            return True
        for name in choices[seat]:
            if name not in tried:
                tried.add(name)
                if place(holder[name], tried):
                    holder[name] = seat
                    return True
        return False

    for seat in range(len(choices)):
        if not place(seat, set()):
            return seat
    names = {seat: name for name, seat in holder.items()}
    return [names[seat] for seat in range(len(choices))]


@dataclass(frozen=True, slots=True)
class Pool:
    """The registered bots as they are now, for one match. `busy`: names of bots that were found to be full."""

    game: str
    bots: dict[str, Presence]
    ratings: RatingMap
    seated: frozenset[bytes]
    """Tokens (hashes) that have a seat in the match without a wish."""
    busy: frozenset[str]

    def free(self, one: Presence) -> bool:
        """Whether a bot has a place free."""
        return not one.full and one.bot.name not in self.busy

    def choices(self, wish: Wish) -> list[str]:
        """Names of the bots that could fulfil a wish, the best first."""
        most = math.inf if wish.max_distance is None else wish.max_distance
        found = [
            (distance, name)
            for name, one in self.bots.items()
            if wish.name in ("", name)
            and one.bot.plays(self.game)
            and one.connected
            and self.free(one)
            and one.bot.token_sha256 not in self.seated
            and (distance := self._distance(wish, one.bot)) <= most
        ]
        return [name for _, name in sorted(found)]

    def _distance(self, wish: Wish, bot: RegisteredBot) -> float:
        mean = self.ratings.get((bot.name, bot.version), START).mu
        return 0.0 if wish.near_rating is None else abs(mean - wish.near_rating)

    def check_named(self, name: str, field: str) -> None:
        """Refuse a bot that was asked for by name and cannot take the seat."""
        one = self.bots.get(name)
        if one is None:
            raise unknown_bot(f"{field}.name", name)
        if not one.bot.plays(self.game):
            games = ", ".join(one.bot.games)
            raise ServiceError(
                "BAD_FIELD", f"{field}.name", f"{name!r} plays {games}, not {self.game}; ask for another bot"
            )
        if one.bot.token_sha256 in self.seated:
            words = f"{name!r} has a seat by its token already; a bot takes one seat of a match"
            raise ServiceError("BAD_FIELD", f"{field}.name", words)
        if not one.connected:
            words = f"{name!r} is not connected; start it with its token, or ask for another bot"
            raise ServiceError("BOT_UNAVAILABLE", f"{field}.name", words)
        if not self.free(one):
            words = f"{name!r} plays {one.bot.capacity} matches, its capacity; wait, or ask for another bot"
            raise ServiceError("BOT_UNAVAILABLE", f"{field}.name", words)

    def too_few(self, field: str) -> ServiceError:
        """The refusal of a wish for any bot."""
        playing = [one for one in self.bots.values() if one.bot.plays(self.game)]
        here = [one for one in playing if one.connected]
        words = (
            f"no bot is left for this seat: of {len(self.bots)} registered {len(playing)} play {self.game}, "
            f"{len(here)} of these are connected, {sum(map(self.free, here))} have a place free; "
            "connect more bots, ask for another rating, or leave the seat open"
        )
        return ServiceError("BOT_UNAVAILABLE", field, words)


class Seating:
    """Finds bots for seats and takes their places."""

    def __init__(
        self, registry: Registry, ratings: Ratings, announce: Callable[[str], Awaitable[None]]
    ) -> None:
        """`announce` says that a match is about to be (Node.announce)."""
        self._registry = registry
        self._ratings = ratings
        self._announce = announce

    async def seat(
        self, match_id: str, game: str, seats: Sequence[SeatSpec]
    ) -> tuple[tuple[SeatSpec, ...], list[bytes]]:
        """The seats with all wishes filled, and the tokens (hashes) for which a place was taken by this call.

        Who plays the game, is connected and has a place free can be chosen, each for one seat: by distance of rating,
        then by name. Raises ServiceError that names seat, reason and remedy; no place is taken then.
        """
        busy: set[str] = set()
        while True:
            chosen = await self._choose(match_id, game, seats, frozenset(busy))
            await self._announce(match_id)
            taken, full = await self._registry.take_places(match_id, chosen.values())
            if full is None:
                return tuple(_filled(seat, chosen.get(n)) for n, seat in enumerate(seats)), taken
            busy |= {bot.name for bot in chosen.values() if bot.token_sha256 == full.token_sha256}

    async def give_back(self, match_id: str, tokens: Sequence[bytes]) -> None:
        """Give back places that are not needed."""
        await self._registry.give_back(match_id, tokens)

    async def _choose(
        self, match_id: str, game: str, seats: Sequence[SeatSpec], busy: frozenset[str]
    ) -> dict[int, RegisteredBot]:
        """By seat the bot for each wish."""
        everyone = await self._registry.presence(await self._registry.all(), besides=match_id)
        pool = Pool(
            game,
            {one.bot.name: one for one in everyone},
            await self._ratings.read(game),
            frozenset(seat.token_sha256 for seat in seats if seat.token_sha256),
            busy,
        )
        wishes = {number: seat.wish for number, seat in enumerate(seats) if seat.wish is not None}
        named: set[str] = set()
        for number, wish in wishes.items():
            if wish.name in named:
                words = f"{wish.name!r} is asked for twice; a bot takes one seat of a match"
                raise ServiceError("BAD_FIELD", f"seats[{number}].bot.name", words)
            if wish.name:
                named.add(wish.name)
                pool.check_named(wish.name, f"seats[{number}].bot")
        names = assign([pool.choices(wish) for wish in wishes.values()])
        if isinstance(names, int):
            raise pool.too_few(f"seats[{list(wishes)[names]}].bot")
        return {number: pool.bots[name].bot for number, name in zip(wishes, names, strict=True)}


def _filled(seat: SeatSpec, bot: RegisteredBot | None) -> SeatSpec:
    return seat if bot is None else replace(seat, name=bot.name, token_sha256=bot.token_sha256)
