"""Errors on the wire: one google.rpc.Status with one ErrorInfo (and BadRequest for a bad field)."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc
import grpc.aio
import structlog
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from ziggurat_rules.errors import BadOption, BadPack, BadSeats, RulesError, UnknownGame
from ziggurat_server.errors import ServiceError

log = structlog.get_logger()

MAX_TEXT = 500
MAX_PAGE, USUAL_PAGE = 1000, 100

_CODES = {
    "UNKNOWN_GAME": code_pb2.NOT_FOUND,
    "UNKNOWN_MATCH": code_pb2.NOT_FOUND,
    "NO_SUCH_SEAT": code_pb2.INVALID_ARGUMENT,
    "BAD_SEATS": code_pb2.INVALID_ARGUMENT,
    "BAD_OPTION": code_pb2.INVALID_ARGUMENT,
    "BAD_PACK": code_pb2.INVALID_ARGUMENT,
    "BAD_FIELD": code_pb2.INVALID_ARGUMENT,
    "MATCH_EXISTS": code_pb2.ALREADY_EXISTS,
    "SEAT_TAKEN": code_pb2.ALREADY_EXISTS,
    "NO_TOKEN": code_pb2.UNAUTHENTICATED,
    "BAD_TOKEN": code_pb2.PERMISSION_DENIED,
    "NOT_PENDING": code_pb2.FAILED_PRECONDITION,
    "ILLEGAL_CHOICE": code_pb2.INVALID_ARGUMENT,
    "MATCH_OVER": code_pb2.FAILED_PRECONDITION,
    "SEALED": code_pb2.FAILED_PRECONDITION,
    "STORE_UNAVAILABLE": code_pb2.UNAVAILABLE,
    "STOPPING": code_pb2.UNAVAILABLE,
    "RULES_VERSION": code_pb2.FAILED_PRECONDITION,
    "ENGINE_FAULT": code_pb2.DATA_LOSS,
    "LIMIT": code_pb2.RESOURCE_EXHAUSTED,
    "NO_HELLO": code_pb2.INVALID_ARGUMENT,
    "SUPERSEDED": code_pb2.ABORTED,
    "INTERNAL": code_pb2.INTERNAL,
    "BAD_EVENT": code_pb2.INVALID_ARGUMENT,
    "UNKNOWN_EVENT": code_pb2.NOT_FOUND,
    "EVENT_EXISTS": code_pb2.ALREADY_EXISTS,
    "EVENT_OVER": code_pb2.FAILED_PRECONDITION,
    "UNKNOWN_BOT": code_pb2.NOT_FOUND,
    "BOT_EXISTS": code_pb2.ALREADY_EXISTS,
    "BOT_UNAVAILABLE": code_pb2.RESOURCE_EXHAUSTED,
}
_RULES_REASONS: dict[type[RulesError], str] = {
    UnknownGame: "UNKNOWN_GAME",
    BadSeats: "BAD_SEATS",
    BadOption: "BAD_OPTION",
    BadPack: "BAD_PACK",
}


def as_service_error(error: RulesError) -> ServiceError:
    """What the rules refused, as the services say it."""
    return ServiceError(_RULES_REASONS.get(type(error), "BAD_FIELD"), error.field, error.reason)


def status_of(error: ServiceError) -> status_pb2.Status:
    """The status of an error."""
    details = [AnyMessage()]
    field, message = _short(error.field), _short(error.message)
    metadata = {"field": field} if field else {}
    details[0].Pack(
        error_details_pb2.ErrorInfo(reason=f"REASON_{error.reason}", domain="ziggurat", metadata=metadata)
    )
    code = _CODES[error.reason]
    if code == code_pb2.INVALID_ARGUMENT and error.field:
        violation = error_details_pb2.BadRequest.FieldViolation(field=field, description=message)
        details.append(AnyMessage())
        details[1].Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    return status_pb2.Status(code=code, message=_short(str(error)), details=details)


def _short(text: str) -> str:
    """A text that fits into a status with others: what is too long for the trailers never arrives."""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 3]}..."


async def abort(context: Any, error: ServiceError) -> NoReturn:
    """End a call with an error."""
    await context.abort_with_status(rpc_status.to_status(status_of(error)))
    raise AssertionError("abort returned")


MAX_MESSAGE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Malformed:
    """What came in place of a message: so many bytes."""

    size: int


def check_message(request: object) -> None:
    """Refuse bytes that are no message, or too many for one."""
    if isinstance(request, Malformed):
        if request.size > MAX_MESSAGE_BYTES:
            raise ServiceError(
                "LIMIT",
                "request",
                f"a message of {request.size} bytes; at most {MAX_MESSAGE_BYTES} are taken",
            )
        raise ServiceError("BAD_FIELD", "request", "these bytes are no message of this type")


def page_size(asked: int) -> int:
    """How many a call lists at most: 100 unless it says so; raises BAD_FIELD beyond 1000."""
    if asked > MAX_PAGE:
        raise ServiceError("BAD_FIELD", "limit", f"1 to {MAX_PAGE} wanted")
    return asked or USUAL_PAGE


async def refuse(context: Any, error: BaseException, method: str) -> NoReturn:
    """End a call with a refusal's status; of any other failure the log learns all, the caller nothing."""
    error = _first_of(error)
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if isinstance(error, grpc.aio.InternalError):  # what was written to a client that has just gone
        raise asyncio.CancelledError from error
    if isinstance(error, RulesError):
        error = as_service_error(error)
    if not isinstance(error, ServiceError):
        log.error("call failed", method=method, exc_info=error)
        error = ServiceError("INTERNAL", "", "the server failed at this call; its log says why")
    await abort(context, error)


def _first_of(error: BaseException) -> BaseException:
    """Of the errors of several tasks the one to be told: a refusal, if there is one."""
    while isinstance(error, BaseExceptionGroup):
        refusals = error.subgroup(ServiceError)
        error = (refusals or error).exceptions[0]
    return error


def guarded(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A unary method, or one with a context that reads and writes, whose errors become statuses."""

    @functools.wraps(method)
    async def call(self: Any, request: Any, context: Any) -> Any:
        try:
            check_message(request)
            return await method(self, request, context)
        except Exception as error:
            await refuse(context, error, method.__name__)

    return call


def guarded_stream(method: Callable[..., AsyncGenerator[Any, None]]) -> Callable[..., AsyncIterator[Any]]:
    """The same for a method that streams; it ends with the call, not when it is collected."""

    @functools.wraps(method)
    async def call(self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
        try:
            check_message(request)
            async with contextlib.aclosing(method(self, request, context)) as items:
                async for item in items:
                    yield item
        except Exception as error:
            await refuse(context, error, method.__name__)

    return call
