"""Fixtures for tests with the stand-in, to be imported by a conftest."""

from collections.abc import AsyncIterator

import pytest

from bundlesvc.platforms.calls import retries
from tests.fakes import FakeClock
from tests.standin.data.shop import Shop
from tests.standin.server import Standin


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry failed calls after milliseconds instead of up to two seconds."""
    monkeypatch.setattr(retries, "FIRST_BACKOFF", 0.001)


@pytest.fixture
def standin_shop() -> Shop:
    """The stand-in's shop: empty, unless a test adds to it or overrides this fixture."""
    return Shop()


@pytest.fixture
async def standin(standin_shop: Shop, clock: FakeClock) -> AsyncIterator[Standin]:
    """A running stand-in whose buckets refill according to the test's clock."""
    async with Standin(standin_shop, clock).serve() as standin:
        yield standin
