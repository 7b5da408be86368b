"""What the rules refuse. Each error names the field and the reason; nothing has changed by then."""

from __future__ import annotations


class RulesError(ValueError):
    """Bad input to the rules: `field` is what is wrong, `reason` why and what would be right."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class UnknownGame(RulesError):
    """No game of this name is installed."""


class BadSeats(RulesError):
    """The game is not played by so many seats."""


class BadOption(RulesError):
    """An option is unknown, has a bad value, or contradicts another."""


class BadPack(RulesError):
    """A card pack does not fit the game; `field` gives file, card and key."""


class NotPending(RulesError):
    """The seat has no decision to take now."""


class IllegalChoice(RulesError):
    """The choice is not among those the decision offers."""


class BadRecord(RulesError):
    """A record cannot be replayed: damaged, of another rules version, or of other card facts."""
