"""What the store keeps of bots: the register, which tokens are connected, and places in matches."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, cast

from ziggurat_server.sessions.keys import Keys

PRESENT_SECONDS = 5.0
"""A token counts as connected for so long after its node last said so."""

DONE, CHANGED, TOKEN_USED, FULL = 1, 0, -1, -2
"""Outcomes of a change: done; the entry was another one; another bot has the token; there are too many bots."""

NEW, HELD, NONE_FREE = 2, 1, 0
"""Outcomes of taking a place: taken now; the match has it already; none is free."""

_PUT = """
local name, old, new, token = ARGV[1], ARGV[2], ARGV[3], ARGV[5]
if (redis.call('HGET', KEYS[1], name) or '') ~= old then return {0, ''} end
local holder = redis.call('HGET', KEYS[2], token)
if new ~= '' and holder and holder ~= name then return {-1, holder} end
if old == '' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then return {-2, ''} end
if ARGV[4] ~= '' then redis.call('HDEL', KEYS[2], ARGV[4]) end
if new == '' then
  redis.call('HDEL', KEYS[1], name)
else
  redis.call('HSET', KEYS[1], name, new)
  redis.call('HSET', KEYS[2], token, name)
end
return {1, ''}
"""
_TAKE = """
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return 1 end
local most = tonumber(ARGV[2])
if most > 0 and redis.call('SCARD', KEYS[1]) >= most then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
return 2
"""


class BotStore:
    """The part of a Store that is about bots; its methods raise StoreUnavailable as the Store's do."""

    def __init__(self, redis: Any, keys: Keys, call: Callable[[Awaitable[Any]], Awaitable[Any]]) -> None:
        self._redis = redis
        self._keys = keys
        self._call = call
        self._put = redis.register_script(_PUT)
        self._take = redis.register_script(_TAKE)

    # The register

    async def all(self) -> dict[str, bytes]:
        """All entries by name, sorted."""
        found = await self._call(self._redis.hgetall(self._keys.bots))
        return {name: found[name.encode()] for name in sorted(key.decode() for key in found)}

    async def get(self, name: str) -> bytes:
        """The entry of a name; b"" if there is none."""
        return cast(bytes, await self._call(self._redis.hget(self._keys.bots, name)) or b"")

    async def put(
        self, name: str, old: bytes, new: bytes, old_token: bytes, token: bytes, most: int
    ) -> tuple[int, str]:
        """Replace an entry if it is still `old` (b"": there is none); `new` b"" removes it.

        Gives the outcome and, if another bot has the token (a hash), that bot's name.
        """
        keys = [self._keys.bots, self._keys.bot_tokens]
        arguments = [name, old, new, old_token, token, most]
        outcome, holder = await self._call(self._put(keys=keys, args=arguments))
        return outcome, holder.decode()

    # Presence

    async def present(self, token_hashes: Collection[bytes]) -> None:
        """Say that these tokens are connected."""
        now = time.time()
        if token_hashes:
            await self._call(self._redis.zadd(self._keys.present, dict.fromkeys(token_hashes, now)))
        await self._call(self._redis.zremrangebyscore(self._keys.present, 0, now - PRESENT_SECONDS))

    async def absent(self, token_hashes: Collection[bytes]) -> None:
        """Say that these have left; a node that still has one of them says so with its next beat."""
        if token_hashes:
            await self._call(self._redis.zrem(self._keys.present, *token_hashes))

    async def connected(self, token_hashes: Collection[bytes]) -> set[bytes]:
        """Those of the tokens that are connected, at any node."""
        tokens = list(token_hashes)
        if not tokens:
            return set()
        seen = await self._call(self._redis.zmscore(self._keys.present, tokens))
        now = time.time()  # a later time was left by a clock that has been set back since
        lately = (at is not None and now - PRESENT_SECONDS < at < now + PRESENT_SECONDS for at in seen)
        return {token for token, is_here in zip(tokens, lately, strict=True) if is_here}

    # Places

    async def open_matches(self, token_hashes: Collection[bytes]) -> dict[bytes, list[str]]:
        """By token the matches that are not over in which it has a place, sorted.

        Drops places in matches that are over or never came to be: a match is due from before a place is taken in it
        until after it has ended.
        """
        tokens = list(dict.fromkeys(token_hashes))
        if not tokens:
            return {}
        pipe = self._redis.pipeline(transaction=False)
        for token in tokens:
            pipe.smembers(self._keys.seats(token))
        held = [sorted(one) for one in await self._call(pipe.execute())]
        matches = sorted({match for one in held for match in one})
        scores = await self._call(self._redis.zmscore(self._keys.due, matches)) if matches else []
        due = {match for match, score in zip(matches, scores, strict=True) if score is not None}
        for token, one in zip(tokens, held, strict=True):
            stale = [match for match in one if match not in due]
            if stale:
                await self._call(self._redis.srem(self._keys.seats(token), *stale))
        return {
            token: [match.decode() for match in one if match in due]
            for token, one in zip(tokens, held, strict=True)
        }

    async def take_place(self, token_hash: bytes, match_id: str, capacity: int) -> int:
        """Take a place in a match unless the token has as many as `capacity` (0: no limit); gives the outcome."""
        arguments = [match_id, capacity]
        return cast(int, await self._call(self._take(keys=[self._keys.seats(token_hash)], args=arguments)))

    async def give_back(self, token_hash: bytes, match_id: str) -> None:
        """Give back a place that was taken for nothing."""
        await self._call(self._redis.srem(self._keys.seats(token_hash), match_id))
