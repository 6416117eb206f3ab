"""Orders for table-driven tests. Each contains one bundle: two units at 10.00 and one at 5.00, with a promised price of 20.00."""

import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from bundlesvc.domain.orders.order import LineDiscount, Order, OrderLine
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from bundlesvc.domain.orders.proving.proof import prove
from bundlesvc.domain.orders.proving.shop_checkout import ShopCheckout
from bundlesvc.domain.orders.verdict import Verdict

MADE_AT = 1_790_000_000
DAY = 86_400
MARK = {"_bundle_data": "7001#9001#u1"}
STORED = StoredPromise(7001, 42, None, Decimal("25.00"), Decimal("20.00"), {11: 2, 12: 1})
PROMISES = Promises({7001: STORED})

CLAIMS: Mapping[str, Any] = {
    "v": 3,
    "shop": "demo",
    "bundle": 42,
    "bundleType": "fixed",
    "configured": 7001,
    "parent": 9001,
    "type": "fixed",
    "value": "5.00",
    "original": "25.00",
    "discounted": "20.00",
    "currency": "EUR",
    "market": {"country": None, "currency": "EUR", "original": 2500, "discounted": 2000, "except": ["CH"]},
    "anywhere": False,
    "variants": {"11": 2, "12": 1},
    "fees": {},
    "subscription": None,
    "unique": "u1",
    "test": False,
    "iat": MADE_AT,
}


def line(id_: str, variant: int, quantity: int, price: int, off: int = 0, other: int = 0, **changes: Any) -> OrderLine:
    """Build an order line of a bundle. `off` is the amount of the bundle's discount, `other` the amount deducted by a discount
    code."""
    discounts = [LineDiscount("bundle", "Bundle", off), LineDiscount("code", "SUMMER", other)]
    made = OrderLine(
        id_,
        variant,
        quantity,
        price,
        discounts=tuple(discount for discount in discounts if discount.amount),
        properties=MARK,
    )
    return replace(made, **changes)


AS_PROMISED = (line("a", 11, 2, 1000, 400), line("b", 12, 1, 500, 100))
IN_FULL = (line("a", 11, 2, 1000), line("b", 12, 1, 500))


def order(*lines: OrderLine, **changes: Any) -> Order:
    """An order with these lines, or by default an order that was charged as promised."""
    bundles = json.dumps({"7001": {"discount": "token", "id": 42}})
    made = Order("1", 1, "#1001", MADE_AT + DAY, "EUR", lines or AS_PROMISED, country="DE", bundles=bundles)
    return replace(made, **changes)


def verdicts(
    judged: Order, promises: Promises = PROMISES, shop_currency: str = "EUR", **claims: Any
) -> tuple[Verdict, ...]:
    """The verdicts on an order. `claims` override the signed claims."""
    opened = {"token": {**CLAIMS, **claims}}
    return prove(judged, promises, ShopCheckout("demo", shop_currency, opened.get))
