"""The Automa (RB Solo Variant): it drafts, takes construction items away and wages war, without decisions."""

from __future__ import annotations

from ziggurat_rules.games.millennia.construction import take_item
from ziggurat_rules.games.millennia.drafting import COLUMNS, free_rows, take_tech, techs_in_row
from ziggurat_rules.games.millennia.effects import TYPES
from ziggurat_rules.games.millennia.facts import Face
from ziggurat_rules.games.millennia.gains import NOTHING, vp_of
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import DID, PASSED, WAR_TRACK

ROW, PRIORITY, CONSTRUCTION, WAR = range(4)


def draw_automa(t: MillenniaTable, deck: int) -> Face | None:
    """The top card of one of its decks, which goes to the discards of that deck."""
    card = t.draw(t.layout.automa_deck[deck], t.layout.automa_discard[deck])
    return None if card is None else t.face(card)


def reshuffle(t: MillenniaTable, deck: int) -> None:
    """Shuffle the discards of a deck into it."""
    L = t.layout
    for card in t.zones[L.automa_discard[deck]][:]:
        t.move(card, L.automa_deck[deck])
    t.shuffle(L.automa_deck[deck])


def automa_drafts(t: MillenniaTable) -> None:
    """Place a marker and discard a tech card; nothing if no row is left."""
    L = t.layout
    t.add(L.markers + L.automa, -1)
    row_card, priority = draw_automa(t, ROW), draw_automa(t, PRIORITY)
    rows = free_rows(t)
    if row_card is None or priority is None or not rows:
        return
    row = next(row - 1 for row in row_card.numbers if row - 1 in rows)
    take_tech(t, L.automa, row, automa_choice(t, row, priority.words, row_card.spots))


def automa_choice(t: MillenniaTable, row: int, criteria: tuple[str, ...], columns: tuple[int, ...]) -> int:
    """Criterion after criterion narrows the techs of the row; then the columns of the card decide."""
    grid = t.lists[t.layout.grid]
    left = techs_in_row(t, grid, row)
    for criterion in criteria:
        left = _narrow(t, left, criterion) or left
    cells = grid[row * COLUMNS : (row + 1) * COLUMNS]
    return next(cells[column - 1] for column in columns if cells[column - 1] in left)


def _narrow(t: MillenniaTable, faces: list[int], criterion: str) -> list[int]:
    facts = t.layout.facts.faces
    if criterion == "longest_duration":
        longest = max(facts[face].last_age for face in faces)
        return [face for face in faces if facts[face].last_age == longest]
    if criterion == "prosperity":
        wanted = {t.face(card).type for card in t.zones[t.layout.prosperity]}
        return [face for face in faces if facts[face].type in wanted]
    return [face for face in faces if facts[face].type == TYPES.index(criterion)]


def automa_constructs(t: MillenniaTable) -> bool:
    """Discard one wonder or building; False if nothing is left and it passes."""
    L = t.layout
    if not any(face >= 0 for slots in (L.wonder_slots, L.building_slots) for face in t.lists[slots]):
        t.log(PASSED(L.automa))
        return False
    while True:
        card = draw_automa(t, CONSTRUCTION)
        if card is None:
            reshuffle(t, CONSTRUCTION)
            continue
        slots = t.lists[L.wonder_slots if card.which == "wonder" else L.building_slots]
        face = slots[card.n - 1] if card.n <= len(slots) else -1
        if face >= 0:
            break
    zone = L.wonders_current if card.which == "wonder" else L.buildings_available
    item = t.card_in(zone, face)
    take_item(t, item)
    t.remove(item)
    t.log(DID(L.automa, face))
    return True


def automa_wages_war(t: MillenniaTable) -> None:
    """Advance by the next war card; past the last spot each step gives the track's VP."""
    L = t.layout
    card = draw_automa(t, WAR)
    track = t.track(WAR_TRACK)
    for _ in range(card.n if card else 0):
        if t.reached(L.automa, WAR_TRACK) < track.spots:
            t.add(L.track[WAR_TRACK] + L.automa, 1)
        else:
            for gain in track.maxed:
                t.score(L.automa, vp_of(t, L.automa, gain, NOTHING))
