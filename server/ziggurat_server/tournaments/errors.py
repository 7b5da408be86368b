"""What an event refuses."""

from __future__ import annotations

from ziggurat_server.errors import ServiceError


class BadEvent(ServiceError):
    """An event that cannot be as it is asked for: `field` names the key, the message the reason and the remedy."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__("BAD_EVENT", field, message)
