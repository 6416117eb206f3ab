"""Cases in the format of tests/vectors/carts.json, and the results of the Python cart-transform step."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from bundlesvc.demo.receipt import BUNDLE, Amount, Charge, Currencies, Goods, receipt
from bundlesvc.domain.checkout.cart import CartLine
from bundlesvc.domain.checkout.cart_bundles import CartCurrency, Refusal, Step
from bundlesvc.domain.checkout.cart_transform import Merge, TransformResult, transform
from bundlesvc.domain.checkout.discount_promise import MAX_AGE_DAYS
from bundlesvc.domain.money import amount_text, plain_text, presentment_exponent
from tests.cart_transform.plan_discounts import BundleDiscount, discount_plans

VECTORS = Path(__file__).parents[1] / "vectors" / "carts.json"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CartVector:
    """A test case with its expected result. Default values are filled in.

    `market` is None for the shop's own market; `max_age_days` is None when the step's configuration does not set it."""

    chapter: str
    name: str
    shop: str
    date: str
    max_age_days: int | None
    lines: list[Json]
    attribute: str | None
    discounts: Mapping[str, Json]
    market: Json | None
    expected: Json


def read_cart_vectors() -> list[CartVector]:
    file = json.loads(VECTORS.read_text("utf-8"))
    return [
        _vector(chapter["chapter"], vector, file["defaults"])
        for chapter in file["chapters"]
        for vector in chapter["vectors"]
    ]


def _vector(chapter: str, vector: Json, defaults: Json) -> CartVector:
    bundles = vector.get("bundles")
    entries = None if bundles is None else {id_: defaults["entry"] | entry for id_, entry in bundles.items()}
    expected = vector["expected"]
    return CartVector(
        chapter,
        vector["name"],
        str(vector.get("shop", defaults["shop"])),
        str(vector.get("date", defaults["date"])),
        vector.get("maxAgeDays"),
        [defaults["line"] | line for line in vector["lines"]],
        vector.get("attribute") if entries is None else json.dumps(entries),
        {
            token: defaults["claims"] | claims
            for token, claims in vector.get("discounts", {}).items()
            if claims is not None
        },
        vector.get("market"),
        {
            "merges": [defaults["merge"] | merge for merge in expected.get("merges", [])],
            "refusals": [defaults["refusal"] | refusal for refusal in expected.get("refusals", [])],
            "discounts": [defaults["discount"] | discount for discount in expected.get("discounts", [])],
            "discountRefusals": [defaults["refusal"] | refusal for refusal in expected.get("discountRefusals", [])],
        },
    )


def evaluate(vector: CartVector) -> Json:
    """Run the Python implementation of the cart functions on a case, and return its result in the format of `expected`."""
    lines = [_line(line, vector.market) for line in vector.lines]
    now = int(datetime.fromisoformat(vector.date).replace(tzinfo=UTC).timestamp())
    age = MAX_AGE_DAYS if vector.max_age_days is None else vector.max_age_days
    market = vector.market or {}
    currency = CartCurrency(market["currency"], Decimal(market["rate"])) if market else None
    step = Step(vector.shop, vector.discounts.get, now, age, market.get("country"), currency)
    transformed = transform(lines, vector.attribute, step)
    discounted = discount_plans(lines, vector.attribute, step)
    charges = _charges(vector, lines, transformed)
    return {
        "merges": [_merge(merge, charges[merge.configured_id], vector.market) for merge in transformed.merges],
        "refusals": [_refusal(refusal) for refusal in transformed.refusals],
        "discounts": [_discount(discount) for discount in discounted.discounts if any(discount.amounts)],
        "discountRefusals": [_refusal(refusal) for refusal in discounted.refusals],
    }


def _line(line: Json, market: Json | None) -> CartLine:
    return CartLine(
        line["id"],
        int(line["variantId"]),
        line["quantity"],
        Decimal(line["marketPrice" if market else "unitPrice"]),
        line["properties"],
        line["sellingPlan"],
    )


def _discount(discount: BundleDiscount) -> Json:
    return {
        "configuredBundleId": discount.configured_id,
        "amounts": {line.id: str(amount) for line, amount in zip(discount.lines, discount.amounts, strict=True)},
    }


def _charges(vector: CartVector, lines: list[CartLine], transformed: TransformResult) -> dict[int | None, Charge]:
    """The amounts charged for merged lines, by configured bundle."""
    market = [str(line.get("marketPrice", line["unitPrice"])) for line in vector.lines]
    goods = {
        line.variant_id: Goods("", "", "", Amount(Decimal(given["unitPrice"]), Decimal(price)))
        for line, given, price in zip(lines, vector.lines, market, strict=True)
    }
    parents = {
        merge.parent_variant_id: Goods("", "", "", Amount(Decimal(0), Decimal(0))) for merge in transformed.merges
    }
    currencies = Currencies("EUR", vector.market["currency"] if vector.market else "EUR")
    charged = receipt(lines, transformed, parents | goods, currencies)
    return {charge.configured_id: charge for charge in charged.charges if charge.kind == BUNDLE}


def _merge(merge: Merge, charge: Charge, market: Json | None) -> Json:
    merged = {
        "configuredBundleId": merge.configured_id,
        "parentVariantId": str(merge.parent_variant_id),
        "title": merge.title,
        "image": merge.image,
        "lines": [line.id for line in merge.lines],
        "percentage": plain_text(merge.percentage),
        "original": amount_text(charge.original.shop),
        "discounted": amount_text(charge.amount.shop),
    }
    if market:
        merged["marketOriginal"] = f"{charge.original.market:.{presentment_exponent(market['currency'])}f}"
        merged["marketDiscounted"] = f"{charge.amount.market:.{presentment_exponent(market['currency'])}f}"
    return merged


def _refusal(refusal: Refusal) -> Json:
    return {
        "code": refusal.code,
        "configuredBundleId": refusal.configured_id,
        "lines": list(refusal.line_ids),
        "details": refusal.details,
    }
