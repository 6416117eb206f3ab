"""The server that a test client calls."""

from typing import Any, cast

from aiohttp.test_utils import TestClient

from bundlesvc.api.server.connections import ConnectionServer
from tests.api.conftest import Client


def server_of(client: Client) -> ConnectionServer:
    """Return the server behind a client, to look at its connections."""
    runner = cast("TestClient[Any, Any]", client).server.runner
    assert runner is not None
    assert isinstance(runner.server, ConnectionServer)
    return runner.server
