"""Payments: consecutive plays with a surplus kept as credit are the joint payments of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from tests.games.era.position import Play, Position, Step

from ziggurat_rules.games.era.payment import COIN, DOWN, UP, Item, offered

Purse = tuple[tuple[int, ...], int, int]
"""Values of face-up cards (falling), money, face-down cards."""


def items(purse: Purse) -> list[Item]:
    ups, money, down = purse
    found = [Item((-v, UP, v), v, ups.count(v), (0, v)) for v in sorted(set(ups), reverse=True)]
    found += [Item((-1, COIN, 0), 1, money, (1,))] if money else []
    return found + ([Item((-1, DOWN, 0), 1, down, (2,))] if down else [])


def spend(purse: Purse, item: Item) -> Purse:
    ups, money, down = purse
    if item.rank[1] == UP:
        left = list(ups)
        left.remove(item.value)
        return tuple(left), money, down
    return (ups, money - 1, down) if item.rank[1] == COIN else (ups, money, down - 1)


def worth(purse: Purse) -> int:
    return sum(purse[0]) + purse[1] + purse[2]


def payments(
    purse: Purse, missing: int, last: tuple[int, int, int] | None = None
) -> Iterator[tuple[Purse, int]]:
    """What may be left after paying step by step, with the surplus; a dead end fails."""
    if missing <= 0:
        yield purse, -missing
        return
    steps = offered(items(purse), missing, last)
    assert steps, "a dead end"
    for item in steps:
        yield from payments(spend(purse, item), missing - item.value, item.rank)


def played(purse: Purse, costs: tuple[int, ...]) -> set[Purse]:
    """What may be left after playing cards of these costs one after another."""
    states = {(purse, 0)}
    for cost in costs:
        states = {
            after
            for left, credit in states
            if worth(left) + credit >= cost
            for after in payments(left, cost - credit)
        }
    return {left for left, _ in states}


def bundles(purse: Purse, costs: tuple[int, ...]) -> set[Purse]:
    """What may be left after one joint payment: it covers the sum, and no item of it is superfluous."""
    ups, money, down = purse
    total = sum(costs)
    left = set()
    for size in range(len(ups) + 1):
        for chosen in combinations(range(len(ups)), size):
            values = [ups[i] for i in chosen]
            for coins, cards in product(range(money + 1), range(down + 1)):
                paid = sum(values) + coins + cards
                cheapest = min([*values, *([1] if coins or cards else [])], default=0)
                if paid >= total and (paid - cheapest < total or not paid):
                    rest = tuple(ups[i] for i in range(len(ups)) if i not in chosen)
                    left.add((rest, money - coins, down - cards))
    return left


def cases() -> Iterator[tuple[Purse, tuple[int, ...]]]:
    ups = [c for n in range(4) for c in product((4, 2, 1), repeat=n) if list(c) == sorted(c, reverse=True)]
    for values, money, down in product(ups, range(3), range(3)):
        for costs in ((1,), (2,), (5,), (1, 1), (5, 1), (1, 5), (3, 2), (2, 2, 1)):
            yield (values, money, down), costs


def sequences(purse: Purse, costs: tuple[int, ...]) -> set[Purse]:
    """What any series of joint payments leaves: every way to split the plays into bundles."""
    if not costs:
        return {purse}
    found = set()
    for size in range(1, len(costs) + 1):
        for left in bundles(purse, costs[:size]):
            found |= sequences(left, costs[size:])
    return found


def test_plays_with_credit_are_the_joint_payments() -> None:
    number = 0
    for purse, costs in cases():
        if worth(purse) < sum(costs):
            continue
        number += 1
        ours = played(purse, costs)
        assert bundles(purse, costs) <= ours, (purse, costs)
        assert ours <= sequences(purse, costs), (purse, costs)
    assert number > 900


def test_a_payment_has_one_order() -> None:
    for purse, costs in cases():
        if len(costs) == 1 and worth(purse) >= costs[0]:
            ways = list(payments(purse, costs[0]))
            assert len(ways) == len(set(ways))


def shop(*up: str, money: int = 0, down: int = 0) -> Play:
    position = Position("frontier", "egypt").build(0, down).build_up(0, *up).counter("money", money)
    return position.hand(0, "frontier.railroad", "frontier.cavalry").at(Step.ACT)


def test_what_is_offered_goes_from_dear_to_cheap() -> None:
    play = shop("frontier.sheriff", "frontier.settler", money=1, down=2).take(
        "play", card="frontier.railroad"
    )
    # 3 + 1 + 1 + 2 against 5: without the 3 it fails, so that is not asked.
    assert play.zone("build_up") == ["frontier.settler"]
    assert play.decision.prompt[-1] == 2
    assert sorted(one["verb"] for one in play.options()) == ["pay_down", "pay_money", "pay_up"]
    play.take("pay_money")
    assert not play.match.pending or play.asked != "paying"
    assert (play.size("build_up"), play.size("build_down"), play.counter("money")) == (1, 1, 0)


def test_paying_shows_the_face_down_cards_in_the_discard_pile() -> None:
    play = shop(down=5).take("play", card="frontier.railroad")
    assert play.size("discard") == 5
    t = play.t
    assert all(t.known[card] == t.layout.everyone for card in t.zones[t.layout.discard])
