"""The compiled function produces the results in tests/vectors/carts.json, with real discount strings, and agrees with the
simulator on every byte."""

import json

import pytest
from cryptography.fernet import Fernet

from bundlesvc.token_cipher import FernetCipher
from tests.cart_transform.carts import Cart, Json, Line, encoded, function_input, refusals, run_cart
from tests.cart_transform.module import DISCOUNT, MERGE, run_module
from tests.cart_transform.reference import expected
from tests.domain.cart_cases import CartVector, read_cart_vectors

KEY = Fernet.generate_key().decode()
VECTORS = read_cart_vectors()
EACH = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.chapter}: {vector.name}")


def cart(vector: CartVector) -> Cart:
    """The cart of a vector, in the market's currency, or in the currency of the discount if there is no market."""
    market = vector.market or {"country": "DE", "currency": _shop_currency(vector), "rate": "1.0"}
    price = "marketPrice" if vector.market else "unitPrice"
    lines = [
        Line(
            line["id"],
            int(line["variantId"]),
            line["quantity"],
            line[price],
            line["properties"],
            line["sellingPlan"],
        )
        for line in vector.lines
    ]
    config: Json = {"shop": vector.shop, "keys": [KEY]}
    if vector.max_age_days is not None:
        config["maxAgeDays"] = vector.max_age_days
    return Cart(lines, _sealed(vector), config, market["currency"], market["rate"], vector.date, market["country"])


def _shop_currency(vector: CartVector) -> str:
    return next((claims["currency"] for claims in vector.discounts.values()), "EUR")


def _sealed(vector: CartVector) -> str | None:
    """The cart attribute with each placeholder name replaced by its discount string."""
    attribute = vector.attribute
    for name, claims in vector.discounts.items():
        token = FernetCipher([KEY]).seal(claims, 1_800_000_000)
        attribute = attribute and attribute.replace(json.dumps(name), json.dumps(token))
    return attribute


def _merge(operation: Json) -> Json:
    """Convert a merge operation to the format of `expected`."""
    merge = operation["linesMerge"]
    configured, parent, _ = merge["attributes"][0]["value"].split("#")
    return {
        "configuredBundleId": int(configured),
        "parentVariantId": parent,
        "title": merge.get("title", ""),
        "image": merge.get("image", {}).get("url", ""),
        "lines": [_id(line["cartLineId"]) for line in merge["cartLines"]],
        "percentage": merge.get("price", {}).get("percentageDecrease", {}).get("value", "0"),
    }


def _amounts(operations: list[Json]) -> dict[str, str]:
    """The amount taken off each line."""
    candidates = [each for operation in operations for each in operation["productDiscountsAdd"]["candidates"]]
    return {
        _id(target["cartLine"]["id"]): candidate["value"]["fixedAmount"]["amount"]
        for candidate in candidates
        for target in candidate["targets"]
    }


def _id(gid: str) -> str:
    return gid.rpartition("/")[2]


def _reasons(expected_refusals: list[Json]) -> list[str]:
    return [f"{refusal['configuredBundleId'] or 'line'} {refusal['code']}" for refusal in expected_refusals]


@EACH
def test_merges(vector: CartVector) -> None:
    charged = {"original", "discounted", "marketOriginal", "marketDiscounted"}
    wanted = [
        {name: value for name, value in merge.items() if name not in charged} for merge in vector.expected["merges"]
    ]

    assert [_merge(operation) for operation in run_cart(cart(vector))] == wanted
    assert refusals(cart(vector)) == _reasons(vector.expected["refusals"])


@EACH
def test_discounts_of_selling_plans(vector: CartVector) -> None:
    wanted: dict[str, str] = {}
    for discount in vector.expected["discounts"]:
        wanted |= discount["amounts"]

    assert _amounts(run_cart(cart(vector), DISCOUNT)) == wanted
    assert refusals(cart(vector), DISCOUNT) == _reasons(vector.expected["discountRefusals"])


@EACH
@pytest.mark.parametrize("export", [MERGE, DISCOUNT])
def test_every_byte_is_the_simulators(vector: CartVector, export: str) -> None:
    given = function_input(cart(vector), export)
    run = run_module(export, encoded(given))
    assert (run.output, run.log) == expected(export, given)


def test_only_a_discount_of_the_product_class_discounts_products() -> None:
    [planned] = [vector for vector in VECTORS if vector.name == "a plan that takes nothing off by itself"]
    given = function_input(cart(planned), DISCOUNT)
    given["discount"]["discountClasses"] = ["ORDER", "SHIPPING"]

    assert run_module(DISCOUNT, encoded(given)).output == b'{"operations":[]}'
