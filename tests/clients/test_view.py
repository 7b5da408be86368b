"""Views, terms and decisions, and the hash shared with the kernel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.clients.fake import INFO, Mirror, decision

from ziggurat import BadChoice, Decision, GameInfo, Term, UnknownName, View
from ziggurat.v1 import play_pb2
from ziggurat.view import Board, cell_hash
from ziggurat_rules import projection

GAME = GameInfo(INFO)
INT32 = st.integers(-(2**31), 2**31 - 1)
CELLS = st.dictionaries(st.integers(0, 400), st.lists(INT32, max_size=5).map(tuple), max_size=6)


def view(cells: projection.Cells, *events: tuple[int, ...]) -> View:
    board = Board()
    assert board.fold(Mirror().update(cells, *events, snapshot=True))
    return View("m", 0, GAME, board)


@given(st.integers(0, 2**32 - 1), st.lists(INT32, max_size=80).map(tuple))
def test_the_hash_of_a_cell_is_the_kernels(key: int, values: tuple[int, ...]) -> None:
    assert cell_hash(key, values) == projection.cell_hash(key, values)


@given(st.lists(CELLS, min_size=1, max_size=6))
def test_folding_updates_gives_what_the_server_holds(changes: list[projection.Cells]) -> None:
    mirror, checked, trusting = Mirror(), Board(), Board()
    for change in changes:
        update = mirror.update(change)
        assert checked.fold(update)
        assert trusting.fold(update, verify=False)
        assert checked.cells == trusting.cells == mirror.cells
    assert checked.fold(mirror.snapshot())
    assert checked.cells == mirror.cells


def test_a_zero_is_a_value_but_in_a_counter() -> None:
    seen = view({4: (0,), 7: (0,), 5: (0,), 2: (0,)})
    assert (seen.to_act, seen.list("order"), seen.cell(2)) == ((0,), (0,), ())
    assert [card.id for card in seen.cards("hand", 0)] == ["ox"]


@pytest.mark.parametrize(
    "broken",
    [
        play_pb2.Update(keys=[2], sizes=[1], values=[1], hash=1),
        play_pb2.Update(keys=[1], sizes=[3], values=[1], hash=cell_hash(1, (1,))),
        play_pb2.Update(keys=[1], sizes=[1], values=[1, 2], hash=cell_hash(1, (1,))),
    ],
)
def test_an_update_that_does_not_add_up_is_refused(broken: play_pb2.Update) -> None:
    assert not Board().fold(broken)


def test_a_view_answers_by_name_and_owner() -> None:
    seen = view({1: (-1, 5, -2, 2), 9: (1, -1, 2), 6: (30,), 0: (0, 1, -1, -1, 1, 0)}, (0, 2), (3, 0, 4, 9))
    assert (seen.match_id, seen.seat, seen.seats, seen.game, seen.version) == ("m", 0, 2, "toy", 1)
    assert seen.hidden("deck") == {"I": 5, "II": 2}
    assert (seen.cards("hand", 1), seen.hidden("hand", 1)) == ([GAME.cards[1]], {"I": 2})
    assert seen.counter("points", 2) == 30
    assert [(frame.step, frame.seat, frame.card) for frame in seen.stack] == [
        ("turn", 1, None),
        ("", 1, GAME.cards[0]),
    ]
    assert [str(event) for event in seen.events] == ["bank acts", "pay 4 food to hand of seat 1"]
    with pytest.raises(UnknownName, match="no zone 'hnd', only deck, hand"):
        seen.cards("hnd")
    with pytest.raises(UnknownName, match=r"owners \[0, 1\], not 2"):
        seen.cards("hand", 2)


def test_a_view_does_not_change_with_the_board() -> None:
    board = Board()
    mirror = Mirror()
    board.fold(mirror.update({2: (1,)}, (2,), snapshot=True))
    before = View("m", 0, GAME, board)
    board.fold(mirror.update({2: (2,)}))
    assert (before.counter("points", 0), View("m", 0, GAME, board).counter("points", 0)) == (1, 2)
    assert len(before.events) == 1 and View("m", 0, GAME, board).events == []


def test_a_term_speaks() -> None:
    keep, nothing = Term(GAME, (1, 0)), Term(GAME, (1, -1))
    assert (keep.verb, keep["card"], list(keep), str(keep), repr(keep)) == (
        "keep",
        0,
        ["card"],
        "keep Ox",
        "keep(card=0)",
    )
    assert keep.card("card") is GAME.cards[0] and nothing.card("card") is None and keep.card("no") is None
    assert Term(GAME, (3, 0, 4, 9)).word("what") == "food"
    assert keep == Term(GAME, (1, 0)) != nothing and "card" in keep and "no" not in keep
    with pytest.raises(UnknownName, match="'keep' has no argument 'no', only card"):
        keep["no"]


def test_a_card_has_its_facts() -> None:
    ox = GAME.cards[0]
    assert (ox.index, ox.id, str(ox), ox.back, ox.copies) == (0, "ox", "Ox", "I", 2)
    assert (ox.facts, ox.sources) == ({"age": 1}, {"age": "house"})


def test_options_of_one_length_and_of_many() -> None:
    equal = Decision(GAME, decision(1))
    mixed = Decision(
        GAME, play_pb2.Decision(id=1, kind=1, options=[1, 0, 2], option_sizes=[2, 1], default_choice=[1])
    )
    assert (equal.kind, equal.size, [str(o) for o in equal.options]) == (
        "options",
        3,
        ["keep Ox", "keep Plough", "keep Ox"],
    )
    assert (mixed.size, [o.verb for o in mixed.options], mixed.default) == (2, ["keep", "stop"], 1)


SUBSET = play_pb2.Decision(
    id=1, kind=2, options=[1, 0, 1, 1, 2, 0], option_size=2, low=1, high=2, default_choice=[0]
)
RANGE = play_pb2.Decision(id=1, kind=3, low=-1, high=4, default_choice=[-1])


@pytest.mark.parametrize(
    ("raw", "good", "bad"),
    [
        (decision(1), [0, 2], [3, -1, "x", (0,), None]),
        (SUBSET, [(0,), (0, 2), [1, 2]], [(), (0, 1, 2), (1, 1), (2, 1), (0, 3), 0]),
        (RANGE, [-1, 4], [5, -2, (1,)]),
    ],
)
def test_choices_are_checked(raw: play_pb2.Decision, good: list[object], bad: list[object]) -> None:
    asked = Decision(GAME, raw)
    asked.wire(asked.default)
    for choice in good:
        asked.wire(choice)
    for choice in bad:
        with pytest.raises(BadChoice):
            asked.wire(choice)


def test_cancelled_is_set_whenever_it_is_looked_at() -> None:
    early, late = Decision(GAME, RANGE), Decision(GAME, RANGE)
    event = early.cancelled
    assert not event.is_set()
    early.cancel()
    late.cancel()
    assert event.is_set() and late.cancelled.is_set() and late.withdrawn


def test_a_printed_view_says_whose_it_is() -> None:
    board = Board()
    assert repr(View("m", 1, GAME, board)) == f"<View of seat 1: {GAME.name} m, version 0>"
    assert repr(View("m", -1, GAME, board)) == f"<View of the public: {GAME.name} m, version 0>"
