from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.rules.toy import TOY

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.errors import BadOption, BadPack, BadSeats, UnknownGame
from ziggurat_rules.game import Options, Score, option, options_dict, parse_options, rank, step_names
from ziggurat_rules.match import Match
from ziggurat_rules.registry import game_names, load_game


@dataclass(frozen=True)
class Some(Options):
    edition: str = option("en", "Which edition.", ("en", "ko"))
    gold: int = option(3, "Gold to begin with.")
    ages: int = option(4, "How many ages.", (3, 4))
    war: bool = option(True, "Whether there is war.")
    motto: str = option("", "Any text.")

    def check(self) -> None:
        if self.war and self.ages == 3:
            raise BadOption("options.war", "there is no war in 3 ages")


def test_options_are_read_from_texts() -> None:
    given = {"edition": "ko", "gold": "-2", "ages": "4", "war": "False", "motto": "4"}
    assert parse_options(Some, given) == Some("ko", -2, 4, False, "4")


def test_options_are_read_from_values() -> None:
    assert parse_options(Some, {"gold": 7, "war": False, "ages": 3}) == Some(gold=7, war=False, ages=3)
    assert parse_options(Some, {}) == Some()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("colour", "red", "unknown option; this game has: ages, edition, gold, motto, war"),
        ("edition", "fr", "'fr' is not one of: en, ko"),
        ("edition", 1, "1 is not one of: en, ko"),
        ("gold", "many", "'many' is not one of: an integer"),
        ("gold", "--3", "'--3' is not one of: an integer"),
        ("gold", "", "'' is not one of: an integer"),
        ("gold", True, "True is not one of: an integer"),
        ("gold", 3.0, "3.0 is not one of: an integer"),
        ("ages", "5", "'5' is not one of: 3, 4"),
        ("war", "yes", "'yes' is not one of: true, false"),
        ("war", 1, "1 is not one of: true, false"),
        ("motto", None, "None is not one of: text"),
    ],
)
def test_a_bad_option_is_named_with_what_it_takes(name: str, value: object, reason: str) -> None:
    with pytest.raises(BadOption) as caught:
        parse_options(Some, {name: value})
    assert (caught.value.field, caught.value.reason) == (f"options.{name}", reason)


def test_options_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(BadOption, match="no war in 3 ages"):
        parse_options(Some, {"ages": "3"})


def test_options_go_to_texts_and_back() -> None:
    options = Some("ko", -1, 3, False, "x")
    assert options_dict(options) == {"edition": "ko", "gold": "-1", "ages": "3", "war": "false", "motto": "x"}
    assert parse_options(Some, options_dict(options)) == options


def test_a_game_says_by_how_many_it_is_played() -> None:
    for seats in (0, 1, 5, -1):
        with pytest.raises(BadSeats, match="toy takes 2 to 4"):
            Match(TOY, 1, seats)


def test_a_game_without_packs_refuses_one() -> None:
    assert TOY.with_packs([]) is TOY
    with pytest.raises(BadPack, match=r"mine.toml: toy takes no card packs"):
        TOY.with_packs([Pack("mine.toml", "")])


def test_equal_results_share_their_place() -> None:
    ranked = rank([(5, (1,)), (9, (0,)), (5, (1,)), (5, (0,))])
    assert ranked == [Score(0, 5, (1,), 2), Score(1, 9, (0,), 1), Score(2, 5, (1,), 2), Score(3, 5, (0,), 4)]


def test_steps_have_names() -> None:
    assert step_names(TOY.steps) == ["deal_round", "act_together", "ask_once"]


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownGame) as caught:
        load_game("chess")
    assert "no game 'chess'" in caught.value.reason
    assert all(name in caught.value.reason for name in game_names())
