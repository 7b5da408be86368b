"""The end of the game (rulebook, Final Scoring)."""

from __future__ import annotations

from ziggurat_rules.game import Score, rank
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.effects.impacts import impact
from ziggurat_rules.games.tta.effects.leaders import leaving_culture
from ziggurat_rules.games.tta.facts import EVENT
from ziggurat_rules.games.tta.table import TtaTable

LAST_AGE = 3


def final_scoring(t: TtaTable) -> None:
    """Age III events of both decks, then what leaders score; the starting player is first in ties."""
    starting = t.living()[0]
    for pile in (c.CURRENT_EVENTS, c.FUTURE_EVENTS):
        for card in sorted(t.pile(pile), key=lambda one: t.ident[one]):
            face = t.face(card)
            if face.kind == EVENT and face.level == LAST_AGE:
                t.move(card, t.pile_number(c.PAST_EVENTS))
                _score(t, starting, face.index)
    for seat in t.living():
        leaving_culture(t, seat)


def _score(t: TtaTable, starting: int, index: int) -> None:
    for effect in t.layout.faces[index].effects:
        for seat in t.clockwise(starting):
            amount = impact(t, starting, seat, effect["culture"])
            t.score_culture(seat, amount)
            t.log(w.SCORED(seat, amount, index))


def scores(t: TtaTable) -> list[Score]:
    """Most culture wins, ties share; who resigned comes after all others."""
    return rank([(t.get(seat, c.CULTURE), (1 - t.get(seat, c.RESIGNED),)) for seat in range(t.layout.seats)])
