"""Where a server is, and the tokens that open seats."""

from __future__ import annotations

import hashlib
import secrets

from ziggurat.errors import BadAddress

Token = bytes | str
"""A token: bytes, or hex text."""

OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)


def check_address(address: str) -> str:
    """The address, if it is HOST:PORT or a gRPC target such as unix:/path; raises BadAddress."""
    if address.startswith(("unix:", "dns:", "ipv4:", "ipv6:", "xds:")):
        return address
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BadAddress(f"{address!r} is no address: HOST:PORT is wanted")
    return address


def new_token() -> bytes:
    """A fresh token: 16 random bytes. Whoever holds it holds the seats that were taken with it."""
    return secrets.token_bytes(16)


def token_bytes(token: Token) -> bytes:
    """A token as bytes; text is hex, of 16 bytes or more. Raises BadAddress."""
    try:
        made = bytes.fromhex(token) if isinstance(token, str) else token
    except ValueError:
        raise BadAddress("the token is no hex text") from None
    if len(made) < 16:
        raise BadAddress("the token is too short: 16 bytes (32 hex digits) or more are wanted")
    return made


def token_hash(token: Token | None) -> bytes:
    """A token's SHA-256 as it goes over the wire; b"" for none. Raises BadAddress."""
    return hashlib.sha256(token_bytes(token)).digest() if token is not None else b""
