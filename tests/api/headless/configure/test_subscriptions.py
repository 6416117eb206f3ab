"""Configure with a subscription (docs/contract.md#subscriptions)."""

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, subscriptions
from tests.api.conftest import Api
from tests.api.selection import Json, configure_body, price_body, pricing
from tests.api.stored import rows
from tests.fakes import START

MIRA = {"id": 7, "email": "mira@mail.example", "frequency": 2, "unit": "week"}


async def test_subscription_is_stored_as_pending(api: Api, database: Database) -> None:
    body = configure_body("1001@1", subscription=MIRA)

    response = (await api.post("/bundles/50/configure", body)).held().json

    (row,) = await rows(database, subscriptions)
    assert row.pop("shop_id") is not None
    assert row == {
        "id": response["subscription_id"],
        "configured_bundle_id": response["configured_bundle_id"],
        "group_id": 7,
        "frequency": 2,
        "unit": "week",
        "email": "mira@mail.example",
        "status": "pending",
        "order_id": None,
        "contract": None,
        "ended": None,
        "next_date": "2027-01-29",
        "created_at": int(START),
    }
    assert type(response["subscription_id"]) is int
    assert response["pricing"] == pricing("19.99", "17.09", "percentage 10.00")


async def test_optional_subscription_may_be_chosen_or_not(api: Api, database: Database) -> None:
    chosen = await api.post("/bundles/10/configure", configure_body("1001@1", "6001@0", subscription=MIRA))
    left_out = await api.post("/bundles/10/configure", configure_body("1001@1", "6001@0", subscription=None))

    assert chosen.held().json["pricing"]["discountedPrice"] == "21.84"  # 5% of 22.99: 1.1495
    assert left_out.held().json["subscription_id"] is None
    assert len(await rows(database, subscriptions)) == 1


@pytest.mark.parametrize(
    ("bundle", "subscription", "paths"),
    [
        pytest.param(50, None, ["subscription"], id="required, and missing"),
        pytest.param(51, MIRA, ["subscription"], id="disabled"),
        pytest.param(20, MIRA, ["subscription"], id="no program"),
        pytest.param(50, MIRA | {"id": 9}, ["subscription.id"], id="no such group"),
        pytest.param(50, MIRA | {"frequency": 1}, ["subscription.frequency"], id="no such option"),
        pytest.param(50, MIRA | {"frequency": -2}, ["subscription.frequency"], id="negative"),
        pytest.param(50, MIRA | {"email": "mira"}, ["subscription.email"], id="no address"),
        pytest.param(50, MIRA | {"email": ""}, ["subscription.email"], id="empty address"),
        pytest.param(50, MIRA | {"email": "mira@mail"}, ["subscription.email"], id="no domain"),
        pytest.param(50, MIRA | {"email": "a b@mail.example"}, ["subscription.email"], id="a space"),
        pytest.param(50, MIRA | {"email": "a@mail.example\nBcc: b@mail.example"}, ["subscription.email"], id="a line"),
        pytest.param(50, MIRA | {"email": f"{'a' * 64}@{'b' * 250}.example"}, ["subscription.email"], id="too long"),
        pytest.param(50, MIRA | {"email": "mira", "id": 9}, ["subscription.email", "subscription.id"], id="both"),
    ],
)
async def test_invalid_subscriptions_are_refused(
    api: Api, database: Database, bundle: int, subscription: object, paths: list[str]
) -> None:
    body = configure_body("1001@1", subscription=subscription)

    response = await api.post(f"/bundles/{bundle}/configure", body)

    assert response.held(400).code == "subscription_invalid"
    assert sorted(response.paths) == paths
    assert [await rows(database, table) for table in (configured_bundles, subscriptions)] == [[], []]


async def test_shop_without_the_feature_neither_requires_nor_takes_subscriptions(other_api: Api) -> None:
    once = await other_api.post("/bundles/10/configure", configure_body("1001@1"))
    subscribed = await other_api.post(
        "/bundles/10/configure", configure_body("1001@1", subscription=MIRA | {"frequency": 1, "unit": "month"})
    )

    assert once.held().json["pricing"] == pricing("1985.00", "1489.00", "percentage 25.00", "JPY")
    assert subscribed.held(400).code == "subscription_invalid"


async def test_configure_and_price_agree_in_a_country_with_a_subscription(api: Api) -> None:
    """Configure and price agree for a subscription in a market.

    In euros: 20.99 - 2.10 = 18.89; a further 5% (0.9445) off gives 17.95. In dollars: 23.09 - 2.31 = 20.78; a further 5%
    (1.039) off gives 19.74."""
    more: Json = {"countryCode": "US", "subscription": MIRA}

    priced = await api.post("/bundles/50/price", price_body("1001@1", **more))
    configured = await api.post("/bundles/50/configure", configure_body("1001@1", **more))

    expected = pricing("20.99", "17.95", "percentage 10.00")
    in_dollars = {"originalPrice": "23.09", "discountedPrice": "19.74", "currency": "USD"}
    assert priced.held().json == expected | {"presentment": in_dollars}
    assert configured.held().json["pricing"] == expected
    assert configured.json["presentment"] == in_dollars
