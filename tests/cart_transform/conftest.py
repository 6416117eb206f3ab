"""Fixtures for tests of the checkout function."""

import pytest
from pytest_aiohttp.plugin import AiohttpClient

from bundlesvc.app import create_app
from bundlesvc.settings.environment import Settings
from tests.cart_transform.service import Storefront, shop
from tests.conftest import LoadShop, MakeKey
from tests.fakes import FakeClock


@pytest.fixture
async def storefront(
    aiohttp_client: AiohttpClient, settings: Settings, load_shop: LoadShop, make_key: MakeKey, clock: FakeClock
) -> Storefront:
    """A storefront that uses the running service."""
    await load_shop(shop())
    client = await aiohttp_client(create_app(settings, clock=clock))
    return Storefront(client, await make_key(), settings.secret_keys)
