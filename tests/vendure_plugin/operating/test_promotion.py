"""The plugin's promotion is created in every channel, repaired at the next start, never applied twice, and adapted to the
plugin's options."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from bundlesvc import __version__
from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.token_cipher import DISCOUNT, derived_keys, new_secret_key
from tests.process.serving import SECRET_KEY
from tests.servers.postgres_server import PostgresServer
from tests.vendure_plugin.orders.attacks import Goods, goods
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine, options, started_engine
from tests.vendure_plugin.shopper import Json, Shopper

pytestmark = pytest.mark.process

_STATE = (
    "{ bundlesvc { version keys promotion { channel enabled } } promotions { items { id name enabled couponCode } } }"
)
_UPDATE = """mutation ($input: UpdatePromotionInput!) {
  updatePromotion(input: $input) { ... on Promotion { id } ... on ErrorResult { errorCode message } }
}"""
_CREATE = """mutation ($input: CreatePromotionInput!) {
  createPromotion(input: $input) { ... on Promotion { id } ... on ErrorResult { errorCode message } }
}"""
_DELETE = "mutation ($id: ID!) { deletePromotion(id: $id) { result } }"
_UNASSIGN = """mutation ($input: RemovePromotionsFromChannelInput!) {
  removePromotionsFromChannel(input: $input) { id }
}"""
_CHANNELS = "{ channels { items { id code } } }"
_NEW_CHANNEL = """mutation ($input: CreateChannelInput!) {
  createChannel(input: $input) { ... on Channel { id } ... on ErrorResult { errorCode message } }
}"""
NEW_CHANNEL = {
    "defaultLanguageCode": "en",
    "pricesIncludeTax": True,
    "defaultCurrencyCode": "EUR",
    "availableCurrencyCodes": ["EUR"],
}
CHANNELS = ["__default_channel__", "us", "ch", "jp"]
TWIN = {
    "enabled": True,
    "conditions": [{"code": "bundlesvc_intact", "arguments": []}],
    "actions": [{"code": "bundlesvc_promise", "arguments": []}],
    "translations": [{"languageCode": "en", "name": "Twin"}],
}

Start = Callable[..., AbstractContextManager[DemoEngine]]


@pytest.fixture(scope="module")
def bundles(storefront: Storefront) -> Goods:
    return goods(storefront)


@pytest.fixture
def start(postgres: PostgresServer, filled: str) -> Iterator[Start]:
    """A function that starts an engine with the given changes to its options. All engines of a test use the same database."""
    database = postgres.new_database(filled)

    @contextmanager
    def engine(**others: Any) -> Iterator[DemoEngine]:
        with started_engine(postgres, database, options(SECRET_KEY) | others) as engine:
            yield engine

    with postgres.lent(database):
        yield engine


def state(engine: DemoEngine) -> Json:
    found: Json = engine.admin.run(_STATE)
    return found


def ours(engine: DemoEngine) -> Json:
    (promotion,) = [one for one in state(engine)["promotions"]["items"] if one["name"] == "Bundle"]
    return dict(promotion)


def bought(engine: DemoEngine, bundles: Goods) -> tuple[int, set[str | None]]:
    """Add the box to an order. Returns the order's total in cents, and the reasons that its lines show for a missing discount."""
    order = Shopper(engine.address, engine.home).add(bundles.box.answer)
    return order["subTotalWithTax"], {line["bundle"]["reason"] for line in order["lines"]}


def test_state_names_version_keys_and_channels(engine: DemoEngine) -> None:
    found = state(engine)["bundlesvc"]
    assert found["version"] == __version__
    assert found["keys"] == [key_name(key) for key in derived_keys([SECRET_KEY], DISCOUNT)]
    assert {one["channel"]: one["enabled"] for one in found["promotion"]} == dict.fromkeys(CHANNELS, True)


def test_promotion_is_made_repaired_and_never_enabled_again(start: Start, bundles: Goods) -> None:
    promised = int(bundles.box.promised * 100), {None}
    original = int(bundles.box.original * 100)

    with start() as engine:
        assert bought(engine, bundles) == promised
        promotion = ours(engine)["id"]
        engine.admin.run(_CREATE, input=TWIN)
        assert bought(engine, bundles) == promised
        engine.admin.run(_UPDATE, input={"id": promotion, "couponCode": "BUNDLE", "usageLimit": 1})
        assert bought(engine, bundles) == (original, {"promotion_disabled"})
        channels = {one["code"]: one["id"] for one in engine.admin.run(_CHANNELS)["channels"]["items"]}
        engine.admin.run(_UNASSIGN, input={"promotionIds": [promotion], "channelId": channels["jp"]})
        assert [one["channel"] for one in state(engine)["bundlesvc"]["promotion"]] == CHANNELS[:3]

    with start() as engine:
        assert bought(engine, bundles) == promised
        assert {one["name"] for one in state(engine)["promotions"]["items"]} == {"Bundle"}
        assert {one["channel"] for one in state(engine)["bundlesvc"]["promotion"]} == {*CHANNELS}
        engine.admin.run(_UPDATE, input={"id": promotion, "enabled": False})
        assert bought(engine, bundles) == (original, {"promotion_disabled"})

    with start() as engine:
        assert {one["enabled"] for one in state(engine)["bundlesvc"]["promotion"]} == {False}
        assert bought(engine, bundles) == (original, {"promotion_disabled"})
        engine.admin.run(_DELETE, id=promotion)

    with start() as engine:
        assert ours(engine)["id"] != promotion
        assert bought(engine, bundles) == promised


def test_promotion_is_assigned_to_a_new_channel(start: Start) -> None:
    with start() as engine:
        zone = engine.admin.run("{ activeChannel { defaultTaxZone { id } } }")["activeChannel"]["defaultTaxZone"]["id"]
        for code in ("no", "se"):
            engine.admin.run(_NEW_CHANNEL, input=NEW_CHANNEL | {"code": code, "token": code} | _zones(zone))
        assert has_channels(engine, {*CHANNELS, "no", "se"})


def _zones(zone: str) -> Json:
    return {"defaultTaxZoneId": zone, "defaultShippingZoneId": zone}


def has_channels(engine: DemoEngine, channels: set[str]) -> bool:
    """Whether the promotion is assigned to exactly these channels. Waits for up to ten seconds until it is."""
    for _ in range(100):
        if {one["channel"] for one in state(engine)["bundlesvc"]["promotion"]} == channels:
            return True
        time.sleep(0.1)
    return False


def test_coupons_that_do_not_combine(start: Start, bundles: Goods) -> None:
    with start(combineWithCoupons=False) as engine:
        discount = {"code": "order_percentage_discount", "arguments": [{"name": "discount", "value": "10"}]}
        names = [{"languageCode": "en", "name": "Ten"}]
        given = {"enabled": True, "couponCode": "TEN", "conditions": [], "actions": [discount], "translations": names}
        engine.admin.run(_CREATE, input=given)
        shopper = Shopper(engine.address, engine.home)
        assert shopper.add(bundles.box.answer)["subTotalWithTax"] == bundles.box.promised * 100
        order = shopper.apply_coupon("TEN")
        assert order["subTotalWithTax"] == int(bundles.box.original * 90)
        assert {line["bundle"]["reason"] for line in order["lines"]} == {"coupon"}


def test_keys_are_rotated(start: Start, bundles: Goods) -> None:
    new, old = derived_keys([new_secret_key(), SECRET_KEY], DISCOUNT)
    promised = int(bundles.box.promised * 100), {None}
    with start(keys=[new, old]) as engine:
        assert bought(engine, bundles) == promised
    with start(keys=[new]) as engine:
        assert bought(engine, bundles) == (int(bundles.box.original * 100), {"discount_broken"})


def test_engine_does_not_start_with_wrong_options(start: Start) -> None:
    with pytest.raises(AssertionError, match="`keys` is empty"), start(keys=[]):
        pass
