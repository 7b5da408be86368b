"""Between the wire's messages of events and the server's own values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace

from ziggurat.v1 import bot_pb2, record_pb2, tournament_pb2
from ziggurat_server import convert
from ziggurat_server.bots.values import Rating
from ziggurat_server.convert import bots as convert_bots
from ziggurat_server.log import Cause, Fault, Faults, Standing
from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec, Memory, StopRule
from ziggurat_server.tournaments.formats import Audit
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind, State
from ziggurat_server.tournaments.results import GameResult, Round, SeatResult
from ziggurat_server.tournaments.statistics.values import BotStanding, Estimate, Report, TestStatus

# Specs


def entrant_message(bot: Entrant, public: bool = False) -> tournament_pb2.Entrant:
    """A bot; token hashes are left out where everybody reads."""
    token = b"" if public else bot.token_sha256
    return tournament_pb2.Entrant(
        name=bot.name,
        version=bot.version,
        token_sha256=token,
        capacity=bot.capacity,
        registered=bot.registered,
    )


def read_entrant(m: tournament_pb2.Entrant) -> Entrant:
    """A bot from its message."""
    return Entrant(m.name, m.version, m.token_sha256, m.capacity, m.registered)


def spec_message(spec: EventSpec, public: bool = False, seed: bool = False) -> tournament_pb2.EventSpec:
    """An event; if `public` without token hashes, and with its seed only if `seed`."""
    message = tournament_pb2.EventSpec(
        game=spec.game,
        bots=[entrant_message(bot, public) for bot in spec.bots],
        seats=spec.seats,
        options=spec.options,
        packs=convert.pack_messages(spec.packs),
        format=tournament_pb2.Format(**asdict(spec.format)),
        memory=int(spec.memory),  # type: ignore[arg-type]
        concurrency=spec.concurrency,
        policy=convert.policy_message(spec.policy),
        tries=spec.tries,
    )
    if spec.seed is not None and (seed or not public):
        message.seed = spec.seed
    if spec.stop is not None:
        message.stop.CopyFrom(tournament_pb2.StopRule(**asdict(spec.stop)))
    return message


def read_spec(m: tournament_pb2.EventSpec) -> EventSpec:
    """An event from its message; what is left out gets its default. Raises BadEvent if a word is none."""
    if m.memory not in (0, *Memory):
        raise BadEvent("memory", f"{m.memory} is none of stateless, process, independent (1 to 3)")
    default = EventSpec(m.game, ())
    return EventSpec(
        game=m.game,
        bots=tuple(map(read_entrant, m.bots)),
        seats=m.seats,
        options=dict(m.options),
        packs=convert.read_packs(m.packs),
        format=_read_format(m.format),
        seed=m.seed if m.HasField("seed") else None,
        memory=Memory(m.memory or Memory.STATELESS),
        concurrency=m.concurrency or default.concurrency,
        policy=convert.read_policy(m.policy) if m.HasField("policy") else default.policy,
        tries=m.tries or default.tries,
        stop=_read_stop(m.stop) if m.HasField("stop") else None,
    )


def _read_format(m: tournament_pb2.Format) -> FormatSpec:
    name = m.name or FormatSpec().name
    return FormatSpec(name, m.rounds, tuple(m.candidates), m.advance, m.rotations)


def _read_stop(m: tournament_pb2.StopRule) -> StopRule:
    return StopRule(m.candidate, m.baseline, m.h0, m.h1, m.alpha, m.beta)


# Rounds and results


def round_message(drawn: Round) -> tournament_pb2.Round:
    """A round as it was drawn."""
    labels = drawn.labels or ("",) * len(drawn.tables)
    tables = [
        tournament_pb2.Table(bots=bots, label=label) for bots, label in zip(drawn.tables, labels, strict=True)
    ]
    return tournament_pb2.Round(number=drawn.number, tables=tables, byes=drawn.byes)


def read_round(m: tournament_pb2.Round) -> Round:
    """A round from its message."""
    labels = tuple(table.label for table in m.tables)
    tables = tuple(tuple(table.bots) for table in m.tables)
    return Round(m.number, tables, tuple(m.byes), labels if any(labels) else ())


def result_message(
    game: GameResult, shown: Callable[[str], bool] = lambda bot: True
) -> tournament_pb2.GameResult:
    """A game with its result. `shown`: the bots whose choices are told."""
    seats = [
        tournament_pb2.SeatResult(
            bot=seat.bot,
            standing=convert.standing_message(
                Standing(number, seat.points, seat.tie_break, seat.place, seat.forfeited)
            ),
            illegal=seat.faults.illegal,
            late=seat.faults.late,
            gone=seat.faults.gone,
            substitutes=seat.faults.substitutes,
        )
        for number, seat in enumerate(game.seats)
    ]
    return tournament_pb2.GameResult(
        number=game.number,
        round=game.round,
        table=game.table,
        rotation=game.rotation,
        attempt=game.attempt,
        match_id=game.match_id,
        seats=seats,
        decisions=game.decisions,
        faults=[convert.fault_message(fault, shown(game.seats[fault.seat].bot)) for fault in game.faults],
    )


def _read_fault(m: record_pb2.Fault) -> Fault:
    values = {f.name: getattr(m, f.name) for f in fields(Fault)}
    return Fault(
        **values
        | {"cause": Cause(m.cause), "submission": tuple(m.submission), "substitute": tuple(m.substitute)}
    )


def read_result(m: tournament_pb2.GameResult) -> GameResult:
    """A result from its message."""
    seats = tuple(
        SeatResult(
            seat.bot,
            seat.standing.points,
            seat.standing.place,
            tuple(seat.standing.tie_break),
            seat.standing.forfeited,
            Faults(seat.illegal, seat.late, seat.gone, seat.substitutes, int(seat.standing.forfeited)),
        )
        for seat in m.seats
    )
    return GameResult(
        m.number,
        m.round,
        m.table,
        m.rotation,
        seats,
        m.match_id,
        m.attempt,
        m.decisions,
        tuple(map(_read_fault, m.faults)),
    )


# The log


def encode_event_header(header: EventHeader) -> bytes:
    """The header as the log keeps it; equal headers give equal bytes."""
    return tournament_pb2.EventHeader(
        event_id=header.event_id,
        spec=spec_message(header.spec),
        owner_token_sha256=header.owner_token_sha256,
        launch_key=header.launch_key,
        created_ms=header.created_ms,
        rules_version=header.rules_version,
        seed_chosen=header.seed_chosen,
        ratings=ratings_messages(header.ratings),
    ).SerializeToString(deterministic=True)


def decode_event_header(data: bytes) -> EventHeader:
    """A header of a log; DecodeError if it is damaged."""
    m = tournament_pb2.EventHeader.FromString(data)
    return EventHeader(
        m.event_id,
        read_spec(m.spec),
        m.owner_token_sha256,
        m.launch_key,
        m.created_ms,
        m.rules_version,
        m.seed_chosen,
        read_ratings(m.ratings),
    )


def ratings_messages(ratings: Mapping[str, Rating]) -> dict[str, bot_pb2.BotRating]:
    """Ratings by name of the bot."""
    return {bot: convert_bots.rating_message("", rating) for bot, rating in ratings.items()}


def read_ratings(messages: Mapping[str, bot_pb2.BotRating]) -> dict[str, Rating]:
    """Ratings from their messages."""
    return {bot: convert_bots.read_rating(rating) for bot, rating in messages.items()}


def entry_message(
    entry: EventEntry, shown: Callable[[str], bool] = lambda bot: True
) -> tournament_pb2.EventEntry:
    """An entry as a message. `shown`: the bots whose choices are told."""
    return tournament_pb2.EventEntry(
        kind=int(entry.kind),  # type: ignore[arg-type]
        at_ms=entry.at_ms,
        round=None if entry.round is None else round_message(entry.round),
        game=entry.game,
        attempt=entry.attempt,
        result=None if entry.result is None else result_message(entry.result, shown),
        entrant=None if entry.entrant is None else entrant_message(entry.entrant),
        bot=entry.bot,
        reason=entry.reason,
        state=int(entry.state or 0),  # type: ignore[arg-type]
        cause=int(entry.cause),  # type: ignore[arg-type]
    )


def encode_event_entry(entry: EventEntry) -> bytes:
    """An entry as the log keeps it."""
    return entry_message(entry).SerializeToString()


def decode_event_entry(data: bytes) -> EventEntry:
    """An entry of a log; DecodeError or ValueError if it is damaged."""
    m = tournament_pb2.EventEntry.FromString(data)
    return EventEntry(
        Kind(m.kind),
        m.at_ms,
        read_round(m.round) if m.HasField("round") else None,
        m.game,
        m.attempt,
        read_result(m.result) if m.HasField("result") else None,
        read_entrant(m.entrant) if m.HasField("entrant") else None,
        m.bot,
        m.reason,
        State(m.state) if m.state else None,
        Cause(m.cause),
    )


def public_entry(entry: EventEntry, seed: int) -> tournament_pb2.EventEntry:
    """An entry as everybody may know it; the seed is told with the end."""
    if entry.entrant is not None:
        entry = replace(entry, entrant=replace(entry.entrant, token_sha256=b""))
    message = entry_message(entry, lambda bot: False)
    if entry.kind == Kind.CLOSED:
        message.seed = seed
    return message


# Plans and statistics


def audit_message(found: Audit) -> tournament_pb2.Audit:
    """How balanced a schedule is."""
    return tournament_pb2.Audit(**asdict(found))


def test_message(test: TestStatus | None) -> tournament_pb2.TestStatus | None:
    """A sequential test."""
    return None if test is None else tournament_pb2.TestStatus(**asdict(test))


def standings_message(found: Report) -> tournament_pb2.GetStandingsResponse:
    """Standings and statistics; what is None is left out."""
    return tournament_pb2.GetStandingsResponse(
        bots=map(_bot_message, found.bots),
        cross=[tournament_pb2.CrossCell(**asdict(cell)) for cell in found.cross],
        seats=map(_estimate_message, found.seats),
        complete_blocks=found.complete_blocks,
        incomplete_blocks=found.incomplete_blocks,
        variance_ratio=found.variance_ratio,
        test=test_message(found.test),
        notes=found.notes,
    )


def _bot_message(bot: BotStanding) -> tournament_pb2.BotStanding:
    values = {f.name: getattr(bot, f.name) for f in fields(bot) if f.name not in ("faults", "rating")}
    rating = None if bot.rating is None else _estimate_message(bot.rating)
    return tournament_pb2.BotStanding(**values, **asdict(bot.faults), rating=rating)


def _estimate_message(estimate: Estimate) -> tournament_pb2.Estimate:
    return tournament_pb2.Estimate(**asdict(estimate))
