"""Formats: who plays whom."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_server.tournaments.formats.audit import Audit, balance
from ziggurat_server.tournaments.formats.double_elimination import DoubleElimination
from ziggurat_server.tournaments.formats.format import Field, Format, Played
from ziggurat_server.tournaments.formats.gauntlet import Gauntlet
from ziggurat_server.tournaments.formats.knockout import Knockout
from ziggurat_server.tournaments.formats.ladder import Ladder
from ziggurat_server.tournaments.formats.round_robin import RoundRobin
from ziggurat_server.tournaments.formats.swiss import Swiss
from ziggurat_server.tournaments.results import Round

__all__ = ["FORMATS", "Audit", "Field", "Format", "Played", "audit", "plan"]

FORMATS: dict[str, Format] = {
    "round_robin": RoundRobin(),
    "gauntlet": Gauntlet(),
    "swiss": Swiss(),
    "knockout": Knockout(),
    "double_elimination": DoubleElimination(),
    "ladder": Ladder(),
}
"""By the name in FormatSpec."""


def audit(rounds: Sequence[Round], field: Field) -> Audit:
    """How balanced rounds are."""
    return balance(rounds, field, open_ended=FORMATS[field.spec.name].waits)


def plan(field: Field) -> tuple[tuple[Round, ...], Audit]:
    """The rounds as far as they are known before results (one, if the format waits for them), and how balanced they
    are. Raises BadEvent for what cannot be played."""
    form = FORMATS[field.spec.name]
    form.check(field)
    rounds: list[Round] = []
    while (drawn := form.draw(field, rounds, ())) is not None:
        rounds.append(drawn)
        if form.waits:
            break
    return tuple(rounds), audit(rounds, field)
