from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.rules.small import at, small_table
from tests.rules.toy import TOY, ToyOptions

from ziggurat_rules.errors import BadRecord
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER
from ziggurat_rules.record import Record, replay


def played(answers: int | None = None) -> Match[Any]:
    match = Match(TOY, 99, 2, ToyOptions(rounds=1))
    while not match.over and match.answers != answers:
        seat = match.to_act[-1]
        match.apply(seat, match.decision(seat).sample(keyed(match.answers)))
    return match


RECORD = played().record()


def test_a_record_says_how_the_match_came_about() -> None:
    assert (RECORD.game, RECORD.rules_version, RECORD.seed, RECORD.seats) == ("toy", 1, 99, 2)
    assert RECORD.options == {"rounds": "1", "rich": "false"}
    assert RECORD.packs == ()
    assert RECORD.scores == tuple(played().scores())


@pytest.mark.parametrize("answers", [0, 1, 7, None])
def test_a_replay_is_the_match(answers: int | None) -> None:
    match = played(answers)
    again = replay(match.record(), TOY)
    assert again.view(ARBITER) == match.view(ARBITER)
    assert again.answers == match.answers
    assert again.record() == match.record()


def test_a_clone_has_the_record_of_what_it_played() -> None:
    match = played(5)
    copy = match.clone()
    copy.apply(copy.to_act[0], 0)
    assert len(match.record().answers) == 5
    assert len(copy.record().answers) == 6
    assert copy.record().answers[:5] == match.record().answers


def test_neither_a_world_nor_a_position_has_a_record() -> None:
    for match in (played(3).determinize(0, 1), played(3).determinize(0, 1).clone(), at(small_table())):
        with pytest.raises(ValueError, match="has no record"):
            match.record()


def test_a_record_of_an_installed_game_needs_only_its_name() -> None:
    with pytest.raises(BadRecord, match="game: no game 'toy'"):
        replay(RECORD)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "game: the record is of chess, not toy"),
        ({"rules_version": 7}, "rules_version: recorded with version 7; this is version 1 of toy"),
        ({"packs": ("ab12",)}, "packs: recorded with the card packs ab12"),
        ({"options": {"rounds": "2"}}, "options.rounds: '2' is not one of: 1, 3"),
        ({"options": {"colour": "red"}}, "options.colour: unknown option; this game has: rich, rounds"),
        ({"seats": 9}, "seats: toy takes 2 to 4, not 9"),
        ({"answers": ((0, 77), *RECORD.answers[1:])}, "answers[0]: choice: number 77 is out of range 0..3"),
        ({"answers": ((5, 0), *RECORD.answers[1:])}, "answers[0]: seat: seat 5 has no decision to take now"),
        (
            {"answers": (*RECORD.answers, (0, 0))},
            f"answers[{len(RECORD.answers)}]: seat: seat 0 has no decision to take now",
        ),
        ({"scores": ()}, "scores: () recorded"),
    ],
)
def test_a_record_that_does_not_replay_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord) as caught:
        replay(replace(RECORD, **change), TOY)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("change", [{"seed": 98}, {"answers": RECORD.answers[:-1]}, {"final_hash": 5}])
def test_a_record_that_replays_to_something_else_is_refused(change: dict[str, Any]) -> None:
    record: Record = replace(RECORD, **change)
    with pytest.raises(BadRecord, match=r"final_hash|answers"):
        replay(record, TOY)
