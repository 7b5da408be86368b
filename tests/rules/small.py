"""A game of nothing but a table: positions for tests of what the kernel does with cards."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_rules.catalogue import Card, Catalogue
from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.game import Game, Options, Score, rank
from ziggurat_rules.layout import Audience, Layout, ZoneKind
from ziggurat_rules.match import Match
from ziggurat_rules.table import Table
from ziggurat_rules.terms import Vocabulary

V = Vocabulary()
GO = V.verb("go", "seat", text="{seat} goes")
PASS = V.verb("pass", text="pass")
PLAY = V.verb("play", "card", text="play {card}")

OPEN, PILE, DECK, DISCARD, HAND, LOOK = 0, 1, 2, 3, 4, 6
"""Zones for two seats; HAND and LOOK have one per seat."""


def small_layout(seats: int = 2) -> Layout:
    """The zones above, and a counter and a list of each kind."""
    layout = Layout(seats, ("the bank",))
    layout.zone("open", ZoneKind.OPEN, "")
    layout.zone("pile", ZoneKind.PILE, "never touched")
    layout.zone("deck", ZoneKind.PILE, "")
    layout.zone("discard", ZoneKind.STACK, "")
    layout.zone_per_seat("hand", ZoneKind.HAND, "")
    layout.zone_per_seat("look", ZoneKind.SECRET, "")
    layout.zone("nobody's", ZoneKind.SECRET, "")
    layout.counter_per_seat("gold", "")
    layout.counter_per_seat("plan", "", Audience.OWNER)
    layout.counter("nobody's plan", "", shown=Audience.OWNER)
    layout.counter("engine", "", shown=Audience.NONE)
    layout.list_per_seat("notes", "", Audience.OWNER)
    return layout


LAYOUT = small_layout()


def small_table(count: int = 12, backs: Sequence[int] = (), seed: int = 1) -> Table:
    """Cards 0..count-1, each with its own face, lying nowhere."""
    return Table(LAYOUT, seed, range(count), backs or [0] * count)


def ask(table: Table, seat: int) -> Effect[None]:
    """Ask for ever."""
    table.push(0, seat)
    yield from choose(seat, GO(seat), {PASS(): None})


class Small(Game[Table]):
    """Asks one seat to pass, for ever. For another game, subclass it with other `steps`."""

    name = "small"
    title = "Small"
    rules_version = 1
    seats = range(2, 3)
    max_decisions = 1000
    vocabulary = V
    steps = (ask,)
    catalogue = Catalogue(
        tuple(Card(face, f"c{face}", f"C{face}", 0, 1, "", {}, {}) for face in range(30)), ("back", "other")
    )

    def __init__(self, classes: Sequence[frozenset[int]] = ()) -> None:
        self.classes = tuple(classes)

    def layout(self, seats: int, options: Options) -> Layout:
        return small_layout(seats)

    def setup(self, seed: int, seats: int, options: Options) -> Table:
        table = small_table(seed=seed)
        table.push(0, 0)
        return table

    def scores(self, table: Table) -> list[Score]:
        return rank([(0, ())] * table.layout.seats)


def at(table: Table, game: Game[Table] | None = None) -> Match[Table]:
    """A match at this position, where seat 0 is asked."""
    if not table.agenda:
        table.push(0, 0)
    return Match.of_table(game or Small(), table)


def worlds(match: Match[Table], seat: int, count: int = 60) -> list[Table]:
    """Tables as this seat may imagine them."""
    return [match.determinize(seat, key).table for key in range(count)]


def faces(table: Table, zone: int) -> set[int]:
    """The faces in a zone."""
    return {table.ident[card] for card in table.zones[zone]}
