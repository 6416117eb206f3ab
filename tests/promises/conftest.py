"""The fixture for a trial, in which purchases of configured bundles are checked against a running service."""

import pytest
from pytest_aiohttp.plugin import AiohttpClient

from bundlesvc.app import create_app
from bundlesvc.settings.environment import Settings
from tests.conftest import SECRET_KEY, LoadShop, MakeKey
from tests.fakes import FakeClock
from tests.promises.trial import RATE_LIMIT, Trial


@pytest.fixture
async def trial(
    aiohttp_client: AiohttpClient, settings: Settings, load_shop: LoadShop, make_key: MakeKey, clock: FakeClock
) -> Trial:
    client = await aiohttp_client(create_app(settings, clock=clock))
    return Trial(client, SECRET_KEY, load_shop, lambda shop: make_key(shop, rate_limit=RATE_LIMIT))
