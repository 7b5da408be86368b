"""What ends a tournament."""

from __future__ import annotations


class TournamentError(Exception):
    """Bad input or a failure; the message names the thing and the remedy in one or two lines."""
