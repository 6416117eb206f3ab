"""What an inspection finds: permissions by channel, currencies of markets, and the state of the plugin."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import orjson
import pytest

from bundlesvc import __version__
from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import PlatformMarket, Tenant
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.platforms.vendure.inspection import VendureInspection
from bundlesvc.platforms.vendure.platform import VendurePlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import FakeConnections
from tests.platforms.vendure.test_client import CONNECTION, TENANT, refusal, reply

MARKETS = (
    PlatformMarket("US", "USD", Decimal("1.10"), "us"),
    PlatformMarket("CH", "CHF", Decimal("0.95")),
)
SHOP = replace(TENANT, shop=replace(TENANT.shop, platform=replace(TENANT.shop.platform, markets=MARKETS)))
KEY, OTHER_KEY = "a" * 43 + "=", "b" * 43 + "="
WELL = {
    "version": __version__,
    "keys": [key_name(KEY)],
    "promotion": [{"channel": "home-code", "enabled": True}, {"channel": "us-code", "enabled": True}],
}
NO_PLUGIN = refusal("GRAPHQL_VALIDATION_FAILED", 400)


@dataclass
class Installation:
    """An Admin API as one key sees it. The key is `valid` in some channels, may read the catalogue of those in `readable`, and
    `currencies` has all of them, by token."""

    valid: set[str] = field(default_factory=lambda: {"home", "us"})
    readable: set[str] = field(default_factory=lambda: {"home", "us"})
    currencies: dict[str, list[str]] = field(default_factory=lambda: {"home": ["EUR", "CHF"], "us": ["USD"]})
    plugin: Reply = field(default_factory=lambda: reply({"data": {"bundlesvc": WELL}}))

    async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
        operation = orjson.loads(body)["operationName"]
        if operation == "BundlePlugin":
            return self.plugin
        if channel not in self.currencies:
            return refusal("CHANNEL_NOT_FOUND")
        if channel not in (self.readable if operation == "BundleAnyProduct" else self.valid):
            return refusal("FORBIDDEN")
        active = {"code": f"{channel}-code", "availableCurrencyCodes": self.currencies[channel]}
        return reply({"data": {"products": {"items": []}, "activeChannel": active}})


@pytest.fixture
def installation() -> Installation:
    return Installation()


@pytest.fixture
def inspection(installation: Installation, clock: FakeClock) -> VendureInspection:
    connections = FakeConnections(CONNECTION)
    return VendureInspection(VendurePlatform(installation, connections, RetryPolicy(clock), 10, CallStatistics()))


async def faults(inspection: VendureInspection, tenant: Tenant = SHOP) -> list[str]:
    return [fault.sentence for fault in (await inspection.access(tenant, ())).faults]


async def test_nothing_is_missing(inspection: VendureInspection) -> None:
    access = await inspection.access(SHOP, ())
    assert (list(access.faults), access.may_read) == ([], True)


async def test_missing_permission_is_named_with_its_channel(
    installation: Installation, inspection: VendureInspection
) -> None:
    installation.readable.remove("us")
    access = await inspection.access(SHOP, ())
    (fault,) = access.faults
    assert fault.sentence == "the key lacks the permission ReadCatalog in the channel us."
    assert fault.remedy == "Add it to the role of the key's user, in this channel: us-code."
    assert access.may_read


async def test_without_the_permission_at_home_nothing_can_be_read(
    installation: Installation, inspection: VendureInspection
) -> None:
    installation.readable.remove("home")
    access = await inspection.access(SHOP, ())
    assert not access.may_read
    assert [fault.code for fault in access.faults] == ["permissions"]


async def test_key_of_another_channel(installation: Installation, inspection: VendureInspection) -> None:
    installation.valid.remove("us")
    assert await faults(inspection) == ["the key is not valid in the channel us."]


async def test_channel_that_does_not_exist(installation: Installation, inspection: VendureInspection) -> None:
    del installation.currencies["us"]
    assert await faults(inspection) == ["there is no channel with the token us."]


async def test_market_whose_currency_its_channel_does_not_have(
    installation: Installation, inspection: VendureInspection
) -> None:
    installation.currencies = {"home": ["EUR"], "us": ["EUR"]}
    access = await inspection.access(SHOP, ())
    assert [fault.sentence for fault in access.faults] == [
        "nothing is for sale in CH: the channel home-code has no prices in CHF.",
        "nothing is for sale in US: the channel us-code has no prices in USD.",
    ]
    assert access.may_read


async def test_plugin_that_is_well(inspection: VendureInspection) -> None:
    state = await inspection.checkout(SHOP, [KEY])
    assert not state.faults
    assert state.sentence == f"the plugin is active: {__version__}, keys {key_name(KEY)}"


def state(**changes: Any) -> Mapping[str, Any]:
    return {"data": {"bundlesvc": {**WELL, **changes}}}


OFF_IN_US = [{"channel": "home-code", "enabled": True}, {"channel": "us-code", "enabled": False}]


@pytest.mark.parametrize(
    ("plugin", "sentences"),
    [
        (NO_PLUGIN, ["the plugin @bundlesvc/vendure-plugin is missing, and orders are charged in full."]),
        (refusal("FORBIDDEN"), ["the key may not read the state of the plugin."]),
        (reply(state(version="0.0.1")), [f"the plugin is 0.0.1, and this service is {__version__}."]),
        (
            reply(state(keys=[key_name(OTHER_KEY)])),
            [
                f"the plugin lacks the key {key_name(KEY)}.",
                f"the plugin has a key that this service no longer has, {key_name(OTHER_KEY)}.",
            ],
        ),
        (reply(state(promotion=OFF_IN_US)), ["the promotion of the plugin is disabled in the channel us-code."]),
        (reply(state(promotion=OFF_IN_US[:1])), ["the plugin has no promotion in the channel us-code."]),
    ],
)
async def test_faults_of_the_plugin(
    plugin: Reply, sentences: list[str], installation: Installation, inspection: VendureInspection
) -> None:
    installation.plugin = plugin
    found = (await inspection.checkout(SHOP, [KEY])).faults
    assert [fault.sentence for fault in found] == [f"native bundles: {sentence}" for sentence in sentences]
    assert all(fault.remedy for fault in found)


@pytest.mark.parametrize(
    "plugin", [reply({"data": {}}), reply({"data": {"bundlesvc": None}}), reply(state(promotion=[{}]))]
)
async def test_state_that_cannot_be_read_is_a_failure_of_the_platform(
    plugin: Reply, installation: Installation, inspection: VendureInspection
) -> None:
    installation.plugin = plugin
    with pytest.raises(PlatformFailed):
        await inspection.checkout(SHOP, [KEY])


async def test_channels_that_cannot_be_read_need_no_promotion(
    installation: Installation, inspection: VendureInspection
) -> None:
    """Other faults name them."""
    installation.plugin = reply(state(promotion=OFF_IN_US[:1]))
    del installation.currencies["us"]
    assert not (await inspection.checkout(SHOP, [KEY])).faults
    installation.currencies["us"] = ["USD"]
    installation.readable.remove("us")
    assert not (await inspection.checkout(SHOP, [KEY])).faults


async def test_no_webhooks_are_missing(inspection: VendureInspection) -> None:
    state = await inspection.webhooks(SHOP, "/webhooks/platform/demo")
    assert (state.address, list(state.missing_topics)) == ("", [])
