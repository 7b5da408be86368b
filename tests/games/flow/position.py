"""Positions of The Flow of History, and play from them in the words of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ziggurat_rules.decisions import RANGE
from ziggurat_rules.game import Score
from ziggurat_rules.games.flow import GAME
from ziggurat_rules.games.flow.game import FlowGame, FlowOptions
from ziggurat_rules.games.flow.scoring import Points, points_of
from ziggurat_rules.games.flow.symbols import ICONS, TYPES
from ziggurat_rules.games.flow.table import DECK, FlowTable
from ziggurat_rules.games.flow.turns import TURN
from ziggurat_rules.match import Match

Ids = Sequence[str]
V = GAME.vocabulary.verbs


class Position:
    """A match in the middle of the game; `turn` is the seat to act. Card ids stand for cards.

    The deck is empty unless given (top card first), so the Market is not refilled and the game goes on.
    """

    def __init__(  # noqa: PLR0913 - each has a default
        self,
        *,
        seats: int = 3,
        turn: int = 0,
        nations: Mapping[int, Ids] | None = None,
        market: Ids = (),
        invested: Mapping[int, tuple[str, int]] | None = None,
        tokens: Mapping[int, int] | None = None,
        supply: int = 0,
        reserve: int = 40,
        deck: Ids = (),
        options: FlowOptions | None = None,
        game: FlowGame = GAME,
    ) -> None:
        options = options or FlowOptions()
        self.game = game
        t = FlowTable.of(seats, 7, game.edition(options))
        for card in reversed(deck):
            t.move(self.card(card), DECK)
        cards = [*market, *(card for card, _ in (invested or {}).values())]
        for zone, name in zip(t.layout.market, cards, strict=False):
            t.move(self.card(name), zone)
        for seat, nation in (nations or {}).items():
            for name in nation:
                t.put_in_nation(seat, self.card(name))
        for owner, (name, amount) in (invested or {}).items():
            t.put_marker(owner, self.card(name))
            t.set(t.layout.invested + owner, amount)
        for seat, amount in (tokens or {}).items():
            t.set(t.layout.tokens + seat, amount)
        used = [*deck, *cards, *(name for nation in (nations or {}).values() for name in nation)]
        assert len(used) == len(set(used)), f"there is one copy of each card: {sorted(used)}"
        t.set(t.layout.supply, supply)
        t.set(t.layout.reserve, reserve)
        on_table = [c for zone in (*t.layout.market, *t.layout.home) for c in t.zones[zone]]
        t.set(t.layout.age, max((t.face(card).age for card in on_table), default=0))
        t.push(TURN, turn)
        self.match = Match.of_table(game, t, options)

    def card(self, name: str) -> int:
        """The handle of a card: one copy of each, in catalogue order."""
        return self.game.catalogue.index(name)

    # Play

    @property
    def table(self) -> FlowTable:
        return self.match.table

    @property
    def asked(self) -> int:
        """The seat that must act."""
        return self.match.to_act[0]

    @property
    def prompt(self) -> str:
        return V[self.match.decision(self.asked).prompt[0]].name

    def offered(self) -> list[str]:
        """The options, as `verb argument ...` with card ids."""
        return [self._say(term) for term in self.match.decision(self.asked).options]

    def play(self, *choices: str | int) -> Position:
        """Take options by how they begin ("complete temple"), or numbers of a range."""
        for choice in choices:
            decision = self.match.decision(self.asked)
            if isinstance(choice, int):
                assert decision.kind == RANGE, f"{choice}: not a number but one of {self.offered()}"
                self.match.apply(self.asked, choice)
                continue
            fits = [n for n, text in enumerate(self.offered()) if f"{text} ".startswith(f"{choice} ")]
            assert len(fits) == 1, f"{choice}: {len(fits)} of {self.offered()}"
            self.match.apply(self.asked, fits[0])
        return self

    def _say(self, term: tuple[int, ...]) -> str:
        verb = V[term[0]]
        words = [verb.name]
        for argument, value in zip(verb.arguments, term[1:], strict=True):
            words.append(self.game.catalogue.cards[value].id if argument.kind == "card" else str(value))
        return " ".join(words)

    # What is there

    @property
    def supply(self) -> int:
        return self.table.counters[self.table.layout.supply]

    @property
    def reserve(self) -> int:
        return self.table.counters[self.table.layout.reserve]

    @property
    def age(self) -> int:
        return self.table.counters[self.table.layout.age]

    def tokens(self, seat: int) -> int:
        return self.table.tokens(seat)

    def invested(self, owner: int) -> int:
        return self.table.counters[self.table.layout.invested + owner]

    def invested_in(self, owner: int) -> str | None:
        card = self.table.invested_card(owner)
        return None if card is None else self.game.catalogue.cards[self.table.ident[card]].id

    def nation(self, seat: int) -> list[str]:
        """All cards of a Nation, by type, top last."""
        return self._ids(self.table.layout.nation[seat])

    def stack(self, seat: int, kind: str) -> list[str]:
        return self._ids([self.table.layout.nation[seat][TYPES.index(kind)]])

    @property
    def market(self) -> list[str]:
        return self._ids(self.table.layout.market)

    @property
    def deck(self) -> list[str]:
        """Top card first."""
        return self._ids([DECK])[::-1]

    def _ids(self, zones: Sequence[int]) -> list[str]:
        cards = self.game.catalogue.cards
        return [cards[self.table.ident[card]].id for zone in zones for card in self.table.zones[zone]]

    def icons(self, seat: int) -> dict[str, int]:
        """The icons that a Nation shows, without those it has none of."""
        counts = self.table.icon_counts(seat)
        return {icon: count for icon, count in zip(ICONS, counts, strict=True) if count}

    def points(self, seat: int) -> Points:
        return points_of(self.table, seat)

    @property
    def scores(self) -> list[Score]:
        return self.match.scores()

    def all_tokens(self) -> int:
        """Tokens in Nations, under cards, in Supply and Reserve."""
        t = self.table
        owners = sum(self.invested(owner) for owner in t.layout.investors)
        return sum(map(self.tokens, range(t.seats))) + owners + self.supply + self.reserve


KOREAN = FlowOptions(edition="ko")


def gaining(name: str, *, nations: Mapping[int, Ids] | None = None, **more: object) -> Position:
    """Seat 0 is about to complete a card with 1 token on it."""
    return Position(nations=nations, invested={0: (name, 1)}, **more)  # type: ignore[arg-type]


def stripe(*names: str) -> dict[str, int]:
    """The icons on the stripes of these cards."""
    total: dict[str, int] = {}
    for name in names:
        for icon, amount in GAME.catalogue.cards[GAME.catalogue.index(name)].facts["icons"].items():
            total[icon] = total.get(icon, 0) + amount
    return total


def plus(*icons: Mapping[str, int]) -> dict[str, int]:
    """The sum of icon counts."""
    return {icon: amount for icon in ICONS if (amount := sum(one.get(icon, 0) for one in icons))}
