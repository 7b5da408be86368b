"""Results from records alone: every record is verified by replay, and nothing that the run wrote down is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ziggurat_rules.errors import BadRecord, RulesError
from ziggurat_rules.game import options_dict, parse_options
from ziggurat_rules.registry import load_game
from ziggurat_server.log import EventGame, Header, Kind, Policy
from ziggurat_server.matches.faults import evidence_of
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.exports.summary import Description, Summary, summary_of
from ziggurat_server.tournaments.formats.checks import MOST_IN_A_ROUND
from ziggurat_server.tournaments.log import EventHeader, match_id
from ziggurat_server.tournaments.results import GameResult, Round, seat_results
from ziggurat_server.tournaments.state import EventState

UNKNOWN = "?"
"""A bot at a table that was drawn, as later tables of its round tell, and of which there is no record."""


@dataclass(frozen=True, slots=True)
class Records:
    """What the records of an event say."""

    games: tuple[GameResult, ...] = ()
    """By number."""
    voids: int = 0
    """Tries that ended without a result."""
    rounds: tuple[Round, ...] = ()
    """As far as there are records of them; byes and labels are in no record."""
    rules_version: int = 0
    """0 without records."""
    policy: Policy | None = None
    """By which they were played; None without records."""
    commitments: Mapping[str, str] = field(default_factory=dict)
    """By match id (hex)."""


@dataclass(frozen=True, slots=True)
class _File:
    """A record by its header. `finished`: whether it ends with a result."""

    path: Path
    header: Header
    game: EventGame
    finished: bool

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.header.seats)

    @property
    def table(self) -> tuple[str, ...]:
        """The bots in seat order of the block's first game."""
        turned = len(self.seats) - self.game.rotation
        return self.seats[turned:] + self.seats[:turned]

    @property
    def block(self) -> tuple[int, int]:
        return self.game.round, self.game.table

    def refuse(self, key: str, why: str) -> TournamentError:
        return TournamentError(f"{self.path}: {key}: {why}")


def recomputed(event: Description, directory: Path) -> Summary:
    """The event with all its statistics from the records in a directory. Raises TournamentError.

    The description gives what no record tells: versions, stop rule, withdrawn bots, rounds without games.
    """
    found = read_records(directory, event)
    known = {drawn.number for drawn in event.rounds}
    rounds = event.rounds + tuple(drawn for drawn in found.rounds if drawn.number not in known)
    event = replace(
        event,
        rounds=rounds,
        rules_version=event.rules_version or found.rules_version,
        voids=max(event.voids, found.voids),
    )
    return summary_of(event, found.games, found.commitments)


def read_records(directory: Path, event: Description | None = None) -> Records:
    """The results of all .zgr files in a directory, verified by replay.

    Before anything is replayed, a file is refused that is damaged, that is of another event than `event` (or, without
    it, than the first file), of other rules, or there twice. Raises TournamentError naming file, key and remedy.
    """
    if not directory.is_dir():
        raise TournamentError(f"{directory}: it is no directory of records; name the one of a run")
    files = [_open(path) for path in sorted(directory.glob("*.zgr"))]
    if not files:
        return Records()
    wanted = _shared(files[0].header, event)
    for file in files:
        _check_of_event(file, event.event_id if event else files[0].game.event_id, wanted)
    _check_rules(files)
    _check_once(files)
    if event is not None:
        _check_deals(files, event)
    tables = _tables(files, event.rounds if event else ())
    results = [_result(file) for file in files]
    return Records(
        games=tuple(sorted((game for game in results if game), key=lambda game: game.number)),
        voids=results.count(None),
        rounds=_rebuilt(tables),
        rules_version=files[0].header.rules_version,
        policy=files[0].header.policy,
        commitments={file.header.match_id: file.header.commitment.hex() for file in files},
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TournamentError(f"{path}: it cannot be read: {error.strerror or error}") from None


def _open(path: Path) -> _File:
    try:
        header, entries = unpack(_read(path))
    except BadRecord as error:
        raise TournamentError(f"{path}: {error}; fetch it again, or move it elsewhere") from None
    if header.event is None:
        raise TournamentError(f"{path}: event: it is of no event; move it elsewhere")
    finished = bool(entries) and entries[-1].kind == Kind.CLOSE
    return _File(path, header, header.event, finished)


# Does it belong here?


def _check_of_event(file: _File, event_id: str, wanted: Mapping[str, object]) -> None:
    if file.game.event_id != event_id:
        raise file.refuse(
            "event_id", f"it is of event {file.game.event_id!r}, not {event_id!r}; move it elsewhere"
        )
    named = match_id(event_id, file.game.number, file.game.attempt)
    if file.header.match_id != named:
        raise file.refuse("match_id", f"{file.header.match_id!r}, but its game is {named!r}; fetch it again")
    if file.game.rotation >= len(file.seats) or len(set(file.seats)) != len(file.seats):
        raise file.refuse("seats", f"{', '.join(file.seats)} are no table of an event; fetch it again")
    if file.game.table >= MOST_IN_A_ROUND:
        raise file.refuse("table", f"{file.game.table}: no round has so many; fetch it again")
    for key, value in wanted.items():
        found = getattr(file.header, key)
        if found != value:
            shown = (
                f"{found!r}, the event's is {value!r}" if isinstance(found, str | int) else "not the event's"
            )
            raise file.refuse(key, f"it is {shown}; move the record elsewhere")


def _shared(first: Header, event: Description | None) -> dict[str, object]:
    """What all headers must have in common: as the event is described, or as the first file has it."""
    keys = ("game", "rules_version", "options", "packs", "policy")
    shared = {key: getattr(first, key) for key in keys}
    if event is None:
        return shared
    spec = event.spec
    options = options_dict(parse_options(load_game(spec.game).options, spec.options))
    shared |= {"game": spec.game, "options": options, "packs": spec.packs, "policy": spec.policy}
    return shared | ({"rules_version": event.rules_version} if event.rules_version else {})


def _check_deals(files: Iterable[_File], event: Description) -> None:
    if event.spec.seed is None:
        return
    state = EventState(EventHeader(event.event_id, event.spec, b"", b"", 0, 0, seed_chosen=True))
    for file in files:
        if file.header.seed != state.deal_seed(state.deal(file.game)):
            raise file.refuse("seed", "it does not follow from the event's; move the record elsewhere")


def _check_rules(files: Iterable[_File]) -> None:
    for file in files:
        try:
            version = load_game(file.header.game).rules_version
        except RulesError as error:
            raise file.refuse("game", str(error)) from None
        if version != file.header.rules_version:
            raise file.refuse(
                "rules_version",
                f"it was played by version {file.header.rules_version} of the rules of {file.header.game}, here is "
                f"version {version}; use the ziggurat that it was played with",
            )


def _check_once(files: Iterable[_File]) -> None:
    tries: dict[tuple[int, int], _File] = {}
    results: dict[int, _File] = {}
    for file in files:
        other = tries.setdefault((file.game.number, file.game.attempt), file)
        if other is not file:
            raise file.refuse(
                "match_id", f"{other.path.name} is of the same match; move one of them elsewhere"
            )
        other = results.setdefault(file.game.number, file) if file.finished else file
        if other is not file:
            raise file.refuse(
                "match_id", f"{other.path.name} has a result of the same game; move one of them elsewhere"
            )


# Rounds

_Tables = Mapping[tuple[int, int], tuple[str, ...]]
"""By (round, table): the bots in seat order of the block's first game."""


def _tables(files: Iterable[_File], rounds: Iterable[Round]) -> _Tables:
    """The tables by their games, which must agree with each other and with `rounds`, those that are known."""
    drawn = {drawn.number: drawn.tables for drawn in rounds}
    tables: dict[tuple[int, int], tuple[str, ...]] = {}
    for file in files:
        wanted = tables.setdefault(file.block, file.table)
        if file.game.round in drawn:
            wanted = dict(enumerate(drawn[file.game.round])).get(file.game.table, ())
        if file.table != wanted:
            what = f"{', '.join(wanted)} turned by {file.game.rotation}" if wanted else "which was not drawn"
            where = f"table {file.game.table} of round {file.game.round}"
            raise file.refuse(
                "seats", f"{', '.join(file.seats)} are not {where}, {what}; move the record elsewhere"
            )
    return tables


def _rebuilt(tables: _Tables) -> tuple[Round, ...]:
    rounds: dict[int, dict[int, tuple[str, ...]]] = {}
    for (number, at), bots in sorted(tables.items()):
        rounds.setdefault(number, {})[at] = bots
    return tuple(Round(number, _without_gaps(found)) for number, found in rounds.items())


def _without_gaps(tables: Mapping[int, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    seats = max(map(len, tables.values()))
    return tuple(tables.get(at, (UNKNOWN,) * seats) for at in range(max(tables) + 1))


# Results


def _result(file: _File) -> GameResult | None:
    """What came of a match; None if it has no result."""
    data = _read(file.path)
    try:
        found = verify(data)
        header, entries = unpack(data)
    except BadRecord as error:
        raise TournamentError(f"{file.path}: {error}; fetch it again, or move it elsewhere") from None
    if header != file.header:
        raise file.refuse("record", "it was changed while it was read; try again")
    if not found.standings:
        return None
    evidence = evidence_of(entries, header)
    game = file.game
    return GameResult(
        game.number,
        game.round,
        game.table,
        game.rotation,
        seat_results(file.seats, found.standings, evidence.counts),
        found.match_id,
        game.attempt,
        found.decisions,
        tuple(evidence.faults),
    )
