"""A server of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio


@pytest_asyncio.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Its address."""
    app = pytest.importorskip("ziggurat_server.app")
    server = app.Application(app.Settings(listen="127.0.0.1:0", data_dir=tmp_path))
    await server.start()
    yield f"127.0.0.1:{server.port}"
    await server.stop()
