"""Setting up, laying out an age, and cleaning up after it (RB Game Setup, Upkeep Phase)."""

from __future__ import annotations

from ziggurat_rules.games.millennia.automa import CONSTRUCTION, PRIORITY, ROW, WAR, reshuffle
from ziggurat_rules.games.millennia.drafting import COLUMNS
from ziggurat_rules.games.millennia.schema import AGES
from ziggurat_rules.games.millennia.table import MillenniaTable

ROWS = 4
STARTING_PLAYER = -1
"""Purpose of the random number that picks the starting player."""


def fill_piles(t: MillenniaTable) -> None:
    """All cards to their face-down piles, shuffled."""
    L = t.layout
    plain = {"prosperity": L.prosperity_deck, "diplomacy": L.diplomacy_deck}
    aged = {"tech": L.tech_deck, "wonder": L.wonder_deck, "building": L.building_deck}
    faces = L.facts.faces
    for card, index in enumerate(t.ident):
        face = faces[index]
        if face.table in plain:
            t.move(card, plain[face.table])
        elif face.table in aged and face.age:
            t.move(card, aged[face.table] + face.age)
    for zone in plain.values():
        t.shuffle(zone)
    for deck in aged.values():
        for age in range(1, AGES + 1):
            t.shuffle(deck + age)


def lay_open(t: MillenniaTable, table: str, zone: int, amount: int) -> None:
    """Shuffle all cards of a table of facts, put some of them face up, the rest into the box."""
    L = t.layout
    faces = L.facts.faces
    for card, index in enumerate(t.ident):
        if faces[index].table == table:
            t.move(card, L.shuffling)
    t.shuffle(L.shuffling)
    for _ in range(amount):
        t.draw(L.shuffling, zone)
    for card in t.zones[L.shuffling][:]:
        t.remove(card)


def seat_players(t: MillenniaTable) -> None:
    """Starter cards clockwise from a random player: gold and tokens."""
    L = t.layout
    first = t.random_below(L.players, STARTING_PLAYER)
    for player in range(L.players):
        number = (player - first) % L.players + 1
        face = L.facts.starters[number - 1]
        t.set(L.starter + player, number)
        if player != L.automa:
            t.gain_gold(player, face.income)
        if face.which:
            t.set({"leader": L.leader, "architect": L.architect}[face.which], player)


def fill_automa_decks(t: MillenniaTable) -> None:
    """The Automa's four decks; normal difficulty leaves out the cards for hard."""
    L = t.layout
    tables = {
        "automa_row": ROW,
        "automa_priority": PRIORITY,
        "automa_construction": CONSTRUCTION,
        "automa_war": WAR,
    }
    for card in range(len(t.ident)):
        face = t.face(card)
        if face.table in tables and (L.hard or not face.locked):
            t.move(card, L.automa_deck[tables[face.table]])
    for deck in L.automa_deck:
        t.shuffle(deck)


def prepare(t: MillenniaTable) -> None:
    """The table as the game begins."""
    L = t.layout
    fill_piles(t)
    lay_open(t, "research", L.research, L.facts.number("research-cards"))
    lay_open(t, "book", L.books, L.side.books)
    if L.automa >= 0:
        fill_automa_decks(t)
    seat_players(t)
    t.set(L.age, 1)
    _deal_wonders(t, 1, L.wonders_current, L.facts.number("current-wonders"))
    t.put(L.wonder_slots, [t.ident[card] for card in t.zones[L.wonders_current]])
    _deal_wonders(t, 2, L.wonders_future, L.facts.number("future-wonders"))
    _first_grid(t)
    _deal_prosperity(t)
    _deal_buildings(t)


def lay_out(t: MillenniaTable) -> None:
    """Refill the shared area for the age that begins."""
    L = t.layout
    _next_grid(t)
    for card in t.zones[L.wonders_future][:]:
        t.move(card, L.wonders_current)
    t.put(L.wonder_slots, [t.ident[card] for card in t.zones[L.wonders_current]])
    if t.age < AGES:
        _deal_wonders(t, t.age + 1, L.wonders_future, L.facts.number("future-wonders"))
    _deal_prosperity(t)
    _deal_buildings(t)


def _deal_wonders(t: MillenniaTable, age: int, zone: int, amount: int) -> None:
    deck = t.layout.wonder_deck + age
    for _ in range(amount):
        t.draw(deck, zone)
    _to_box(t, deck)


def _deal_buildings(t: MillenniaTable) -> None:
    L = t.layout
    deck = L.building_deck + t.age
    for _ in range(L.facts.number("buildings-per-player") * L.players):
        t.draw(deck, L.buildings_available)
    _to_box(t, deck)
    t.put(L.building_slots, [t.ident[card] for card in t.zones[L.buildings_available]])


def _to_box(t: MillenniaTable, zone: int) -> None:
    for card in t.zones[zone][:]:
        t.remove(card)


def _deal_prosperity(t: MillenniaTable) -> None:
    """A pair per player; a deck that runs out is made new from the discards (RB Upkeep, Shared Area)."""
    L = t.layout
    for _ in range(2 * L.facts.number("pairs-per-player") * L.players):
        if not t.zones[L.prosperity_deck]:
            for card in t.zones[L.prosperity_discard][:]:
                t.move(card, L.prosperity_deck)
            t.shuffle(L.prosperity_deck)
        t.draw(L.prosperity_deck, L.shuffling)
    t.shuffle(L.shuffling)
    while t.draw(L.shuffling, L.prosperity) is not None:
        pass


def _first_grid(t: MillenniaTable) -> None:
    """RB Prepare Age 1: two techs and the two blanks are shuffled into the first column."""
    L = t.layout
    for _ in range(ROWS - 2):
        t.draw(L.tech_deck + 1, L.shuffling)
    for card, face in enumerate(t.ident):
        if face == L.facts.blank:
            t.move(card, L.shuffling)
    t.shuffle(L.shuffling)
    grid = [-1] * (ROWS * COLUMNS)
    for row in range(ROWS):
        grid[row * COLUMNS] = t.ident[t.zones[L.shuffling][-1]]
        t.draw(L.shuffling, L.draft_area)
    _fill_grid(t, grid)


def _next_grid(t: MillenniaTable) -> None:
    """Undrafted techs are discarded, the blanks go down a row, the techs of the age fill the rest."""
    L = t.layout
    blank = L.facts.blank
    for card in t.zones[L.draft_area][:]:
        if t.ident[card] != blank:
            t.remove(card)
    old, grid = t.lists[L.grid], [-1] * (ROWS * COLUMNS)
    for cell, face in enumerate(old):
        if face == blank:
            grid[(cell + COLUMNS) % (ROWS * COLUMNS)] = blank
    _fill_grid(t, grid)


def _fill_grid(t: MillenniaTable, grid: list[int]) -> None:
    """Column by column, top to bottom."""
    L = t.layout
    for column in range(COLUMNS):
        for row in range(ROWS):
            if grid[row * COLUMNS + column] < 0:
                card = t.draw(L.tech_deck + t.age, L.draft_area)
                if card is not None:
                    grid[row * COLUMNS + column] = t.ident[card]
    t.put(L.grid, grid)


def clean_up(t: MillenniaTable) -> None:
    """RB Upkeep: personal areas, then markers and cards of the shared area."""
    L = t.layout
    for seat in range(L.seats):
        _clean_up_seat(t, seat)
    for player in range(L.players):
        for counters in L.row:
            t.set(counters + player, 0)
    t.set(L.architect_used, 0)
    for card in t.zones[L.prosperity][:]:
        t.move(card, L.prosperity_discard)
    _to_box(t, L.wonders_current)
    _to_box(t, L.buildings_available)
    if L.automa >= 0:
        for deck in (ROW, PRIORITY, CONSTRUCTION):
            reshuffle(t, deck)


def _clean_up_seat(t: MillenniaTable, seat: int) -> None:
    L = t.layout
    for counter in (L.jokers, L.rp, L.bought, L.once, *L.special):
        t.set(counter + seat, 0)
    for card in t.tech_cards(seat):
        if t.last_age(seat, card) <= t.age:
            t.remove(card)
    for card in t.zones[L.buildings + seat] + t.zones[L.used + seat]:
        if t.face(card).last_age <= t.age:
            t.move(card, L.asleep + seat)
    for exhausted, ready in ((L.spent, L.techs), (L.used, L.buildings)):
        for card in t.zones[exhausted + seat][:]:
            t.move(card, ready + seat)
