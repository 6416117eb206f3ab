"""What tests of the cart-transform step need."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_aiohttp.plugin import AiohttpClient

from bundlesvc.app import create_app
from bundlesvc.settings import Settings
from tests.cart_transform.sandbox import STEP, Sandbox, start_sandbox
from tests.cart_transform.service import Storefront, shop
from tests.conftest import LoadShop, MakeKey
from tests.fakes import FakeClock
from tests.npm import require_packages
from tests.storefront.node import require_node


@pytest.fixture(scope="session")
def packages() -> Path:
    """The `node_modules` of the step."""
    return require_packages(STEP)


@pytest.fixture(scope="session")
def sandbox(packages: Path) -> Iterator[Sandbox]:
    """The step, run as the platform runs it."""
    with start_sandbox(require_node()) as sandbox:
        yield sandbox


@pytest.fixture
async def storefront(
    aiohttp_client: AiohttpClient, settings: Settings, load_shop: LoadShop, make_key: MakeKey, clock: FakeClock
) -> Storefront:
    """A storefront of the running service."""
    await load_shop(shop())
    client = await aiohttp_client(create_app(settings, clock=clock))
    return Storefront(client, await make_key(), settings.secret_keys)
