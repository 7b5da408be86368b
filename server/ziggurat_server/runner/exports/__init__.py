"""What an event leaves for people and programs: JSON, CSV, Markdown and a page; and the same from records alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ziggurat_server.runner.exports.compare import compare
from ziggurat_server.runner.exports.jsontext import BadResult, read_result, result_json
from ziggurat_server.runner.exports.page import page
from ziggurat_server.runner.exports.results import read_records, recomputed
from ziggurat_server.runner.exports.summary import Description, Summary, summarize, summary_of
from ziggurat_server.runner.exports.tables import cross_csv, games_csv, markdown, standings_csv

RESULT = "result.json"

EXPORTS: Mapping[str, Callable[[Summary], str]] = {
    RESULT: result_json,
    "standings.csv": standings_csv,
    "games.csv": games_csv,
    "cross.csv": cross_csv,
    "report.md": markdown,
    "report.html": page,
}
"""By file name: from a summary to the text."""

__all__ = [
    "EXPORTS",
    "RESULT",
    "BadResult",
    "Description",
    "Summary",
    "compare",
    "read_records",
    "read_result",
    "recomputed",
    "result_json",
    "summarize",
    "summary_of",
]
