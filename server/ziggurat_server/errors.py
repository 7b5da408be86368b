"""What the server refuses: a typed reason, the field or thing it is about, and the remedy."""

from __future__ import annotations


class ServiceError(Exception):
    """A refused call. `reason` is a name of ziggurat.v1.Reason without its prefix; services turn it into a status."""

    def __init__(self, reason: str, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.reason = reason
        self.field = field
        self.message = message


class StoreUnavailable(ServiceError):
    """The store cannot be reached or refuses writes; nothing is known to be lost."""

    def __init__(self, message: str) -> None:
        super().__init__("STORE_UNAVAILABLE", "redis", message)


class StartupError(Exception):
    """The server cannot start; the message names the thing and the remedy, in one or two lines."""


class EngineFault(Exception):
    """The rules did not reproduce a logged match."""
