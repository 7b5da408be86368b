"""Reports that differ are told apart in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.runner.exports.events import SMALL

from ziggurat_server.runner.exports import compare
from ziggurat_server.tournaments.statistics import Report
from ziggurat_server.tournaments.statistics.values import CrossCell, Estimate

REPORT = SMALL["20:0"].report
FIRST, SECOND = REPORT.bots
TEST = REPORT.test


def changed(**values: object) -> Report:
    """The report with a first bot that differs."""
    return replace(REPORT, bots=(replace(FIRST, **values), SECOND))  # type: ignore[arg-type]


DIFFERENT = {
    "number": (changed(games=19), ["bots, ann: games is 20 by the records and 19 in result.json"]),
    "absent": (changed(credit=None), ["bots, ann: credit is 1.0 by the records and absent in result.json"]),
    "nested": (
        changed(rating=replace(FIRST.rating, low=1.0)),
        [f"bots, ann: rating.low is {FIRST.rating.low!r} by the records and 1.0 in result.json"],
    ),  # type: ignore[type-var, union-attr]
    "list": (
        changed(places=(19, 1)),
        [
            "bots, ann: places, number 1 is 20 by the records and 19 in result.json",
            "bots, ann: places, number 2 is 0 by the records and 1 in result.json",
        ],
    ),
    "missing bot": (replace(REPORT, bots=(FIRST,)), ["bots: bob is in the records alone"]),
    "order": (
        replace(REPORT, bots=(replace(SECOND, rank=1), replace(FIRST, rank=2))),
        [
            "bots: the order is ann, bob by the records and bob, ann in result.json",
            "bots, ann: rank is 1 by the records and 2 in result.json",
            "bots, bob: rank is 2 by the records and 1 in result.json",
        ],
    ),
    "pair": (
        replace(
            REPORT, cross=(CrossCell("ann", "bob", 20, 0.5, REPORT.cross[0].superiority), REPORT.cross[1])
        ),
        ["cross, ann against bob: score is 1.0 by the records and 0.5 in result.json"],
    ),
    "test": (replace(REPORT, test=None), ["test is TestStatus by the records and absent in result.json"]),
    "counts": (
        replace(REPORT, complete_blocks=9),
        ["complete_blocks is 10 by the records and 9 in result.json"],
    ),
    "notes": (replace(REPORT, notes=("x",)), ["notes: number 1 is in result.json alone"]),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_in_words(name: str) -> None:
    other, words = DIFFERENT[name]
    assert compare(REPORT, other) == words
    assert len(compare(other, REPORT)) == len(words)


def test_reports_agree_up_to_the_rounding_of_machines() -> None:
    for summary in SMALL.values():
        assert compare(summary.report, summary.report) == []
    assert FIRST.rating is not None
    assert compare(REPORT, changed(rating=replace(FIRST.rating, value=FIRST.rating.value + 1e-6))) == []
    assert compare(REPORT, changed(rating=replace(FIRST.rating, value=FIRST.rating.value + 1e-4)))
    assert compare(REPORT, changed(rating=Estimate(FIRST.rating.value)))
