"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ziggurat_server.runner.errors import TournamentError


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file so that it is never there in part. Raises TournamentError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise TournamentError(f"cannot write {path}: {error.strerror or error}; make room for it") from None


def check_writable(option: str, path: Path | None) -> None:
    """Refuse a file that cannot be written."""
    if path is None:
        return
    if path.is_dir():
        raise TournamentError(f"{option} {path} is a directory; name a file")
    directory = path.absolute().parent
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        why = error.strerror or error
        raise TournamentError(f"{option}: cannot write in {directory}: {why}; name another place") from None
