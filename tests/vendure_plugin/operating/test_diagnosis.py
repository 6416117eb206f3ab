"""The information that `doctor` reads from the plugin, tested with a real Vendure server."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from decimal import Decimal

import pytest

from bundlesvc import __version__
from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import PlatformLink, PlatformMarket, Shop, Tenant
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.platforms.vendure.inspection import VendureInspection
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.platforms.vendure.transport import HttpTransport, endpoint_at
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import DISCOUNT, derived_keys, new_secret_key
from tests.platforms.shopify.fakes import FakeConnections
from tests.process.serving import SECRET_KEY
from tests.vendure.admin import Admin
from tests.vendure.seeding import READER
from tests.vendure_plugin.shop import DemoEngine

pytestmark = pytest.mark.process

KEYS = derived_keys([SECRET_KEY], DISCOUNT)
LINK = PlatformLink("vendure", "shop.example", markets=(PlatformMarket("US", "USD", Decimal("1.10"), "us"),))
TENANT = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), LINK, (), None))
_PROMOTION = "{ promotions { items { id name } } }"
_ENABLE = """mutation ($id: ID!, $enabled: Boolean!) {
  updatePromotion(input: {id: $id, enabled: $enabled}) { ... on Promotion { enabled } }
}"""


@pytest.fixture
async def inspection(engine: DemoEngine) -> AsyncIterator[VendureInspection]:
    transport = HttpTransport(endpoint_at(engine.address))
    connections = FakeConnections(PlatformConnection("shop.example", Admin(engine.address, READER, READER).token))
    async with transport.opened():
        policy = RetryPolicy(SystemClock())
        yield VendureInspection(VendurePlatform(transport, connections, policy, 10, CallStatistics()))


async def faults(inspection: VendureInspection, keys: list[str]) -> list[str]:
    return [fault.sentence for fault in (await inspection.checkout(TENANT, keys)).faults]


async def test_plugin_of_this_version_with_these_keys_is_well(inspection: VendureInspection) -> None:
    assert not (await inspection.access(TENANT, ())).faults
    state = await inspection.checkout(TENANT, KEYS)
    assert not state.faults
    assert state.sentence == f"the plugin is active: {__version__}, keys {key_name(KEYS[0])}"


async def test_other_keys(inspection: VendureInspection) -> None:
    (other,) = derived_keys([new_secret_key()], DISCOUNT)
    assert await faults(inspection, [other, *KEYS]) == [f"native bundles: the plugin lacks the key {key_name(other)}."]
    assert len(await faults(inspection, [other])) == 2


@contextmanager
def disabled_promotion(engine: DemoEngine) -> Iterator[None]:
    """Disable the plugin's promotion, as an administrator would, and enable it again on exit."""
    set_promotion(engine, enabled=False)
    try:
        yield
    finally:
        set_promotion(engine, enabled=True)


def set_promotion(engine: DemoEngine, *, enabled: bool) -> None:
    """Enable or disable the plugin's promotion."""
    (promotion,) = [one for one in engine.admin.run(_PROMOTION)["promotions"]["items"] if one["name"] == "Bundle"]
    engine.admin.run(_ENABLE, id=promotion["id"], enabled=enabled)


async def test_disabled_promotion(inspection: VendureInspection, engine: DemoEngine) -> None:
    with disabled_promotion(engine):
        found = await faults(inspection, KEYS)
    assert found == [
        f"native bundles: the promotion of the plugin is disabled in the channel {channel}."
        for channel in ("__default_channel__", "us")
    ]
    assert await faults(inspection, KEYS) == []
