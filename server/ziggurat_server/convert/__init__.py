"""Between the wire and the server's own values; the stubs are known here and in services/ only."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ziggurat.v1 import bot_pb2, game_pb2, match_pb2, play_pb2, record_pb2
from ziggurat_rules.catalogue import Pack
from ziggurat_rules.decisions import Choice, Decision
from ziggurat_rules.game import Game, Options, step_names
from ziggurat_rules.layout import Audience, ZoneKind
from ziggurat_rules.projection import Cells
from ziggurat_rules.terms import Term
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import (
    Cause,
    Entry,
    EventGame,
    Fallback,
    Fault,
    Header,
    Kind,
    Policy,
    SeatSpec,
    Standing,
    Wish,
)

# Games


def summary_message(game: Game[Any]) -> game_pb2.GameSummary:
    """A game in one line."""
    return game_pb2.GameSummary(
        name=game.name,
        title=game.title,
        rules_version=game.rules_version,
        min_seats=game.seats.start,
        max_seats=game.seats.stop - 1,
    )


def game_info(game: Game[Any], seats: int, options: Options) -> game_pb2.GameInfo:
    """Everything that stays the same in matches of this game, so many seats and these options."""
    layout = game.layout(seats, options)
    info = game_pb2.GameInfo(
        summary=summary_message(game),
        seats=seats,
        options=option_messages(type(options)),
        verbs=[
            game_pb2.Verb(
                name=verb.name,
                text=verb.text,
                arguments=[game_pb2.Argument(name=a.name, kind=a.kind) for a in verb.arguments],
            )
            for verb in game.vocabulary.verbs
        ],
        words=game.vocabulary.words,
        steps=step_names(game.steps),
        cards=[
            game_pb2.Card(
                id=card.id,
                name=card.name,
                back=card.back,
                copies=card.copies,
                text=card.text,
                facts_json=json.dumps(dict(card.facts), sort_keys=True, ensure_ascii=False, default=list),
                sources=dict(card.sources),
            )
            for card in game.catalogue.cards
        ],
        backs=game.catalogue.backs,
        owners=layout.owners,
        max_decisions=game.max_decisions,
        cells=[
            game_pb2.Cell(
                key=cell.key,
                kind=cell.kind,
                name=cell.name,
                owner=cell.owner,
                shown=(ZoneKind if cell.kind == "zone" else Audience)(cell.shown).name.lower(),
                doc=cell.doc,
                holds=cell.holds,
            )
            for cell in layout.cells()
        ],
    )
    info.id = hashlib.sha256(info.SerializeToString(deterministic=True)).hexdigest()[:16]
    return info


def option_messages(kind: type[Options]) -> list[game_pb2.OptionInfo]:
    """What may be varied."""
    return [
        game_pb2.OptionInfo(
            name=f.name,
            doc=f.metadata["doc"],
            default_value=str(f.default).lower() if isinstance(f.default, bool) else str(f.default),
            choices=["true", "false"] if isinstance(f.default, bool) else map(str, f.metadata["choices"]),
        )
        for f in dataclasses.fields(kind)
    ]


def pack_messages(packs: Iterable[Pack]) -> list[game_pb2.CardPack]:
    """Card packs as messages."""
    return [game_pb2.CardPack(name=pack.name, text=pack.text) for pack in packs]


def read_packs(packs: Iterable[game_pb2.CardPack]) -> tuple[Pack, ...]:
    """Card packs of a request."""
    return tuple(Pack(pack.name or "pack", pack.text) for pack in packs)


# Views and decisions


def update_message(
    version: int,
    state_hash: int,
    cells: Cells,
    events: Iterable[Term],
    snapshot: bool = False,
    rolled_back: bool = False,
) -> play_pb2.Update:
    """A change of a view, or the whole of it."""
    sizes: list[int] = []
    values: list[int] = []
    for cell in cells.values():
        sizes.append(len(cell))
        values += cell
    event_sizes: list[int] = []
    event_values: list[int] = []
    for event in events:
        event_sizes.append(len(event))
        event_values += event
    return play_pb2.Update(
        version=version,
        hash=state_hash,
        keys=cells,
        sizes=sizes,
        values=values,
        event_sizes=event_sizes,
        events=event_values,
        snapshot=snapshot,
        rolled_back=rolled_back,
    )


def update_item(version: int, state_hash: int, cells: Cells, events: Iterable[Term]) -> bytes:
    """A change of a view as an encoded item."""
    return item(UPDATE, update_message(version, state_hash, cells, events).SerializeToString())


_KINDS = (
    play_pb2.DECISION_KIND_OPTIONS,
    play_pb2.DECISION_KIND_SUBSET,
    play_pb2.DECISION_KIND_RANGE,
)


def decision_message(decision_id: int, decision: Decision, left_ms: int) -> play_pb2.Decision:
    """A Decision as its seat gets it."""
    flat: list[int] = []
    for option in decision.options:
        flat += option
    sizes = list(map(len, decision.options))
    even = bool(sizes) and min(sizes) == max(sizes)
    return play_pb2.Decision(
        id=decision_id,
        kind=_KINDS[decision.kind],
        prompt=decision.prompt,
        option_sizes=() if even else sizes,
        option_size=sizes[0] if even else 0,
        options=flat,
        low=decision.low,
        high=decision.high,
        default_choice=choice_values(decision.default),
        left_ms=left_ms,
    )


def choice_values(choice: Choice) -> tuple[int, ...]:
    """A choice as the wire and the log have it."""
    return (choice,) if isinstance(choice, int) else choice


# Frames: already encoded messages put together without building them again


def _varint(value: int) -> bytes:
    if value < 128:
        return bytes((value,))
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


UPDATE, DECISION, VERDICT, CLOSED, OPENED = 3, 4, 5, 6, 2


def item(field: int, payload: bytes) -> bytes:
    """An encoded MatchItem without its channel; `field` is its number in the oneof. Streams share it."""
    return b"".join((bytes((field << 3 | 2,)), _varint(len(payload)), payload))


def channel_head(channel: int) -> bytes:
    """The channel of a MatchItem, encoded."""
    return b"\x08" + _varint(channel)


def play_frame(head: bytes, item: bytes) -> bytes:
    """An item of a channel as an element of PlayResponse.items."""
    return b"".join((b"\x12", _varint(len(head) + len(item)), head, item))


def watch_frame(item: bytes) -> bytes:
    """An item (channel 0) as an element of WatchResponse.items."""
    return b"".join((b"\x0a", _varint(len(item)), item))


# Log


def policy_message(policy: Policy) -> record_pb2.Policy:
    """A policy as it is shown and logged."""
    return record_pb2.Policy(
        decision_ms=policy.decision_ms,
        bank_ms=policy.bank_ms,
        increment_ms=policy.increment_ms,
        hard_cap_ms=policy.hard_cap_ms,
        illegal_retries=policy.illegal_retries,
        on_illegal=int(policy.on_illegal),  # type: ignore[arg-type]
        on_timeout=int(policy.on_timeout),  # type: ignore[arg-type]
        gone_ms=policy.gone_ms,
        on_gone=int(policy.on_gone),  # type: ignore[arg-type]
        ready_ms=policy.ready_ms,
        bank_every=policy.bank_every,
        gone_bank_ms=policy.gone_bank_ms,
    )


def read_policy(message: record_pb2.Policy) -> Policy:
    """A policy of a request or a log; raises ServiceError if a fallback is none."""
    return Policy(
        message.decision_ms,
        message.bank_ms,
        message.increment_ms,
        message.hard_cap_ms,
        message.illegal_retries,
        _fallback("on_illegal", message.on_illegal),
        _fallback("on_timeout", message.on_timeout),
        message.gone_ms,
        _fallback("on_gone", message.on_gone),
        message.ready_ms,
        message.bank_every,
        message.gone_bank_ms,
    )


def _fallback(name: str, value: int) -> Fallback:
    if value not in (0, *Fallback):
        raise ServiceError(
            "BAD_FIELD", f"policy.{name}", f"{value} is none of default, random, forfeit (1 to 3)"
        )
    return Fallback(value or 1)


def header_message(header: Header) -> record_pb2.LogHeader:
    """The header as a message."""
    return record_pb2.LogHeader(
        match_id=header.match_id,
        game=header.game,
        rules_version=header.rules_version,
        options=header.options,
        packs=pack_messages(header.packs),
        seed=header.seed,
        salt=header.salt,
        commitment=header.commitment,
        seed_chosen=header.seed_chosen,
        seats=map(_seat_message, header.seats),
        policy=policy_message(header.policy),
        created_ms=header.created_ms,
        durability=header.durability,
        owner_token_sha256=header.owner_token_sha256,
        event=event_game_message(header.event),
    )


def _seat_message(seat: SeatSpec) -> record_pb2.SeatSpec:
    bot = None if seat.wish is None else bot_pb2.BotWish(**dataclasses.asdict(seat.wish))
    return record_pb2.SeatSpec(name=seat.name, token_sha256=seat.token_sha256, bot=bot)


def read_seat(m: record_pb2.SeatSpec) -> SeatSpec:
    """A seat of a request or a log."""
    return SeatSpec(m.name, m.token_sha256, _read_wish(m.bot) if m.HasField("bot") else None)


def _read_wish(m: bot_pb2.BotWish) -> Wish:
    return Wish(
        m.name,
        m.near_rating if m.HasField("near_rating") else None,
        m.max_distance if m.HasField("max_distance") else None,
    )


def event_game_message(game: EventGame | None) -> record_pb2.EventGame | None:
    """Which game of an event a match is, as a message."""
    return None if game is None else record_pb2.EventGame(**dataclasses.asdict(game))


def _read_event_game(m: record_pb2.EventGame) -> EventGame:
    return EventGame(m.event_id, m.number, m.round, m.table, m.rotation, m.attempt)


def encode_header(header: Header) -> bytes:
    """The header as the log keeps it; equal headers give equal bytes."""
    return header_message(header).SerializeToString(deterministic=True)


def decode_header(data: bytes) -> Header:
    """A header of a log; DecodeError if it is damaged."""
    return read_header(record_pb2.LogHeader.FromString(data))


def read_header(m: record_pb2.LogHeader) -> Header:
    """A header from its message."""
    return Header(
        m.match_id,
        m.game,
        m.rules_version,
        dict(m.options),
        read_packs(m.packs),
        m.seed,
        m.salt,
        m.commitment,
        m.seed_chosen,
        tuple(map(read_seat, m.seats)),
        read_policy(m.policy),
        m.created_ms,
        m.durability,
        m.owner_token_sha256,
        _read_event_game(m.event) if m.HasField("event") else None,
    )


def standing_message(s: Standing) -> play_pb2.Standing:
    """A standing as a message."""
    return play_pb2.Standing(
        seat=s.seat, points=s.points, tie_break=s.tie_break, place=s.place, forfeited=s.forfeited
    )


def encode_entry(entry: Entry) -> bytes:
    """An entry as the log keeps it."""
    message = record_pb2.LogEntry(
        kind=int(entry.kind),  # type: ignore[arg-type]
        seat=entry.seat,
        decision_id=entry.decision_id,
        choice=entry.choice,
        move_id=entry.move_id,
        state_hash=entry.state_hash,
        charged_ms=entry.charged_ms,
        sent_ms=entry.sent_ms,
        received_ms=entry.received_ms,
        absent_ms=entry.absent_ms,
    )
    if entry.kind != Kind.ANSWER:  # most entries are answers, which have nothing more
        message.MergeFrom(
            record_pb2.LogEntry(
                cause=int(entry.cause),  # type: ignore[arg-type]
                note=entry.note,
                name=entry.name,
                token_sha256=entry.token_sha256,
                standings=map(standing_message, entry.standings),
                applied_ms=entry.applied_ms,
                bank_ms=entry.bank_ms,
                round_trip_ms=entry.round_trip_ms,
                fallback=entry.fallback,  # type: ignore[arg-type]
            )
        )
    return message.SerializeToString()


def decode_entry(data: bytes) -> Entry:
    """An entry of a log; DecodeError or ValueError if it is damaged."""
    return read_entry(record_pb2.LogEntry.FromString(data))


def read_entry(m: record_pb2.LogEntry) -> Entry:
    """An entry from its message."""
    return Entry(
        Kind(m.kind),
        m.seat,
        m.decision_id,
        tuple(m.choice),
        m.move_id,
        m.state_hash,
        m.charged_ms,
        m.sent_ms,
        m.received_ms,
        Cause(m.cause),
        m.note,
        m.name,
        m.token_sha256,
        tuple(Standing(s.seat, s.points, tuple(s.tie_break), s.place, s.forfeited) for s in m.standings),
        m.applied_ms,
        m.bank_ms,
        m.round_trip_ms,
        m.absent_ms,
        m.fallback,
    )


def fault_message(fault: Fault, choices: bool = False) -> record_pb2.Fault:
    """A fault as a message. What the seat sent, was offered and got is only for its owner, so it must be asked for."""
    return record_pb2.Fault(
        seat=fault.seat,
        decision_id=fault.decision_id,
        cause=int(fault.cause),  # type: ignore[arg-type]
        sent_ms=fault.sent_ms,
        received_ms=fault.received_ms,
        applied_ms=fault.applied_ms,
        charged_ms=fault.charged_ms,
        bank_ms=fault.bank_ms,
        round_trip_ms=fault.round_trip_ms,
        submission=fault.submission if choices else (),
        substitute=fault.substitute if choices else (),
        note=fault.note if choices else "",
        fallback=fault.fallback,  # type: ignore[arg-type]
    )


def record_bytes(header: bytes, entries: Iterable[bytes]) -> bytes:
    """An encoded Record from the encoded parts of a log."""
    parts = [b"\x0a", _varint(len(header)), header]
    for entry in entries:
        parts += (b"\x12", _varint(len(entry)), entry)
    return b"".join(parts)


def split_record(data: bytes) -> tuple[Header, list[Entry]]:
    """Header and entries of an encoded Record; DecodeError or ValueError if it is damaged."""
    record = record_pb2.Record.FromString(data)
    return read_header(record.header), [read_entry(entry) for entry in record.entries]


# Matches


def match_states() -> Mapping[str, int]:
    """Match states by name."""
    return {
        "waiting": match_pb2.MATCH_STATE_WAITING,
        "playing": match_pb2.MATCH_STATE_PLAYING,
        "finished": match_pb2.MATCH_STATE_FINISHED,
        "void": match_pb2.MATCH_STATE_VOID,
    }
