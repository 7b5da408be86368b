"""Names of everything in Redis. A match's keys share a hash tag, so that they lie in one slot of a cluster."""

from __future__ import annotations


class Keys:
    """All keys, under one prefix."""

    def __init__(self, prefix: str = "zg") -> None:
        self.due = f"{prefix}:due"
        """Sorted set: each open match with the time (Unix ms) of its next look."""
        self.events = f"{prefix}:events"
        """Sorted set: each open event with the time (Unix ms) at which another node takes care of it."""
        self.past_events = f"{prefix}:events:past"
        """Sorted set: events that are over, with the time."""
        self.nodes = f"{prefix}:nodes"
        """Sorted set: each node with the time it was last alive."""
        self.wake = f"{prefix}:wake"
        """Channel: `id tip` of matches with news, and `token: hash` of tokens that got a seat."""
        self.bots = f"{prefix}:{{bots}}:register"
        """Hash: by name the entry of each registered bot."""
        self.bot_tokens = f"{prefix}:{{bots}}:tokens"
        """Hash: by token hash the name of the bot that is registered with it."""
        self.present = f"{prefix}:present"
        """Sorted set: each token hash with a stream at some node, with the time (Unix) that node last said so."""
        self._prefix = prefix

    def log(self, match_id: str) -> str:
        """List: the header, then the entries."""
        return f"{self._prefix}:{{{match_id}}}:log"

    def tip(self, match_id: str) -> str:
        """String: the chain hash (8 bytes) of header and entries."""
        return f"{self._prefix}:{{{match_id}}}:tip"

    def clock(self, match_id: str) -> str:
        """Hash: by seat the clock of its open decision."""
        return f"{self._prefix}:{{{match_id}}}:clock"

    def seats(self, token_hash: bytes) -> str:
        """Set: matches in which this token holds a seat."""
        return f"{self._prefix}:seats:{token_hash.hex()}"

    def deal(self, commitment: bytes) -> str:
        """Set: open matches of one seed (named by a hash), and `event number` of events with games of it to come."""
        return f"{self._prefix}:deal:{commitment.hex()}"
