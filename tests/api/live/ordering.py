"""Shopping on the stand-in: the service configures a bundle, the shopper buys it in the platform's checkout, and the order is
read."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.inbox import SqlOrderInbox
from bundlesvc.storage.orders.orders import SqlOrderStore
from tests.api.conftest import Api
from tests.cli.live_shop import DOMAIN, platform_shop
from tests.standin.data.carts import Cart, CartLine
from tests.standin.data.shop import Market, SellingPlan, SellingPlanGroup, Shop

CRATE, SHIRT_S, SHIRT_M, MUG = 42, 10001, 10002, 20001
WEEKLY = 700

SHOP = f"""
shop: {{handle: live, name: Live, domain: live.example, locale: en, headlessEnabled: true,
       activeFeatures: [subscriptions],
       platform: {{kind: shopify, domain: {DOMAIN}}}, templates: [default]}}
bundles:
  - {{id: {CRATE}, name: Crate, type: native, layout: single-page, platformProductId: "9", parentVariantId: "90001",
     discount: {{type: percentage, value: "10.00", flatOrTiered: flat}},
     sections: [{{id: 1, name: All, order: 0, products: [
       {{bundleItemId: 1, platformProductId: "1"}}, {{bundleItemId: 2, platformProductId: "2"}}]}}],
     subscription: {{mode: optional, groups: [{{id: 7, name: Weekly, options: [
       {{frequency: 1, unit: week, discount: "5.00"}}]}}]}}}}
  - {{id: 43, name: Fixed, type: native, layout: single-page, platformProductId: "9", parentVariantId: "90001",
     discount: {{type: fixed, value: "3.00", flatOrTiered: flat}},
     sections: [{{id: 1, name: All, order: 0, products: [
       {{bundleItemId: 1, platformProductId: "1"}}, {{bundleItemId: 2, platformProductId: "2"}}]}}]}}
"""
TIMEOUT = 10.0


def ordering_shop() -> Shop:
    """The shop on the platform, with a market in another currency and a weekly subscription plan."""
    shop = platform_shop()
    shop.markets.append(Market(4, "Switzerland", ("CH",), "CHF", Decimal("0.95")))
    plan = SellingPlan(WEEKLY, "Weekly", "WEEK", 1, Decimal(5))
    shop.selling_plan_groups.append(SellingPlanGroup(7, "Weekly", [plan], {1, 2, 9}))
    return shop


async def configured(
    api: Api, *units: tuple[int, int], bundle: int = CRATE, country: str | None = None, weekly: bool = False
) -> Mapping[str, Any]:
    """Configure these variants, each with its number of units, and return the response, which contains the cart."""
    body: dict[str, Any] = {
        "type": "native",
        "products": [
            {"variant": f"{variant}", "product": f"{variant // 10000}", "section": 1}
            for variant, quantity in units
            for _ in range(quantity)
        ],
    }
    if country:
        body["countryCode"] = country
    if weekly:
        body["subscription"] = {"id": 7, "frequency": 1, "unit": "week", "email": "mira@mail.example"}
    answer: Mapping[str, Any] = (await api.post(f"/bundles/{bundle}/configure", body)).held().json
    return answer


def cart_of(*answers: Mapping[str, Any], country: str | None = "DE", plan: int | None = None) -> Cart:
    """A cart with these configured bundles, filled as a storefront would fill it."""
    cart, entries = Cart(country=country), dict[str, Any]()
    for answer in answers:
        made = answer["cart"]
        for line in made["line_items"]:
            cart.add(CartLine(int(line["id"]), line["quantity"], line["properties"], plan))
        entries |= json.loads(made["attributes"]["_bundles"])
    cart.attributes["_bundles"] = json.dumps(entries)
    return cart


async def tenant_of(database: Database) -> Tenant:
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    return tenant


async def inbox_is_empty(database: Database) -> None:
    """Wait until the inbox is empty, so that every order notice has been processed."""
    async with asyncio.timeout(TIMEOUT):
        while (await SqlOrderInbox(database).counts())[0]:  # noqa: ASYNC110 - another process empties it
            await asyncio.sleep(0.02)


async def stored(database: Database, number: int) -> JudgedOrder | None:
    await inbox_is_empty(database)
    return await SqlOrderStore(database).order(await tenant_of(database), str(number))


async def verdicts(database: Database, number: int) -> Sequence[tuple[str, str | None]]:
    """The outcome and cause for each bundle of an order."""
    found = await stored(database, number)
    assert found is not None
    return [(verdict.outcome, verdict.cause) for verdict in found.verdicts]
