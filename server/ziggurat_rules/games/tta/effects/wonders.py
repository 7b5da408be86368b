"""Culture that wonders score when they are completed; their lasting effects are in ratings.py."""

from __future__ import annotations

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.facts import Face, Op, kinds_named
from ziggurat_rules.games.tta.ratings import tally, urban_output
from ziggurat_rules.games.tta.table import TtaTable


def on_complete(t: TtaTable, seat: int, wonder: Face) -> None:
    """Score what the wonder gives once."""
    for op in wonder.ops.get("on_complete", ()):
        amount = completion_culture(t, seat, op["culture"])
        t.score_culture(seat, amount)
        t.log(w.SCORED(seat, amount, wonder.index))


def completion_culture(t: TtaTable, seat: int, rule: Op) -> int:
    """Culture by one of three rules: workers, levels of technologies, or output of urban buildings."""
    if "per_worker_on" in rule:
        workers = tally(t, seat).workers
        return sum(
            each * sum(workers[kind] for kind in kinds_named(group))
            for group, each in rule["per_worker_on"].items()
        )
    if "per_level_of" in rule:
        return sum(face.level for face in t.faces_in(seat, c.TECHNOLOGIES))
    output = urban_output(t, seat, kinds_named(rule["output_of"]), rule["what"])
    return int(rule["times"]) * output
