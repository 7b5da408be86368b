"""The .zgr file: magic, SHA-256 of the rest, then the zlib-compressed Record message (record.proto)."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable

from google.protobuf.message import DecodeError

from ziggurat_rules.errors import BadRecord
from ziggurat_server import convert
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import Entry, Header

MAGIC = b"ZGR1"
LARGEST = 64 * 1024 * 1024
"""Most bytes that a record may take when unpacked."""


def pack(header: bytes, entries: Iterable[bytes]) -> bytes:
    """A .zgr file from the encoded parts of a log."""
    body = zlib.compress(convert.record_bytes(header, entries), 9)
    return MAGIC + hashlib.sha256(body).digest() + body


def unpack(data: bytes) -> tuple[Header, list[Entry]]:
    """Header and entries of a .zgr file; raises BadRecord if a byte of it was changed."""
    if data[:4] != MAGIC:
        raise BadRecord("record", "this is no .zgr file")
    digest, body = data[4:36], data[36:]
    if hashlib.sha256(body).digest() != digest:
        raise BadRecord("record", "damaged: its content does not match its checksum")
    try:
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(body, LARGEST)
        if unpacker.unconsumed_tail or not unpacker.eof or unpacker.unused_data:
            raise BadRecord("record", f"it is cut off or unpacks to more than {LARGEST} bytes")
        return convert.split_record(raw)
    except (zlib.error, DecodeError, ValueError, ServiceError) as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord("record", f"damaged: {error}") from None
