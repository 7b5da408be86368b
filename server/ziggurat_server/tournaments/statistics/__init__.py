"""Statistics: what the games of an event show. `report` is the one entry point; its values are in `values`."""

from ziggurat_server.tournaments.statistics.report import report
from ziggurat_server.tournaments.statistics.values import Report

__all__ = ["Report", "report"]
