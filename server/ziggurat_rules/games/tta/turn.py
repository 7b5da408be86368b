"""The course of a turn: start of turn, ages, end of turn (rulebook, Course of the Turn)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose_subset
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.effects.leaders import end_of_turn, remove_leader, turn_begins
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable

OUT_OF_DECKS = 4
"""Age IV."""


def begin_turn(t: TtaTable, seat: int) -> None:
    """Put the phases of a turn on the agenda; the first round has no start of turn and no politics."""
    t.put_common(c.CURRENT, seat)
    turn_begins(t, seat)
    for step in (steps.END_TURN, steps.PRODUCTION, steps.DISCARD, steps.ACTIONS):
        t.push(step, seat)
    if t.common(c.ROUND) > 1:
        t.push(steps.POLITICS, seat)
        t.push(steps.OPEN_TACTICS, seat)
        for _ in t.zone_of(seat, c.WARS):
            t.push(steps.RESOLVE_WAR, seat)
        t.push(steps.REPLENISH, seat)


def replenish(t: TtaTable, seat: int) -> None:
    """Discard from the left, shift, deal; this may end an age."""
    row = t.pile(c.ROW)
    spaces = t.lists[t.layout.lists_common]
    gone = t.by_players(t.layout.board.row_discards)
    for card in [card for card, space in zip(row, spaces, strict=True) if space <= gone]:
        t.remove(card)
    refill_row(t)
    if t.common(c.AGE) == 0:
        end_age(t)
        refill_row(t)


def refill_row(t: TtaTable) -> None:
    """Shift the row to the left and deal cards into its empty spaces."""
    row = t.pile_number(c.ROW)
    while len(t.zones[row]) < len(t.layout.board.row_costs):
        age = t.common(c.AGE)
        if age == OUT_OF_DECKS:
            break
        deck = t.pile_number(c.CIVIL_DECK + age)
        if t.draw(deck, row) is None:
            break
        if not t.zones[deck] and age:
            end_age(t)
    t.put(t.layout.lists_common, range(1, len(t.zones[row]) + 1))


def end_age(t: TtaTable) -> None:
    """The current age ends and the next begins; nothing is antiquated at the end of age A."""
    ended = t.common(c.AGE)
    for card in t.pile(c.CIVIL_DECK + ended)[:]:
        t.remove(card)
    for card in t.pile(c.MILITARY_DECK + ended)[:]:
        t.remove(card)
    if ended:
        for seat in t.clockwise(t.common(c.CURRENT)):
            antiquate(t, seat, ended)
            t.change_yellow(seat, -t.layout.board.age_end_yellow_tokens)
        for seat in t.living():
            refresh(t, seat)
    t.put_common(c.AGE, ended + 1)
    t.log(w.AGE_BEGINS(ended + 1))
    if ended + 1 < OUT_OF_DECKS:
        for deck in (c.CIVIL_DECK + ended + 1, c.MILITARY_DECK + ended + 1):
            fit_deck(t, t.pile_number(deck))
            t.shuffle(t.pile_number(deck))
    else:
        starting = t.living()[0] == t.common(c.CURRENT)
        t.put_common(c.LAST_ROUND, t.common(c.ROUND) + (0 if starting else 1))
        t.log(w.LAST_ROUND_IS(t.common(c.LAST_ROUND)))


def fit_deck(t: TtaTable, deck: int) -> None:
    """Before a new age, after a resignation: take out the cards that fewer players do not use."""
    seats, living = t.layout.seats, max(2, len(t.living()))
    if living == seats:
        return
    surplus = {f.index: f.copies[seats - 2] - f.copies[living - 2] for f in t.layout.faces}
    for card in t.zones[deck][:]:
        face = t.ident[card]
        if surplus[face]:
            surplus[face] -= 1
            t.reveal(card)
            t.remove(card)


def antiquate(t: TtaTable, seat: int, ended: int) -> None:
    """Cards of ages older than the one that ended leave hands and, of some kinds, play."""
    for card in t.zone_of(seat, c.CIVIL_HAND)[:]:
        if t.face(card).level < ended:
            t.remove(card)
    old = [card for card in t.zone_of(seat, c.MILITARY_HAND) if t.face(card).level < ended]
    for card in old:
        t.discard_military(card)
    leader = t.leader(seat)
    if leader is not None and leader.level < ended:
        remove_leader(t, seat)
    for card in t.zone_of(seat, c.UNFINISHED)[:]:
        if t.face(card).level < ended:
            t.clear_stages(seat)
            t.remove(card)
    for card in t.zone_of(seat, c.PACT_ZONE)[:]:
        if t.face(card).level < ended:
            end_pact(t, seat)


def end_pact(t: TtaTable, owner: int) -> None:
    """Remove the pact in a play area."""
    partner = t.list_of(owner, c.PACT_TERMS)[0]
    t.take_out_of_play(owner, t.zone_of(owner, c.PACT_ZONE)[0])
    t.put_list(owner, c.PACT_TERMS, ())
    refresh(t, owner)
    refresh(t, partner)


def open_tactics(t: TtaTable, seat: int) -> None:
    """The exclusive tactic becomes common; a second copy leaves the game."""
    common = t.pile_number(c.COMMON_TACTICS)
    for card in t.zone_of(seat, c.EXCLUSIVE)[:]:
        if any(t.ident[other] == t.ident[card] for other in t.zones[common]):
            t.remove(card)
        else:
            t.move(card, common)


# End of turn


def check_hand(t: TtaTable, seat: int) -> None:
    """Who holds military cards above the limit must discard."""
    excess = len(t.zone_of(seat, c.MILITARY_HAND)) - t.get(seat, c.MILITARY_LIMIT)
    if excess > 0:
        t.push(steps.DISCARD_EXCESS, seat, excess)


def discard_excess(t: TtaTable, seat: int, excess: int) -> Effect[None]:
    """Discard so many military cards."""
    options = [(w.CARD(t.ident[card]), card) for card in t.zone_of(seat, c.MILITARY_HAND)]
    cards = yield from choose_subset(seat, w.DISCARD_EXCESS(excess), options, excess, excess)
    t.discard_unseen(seat, cards)


def production(t: TtaTable, seat: int) -> None:
    """Science, culture, corruption, food, consumption, resources; nothing of it in an uprising."""
    if t.get(seat, c.DISCONTENT) > t.get(seat, c.UNUSED):
        t.log(w.UPRISING(seat))
    else:
        t.score_science(seat, t.get(seat, c.SCIENCE_RATING))
        t.score_culture(seat, t.get(seat, c.CULTURE_RATING))
        lose_to_corruption(t, seat)
        produce_food(t, seat)
        consume(t, seat)
        produce_resources(t, seat)
    end_of_turn(t, seat)


def lose_to_corruption(t: TtaTable, seat: int) -> None:
    """Lose resources by the leftmost uncovered square of the blue bank; what is missing in food."""
    bank = t.get(seat, c.BLUE_BANK)
    corruption = next(loss for least, loss in t.layout.board.corruption if bank >= least)
    t.pay_food(seat, t.pay_resources(seat, corruption))


def produce_food(t: TtaTable, seat: int) -> None:
    """A token for each farm, best farms first, then what pacts add or take."""
    made = 0
    for face in reversed(t.layout.library.food_slots):
        number = t.workers(seat, face.slot)
        made += number * face.value
        t.produce(seat, face, number)
    extra = t.get(seat, c.FOOD_PRODUCTION) - made
    t.gain_food(seat, extra)
    t.pay_food(seat, -extra)


def consume(t: TtaTable, seat: int) -> None:
    """Feed the population; each food missing costs culture."""
    board = t.layout.board
    short = t.pay_food(seat, board.consumption[min(t.get(seat, c.YELLOW_BANK), len(board.consumption) - 1)])
    if short:
        t.score_culture(seat, -short * board.famine_culture)


def produce_resources(t: TtaTable, seat: int) -> None:
    """A token for each mine, best mines first, one more where a wonder doubles, then what other cards add
    or take."""
    made = 0
    doubled = sum(
        op["workers"] for wonder in t.working_wonders(seat) for op in wonder.ops.get("double_best_mine", ())
    )
    for face in reversed(t.layout.library.mine_slots):
        number = t.workers(seat, face.slot)
        if number:
            number += doubled
            doubled = 0
            made += number * face.value
            t.produce(seat, face, number)
    extra = t.get(seat, c.RESOURCE_PRODUCTION) - made
    t.gain_resources(seat, extra)
    t.pay_resources(seat, -extra)


def end_turn(t: TtaTable, seat: int) -> None:
    """Draw military cards, reset the actions, pass the turn on."""
    t.draw_military(seat, min(t.layout.board.draw_max, t.military_left(seat)))
    for counter in c.TURN_COUNTERS:
        t.put_counter(seat, counter, 0)
    if t.list_of(seat, c.TAKEN):
        t.put_list(seat, c.TAKEN, ())
    pass_turn(t, seat)


def pass_turn(t: TtaTable, seat: int) -> None:
    """The next living player begins a turn, or the game ends with the last round."""
    following = next((other for other in t.living() if other > seat), None)
    if following is None:
        if t.common(c.LAST_ROUND) and t.common(c.ROUND) >= t.common(c.LAST_ROUND):
            t.push(steps.FINAL_SCORING)
            return
        t.put_common(c.ROUND, t.common(c.ROUND) + 1)
        t.log(w.ROUND_BEGINS(t.common(c.ROUND)))
        following = t.living()[0]
    t.push(steps.BEGIN_TURN, following)
