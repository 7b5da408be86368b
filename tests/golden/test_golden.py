"""Every registered game plays its golden playthroughs as it did when they were written."""

from __future__ import annotations

from itertools import zip_longest

import pytest
from tests.golden.playthrough import FOLDER, Golden, goldens, render, variants, version_in
from tests.golden.regenerate import NeedsBump, rewrite
from tests.rules.toy import TOY

from ziggurat_rules.registry import game_names


@pytest.mark.parametrize("golden", goldens(), ids=str)
def test_a_playthrough_is_unchanged(golden: Golden, pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--rewrite-golden", default=False):
        rewrite(golden, pytestconfig.getoption("--unreleased"))
    assert golden.path.exists(), f"{golden} has no playthrough: make golden"
    kept = golden.path.read_text().splitlines()
    lines = render(golden)
    if lines == kept:
        return
    had, has = version_in(kept), golden.game.rules_version
    number, old, new = next(
        (n, a, b) for n, (a, b) in enumerate(zip_longest(kept, lines), start=1) if a != b and b != lines[1]
    )
    advice = (
        "the rules changed but rules_version did not: raise it (then make golden), or undo the change"
        if had == has
        else f"rules_version went from {had} to {has}: make golden"
    )
    pytest.fail(f"{golden.path.name}, line {number}: {advice}\n  kept: {old}\n  now:  {new}", pytrace=False)


def test_no_playthrough_is_left_over() -> None:
    kept = {path for path in FOLDER.glob("*/*.txt") if path.parent.name in game_names()}
    assert kept == {golden.path for golden in goldens()}


def test_the_toy_tells_the_same_twice_and_needs_a_bump(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.golden.playthrough.FOLDER", tmp_path)
    golden = Golden(TOY, *next(variants(TOY)))
    assert rewrite(golden, unreleased=False)
    assert not rewrite(golden, unreleased=False)
    assert golden.path.read_text().splitlines() == render(golden)
    golden.path.write_text(golden.path.read_text() + "and so on\n")
    with pytest.raises(NeedsBump, match="rules_version is still 1"):
        rewrite(golden, unreleased=False)
    assert rewrite(golden, unreleased=True)
