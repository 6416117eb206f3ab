"""The step in JavaScript comes to what the Python one does: tests/vectors/carts.json, with real discount strings."""

import json

import pytest
from cryptography.fernet import Fernet

from bundlesvc.token_cipher import FernetCipher
from tests.cart_transform.carts import Cart, Json, Line, step_input
from tests.cart_transform.sandbox import Sandbox
from tests.domain.cart_cases import CartVector, read_cart_vectors

KEY = Fernet.generate_key().decode()
VECTORS = read_cart_vectors()


def cart(vector: CartVector, *, check_market_prices: bool = True) -> Cart:
    """The cart of a vector, in the market's currency where there is a market, else in that of the discount."""
    market = vector.market or {"currency": _shop_currency(vector), "rate": "1.0"}
    price = "marketPrice" if vector.market else "unitPrice"
    lines = [
        Line(line["id"], int(line["variantId"]), line["quantity"], line[price], line["properties"])
        for line in vector.lines
    ]
    config = {"shop": vector.shop, "keys": [KEY], "checkMarketPrices": check_market_prices}
    if vector.max_age_days is not None:
        config["maxAgeDays"] = vector.max_age_days
    return Cart(lines, _sealed(vector), config, market["currency"], market["rate"], vector.date)


def _shop_currency(vector: CartVector) -> str:
    return next((claims["currency"] for claims in vector.discounts.values()), "EUR")


def _sealed(vector: CartVector) -> str | None:
    """The cart attribute with discount strings in the place of the names that stand for them."""
    attribute = vector.attribute
    for name, claims in vector.discounts.items():
        token = FernetCipher([KEY]).seal(claims, 1_800_000_000)
        attribute = attribute and attribute.replace(json.dumps(name), json.dumps(token))
    return attribute


def comparable(transformed: Json) -> Json:
    """The outcome of the step, in the shape of `expected`."""
    return {
        "merges": [
            {
                "configuredBundleId": int(merge["configured"]),
                "parentVariantId": merge["mark"]["parent"],
                "title": merge["title"],
                "image": merge["image"],
                "lines": _ids(merge),
                "percentage": merge["percentage"],
            }
            for merge in transformed["merges"]
        ],
        "refusals": [
            {
                "code": refusal["reason"],
                "configuredBundleId": refusal["configured"] and int(refusal["configured"]),
                "lines": _ids(refusal),
            }
            for refusal in transformed["refusals"]
        ],
    }


def _ids(outcome: Json) -> list[str]:
    return [line["id"].rpartition("/")[2] for line in outcome["lines"]]


def expected(vector: CartVector) -> Json:
    """What can be told from a cart: what is charged is the platform's to say, and details are for the simulator."""
    unknown = {"original", "discounted", "marketOriginal", "marketDiscounted", "details"}
    return {
        kind: [{name: value for name, value in outcome.items() if name not in unknown} for outcome in outcomes]
        for kind, outcomes in vector.expected.items()
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.chapter}: {vector.name}")
def test_every_vector(sandbox: Sandbox, vector: CartVector) -> None:
    assert comparable(sandbox.call("transform", step_input(cart(vector)))) == expected(vector)


def test_prices_of_another_currency_are_looked_at_only_where_that_is_asked_for(sandbox: Sandbox) -> None:
    abroad = next(vector for vector in VECTORS if vector.name == "configured at home, charged in the United States")

    transformed = sandbox.call("transform", step_input(cart(abroad, check_market_prices=False)))

    assert [merge["percentage"] for merge in transformed["merges"]] == ["5"]
