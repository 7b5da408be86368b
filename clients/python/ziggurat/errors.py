"""What can go wrong between a client and a server."""

from __future__ import annotations

from collections.abc import Iterator

import grpc

_BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"
_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"


class ZigguratError(Exception):
    """Anything this package raises about a server; the text is one line for people."""


class BadAddress(ZigguratError):
    """The address has no form that could be an address, or the token is no hex text."""


class Unreachable(ZigguratError):
    """No server answered in time."""


class OutOfStep(ZigguratError):
    """Even snapshots do not have the state hash that the server states."""


class Refused(ZigguratError):
    """The server refused a call.

    `reason` is the name of the proto's Reason without its prefix ("BAD_TOKEN"; "" if the server gave none),
    `field` the request's field at fault or "", `metadata` further facts, `code` the status.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        reason: str = "",
        field: str = "",
        metadata: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message or code.name)
        self.code = code
        self.reason = reason
        self.field = field
        self.metadata = metadata or {}

    def __str__(self) -> str:
        about = ", ".join(part for part in (self.reason or self.code.name, self.field) if part)
        return f"{self.args[0]} ({about})"

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed later."""
        return self.code in _PASSING


_PASSING = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}


def refusal(error: grpc.aio.AioRpcError) -> Refused:
    """The refusal that a failed call stands for."""
    reason = field = ""
    metadata: dict[str, str] = {}
    try:
        for kind, value in _details(error):
            if kind == _ERROR_INFO:
                reason, metadata = _error_info(value)
            elif kind == _BAD_REQUEST:
                field = next(
                    (text for n, part in _fields(value) for text in _texts(part, 1) if n == 1), field
                )
    except (IndexError, UnicodeDecodeError):
        reason = ""  # details that are not ours: code and message are still true
    field = field or metadata.get("field", "")
    # what gRPC says of each address it tried is long; the end of it is the cause
    _, _, words = (error.details() or "").rpartition("Failed to connect to remote host: ")
    return Refused(error.code(), words, reason.removeprefix("REASON_"), field, metadata)


def _details(error: grpc.aio.AioRpcError) -> Iterator[tuple[str, bytes]]:
    """Type and content of each detail of the google.rpc.Status that comes with an error."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for number, detail in _fields(value):
                if number == 3:
                    parts = dict(_fields(detail))
                    yield parts.get(1, b"").decode(), parts.get(2, b"")


def _error_info(value: bytes) -> tuple[str, dict[str, str]]:
    metadata = {}
    for number, part in _fields(value):
        if number == 3:
            pair = dict(_fields(part))
            metadata[pair.get(1, b"").decode()] = pair.get(2, b"").decode()
    return next(iter(_texts(value, 1)), ""), metadata


def _texts(data: bytes, number: int) -> list[str]:
    return [value.decode() for n, value in _fields(data) if n == number]


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The length-delimited fields of an encoded message; google.rpc has varints besides, nothing else."""
    place = 0
    while place < len(data):
        tag, place = _varint(data, place)
        size, place = _varint(data, place)
        if tag & 7 == 2:
            yield tag >> 3, data[place : place + size]
            place += size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place
