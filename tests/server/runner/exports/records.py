"""Records of games of small events, made by the rules without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ziggurat_rules.game import options_dict, parse_options
from ziggurat_rules.registry import load_game
from ziggurat_server import convert
from ziggurat_server.log import Entry, EventGame, Header, Kind, Policy, SeatSpec
from ziggurat_server.matches.live import LiveMatch, commitment_of
from ziggurat_server.records.zgr import pack
from ziggurat_server.runner.exports import Description
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec
from ziggurat_server.tournaments.log import EventHeader, State, match_id
from ziggurat_server.tournaments.results import Round
from ziggurat_server.tournaments.state import EventState

FLOW = load_game("flow")
OPTIONS = options_dict(parse_options(FLOW.options, {}))
SPEC = EventSpec(
    "flow",
    (Entrant("a", "1.0"), Entrant("b", "2.0")),
    seats=2,
    options=OPTIONS,
    format=FormatSpec("round_robin", rounds=2),
    seed=5,
    policy=Policy(decision_ms=0, bank_ms=0),
)
EVENT = Description(
    "event",
    SPEC,
    FLOW.rules_version,
    State.FINISHED,
    "all games are over",
    (Round(0, (("a", "b"),)), Round(1, (("b", "a"),))),
)


def header(number: int, attempt: int = 0) -> Header:
    """How a game of the event began: game 0 to 3."""
    at, rotation = divmod(number, 2)
    bots = EVENT.rounds[at].tables[0]
    state = EventState(EventHeader("event", SPEC, b"", b"", 0, FLOW.rules_version, seed_chosen=True))
    salt = bytes([number]) * 16
    return Header(
        match_id=match_id("event", number, attempt),
        game="flow",
        rules_version=FLOW.rules_version,
        options=OPTIONS,
        packs=(),
        seed=state.deal_seed(at),
        salt=salt,
        commitment=commitment_of(state.deal_seed(at), salt),
        seed_chosen=True,
        seats=tuple(SeatSpec(bot, bytes(32)) for bot in bots[rotation:] + bots[:rotation]),
        policy=SPEC.policy,
        created_ms=1,
        durability="always",
        event=EventGame("event", number, at, 0, rotation, attempt),
    )


def changed(head: Header, **event: int | str) -> Header:
    """The header of another game of an event."""
    assert head.event is not None
    return replace(head, event=replace(head.event, **event))  # type: ignore[arg-type]


def played(head: Header) -> list[Entry]:
    """The log of a match in which each seat takes the default of each decision."""
    live = LiveMatch(head, b"", convert.update_item)
    entries = []

    def add(entry: Entry) -> None:
        live.fold(entry)
        entries.append(entry)

    for seat in range(len(head.seats)):
        add(Entry(Kind.READY, seat=seat))
    while not live.rules.over:
        seat = next(number for number, one in enumerate(live.seats) if one.decision is not None)
        state = live.seats[seat]
        assert state.decision is not None
        choice = state.decision.default
        values = (choice,) if isinstance(choice, int) else choice
        add(Entry(Kind.ANSWER, seat, state.decision_id, values, state_hash=live.state_hash()))
    add(Entry(Kind.CLOSE, state_hash=live.state_hash(), standings=live.result()))
    return entries


def zgr(head: Header, entries: Sequence[Entry]) -> bytes:
    """A record file."""
    return pack(convert.encode_header(head), map(convert.encode_entry, entries))


def write(directory: Path, *heads: Header, name: str = "") -> None:
    """Write records of matches that were played to their end."""
    directory.mkdir(exist_ok=True)
    for head in heads:
        (directory / f"{name or head.match_id}.zgr").write_bytes(zgr(head, played(head)))
