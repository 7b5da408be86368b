"""Through the Ages: A New Story of Civilization, as a game of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.game import Game, Options, Score, option
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import scoring, steps
from ziggurat_rules.games.tta.actions import actions
from ziggurat_rules.games.tta.attacks import aggression_done, aggression_effect, defence, resolve_war
from ziggurat_rules.games.tta.cells import TtaLayout, layout_for
from ziggurat_rules.games.tta.colonies import bid, colonize, send_force
from ziggurat_rules.games.tta.effects.events import event_asks, event_done, event_runs, reveal_event
from ziggurat_rules.games.tta.facts import EVENT, TERRITORY, Library, load
from ziggurat_rules.games.tta.politics import answer_pact, politics
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.games.tta.turn import (
    begin_turn,
    check_hand,
    discard_excess,
    end_turn,
    open_tactics,
    production,
    replenish,
)
from ziggurat_rules.games.tta.words import V

PILES = (None, *(c.CIVIL_DECK + age for age in range(4)), *(c.MILITARY_DECK + age for age in range(4)))
"""The pile where the cards of each back begin."""


@dataclass(frozen=True)
class TtaOptions(Options):
    """How the game may be varied."""

    edition: str = option("2015", "Edition of the rules and cards.", ("2015",))
    resignation: bool = option(
        False,
        "Resigning is offered as a political action before age IV, as in the rulebook. Off unless asked for, "
        "as players who choose at random would all but always resign in age I.",
    )


class ThroughTheAges(Game[TtaTable]):
    """The game with one set of card facts."""

    name = "tta"
    title = "Through the Ages: A New Story of Civilization"
    rules_version = 1
    seats = range(2, 5)
    options = TtaOptions
    max_decisions = 6000
    vocabulary = V
    steps = (
        begin_turn,
        replenish,
        resolve_war,
        open_tactics,
        politics,
        actions,
        check_hand,
        production,
        end_turn,
        reveal_event,
        event_asks,
        event_runs,
        event_done,
        colonize,
        bid,
        send_force,
        defence,
        aggression_effect,
        aggression_done,
        answer_pact,
        scoring.final_scoring,
        discard_excess,
    )

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        self.packs = tuple(packs)
        self.library: Library = load(packs)
        self.catalogue = self.library.catalogue
        prepared = (face.index for face in self.library.faces if face.kind in (EVENT, TERRITORY))
        self.classes = (frozenset(prepared),)

    def with_packs(self, packs: Sequence[Pack]) -> Self:
        """The same game with other card facts."""
        return type(self)(packs)

    def layout(self, seats: int, options: Options) -> TtaLayout:
        """The cells of a table for these facts."""
        return layout_for(self.library, seats, isinstance(options, TtaOptions) and options.resignation)

    def setup(self, seed: int, seats: int, options: Options) -> TtaTable:
        """Decks by number of players, row, events, player boards; the first turn is on the agenda."""
        faces = [face for face in self.library.faces for _ in range(face.copies[seats - 2])]
        backs = [face.back for face in faces]
        t = TtaTable(self.layout(seats, options), seed, [face.index for face in faces], backs)
        _deal_decks(t)
        _set_boards(t)
        t.put_common(c.ROUND, 1)
        t.push(steps.BEGIN_TURN, 0)
        return t

    def scores(self, table: TtaTable) -> list[Score]:
        """Final standings."""
        return scoring.scores(table)


def _deal_decks(t: TtaTable) -> None:
    for card, back in enumerate(t.back):
        pile = PILES[back]
        if pile is not None:
            t.move(card, t.pile_number(pile))
    civil, military = t.pile_number(c.CIVIL_DECK), t.pile_number(c.MILITARY_DECK)
    t.shuffle(civil)
    t.shuffle(military)
    for _ in t.layout.board.row_costs:
        t.draw(civil, t.pile_number(c.ROW))
    t.put(t.layout.lists_common, range(1, len(t.layout.board.row_costs) + 1))
    for _ in range(t.layout.seats + 2):
        t.draw(military, t.pile_number(c.CURRENT_EVENTS))
    for card in t.zones[military][:]:
        t.remove(card)


def _set_boards(t: TtaTable) -> None:
    board = t.layout.board
    placed = [card for card, back in enumerate(t.back) if back == 0]
    for number, card in enumerate(placed):
        t.move(card, t.zone_number(number % t.layout.seats, c.TECHNOLOGIES))
    for seat in range(t.layout.seats):
        t.put_counter(seat, c.BLUE_BANK, board.blue_tokens)
        t.put_counter(seat, c.YELLOW_BANK, board.yellow_tokens)
        t.put_counter(seat, c.UNUSED, board.unused_workers)
        for card_id, number in board.workers.items():
            t.put_counter(seat, c.WORKERS + t.layout.library.by_id[card_id].slot, number)
        refresh(t, seat)
        # R First Turn: one civil action for the starting player, one more for each next; no military actions.
        t.put_counter(seat, c.CA_SPENT, max(0, t.get(seat, c.CA_TOTAL) - seat - 1))
        t.put_counter(seat, c.MA_SPENT, t.get(seat, c.MA_TOTAL))


GAME = ThroughTheAges()
