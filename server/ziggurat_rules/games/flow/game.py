"""The Flow of History by Jesse Li: options, setup and final standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.game import Game, Options, Score, option, rank
from ziggurat_rules.games.flow import turns
from ziggurat_rules.games.flow.facts import CardFile, Edition, printed_cards, read_cards
from ziggurat_rules.games.flow.scoring import points_of, tie_break
from ziggurat_rules.games.flow.symbols import AGES, packed
from ziggurat_rules.games.flow.table import DECK, FlowTable, layout
from ziggurat_rules.games.flow.words import V
from ziggurat_rules.layout import Layout

ALL_TOKENS, START_TOKENS, BANKER_TOKENS = 72, 4, 2
FIRST_SEAT = -1
"""Purpose of the random number that says who begins."""


@dataclass(frozen=True)
class FlowOptions(Options):
    """The edition, and the readings that RULES.md leaves open."""

    edition: str = option("en", "Rules and cards of the English or the Korean edition.", ("en", "ko"))
    harvest_top_up: str = option(
        "edition",
        "Where the tokens up to the current age come from in a harvest: "
        "the Supply, then the Reserve (English), or the Reserve only (Korean).",
        ("edition", "supply_reserve", "reserve"),
    )
    working_animal: str = option(
        "edition",
        "Working Animal: gain the top card of the deck (English), or a token per Harvest icon (Korean).",
        ("edition", "en", "ko"),
    )
    irrigation_tokens: int = option(1, "Irrigation: tokens per Harvest icon.", (1, 2))
    internet_counts_in_half_points: bool = option(
        True, "The Science icons of The Internet count among other icons."
    )
    age_never_falls: bool = option(False, "The current age stays when the card that set it leaves.")
    future_counts_as_card: bool = option(True, "The Future in a Nation counts as a card in a tie.")


class FlowGame(Game[FlowTable]):
    """The game with the facts of its cards."""

    name = "flow"
    title = "The Flow of History"
    rules_version = 1
    seats = range(2, 6)
    options = FlowOptions
    max_decisions = 4000
    vocabulary = V
    steps = turns.STEPS

    def __init__(self, cards: CardFile, packs: Sequence[Pack] = ()) -> None:
        self.cards = cards
        self.packs = tuple(packs)
        self.catalogue = cards.catalogue()
        self._editions: dict[FlowOptions, Edition] = {}

    def with_packs(self, packs: Sequence[Pack]) -> Self:
        """The same game with the facts that the packs replace."""
        return type(self)(read_cards(packs), packs)

    def layout(self, seats: int, options: Options) -> Layout:
        """The cells do not depend on the options."""
        return layout(seats)

    def edition(self, options: FlowOptions) -> Edition:
        """The facts and readings that these options choose."""
        if options not in self._editions:
            self._editions[options] = _edition(self.cards, options)
        return self._editions[options]

    def setup(self, seed: int, seats: int, options: Options) -> FlowTable:
        """Shuffle once, form Market and deck, deal starting cards and tokens, draw who begins."""
        assert isinstance(options, FlowOptions)
        table = FlowTable.of(seats, seed, self.edition(options))
        table.set(table.layout.reserve, ALL_TOKENS)
        table.set(table.layout.korean, int(options.edition == "ko"))
        starts = _form_deck(table)
        for seat in range(seats):
            table.transfer(table.layout.reserve, table.layout.tokens + seat, START_TOKENS)
        first = table.random_below(seats, FIRST_SEAT)
        table.push(turns.TURN, first)
        if seats == 2:
            _two_players(table, starts, first)
        else:
            for seat in range(seats):
                table.put_in_nation(seat, starts[seat])
        table.events.clear()
        return table

    def scores(self, table: FlowTable) -> list[Score]:
        """Points, then cards, then tokens; equal in all is a shared place."""
        return rank([(points_of(table, seat).total, tie_break(table, seat)) for seat in range(table.seats)])


def _edition(cards: CardFile, options: FlowOptions) -> Edition:
    variant = {"en": "english", "ko": "korean"}
    variants = {"": variant[options.edition]}
    if options.working_animal != "edition":
        variants["working_animal"] = variant[options.working_animal]
    if options.irrigation_tokens == 2:
        variants["irrigation"] = "glossary"
    top_up = {"en": "supply_reserve", "ko": "reserve"}[options.edition]
    if options.harvest_top_up != "edition":
        top_up = options.harvest_top_up
    faces = cards.faces(variants)
    permanent = [face.effect if face.timing == "permanent" else None for face in faces]
    return Edition(
        faces=faces,
        backs=tuple(AGES.index(record["age"]) for record in cards.cards),
        ages=tuple(face.age for face in faces),
        stripes=tuple(packed(face.stripe) for face in faces),
        permanent=tuple(permanent),
        permanent_at_end=tuple(
            None if face.obsolete else effect for face, effect in zip(faces, permanent, strict=True)
        ),
        turn_actions=frozenset(n for n, face in enumerate(faces) if face.timing == "turn_action"),
        top_up_from_supply=top_up == "supply_reserve",
        age_never_falls=options.age_never_falls,
        late_icons_count_in_half_points=options.internet_counts_in_half_points,
        future_counts_as_card=options.future_counts_as_card,
    )


def _form_deck(t: FlowTable) -> list[int]:
    """Fill the Market, put the deck in order of ages, and return the starting cards in random order."""
    faces = t.edition.faces
    for card, back in enumerate(t.back):
        if AGES[back] == "A":
            t.move(card, next(zone for zone in t.layout.market if not t.zones[zone]))
        elif not faces[card].deck_place and (t.seats > 2 or faces[card].two_players):
            t.move(card, DECK)
        else:
            t.reveal(card)
    t.shuffle(DECK)
    shuffled = t.deck[:]
    for place in ("second_from_bottom", "bottom"):
        t.move(next(card for card, face in enumerate(faces) if face.deck_place == place), DECK, 0)
    # All were shuffled as one: each age keeps the order that its cards have in it.
    for age in ("V", "IV", "III", "II", "I"):
        for card in _of_age(t, shuffled, age):
            t.move(card, DECK)
    for zone in t.layout.market:
        if not t.zones[zone]:
            t.draw_to_market(zone)
    starts = _of_age(t, shuffled, "S")
    for card in starts:
        t.remove(card)
    return starts


def _of_age(t: FlowTable, cards: Sequence[int], age: str) -> list[int]:
    return [card for card in cards if AGES[t.back[card]] == age]


def _two_players(t: FlowTable, starts: Sequence[int], first: int) -> None:
    """Two open starting cards each, the Banker on its first card, tokens in the Supply."""
    layout = t.layout
    for n, card in enumerate(starts[:4]):
        t.move(card, layout.start + n % 2)
    banked = next(card for card, face in enumerate(t.edition.faces) if face.banker_starts)
    t.put_marker(layout.banker, banked)
    t.transfer(layout.reserve, layout.invested + layout.banker, BANKER_TOKENS)
    t.transfer(layout.reserve, layout.supply, BANKER_TOKENS)
    t.push(turns.START, 1 - first)
    t.push(turns.START, first)


GAME = FlowGame(printed_cards())
