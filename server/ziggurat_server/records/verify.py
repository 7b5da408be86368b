"""Verification: replay a record by the rules and compare hashes, result and the seed's commitment."""

from __future__ import annotations

from dataclasses import dataclass

from ziggurat_rules.errors import BadRecord, RulesError
from ziggurat_server import convert
from ziggurat_server.errors import EngineFault, ServiceError
from ziggurat_server.log import Kind, Standing
from ziggurat_server.matches.live import FINISHED, LiveMatch, commitment_of
from ziggurat_server.records.zgr import unpack


@dataclass(frozen=True, slots=True)
class Verified:
    """What a good record says."""

    match_id: str
    game: str
    decisions: int
    standings: tuple[Standing, ...]
    void_reason: str


def replay(data: bytes, entries: int | None = None) -> LiveMatch:
    """The match of a .zgr file after its first `entries` entries (all if None). Raises BadRecord."""
    header, log = unpack(data)
    if commitment_of(header.seed, header.salt) != header.commitment:
        raise BadRecord("commitment", "seed and salt are not those that were committed to at creation")
    try:
        live = LiveMatch(header, b"", convert.update_item)
        for entry in log[:entries]:
            if live.over:
                raise BadRecord("record", "entries follow after the end of the match")
            if entry.kind == Kind.CLOSE:
                _check_close(live, entry.state_hash, entry.standings)
            live.fold(entry)
    except (RulesError, ServiceError, EngineFault) as error:
        raise BadRecord("record", str(error)) from None
    except IndexError:
        raise BadRecord("record", "an entry names a seat that the match does not have") from None
    return live


def _check_close(live: LiveMatch, state_hash: int, standings: tuple[Standing, ...]) -> None:
    if not live.rules.over:
        raise BadRecord("record", "it is closed with a result before the game is over")
    if state_hash != live.state_hash():
        raise BadRecord("record", f"final hash {live.state_hash():08x}, the record has {state_hash:08x}")
    if standings != live.result():
        raise BadRecord("record", "the standings are not those of the replayed game")


def verify(data: bytes) -> Verified:
    """Replay a whole record; raises BadRecord with what is wrong."""
    live = replay(data)
    if not live.over:
        raise BadRecord("record", "the match has not ended in it")
    if live.state == FINISHED and not live.rules.over:
        raise BadRecord("record", "it has a result though the game is not over")
    header = live.header
    return Verified(header.match_id, header.game, live.rules.answers, live.standings, live.void_reason)
