"""Shop settings and selling plans fetched from the stand-in platform."""

import pytest

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.data.shop import SellingPlan, SellingPlanGroup
from tests.standin.faults import Answered
from tests.standin.server import Standin


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("€{{amount}}", "€{{amount}}"),
        ("{{amount_with_comma_separator}} kr", "{{amount_with_comma_separator}} kr"),
        ('<span class="money">${{amount}} CAD</span>', "${{amount}} CAD"),
        ("&euro;{{ amount }}&nbsp;", "€{{ amount }}"),
        ("&lt;b&gt;{{amount}}", "{{amount}}"),
    ],
)
async def test_money_format_is_plain_text(
    platform: ShopifyPlatform, standin: Standin, written: str, plain: str
) -> None:
    standin.shop.money_format = written
    assert await platform.shop(TENANT) == ShopSettings("EUR", plain, "kg")


@pytest.mark.parametrize(("unit", "ours"), [("GRAMS", "g"), ("KILOGRAMS", "kg"), ("OUNCES", "oz"), ("POUNDS", "lb")])
async def test_weight_unit(platform: ShopifyPlatform, standin: Standin, unit: str, ours: str) -> None:
    standin.shop.weight_unit = unit
    assert (await platform.shop(TENANT)).weight_unit == ours


async def test_selling_plans_by_product_and_cadence(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(*generated.products(3))
    standin.shop.selling_plan_groups += [
        SellingPlanGroup(1, "Save", [SellingPlan(11, "a", "WEEK", 2), SellingPlan(12, "b", "MONTH", 1)], {1, 2}),
        SellingPlanGroup(2, "Save more", [SellingPlan(21, "c", "WEEK", 2), SellingPlan(22, "d", "YEAR", 1)], {2}),
    ]
    assert await platform.selling_plans(TENANT, [1, 2, 3, 77]) == {
        (1, 2, "week"): "11",
        (1, 1, "month"): "12",
        (2, 2, "week"): "11",
        (2, 1, "month"): "12",
        (2, 1, "year"): "22",
    }


MONTHLY = {"interval": "MONTH", "intervalCount": 1}


@pytest.mark.parametrize(
    ("billing", "delivery", "listed"),
    [
        (MONTHLY, MONTHLY, True),
        ({"interval": "MONTH", "intervalCount": 3}, MONTHLY, False),
        ({"interval": "YEAR", "intervalCount": 1}, MONTHLY, False),
        ({}, {}, False),  # fixed policies, such as pre-orders, have no interval
        ({}, MONTHLY, False),
    ],
)
async def test_only_plans_paid_at_each_delivery_count(
    platform: ShopifyPlatform, standin: Standin, billing: dict[str, object], delivery: dict[str, object], listed: bool
) -> None:
    plan = {"id": "gid://shopify/SellingPlan/5", "billingPolicy": billing, "deliveryPolicy": delivery}
    groups = {"nodes": [{"sellingPlans": {"nodes": [plan]}}]}
    response = {"data": {"nodes": [{"id": "gid://shopify/Product/1", "sellingPlanGroups": groups}]}}
    standin.fail_next(Answered(200, response), "SellingPlans")
    assert await platform.selling_plans(TENANT, [1]) == ({(1, 1, "month"): "5"} if listed else {})


async def test_no_selling_plans_without_their_scope(
    platform: ShopifyPlatform, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    standin.shop.add(generated.product(1))
    standin.missing_scopes.add("read_own_subscription_contracts")
    assert await platform.selling_plans(TENANT, [1]) == {}
    assert "an access scope is missing: Access denied for sellingPlanGroups field." in caplog.text


async def test_products_fail_without_the_inventory_scope(
    platform: ShopifyPlatform, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    standin.shop.add(generated.product(1))
    standin.missing_scopes.add("read_inventory")
    for _ in range(2):
        with pytest.raises(PlatformFailed):
            await platform.products(TENANT, [1])
    assert caplog.text.count("`read_inventory` access scope") == 1
