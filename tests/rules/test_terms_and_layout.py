from __future__ import annotations

import pytest

from ziggurat_rules.layout import NOBODY, Audience, Layout, ZoneKind, counter_key, list_key, zone_key
from ziggurat_rules.terms import Argument, Vocabulary


def test_verbs_are_numbered_and_make_terms() -> None:
    vocabulary = Vocabulary()
    vocabulary.verb("pass", text="pass")
    build = vocabulary.verb("build", "card", "food:amount", text="build {card} for {food}")
    assert build.arguments == (Argument("card", "card"), Argument("food", "amount"))
    assert build(7, 2) == (1, 7, 2)
    assert [verb.name for verb in vocabulary.verbs] == ["pass", "build"]


@pytest.mark.parametrize("argument", ["colour", "food:number", ""])
def test_an_unknown_kind_of_argument_is_refused(argument: str) -> None:
    with pytest.raises(ValueError, match="unknown kind of argument"):
        Vocabulary().verb("build", argument, text="build")


def test_a_verb_is_defined_once() -> None:
    vocabulary = Vocabulary()
    vocabulary.verb("pass", text="pass")
    with pytest.raises(ValueError, match="twice"):
        vocabulary.verb("pass", text="pass again")


def test_a_text_names_only_arguments_there_are() -> None:
    vocabulary = Vocabulary()
    with pytest.raises(KeyError):
        vocabulary.verb("build", "card", text="build {cart}")
    assert vocabulary.verbs == []


def test_words_are_numbered_at_first_use() -> None:
    vocabulary = Vocabulary()
    assert [vocabulary.word(word) for word in ("ore", "food", "ore")] == [0, 1, 0]
    assert vocabulary.words == ["ore", "food"]


def test_a_cell_per_seat_has_consecutive_numbers() -> None:
    layout = Layout(3, ("the bank",))
    layout.zone("market", ZoneKind.OPEN, "doc")
    hand = layout.zone_per_seat("hand", ZoneKind.HAND, "doc")
    gold = layout.counter_per_seat("gold", "doc")
    notes = layout.list_per_seat("notes", "doc", Audience.OWNER, holds="card")
    assert (hand, gold, notes) == (1, 0, 0)
    assert [cell.owner for cell in layout.zones] == [NOBODY, 0, 1, 2]
    assert [cell.key for cell in layout.zones] == [zone_key(n) for n in range(4)]
    assert [cell.key for cell in layout.counters] == [counter_key(n) for n in range(3)]
    assert [(cell.key, cell.holds) for cell in layout.lists] == [(list_key(n), "card") for n in range(3)]


def test_cells_come_by_key_and_no_key_twice() -> None:
    layout = Layout(2)
    layout.counter("round", "doc")
    layout.zone_per_seat("hand", ZoneKind.HAND, "doc")
    layout.list("order", "doc", holds="seat")
    keys = [cell.key for cell in layout.cells()]
    assert keys == sorted(set(keys))
    assert len(keys) == 4
    assert not {0, 4} & set(keys)


def test_every_audience_has_a_bit() -> None:
    layout = Layout(4)
    assert layout.public == 0b10000
    assert layout.everyone == 0b11111
