"""A server in the tests' own process, and real stores with chosen settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.wire import Wire, wire

from ziggurat_server.app import Application, Settings


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    application = Application(Settings(listen="127.0.0.1:0", data_dir=tmp_path / "data"))
    await application.start()
    yield application
    await application.stop()


@pytest_asyncio.fixture
async def calls(server: Application) -> AsyncIterator[Wire]:
    async with wire(f"127.0.0.1:{server.port}") as stubs:
        yield stubs


@pytest.fixture
def node(server: Application):  # type: ignore[no-untyped-def]
    """The node behind the server."""
    return server._node
