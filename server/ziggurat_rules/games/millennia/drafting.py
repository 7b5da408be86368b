"""Drafting phase: players take turns placing a draft marker (RB Drafting Phase)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.schema import AGES
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import DRAFT, DRAFT_TURN, DREW_TECH, TAKE_SPOT, TOOK_SPOT
from ziggurat_rules.terms import Term

MARKERS = 4
COLUMNS = 4


def free_rows(t: MillenniaTable) -> dict[int, list[int]]:
    """Rows (from 0) with a free spot and a tech card, and the faces of their techs."""
    L = t.layout
    counters, grid = t.counters, t.lists[L.grid]
    rows = {}
    for row, first in enumerate(L.row):
        if sum(counters[first : first + L.players]) < L.facts.rows[row].spots[L.seats - 1]:
            techs = techs_in_row(t, grid, row)
            if techs:
                rows[row] = techs
    return rows


def techs_in_row(t: MillenniaTable, grid: list[int], row: int) -> list[int]:
    """Faces of the techs of a row that can be taken; blanks cannot."""
    blank = t.layout.facts.blank
    return [face for face in grid[row * COLUMNS : (row + 1) * COLUMNS] if face >= 0 and face != blank]


def free_specials(t: MillenniaTable) -> list[int]:
    """Special action spots where a marker may be placed."""
    L = t.layout
    counters, specials, seats = t.counters, L.facts.specials, L.seats
    return [
        number
        for number, first in enumerate(L.special)
        if specials[number].locked or not sum(counters[first : first + seats])
    ]


def draft_turn(t: MillenniaTable, seat: int) -> Effect[None]:
    """A seat places one marker."""
    facts = t.layout.facts
    options: dict[Term, tuple[int, int]] = {}
    for row, techs in free_rows(t).items():
        income = facts.rows[row].income
        for face in techs:
            options[DRAFT.number, face, row + 1, income] = (row, face)
    for number in free_specials(t):
        options[TAKE_SPOT(facts.specials[number].index)] = (-1, number)
    row, what = yield from choose(seat, DRAFT_TURN(seat), options)
    t.add(t.layout.markers + seat, -1)
    if row < 0:
        t.add(t.layout.special[what] + seat, 1)
        t.log(TOOK_SPOT(seat, facts.specials[what].index))
    else:
        take_tech(t, seat, row, what)


def take_tech(t: MillenniaTable, player: int, row: int, face: int) -> None:
    """Put a marker in a row and take a tech card from it; the Automa's goes to the box (RB Solo Variant)."""
    L = t.layout
    grid = t.lists[L.grid][:]
    grid[grid.index(face)] = -1
    t.put(L.grid, grid)
    card = t.card_in(L.draft_area, face)
    t.add(L.row[row] + player, 1)
    if player < L.seats:
        t.move(card, L.techs + player)
    else:
        t.remove(card)
    t.log(DREW_TECH(player, face))
    on_draft(t, player, L.facts.faces[face].type)


def on_draft(t: MillenniaTable, player: int, type_: int) -> None:
    """RB Tech Cards, Effects: army and engineering act when drafted, and only then."""
    L = t.layout
    effect = L.facts.type_effects[type_]
    if effect.kind == "architect":
        t.set(L.architect, player)
        t.set(L.architect_used, 0)
    elif effect.kind == "leader" and t.age == AGES:
        t.score(player, effect.n)
    elif effect.kind == "leader":
        t.set(L.leader, player)
        for steps, gold in enumerate(effect.numbers, 1):
            other = (player + steps) % L.players
            if steps < L.players and other < L.seats:
                t.gain_gold(other, gold)
