"""Every export of small events: it parses, its numbers are those of the report, and all of them are finite."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import astuple, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.runner.exports.events import NAMES, SMALL, event, game
from tests.server.runner.exports.pages import Page
from tests.support.outcomes import game as outcome

from ziggurat_server.log import Policy
from ziggurat_server.runner.exports import (
    EXPORTS,
    BadResult,
    Description,
    Summary,
    read_result,
    result_json,
    summary_of,
)
from ziggurat_server.runner.exports.tables import FAULTS, cross_csv, games_csv, markdown, standings_csv
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec, Memory, StopRule
from ziggurat_server.tournaments.results import Round
from ziggurat_server.tournaments.statistics import rating
from ziggurat_server.tournaments.statistics.values import BotStanding


@pytest.fixture(scope="module", autouse=True)
def quick_intervals() -> Iterator[None]:
    """Intervals from few replicates: how good they are is no matter of exports."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rating, "REPLICATES", (20, 20))
        yield


def texts(summary: Summary) -> dict[str, str]:
    """All exports; the same on a second call."""
    found = {name: make(summary) for name, make in EXPORTS.items()}
    assert found == {name: make(summary) for name, make in EXPORTS.items()}
    return found


def rows(text: str) -> list[dict[str, str]]:
    """A CSV by its one header line; no line is shorter or longer."""
    found = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert all(None not in row and None not in row.values() for row in found)
    return found


def cell(value: object) -> str:
    """A value as a CSV has it."""
    if isinstance(value, float):
        found = f"{value:.6f}".rstrip("0").rstrip(".")
        return "0" if found == "-0" else found
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def numbers(value: Any) -> Iterator[float]:
    """All numbers in JSON."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, int | float):
        yield value


def check(summary: Summary) -> None:
    """Everything that holds of the exports of any event."""
    found = texts(summary)
    assert read_result(found["result.json"]) == summary
    raw = json.loads(found["result.json"], parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    assert all(map(math.isfinite, numbers(raw))) and "null" not in found["result.json"]
    page = Page(found["report.html"])
    for name, text in found.items():
        read = " ".join(page.words.values()) if name == "report.html" else text
        assert text.endswith("\n") and not re.search(r"\b(nan|inf|infinity|none)\b", read.casefold())
    check_csv(summary, found)
    check_markdown(summary, found["report.md"])
    check_page(summary, page)


def check_csv(summary: Summary, found: Mapping[str, str]) -> None:
    report = summary.report
    standings = rows(found["standings.csv"])
    assert [row["name"] for row in standings] == [bot.name for bot in report.bots]
    for row, bot in zip(standings, report.bots, strict=True):
        for key in (
            "rank",
            "version",
            "withdrawn",
            "games",
            "wins",
            "win_share",
            "credit",
            "points",
            "place",
            "margin",
        ):
            assert row[key] == cell(getattr(bot, key))
        assert [row[f"place_{place}"] for place in range(1, len(bot.places) + 1)] == list(
            map(str, bot.places)
        )
        assert [int(row[key]) for key in FAULTS] == list(astuple(bot.faults))
        for key, value in (("rating", "value"), ("rating_low", "low"), ("rating_high", "high")):
            assert row[key] == cell(bot.rating and getattr(bot.rating, value))
        assert (row["live_mu"], row["live_sigma"]) == (cell(bot.live_mu), cell(bot.live_sigma))
    assert [tuple(row.values()) for row in rows(found["cross.csv"])] == [
        tuple(map(cell, astuple(pair))) for pair in report.cross
    ]
    seats = [(one, at, seat) for one in summary.games for at, seat in enumerate(one.seats)]
    for row, (one, at, seat) in zip(rows(found["games.csv"]), seats, strict=True):
        assert (int(row["number"]), row["match_id"], int(row["seat"])) == (one.number, one.match_id, at)
        assert (row["bot"], int(row["points"]), int(row["place"])) == (seat.bot, seat.points, seat.place)
        assert tuple(map(int, row["tie_break"].split())) == seat.tie_break
        assert row["commitment"] == summary.commitments.get(one.match_id, "")


def cells(line: str) -> list[str]:
    """A line of a table in Markdown."""
    parts = re.split(r"(?<!\\)\|", line)
    assert parts[0] == parts[-1] == ""
    return [re.sub(r"\\(.)", r"\1", part.strip()) for part in parts[1:-1]]


def check_markdown(summary: Summary, text: str) -> None:
    table = text.split("## Standings\n\n")[1].split("\n\n", maxsplit=2)[1].splitlines()
    lines = [cells(line) for line in table]
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines) == 2 + len(summary.report.bots)
    for line, bot in zip(lines[2:], summary.report.bots, strict=True):
        assert line[:2] == [str(bot.rank), bot.name + (" (withdrawn)" if bot.withdrawn else "")]
        assert dict(zip(lines[0], line, strict=True))["credit"] == shown(bot.credit)
    assert ("## Cross table" in text) == bool(summary.report.cross)


def shown(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def check_page(summary: Summary, page: Page) -> None:
    report = summary.report
    head, *lines = page.tables["Standings"]
    assert [line[1].removesuffix(" (withdrawn)") for line in lines] == [bot.name for bot in report.bots]
    for line, bot in zip(lines, report.bots, strict=True):
        row = dict(zip(head, line, strict=True))
        assert (row["games"], row["credit"]) == (str(bot.games), shown(bot.credit))
        assert bool(row["rating"]) == (bot.rating is not None)
    rated, played = any(bot.rating for bot in report.bots), bool(report.curves)
    assert len(page.pictures) == rated + played
    for picture in page.pictures:
        check_picture(picture, page)
    faulty = {row.bot for row in report.faults if row.faulty}
    assert {line[0] for line in page.tables.get("Faults", [[""]])[1:]} >= faulty
    assert all(note in page.words["Notes"] for note in report.notes)
    for tag, attributes in page.tags:
        assert tag not in {"script", "link", "img", "iframe", "a", "object", "base"}
        assert not {"src", "href", "xlink:href"} & attributes.keys() and not any(
            key[:2] == "on" for key in attributes
        )
        assert attributes.get("role") != "region" or attributes["aria-label"]
        assert tag != "th" or attributes["scope"] in ("col", "row")


def check_picture(picture: Any, page: Page) -> None:
    """It is told to who does not see it, and every mark is inside of it."""
    title, words = picture[0], picture[1]
    assert (title.tag, words.tag) == ("title", "desc") and title.text and words.text
    assert picture.get("aria-labelledby").split() == [title.get("id"), words.get("id")]
    _, _, width, height = map(float, picture.get("viewBox").split())
    for mark in picture.iter():
        for key, most in (
            ("x", width),
            ("x1", width),
            ("x2", width),
            ("cx", width),
            ("y", height),
            ("y1", height),
            ("y2", height),
            ("cy", height),
        ):
            assert 0 <= float(mark.get(key, 0)) <= most


@pytest.mark.parametrize("name", SMALL)
def test_exports_of_small_events(name: str) -> None:
    check(SMALL[name])


def bot_of(name: str, bot: str) -> BotStanding:
    return next(found for found in SMALL[name].report.bots if found.name == bot)


def test_what_cannot_be_told_is_absent() -> None:
    raw = json.loads(result_json(SMALL["no games"]))
    assert raw["games"] == [] and raw["report"]["complete_blocks"] == 0
    for bot in raw["report"]["bots"]:
        assert not {"win_share", "credit", "points", "place", "margin", "rating"} & bot.keys()
    assert {row["rating"] for row in rows(standings_csv(SMALL["one game"]))} == {""}


def test_a_one_sided_result_has_bounded_numbers() -> None:
    first, second = rows(standings_csv(SMALL["20:0"]))
    assert (first["name"], first["games"], first["credit"]) == ("ann", "20", "1")
    assert 0 < float(first["rating_low"]) < float(first["rating_high"]) < 2000
    assert float(second["rating"]) == -float(first["rating"])


def test_winners_share_a_win_and_the_credit_of_a_game_is_constant() -> None:
    ann, bob = bot_of("shared win", "ann"), bot_of("shared win", "bob")
    assert ann.credit == bob.credit and ann.wins == bob.wins == 2
    assert sum(bot.credit or 0 for bot in SMALL["shared win"].report.bots) == pytest.approx(2)


def test_a_void_game_changes_nothing_but_the_block() -> None:
    report = SMALL["void game"].report
    assert (report.complete_blocks, report.incomplete_blocks) == (1, 1)
    assert {row["games"] for row in rows(cross_csv(SMALL["void game"]))} == {"2"}
    assert len(rows(games_csv(SMALL["void game"]))) == 6


def test_who_was_withdrawn_is_told_and_last() -> None:
    found = rows(standings_csv(SMALL["withdrawn"]))
    assert [row["name"] for row in found][-1] == "ann" and found[-1]["withdrawn"] == "true"
    assert "ann (broke)" in markdown(SMALL["withdrawn"])
    assert "ann (withdrawn)" in Page(EXPORTS["report.html"](SMALL["withdrawn"])).tables["Standings"][-1]


def test_text_of_people_is_text_everywhere() -> None:
    summary = SMALL["faults"]
    evil = '<script>x</script> & "q" | *b* \x01\nend'
    named = replace(
        summary.event,
        reason=evil,
        spec=replace(summary.event.spec, bots=(Entrant("ann", evil[:64]), Entrant("bob"))),
    )
    summary = replace(
        summary,
        event=named,
        report=replace(
            summary.report,
            bots=tuple(replace(bot, version=evil) for bot in summary.report.bots),
            notes=(evil,),
        ),
    )
    check(replace(summary, report=replace(summary.report, notes=())))
    page = Page(EXPORTS["report.html"](summary))
    assert '<script>x</script> & "q" | *b* \ufffd end' in page.words["The event"]
    assert page.tables["Standings"][1][2] == page.words["Notes"].removeprefix("Notes").strip()
    assert rows(standings_csv(summary))[0]["version"] == evil


def test_a_page_of_32_bots_has_all_of_them() -> None:
    names = [f"{'a-rather-long-name-of-a-bot':_<29}{number:03}" for number in range(32)]
    pairs = [(a, a + gap) for gap in (1, 5) for a in range(32 - gap)]
    rounds = tuple(Round(at, ((names[a], names[b]),)) for at, (a, b) in enumerate(pairs))
    games = tuple(
        game(2 * at + turn, (names[seats[turn]], names[seats[1 - turn]]), (seats[turn], seats[1 - turn]), 2)
        for at, seats in enumerate(pairs)
        for turn in (0, 1)
    )
    told = event(names, []).event
    summary = summary_of(replace(told, spec=replace(told.spec, seats=2), rounds=rounds), games, {})
    check(summary)
    page = Page(EXPORTS["report.html"](summary))
    assert len(page.tables["Cross table"]) == 33 and {len(line) for line in page.tables["Cross table"]} == {
        33
    }
    ratings, curves = page.pictures
    assert [text.text for text in ratings.iter("text") if text.get("class") == "name"] == [
        bot.name for bot in summary.report.bots
    ]
    assert len(list(curves.iter("polyline"))) == 32
    labels = [float(text.get("y")) for text in curves.iter("text") if "hue" in text.get("class", "")]
    assert len(labels) == 8 and all(abs(a - b) >= 14.9 for at, a in enumerate(labels) for b in labels[:at])


POINTS = st.integers(-30, 30)


@st.composite
def small_events(draw: st.DrawFn) -> Summary:
    """Events of 1 to 4 bots with up to 5 rounds in which games may have no result."""
    bots = draw(st.integers(1, 4))
    points = st.none() | st.tuples(*[POINTS] * bots)
    blocks = draw(st.lists(st.lists(points, min_size=bots, max_size=bots), max_size=5))
    withdrawn = draw(st.lists(st.sampled_from(NAMES[:bots]), unique=True))
    found = event(NAMES[:bots], blocks, withdrawn, stop=bots > 1 and draw(st.booleans()))
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    spec = replace(
        found.event.spec,
        options=draw(st.dictionaries(words, words, max_size=2)),
        memory=draw(st.sampled_from(Memory)),
        policy=Policy(hard_cap_ms=draw(st.integers(0, 9))),
    )
    return replace(found, event=replace(found.event, spec=spec))


@settings(deadline=None, max_examples=40)
@given(small_events())
def test_exports_of_any_event(summary: Summary) -> None:
    whole = texts(summary)
    assert read_result(whole["result.json"]) == summary
    check_csv(summary, whole)
    check_markdown(summary, whole["report.md"])
    check_page(summary, Page(whole["report.html"]))


BROKEN = {
    "no JSON": (lambda text: text[:-5], "it is no JSON"),
    "deep": (lambda text: "[" * 100_000, "it is no JSON"),
    "NaN": (lambda text: text.replace('"wins": 0.0', '"wins": NaN', 1), "NaN is no number"),
    "list": (lambda text: "[]", "format: 1 is wanted"),
    "format": (lambda text: text.replace('"format": 1', '"format": 2', 1), "format: 1 is wanted, not 2"),
    "unknown": (lambda text: text.replace('"rules_version"', '"rule"', 1), "event.rule: unknown key"),
    "missing": (lambda text: text.replace(' "event_id": "small",\n', "", 1), "event.event_id: it is missing"),
    "word": (lambda text: text.replace('"finished"', '"over"', 1), "event.state: one of running, paused"),
    "number": (
        lambda text: text.replace('"rank": 1', '"rank": "1"', 1),
        "report.bots[0].rank: a whole number",
    ),
    "seed": (
        lambda text: re.sub(r'"seed": "\d+"', '"seed": 1', text),
        "event.spec.seed: a whole number as text",
    ),
    "object": (
        lambda text: re.sub(r'"withdrawn": {}', '"withdrawn": []', text),
        "event.withdrawn: an object",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_result_is_refused(name: str) -> None:
    harm, why = BROKEN[name]
    text = result_json(SMALL["20:0"])
    with pytest.raises(BadResult, match=re.escape(why)):
        read_result(harm(text))
    assert harm(text) != text


def test_no_secret_is_exported() -> None:
    summary = SMALL["1:1"]
    bots = tuple(
        replace(bot, token_sha256=b"secretsecretsecretsecretsecretse") for bot in summary.event.spec.bots
    )
    told = replace(summary, event=replace(summary.event, spec=replace(summary.event.spec, bots=bots)))
    assert texts(told) == texts(summary)


def test_a_stop_rule_is_told_with_its_verdict() -> None:
    summary = SMALL["20:0"]
    assert summary.event.spec.stop == StopRule("ann", "bob", h1=0.2)
    assert "Is ann better than bob? ann is better than bob after" in markdown(summary)
    assert "ann is better than bob" in Page(EXPORTS["report.html"](summary)).words["Standings"]
    assert "no verdict yet" in markdown(SMALL["all ties"])


def test_rounds_that_follow_from_results_are_told() -> None:
    rounds = (Round(0, (("a", "b"), ("c", "d")), ("e",)), Round(1, (("a", "c"),), (), ("final",)))
    bots = tuple(Entrant(name) for name in "abcde")
    spec = EventSpec("flow", bots, 2, format=FormatSpec("knockout", rotations=1), seed=1)
    games = (
        outcome(0, "ab", (1, 2), (0, 0, 0)),
        outcome(1, "cd", (1, 1), (0, 1, 0)),
        outcome(2, "ac", (2, 1), (1, 0, 0)),
    )
    found = summary_of(Description("cup", spec, 1, rounds=rounds), games, {})
    told = [
        ("1", "1", "", "a 100.0%, b 0.0%"),
        ("1", "2", "", "c 50.0%, d 50.0%"),
        ("1", "", "sit out", "e"),
        ("2", "1", "final", "c 100.0%, a 0.0%"),
    ]
    lines = markdown(found).splitlines()
    page = EXPORTS["report.html"](found)
    for row in told:
        assert "| " + " | ".join(row) + " |" in lines
        assert row[3] in page
    round_robin = replace(found.event, spec=replace(spec, format=FormatSpec()))
    assert "## Rounds" not in markdown(replace(found, event=round_robin))


def test_many_tables_of_rounds_are_folded_and_names_have_the_room_they_need() -> None:
    few, many = (event(NAMES[:2], [[(5, 3), (3, 5)]] * count) for count in (24, 25))
    assert "<details>" not in EXPORTS["report.html"](few)
    page = Page(EXPORTS["report.html"](many))
    assert ("details", {}) in page.tags and len(page.tables["Rounds"]) == 26
    long = event([name * 10 for name in NAMES[:2]], [[(5, 3), (3, 5)]] * 2)
    lefts = [
        min(
            float(line.get("x1", "")) for line in Page(EXPORTS["report.html"](found)).pictures[0].iter("line")
        )
        for found in (few, long)
    ]
    assert lefts[0] < 60 and 230 < lefts[1] <= 250


def test_numbers_in_csv_have_six_digits() -> None:
    found = event(NAMES[:3], [[(5, 3, 3), (3, 2, 1), (9, 2, 3)]])
    first = rows(standings_csv(found))[0]
    assert (first["wins"], first["points"], first["win_share"]) == ("1", "3", "0.333333"), "each has won once"
    assert re.search(r'"win_share": 0\.33333333333333\d+,', result_json(found)), "in full"


def test_bots_that_were_given_up_are_told() -> None:
    found = event(NAMES[:2], [[(3, 1), (2, 2)]])
    found = replace(found, event=replace(found.event, lost={"bob": "was ended by SIGXCPU"}))
    words = "bob was ended by SIGXCPU; its game went on by policy"
    assert words in markdown(found) and words in EXPORTS["report.html"](found)
    out = replace(found, event=replace(found.event, withdrawn={"bob": "was ended by SIGXCPU"}))
    assert "bob was ended by SIGXCPU; it was taken out" in markdown(out)
    assert read_result(result_json(found)).event.lost == {"bob": "was ended by SIGXCPU"}
