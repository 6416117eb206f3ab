"""Fixtures for tests that talk to the stand-in; a conftest takes them over by importing them."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes import FakeClock
from tests.standin.server import Standin
from tests.standin.shop import Shop


@pytest.fixture
def standin_shop() -> Shop:
    """What the stand-in has: nothing, unless a test adds to it or overrides this fixture."""
    return Shop()


@pytest.fixture
async def standin(standin_shop: Shop, clock: FakeClock) -> AsyncIterator[Standin]:
    """A running stand-in whose buckets fill by the test's clock."""
    async with Standin(standin_shop, clock).serve() as standin:
        yield standin
