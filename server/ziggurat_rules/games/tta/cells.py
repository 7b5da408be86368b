"""The cells of a table, numbered seat by seat so that cell k of seat s is `s * PER_SEAT + k`."""

from __future__ import annotations

from functools import lru_cache

from ziggurat_rules.games.tta.facts import Library
from ziggurat_rules.layout import Layout, ZoneKind

_ZONES = (
    ("civil_hand", ZoneKind.OPEN, "civil cards in hand (public)"),
    ("military_hand", ZoneKind.HAND, "military cards in hand"),
    ("technologies", ZoneKind.OPEN, "technologies and government in play"),
    ("leader", ZoneKind.OPEN, "leader in play"),
    ("wonders", ZoneKind.OPEN, "completed wonders, ruined ones included"),
    ("unfinished_wonder", ZoneKind.OPEN, "wonder being built"),
    ("colonies", ZoneKind.OPEN, "colonies"),
    ("exclusive_tactic", ZoneKind.OPEN, "tactic card played this turn, not yet available to others"),
    ("pact", ZoneKind.OPEN, "pact in the play area"),
    ("wars", ZoneKind.OPEN, "wars declared and not yet resolved"),
    ("tucked", ZoneKind.OPEN, "leader tucked under a wonder"),
)
(
    CIVIL_HAND,
    MILITARY_HAND,
    TECHNOLOGIES,
    LEADER_ZONE,
    WONDERS,
    UNFINISHED,
    COLONIES,
    EXCLUSIVE,
    PACT_ZONE,
    WARS,
    TUCKED,
) = range(len(_ZONES))
ZONES_PER_SEAT = len(_ZONES)

_COMMON_ZONES = (
    ("row", ZoneKind.OPEN, "card row, from left to right; list row_spaces says on which spaces"),
    *((f"civil_deck_{age}", ZoneKind.PILE, f"civil deck of age {age}") for age in ("A", "I", "II", "III")),
    *(
        (f"military_deck_{age}", ZoneKind.PILE, f"military deck of age {age}")
        for age in ("A", "I", "II", "III")
    ),
    ("military_discard", ZoneKind.PILE, "discarded military cards, face down, all ages"),
    ("current_events", ZoneKind.STACK, "current events deck, the next event last"),
    ("future_events", ZoneKind.STACK, "future events deck"),
    ("past_events", ZoneKind.OPEN, "events that were resolved"),
    ("in_resolution", ZoneKind.OPEN, "military card that is being resolved"),
    ("common_tactics", ZoneKind.OPEN, "tactics that everybody may copy"),
)
ROW, CIVIL_DECK, MILITARY_DECK = 0, 1, 5
MILITARY_DISCARD, CURRENT_EVENTS, FUTURE_EVENTS, PAST_EVENTS, IN_RESOLUTION, COMMON_TACTICS = range(9, 15)

_COUNTERS = (
    ("culture", "culture points"),
    ("science", "science points"),
    ("culture_rating", "culture scored each turn"),
    ("science_rating", "science scored each turn"),
    ("strength", "strength rating"),
    ("happiness", "happiness rating"),
    ("discontent", "discontent workers"),
    ("colonization", "colonization modifier"),
    ("civil_actions", "civil action total"),
    ("civil_actions_spent", "civil actions spent; below 0 after a conversion"),
    ("military_actions", "military action total"),
    ("military_actions_spent", "military actions spent"),
    ("military_actions_bonus", "further military actions for this turn"),
    ("civil_hand_limit", "limit of civil cards in hand"),
    ("military_hand_limit", "limit of military cards in hand"),
    ("food", "food stored"),
    ("resources", "resources stored"),
    ("food_production", "food produced each turn"),
    ("resource_production", "resources produced each turn"),
    ("urban_limit", "limit of urban buildings of one type"),
    ("blue_bank", "blue tokens in the bank"),
    ("blue_box", "blue tokens in the box"),
    ("yellow_bank", "yellow tokens in the bank"),
    ("yellow_box", "yellow tokens in the box"),
    ("unused_workers", "workers in the worker pool"),
    ("stages_built", "stages of the unfinished wonder built, a blue token on each"),
    ("pool_leader", "resources of the leader for units this turn"),
    ("pool_units", "further resources for units this turn"),
    ("pool_science", "science for unit technologies this turn"),
    ("trade_used", "1 if the trade of a pact was used this turn"),
    ("converted", "military actions used as civil actions this turn"),
    ("cross_upgraded", "upgrades to another type by the leader this turn"),
    ("grew_free", "free growths by a wonder this turn"),
    ("turn_choice_used", "choices given by the leader taken this turn"),
    ("tactic_used", "1 if a tactic was played or copied this turn"),
    ("leader_replaced", "1 if a leader was replaced this turn"),
    ("extra_politics_used", "further political actions taken in the game"),
    ("skips_politics", "1 if the next politics phase is skipped"),
    ("leader_ages", "bit n: a leader of age n (A = 0) was taken"),
    ("resigned", "1 if the player resigned"),
)
(
    CULTURE,
    SCIENCE,
    CULTURE_RATING,
    SCIENCE_RATING,
    STRENGTH,
    HAPPINESS,
    DISCONTENT,
    COLONIZATION,
    CA_TOTAL,
    CA_SPENT,
    MA_TOTAL,
    MA_SPENT,
    MA_BONUS,
    CIVIL_LIMIT,
    MILITARY_LIMIT,
    FOOD,
    RESOURCES,
    FOOD_PRODUCTION,
    RESOURCE_PRODUCTION,
    URBAN_LIMIT,
    BLUE_BANK,
    BLUE_BOX,
    YELLOW_BANK,
    YELLOW_BOX,
    UNUSED,
    STAGES,
    POOL_LEADER,
    POOL_UNITS,
    POOL_SCIENCE,
    TRADE_USED,
    CONVERTED,
    CROSS_UPGRADED,
    GREW_FREE,
    TURN_CHOICE_USED,
    TACTIC_USED,
    LEADER_REPLACED,
    EXTRA_POLITICS_USED,
    SKIPS_POLITICS,
    LEADER_AGES,
    RESIGNED,
) = range(len(_COUNTERS))
WORKERS = len(_COUNTERS)
"""Workers on the technology of slot n: counter WORKERS + n."""
TURN_COUNTERS = (
    *(CA_SPENT, MA_SPENT, MA_BONUS, POOL_LEADER, POOL_UNITS, POOL_SCIENCE, TRADE_USED, CONVERTED),
    *(CROSS_UPGRADED, GREW_FREE, TURN_CHOICE_USED, TACTIC_USED, LEADER_REPLACED),
)
"""Counters that go back to 0 at the end of a turn."""

_COMMON_COUNTERS = (
    ("age", "current age: A is 0, IV is 4"),
    ("round", "current round, from 1"),
    ("last_round", "number of the last round, 0 if not yet known"),
    ("current_player", "seat whose turn it is"),
)
AGE, ROUND, LAST_ROUND, CURRENT = range(4)

_LISTS = (
    ("current_tactic", "current tactic", "card"),
    ("ruined_wonders", "wonders turned face down", "card"),
    ("wonder_with_leader", "wonder with a leader tucked under it", "card"),
    (
        "pact_terms",
        "of the pact in the play area: partner, own side (0: A or the same for both, 1: B)",
        "amount",
    ),
    ("war_rivals", "against whom the wars are declared, in order", "seat"),
    ("taken", "action cards taken this turn, not to be played before the next", "card"),
)
TACTIC_LIST, RUINED, LEADER_UNDER, PACT_TERMS, WAR_RIVALS, TAKEN = range(len(_LISTS))
LISTS_PER_SEAT = len(_LISTS)


class TtaLayout(Layout):
    """Layout of a table with the facts that its verbs read."""

    def __init__(self, library: Library, seats: int, resignation: bool) -> None:
        super().__init__(seats)
        self.library = library
        self.faces = library.faces
        self.board = library.board
        self.resignation = resignation
        self.tokens = WORKERS + len(library.slots)
        self.per_seat = self.tokens + len(library.food_slots) + len(library.mine_slots)
        self.token_of = {
            face.slot: self.tokens + n for n, face in enumerate((*library.food_slots, *library.mine_slots))
        }
        self.food_tokens = tuple((self.token_of[face.slot], face) for face in library.food_slots)
        self.mine_tokens = tuple((self.token_of[face.slot], face) for face in library.mine_slots)
        self.all_tokens = tuple(
            sorted((*self.food_tokens, *self.mine_tokens), key=lambda pair: pair[1].value)
        )
        for seat in range(seats):
            self._declare(seat)
        self.zones_common = len(self.zones)
        for name, kind, doc in _COMMON_ZONES:
            self.zone(name, kind, doc)
        self.counters_common = len(self.counters)
        for name, doc in _COMMON_COUNTERS:
            self.counter(name, doc)
        self.lists_common = self.list("row_spaces", "space (1 is leftmost) of each card of the row")

    def _declare(self, seat: int) -> None:
        for name, kind, doc in _ZONES:
            self.zone(name, kind, doc, seat)
        for name, doc in _COUNTERS:
            self.counter(name, doc, seat)
        for face in self.library.slots:
            self.counter(f"workers_{face.id}", f"workers on {face.name}", seat)
        for face in (*self.library.food_slots, *self.library.mine_slots):
            self.counter(f"tokens_{face.id}", f"blue tokens on {face.name}", seat)
        for name, doc, holds in _LISTS:
            self.list(name, doc, seat, holds=holds)


@lru_cache(maxsize=64)
def layout_for(library: Library, seats: int, resignation: bool) -> TtaLayout:
    """The layout for these facts, made once."""
    return TtaLayout(library, seats, resignation)
