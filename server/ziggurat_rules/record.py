"""A match as what was answered: enough to play it again and see whether the same comes out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from ziggurat_rules.decisions import Choice
from ziggurat_rules.errors import BadRecord, RulesError
from ziggurat_rules.game import Game, Score, options_dict, parse_options
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER, state_hash
from ziggurat_rules.registry import load_game


@dataclass(frozen=True, slots=True)
class Record:
    """A match from its setup on. `scores` is empty if it was not over; `final_hash`: of all there is."""

    game: str
    rules_version: int
    options: dict[str, str]
    packs: tuple[str, ...]
    """SHA-256 of each card pack, in hex."""
    seed: int
    seats: int
    answers: tuple[tuple[int, Choice], ...]
    scores: tuple[Score, ...]
    final_hash: int

    @classmethod
    def of(cls, match: Match[Any], answers: Iterable[tuple[int, Choice]]) -> Self:
        """The record of a match that came about by these answers."""
        return cls(
            game=match.game.name,
            rules_version=match.game.rules_version,
            options=options_dict(match.options),
            packs=tuple(pack.sha256 for pack in match.game.packs),
            seed=match.seed,
            seats=match.seats,
            answers=tuple(answers),
            scores=tuple(match.scores()) if match.over else (),
            final_hash=state_hash(match.view(ARBITER)),
        )


def replay(record: Record, game: Game[Any] | None = None) -> Match[Any]:
    """Play a record again; raises BadRecord, which says where it went wrong.

    `game`: the installed one of that name unless given. What was recorded with card packs needs it with them.
    """
    match = _begin(record, game)
    for number, (seat, choice) in enumerate(record.answers):
        try:
            match.apply(seat, choice)
        except RulesError as error:
            raise BadRecord(f"answers[{number}]", f"{error.field}: {error.reason}") from None
    _compare(record, match)
    return match


def _begin(record: Record, game: Game[Any] | None) -> Match[Any]:
    try:
        game = game or load_game(record.game)
    except RulesError as error:
        raise BadRecord("game", error.reason) from None
    if game.name != record.game:
        raise BadRecord("game", f"the record is of {record.game}, not {game.name}")
    if game.rules_version != record.rules_version:
        have = f"this is version {game.rules_version} of {game.name}"
        raise BadRecord("rules_version", f"recorded with version {record.rules_version}; {have}")
    if tuple(pack.sha256 for pack in game.packs) != record.packs:
        raise BadRecord("packs", f"recorded with the card packs {', '.join(record.packs) or 'none'}")
    try:
        return Match(game, record.seed, record.seats, parse_options(game.options, record.options))
    except RulesError as error:
        raise BadRecord(error.field, error.reason) from None


def _compare(record: Record, match: Match[Any]) -> None:
    final = state_hash(match.view(ARBITER))
    if final != record.final_hash:
        raise BadRecord("final_hash", f"{record.final_hash:08x} recorded, {final:08x} replayed")
    scores = tuple(match.scores()) if match.over else ()
    if scores != record.scores:
        raise BadRecord("scores", f"{record.scores} recorded, {scores} replayed")
