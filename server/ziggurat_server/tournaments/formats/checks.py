"""What every format refuses in the same way."""

from __future__ import annotations

from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.formats.format import Field

MOST_GAMES = 1_000_000
"""A larger schedule is a slip of the keyboard."""
MOST_IN_A_ROUND = 100_000
"""A round is drawn and kept at once, while the server does nothing else."""


def games_per_table(field: Field) -> int:
    """Games of a block."""
    return field.spec.rotations or field.seats


def check_field(field: Field, *, uses: frozenset[str] = frozenset()) -> None:
    """Refuse too few bots, and settings that are out of range or that the format does not use."""
    spec = field.spec
    _check_bots(field)
    for key in ("rounds", "candidates", "advance"):
        if getattr(spec, key) and key not in uses:
            raise BadEvent(f"format.{key}", f"{spec.name} does not use it; leave it out")
    for key in ("rounds", "advance", "rotations"):
        if getattr(spec, key) < 0:
            raise BadEvent(f"format.{key}", "less than 0; leave it out or give a positive number")
    if spec.rotations > field.seats:
        raise BadEvent(
            "format.rotations",
            f"{spec.rotations} games of a block at tables of {field.seats}: a table can be turned {field.seats} times"
            " at most; leave it out for that",
        )
    if spec.advance >= field.seats:
        raise BadEvent(
            "format.advance",
            f"{spec.advance} of {field.seats} go on, so nobody is out; take 1 to {field.seats - 1}, or leave it out",
        )


def _check_bots(field: Field) -> None:
    if field.seats < 2:
        raise BadEvent("seats", f"{field.seats} at a table: nobody meets; take 2 or more")
    if len(field.bots) < field.seats:
        raise BadEvent("bots", f"{len(field.bots)} for tables of {field.seats}; add bots or take fewer seats")


def check_round(field: Field, tables: int) -> None:
    """Refuse a round that is too large, as all can be together."""
    games = tables * games_per_table(field)
    if games > MOST_IN_A_ROUND:
        raise BadEvent(
            "bots", f"{games} games are to be played in a round, {MOST_IN_A_ROUND} at most can be; take less"
        )


def check_size(field: Field, tables: int, rounds: int, key: str = "format.rounds") -> None:
    """Refuse a schedule that would never end. `key` names what makes it so long."""
    games = tables * rounds * games_per_table(field)
    if games > MOST_GAMES:
        raise BadEvent(key, f"{games} games are to be played, {MOST_GAMES} at most can be; take less")
