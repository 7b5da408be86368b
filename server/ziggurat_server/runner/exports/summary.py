"""What an event was and what came of it: the one value that all exports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ziggurat_server.bots.values import Rating
from ziggurat_server.tournaments.event import EventSpec
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.results import GameResult, Round
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics import Report, report


@dataclass(frozen=True, slots=True)
class Description:
    """What an event was, with all that records of games do not tell."""

    event_id: str
    spec: EventSpec
    """All filled in, bots that came late included; without tokens."""
    rules_version: int = 0
    """0 if it is not known."""
    state: State = State.RUNNING
    reason: str = ""
    """Why it ended."""
    rounds: tuple[Round, ...] = ()
    """As they were drawn; those that are left out are rebuilt from the records as far as these go."""
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    """Bots that were taken out, and why."""
    pending: tuple[tuple[int, int], ...] = ()
    """(round, table) of blocks with games to come."""
    dropped: int = 0
    """Games that are not played."""
    voids: int = 0
    """Tries of games that ended without a result."""
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    """Ratings of bots before the event."""
    lost: Mapping[str, str] = field(default_factory=dict)
    """Launched bots that ended for good before their games did, and how."""


@dataclass(frozen=True, slots=True)
class Summary:
    """An event, its statistics, and its games by number."""

    event: Description
    report: Report
    games: tuple[GameResult, ...] = ()
    commitments: Mapping[str, str] = field(default_factory=dict)
    """By match id of games: the commitment to the seed (hex), as far as it is known."""


def summarize(
    state: EventState,
    seed: int | None = None,
    commitments: Mapping[str, str] | None = None,
    lost: Mapping[str, str] | None = None,
) -> Summary:
    """The summary of an event as its log tells it. `seed`: the event's, if it is known by now."""
    header = state.header
    bots = tuple(replace(bot, token_sha256=b"") for bot in state.entrants.values())
    known = header.spec.seed if seed is None else seed
    event = Description(
        event_id=header.event_id,
        spec=replace(header.spec, bots=bots, seed=known, options=dict(sorted(header.spec.options.items()))),
        rules_version=header.rules_version,
        state=state.state,
        reason=state.reason,
        rounds=tuple(drawn.round for drawn in state.rounds),
        withdrawn=dict(state.withdrawn),
        pending=tuple(sorted(state.pending_blocks())),
        dropped=state.dropped,
        voids=state.voids,
        ratings=dict(sorted(header.ratings.items())),
        lost=lost or {},
    )
    return summary_of(event, tuple(state.ordered_results()), commitments or {})


def summary_of(event: Description, games: tuple[GameResult, ...], commitments: Mapping[str, str]) -> Summary:
    """The summary of an event with these games."""
    live = {bot: (rating.mu, rating.sigma) for bot, rating in event.ratings.items()}
    found = report(event.spec, event.rounds, games, event.withdrawn, live, event.pending)
    known = {game.match_id: commitments[game.match_id] for game in games if game.match_id in commitments}
    return Summary(event, found, games, known)
