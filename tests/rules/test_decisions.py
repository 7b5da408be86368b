from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.small import GO, PASS, PLAY

from ziggurat_rules.decisions import (
    HOLD_BACK_AFTER,
    Answer,
    Choice,
    Decision,
    Effect,
    Pending,
    choose,
    choose_number,
    choose_subset,
    together,
)
from ziggurat_rules.errors import IllegalChoice
from ziggurat_rules.keyed import mix64

keys = st.integers(0, 2**64 - 1)


def asked(effect: Effect[object]) -> Decision:
    pending = next(effect)
    assert pending is not None
    (decision,) = pending.values()
    return decision


def answer(effect: Effect[object], choice: Choice) -> object:
    decision = asked(effect)
    with pytest.raises(StopIteration) as stop:
        effect.send((decision.seat, decision.value(choice)))
    return stop.value.value


def one_of_three() -> Effect[str]:
    return choose(1, GO(1), {PLAY(5): "five", PASS(): "pass", PLAY(2): "two"}, default=PLAY(2))


def cards(low: int, high: int) -> Effect[tuple[int, ...]]:
    return choose_subset(0, GO(0), [(PLAY(3), 30), (PLAY(1), 10), (PLAY(3), 31)], low, high)


def test_options_are_sorted_and_give_their_value() -> None:
    decision = asked(one_of_three())
    assert decision.options == [PASS(), PLAY(2), PLAY(5)]
    assert (decision.seat, decision.default) == (1, 1)
    assert [answer(one_of_three(), choice) for choice in range(3)] == ["pass", "two", "five"]


def test_a_sole_option_is_taken_only_when_all_can_see_it() -> None:
    with pytest.raises(StopIteration) as stop:
        next(choose(0, GO(0), {PASS(): "pass"}, skip_if_forced=True))
    assert stop.value.value == "pass"
    assert asked(choose(0, GO(0), {PASS(): "pass"})).options == [PASS()]


def test_a_subset_may_hold_copies() -> None:
    assert asked(cards(1, 2)).options == [PLAY(1), PLAY(3), PLAY(3)]
    assert answer(cards(1, 2), (1, 2)) == (30, 31)
    assert answer(cards(0, 2), ()) == ()
    assert asked(cards(2, 3)).default == (0, 1)


def test_a_number_is_its_own_value() -> None:
    assert answer(choose_number(0, GO(0), -2, 4), -2) == -2
    assert asked(choose_number(0, GO(0), 1, 4, default=3)).default == 3
    with pytest.raises(StopIteration) as stop:
        next(choose_number(0, GO(0), 2, 2, skip_if_forced=True))
    assert stop.value.value == 2


@pytest.mark.parametrize(
    "effect",
    [choose(0, GO(0), {}), cards(2, 1), cards(0, 4), cards(-1, 1), choose_number(0, GO(0), 3, 2)],
)
def test_a_dead_end_is_a_fault_of_the_game(effect: Effect[object]) -> None:
    with pytest.raises(ValueError, match="prompt"):
        next(effect)


@pytest.mark.parametrize("choice", [-1, 3, (0,), None, "0", True, 1.0])
def test_only_an_index_of_an_option_is_taken(choice: Choice) -> None:
    with pytest.raises(IllegalChoice, match="choice: "):
        asked(one_of_three()).value(choice)


@pytest.mark.parametrize("choice", [0, 5, (1,), None, "1", True])
def test_only_a_number_in_range_is_taken(choice: Choice) -> None:
    with pytest.raises(IllegalChoice, match=r"number|range"):
        asked(choose_number(0, GO(0), 1, 4)).value(choice)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (0, "list of option indexes"),
        ([0], "list of option indexes"),
        ((), "0 options chosen, 1..2 wanted"),
        ((0, 1, 2), "3 options chosen, 1..2 wanted"),
        ((3,), "out of range 0..2"),
        ((-1,), "out of range 0..2"),
        ((1, 0), "must ascend"),
        ((1, 1), "must ascend"),
    ],
)
def test_only_ascending_indexes_are_taken(choice: Choice, reason: str) -> None:
    with pytest.raises(IllegalChoice, match=reason):
        asked(cards(1, 2)).value(choice)


@pytest.mark.parametrize("choice", [(True,), (0, True), (0.0,), ("0",), (None,)])
def test_the_indexes_of_a_subset_are_integers(choice: Choice) -> None:
    with pytest.raises(IllegalChoice):
        asked(cards(1, 2)).value(choice)


def test_a_value_is_offered_or_not() -> None:
    assert asked(one_of_three()).offers("two")
    assert not asked(one_of_three()).offers("six")
    assert asked(choose_number(0, GO(0), 1, 4)).offers(4)
    assert not asked(choose_number(0, GO(0), 1, 4)).offers(5)
    assert asked(cards(1, 2)).offers((31, 10))
    assert not any(asked(cards(1, 2)).offers(value) for value in [(), (31, 31), (10, 30, 31), 10, (11,)])


@given(keys, st.integers(0, 3), st.integers(0, 3))
def test_a_sample_is_legal(key: int, a: int, b: int) -> None:
    for effect in (one_of_three(), cards(min(a, b), max(a, b)), choose_number(0, GO(0), -a, b)):
        decision = asked(effect)
        decision.value(decision.sample(key))


def test_samples_are_even() -> None:
    samples = [asked(one_of_three()).sample(mix64(n)) for n in range(3000)]
    assert all(850 < samples.count(choice) < 1150 for choice in range(3))


# Together


def action(seat: int, questions: int, done: list[str], actions: int = 1) -> Effect[None]:
    """Actions of so many questions each; the first question of an action is quiet."""
    for number in range(actions):
        for question in range(questions):
            yield from choose(seat, GO(question), {PASS(): None}, quiet=question == 0)
        done.append(f"{seat}.{number}")


class Driver:
    """Answers an effect and watches that nothing offered is withdrawn or changed."""

    def __init__(self, effect: Effect[None]) -> None:
        self.effect = effect
        self.pending: Pending = {}
        self.since_quiet = 0
        self._take(None)

    def answer(self, seat: int) -> None:
        self.since_quiet += 1
        before = dict(self.pending)
        decision = before.pop(seat)
        self._take((seat, decision.value(decision.default)))
        if self.pending:
            assert {other: self.pending[other] for other in before} == before

    def _take(self, answer: Answer | None) -> None:
        try:
            pending = self.effect.send(answer)
        except StopIteration:
            pending = {}
        assert pending is not None
        self.pending = pending
        if all(decision.quiet for decision in pending.values()):
            self.since_quiet = 0


def test_all_are_asked_at_once_and_answer_in_any_order() -> None:
    for order in ([0, 0, 1, 1, 2, 2], [2, 1, 0, 0, 1, 2], [1, 2, 1, 0, 2, 0]):
        done: list[str] = []
        driver = Driver(together({seat: action(seat, 2, done) for seat in (2, 0, 1)}))
        assert list(driver.pending) == [0, 1, 2]
        for seat in order:
            driver.answer(seat)
        assert driver.pending == {}
        assert sorted(done) == ["0.0", "1.0", "2.0"]


def test_who_has_nothing_to_do_is_not_asked() -> None:
    done: list[str] = []
    driver = Driver(together({0: action(0, 0, done), 1: action(1, 1, done), 2: action(2, 0, done)}))
    assert list(driver.pending) == [1]
    driver.answer(1)
    assert driver.pending == {}
    assert not list(together({}))


def test_a_branch_gets_the_answers_of_its_own_seats() -> None:
    got = []

    def branch(seat: int) -> Effect[None]:
        got.append((seat, (yield from choose_number(seat, GO(seat), 0, 9))))

    effect = together({0: branch(0), 1: branch(1)})
    next(effect)
    effect.send((1, 7))
    with pytest.raises(StopIteration):
        effect.send((0, 3))
    assert got == [(1, 7), (0, 3)]


def test_two_branches_may_not_ask_one_seat() -> None:
    with pytest.raises(ValueError, match="two branches ask seat 1"):
        next(together({0: action(1, 1, []), 1: action(1, 1, [])}))


def test_a_branch_may_not_be_a_quiet_point_by_itself() -> None:
    def branch() -> Effect[None]:
        yield None

    with pytest.raises(ValueError, match="quiet point"):
        next(together({0: branch()}))


def test_who_sleeps_in_mid_action_holds_the_others_back_in_the_end() -> None:
    driver = Driver(together({seat: action(seat, 2, [], actions=40) for seat in range(3)}))
    driver.answer(0)
    answers = 1
    while len(driver.pending) > 1:
        driver.answer(list(driver.pending)[-1])
        answers += 1
    assert HOLD_BACK_AFTER <= answers <= HOLD_BACK_AFTER + 4
    assert list(driver.pending) == [0]
    driver.answer(0)
    assert list(driver.pending) == [0, 1, 2]
    assert all(decision.quiet for decision in driver.pending.values())


def test_who_is_alone_left_is_never_held_back() -> None:
    driver = Driver(together({0: action(0, 1, []), 1: action(1, 2, [], actions=60)}))
    driver.answer(0)
    for _ in range(120):
        driver.answer(1)
    assert driver.pending == {}


def nested(done: list[str]) -> Effect[None]:
    inner = {seat: action(seat, 3, done, actions=30) for seat in (0, 1)}
    return together({0: together(inner), 2: action(2, 2, done, actions=30)})


@given(st.lists(keys, min_size=1, max_size=8))
def test_nested_branches_withdraw_nothing_and_end(order: list[int]) -> None:
    done: list[str] = []
    driver = Driver(nested(done))
    for number in numbers(order):
        if not driver.pending:
            break
        seats = list(driver.pending)
        driver.answer(seats[number % len(seats)])
        assert driver.since_quiet <= 50
    assert len(done) == 90


def test_a_sleeper_inside_holds_back_those_outside_and_withdraws_nothing() -> None:
    driver = Driver(nested([]))
    driver.answer(1)
    for _ in range(200):
        others = [seat for seat in driver.pending if seat != 1]
        if not others:
            break
        driver.answer(others[0])
    assert list(driver.pending) == [1]
    driver.answer(1)
    driver.answer(1)
    assert list(driver.pending) == [0, 1, 2]


def numbers(order: list[int]) -> Iterator[int]:
    """A long sequence from a short one, seldom touching one of the seats."""
    value = 0
    for n in range(4000):
        value = mix64(value + order[n // 40 % len(order)])
        yield value
