"""Fixtures: the stand-in, and a client that calls it."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession

from tests.standin.calling import Caller
from tests.standin.fixtures import standin, standin_shop
from tests.standin.server import Standin

__all__ = ["call", "standin", "standin_shop"]


@pytest.fixture
async def call(standin: Standin) -> AsyncIterator[Caller]:
    async with ClientSession() as session:
        yield Caller(session, standin)
