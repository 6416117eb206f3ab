"""The findings of an inspection: permissions by channel, currencies of markets, and the state of the plugin."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
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
from tests.platforms.vendure.signing import OTHER_SECRET, SECRET
from tests.platforms.vendure.test_client import CONNECTION, TENANT, refusal, reply

MARKETS = (
    PlatformMarket("US", "USD", Decimal("1.10"), "us"),
    PlatformMarket("CH", "CHF", Decimal("0.95")),
)
SHOP = replace(TENANT, shop=replace(TENANT.shop, platform=replace(TENANT.shop.platform, markets=MARKETS)))
KEY, OTHER_KEY = "a" * 43 + "=", "b" * 43 + "="
WELL: dict[str, Any] = {
    "version": __version__,
    "keys": [key_name(KEY)],
    "promotion": [{"channel": "home-code", "enabled": True}, {"channel": "us-code", "enabled": True}],
    "webhooks": {
        "url": "https://bundles.example/webhooks/platform/demo",
        "secret": key_name(SECRET),
        "queue": {"waiting": 0, "waitingSince": None, "failure": None, "deliveredAt": "2026-11-24T10:00:00.000Z"},
    },
}
NO_PLUGIN = refusal("GRAPHQL_VALIDATION_FAILED", 400)


@dataclass
class Installation:
    """An Admin API as one key sees it. The key is valid in the channels `valid`, and may read the catalogue in the channels
    `readable`. `currencies` holds the currencies of every channel, by channel token."""

    valid: set[str] = field(default_factory=lambda: {"home", "us"})
    readable: set[str] = field(default_factory=lambda: {"home", "us"})
    currencies: dict[str, list[str]] = field(default_factory=lambda: {"home": ["EUR", "CHF"], "us": ["USD"]})
    orders: set[str] = field(default_factory=lambda: {"home", "us"})
    """The channels whose orders the key can read."""
    plugin: Reply = field(default_factory=lambda: reply({"data": {"bundlesvc": WELL}}))

    async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
        operation = orjson.loads(body)["operationName"]
        if operation == "BundlePlugin":
            return self.plugin
        if channel not in self.currencies:
            return refusal("CHANNEL_NOT_FOUND")
        allowed = {"BundleAnyProduct": self.readable, "BundleOrder": self.orders}.get(operation, self.valid)
        if channel not in allowed:
            return refusal("FORBIDDEN")
        active = {"code": f"{channel}-code", "availableCurrencyCodes": self.currencies[channel]}
        return reply({"data": {"products": {"items": []}, "activeChannel": active, "bundleOrder": None}})


@pytest.fixture
def installation() -> Installation:
    return Installation()


@pytest.fixture
def connections() -> FakeConnections:
    return FakeConnections(replace(CONNECTION, webhook_secret=SECRET))


@pytest.fixture
def inspection(installation: Installation, connections: FakeConnections, clock: FakeClock) -> VendureInspection:
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
        (NO_PLUGIN, ["the plugin @bundlesvc/vendure-plugin is missing, and orders are charged at full price."]),
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
    """A channel that cannot be read needs no promotion: the fault of the channel itself is reported instead."""
    installation.plugin = reply(state(promotion=OFF_IN_US[:1]))
    del installation.currencies["us"]
    assert not (await inspection.checkout(SHOP, [KEY])).faults
    installation.currencies["us"] = ["USD"]
    installation.readable.remove("us")
    assert not (await inspection.checkout(SHOP, [KEY])).faults


PATH = "/webhooks/platform/demo"


def queue(**changes: Any) -> Mapping[str, Any]:
    """Return the state of the plugin's webhooks, with the given changes to the queue."""
    return {**WELL["webhooks"], "queue": {**WELL["webhooks"]["queue"], **changes}}


async def test_webhooks_that_are_well(inspection: VendureInspection) -> None:
    found = await inspection.webhooks(SHOP, PATH)
    assert list(found.faults) == []
    assert found.sentence == (
        "webhooks are sent to https://bundles.example/webhooks/platform/demo; last delivered: 2026-11-24T10:00:00.000Z"
    )
    assert not (await inspection.access(SHOP, ())).has_old_secret


@pytest.mark.parametrize(
    ("webhooks", "sentences"),
    [
        (None, ["the plugin sends no webhooks: changes show late, and orders do not come in."]),
        (
            {**WELL["webhooks"], "url": "https://bundles.example/webhooks/platform/tea"},
            [
                "the plugin's webhooks go to https://bundles.example/webhooks/platform/tea, which is another shop's address.",
            ],
        ),
        (
            {**WELL["webhooks"], "secret": key_name(OTHER_SECRET)},
            ["the plugin signs webhooks with another secret, so they are refused."],
        ),
        (
            queue(waiting=3, waitingSince="2026-11-20T00:00:00.000Z", failure="503 overloaded"),
            ["webhooks have not been delivered since 2026-11-20T00:00:00+00:00; waiting: 3: 503 overloaded."],
        ),
        (
            queue(waiting=3, waitingSince="2026-11-20T00:00:00.000Z"),
            ["webhooks have not been delivered since 2026-11-20T00:00:00+00:00; waiting: 3."],
        ),
        ({**WELL["webhooks"], "queue": None}, []),
    ],
)
async def test_faults_of_webhooks(
    webhooks: object, sentences: list[str], installation: Installation, inspection: VendureInspection
) -> None:
    installation.plugin = reply(state(webhooks=webhooks))
    found = (await inspection.webhooks(SHOP, PATH)).faults
    assert [fault.sentence for fault in found] == sentences
    assert all(fault.remedy for fault in found)


async def test_webhooks_that_have_just_failed_are_no_fault(
    installation: Installation, inspection: VendureInspection, clock: FakeClock
) -> None:
    just_now = datetime.fromtimestamp(clock.now() - 59, UTC).isoformat()
    installation.plugin = reply(state(webhooks=queue(waiting=1, waitingSince=just_now, failure="503")))
    assert not (await inspection.webhooks(SHOP, PATH)).faults


async def test_old_secret_of_webhooks(
    installation: Installation, connections: FakeConnections, inspection: VendureInspection
) -> None:
    connections.connection = replace(CONNECTION, webhook_secret=OTHER_SECRET, previous_secret=SECRET)
    (fault,) = (await inspection.webhooks(SHOP, PATH)).faults
    assert fault.sentence == "the plugin signs webhooks with the old secret."
    assert (await inspection.access(SHOP, ())).has_old_secret
    connections.connection = replace(CONNECTION, webhook_secret=SECRET, previous_secret=OTHER_SECRET)
    assert not (await inspection.webhooks(SHOP, PATH)).faults


async def test_service_without_a_secret_for_webhooks(
    connections: FakeConnections, inspection: VendureInspection
) -> None:
    connections.connection = CONNECTION
    (fault,) = (await inspection.webhooks(SHOP, PATH)).faults
    assert fault.sentence == "this service has no secret for webhooks, so it refuses them."
    assert fault.remedy.endswith("bundlesvc platform secret add --shop demo")


async def test_orders_that_the_key_may_not_read(
    installation: Installation, inspection: VendureInspection, clock: FakeClock
) -> None:
    installation.orders = {"home"}
    (fault,) = (await inspection.webhooks(SHOP, PATH)).faults
    assert fault.sentence == "the key lacks the permission ReadBundleOrders in the channel us: orders do not come in."
    del installation.currencies["us"]
    clock.move(60)
    assert not (await inspection.webhooks(SHOP, PATH)).faults


@pytest.mark.parametrize("plugin", [NO_PLUGIN, refusal("FORBIDDEN")])
async def test_missing_plugin_is_named_once(
    plugin: Reply, installation: Installation, inspection: VendureInspection
) -> None:
    """A missing plugin is reported once, among the faults of native bundles, and not again for webhooks."""
    installation.plugin = plugin
    found = await inspection.webhooks(SHOP, PATH)
    assert (found.sentence, list(found.faults)) == ("", [])
