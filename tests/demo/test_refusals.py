"""The carts that the checkout simulator refuses, and the reasons that it returns."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from cryptography.fernet import Fernet

from bundlesvc.settings.environment import Settings
from bundlesvc.token_cipher import discount_cipher
from tests.api.conftest import Serve
from tests.api.selection import Json
from tests.conftest import SECRET_KEY, MakeKey
from tests.demo.orders import BREAKFAST, ORDERS
from tests.demo.service import Demo, MakeDemo, amounts, cart_of


def without_attribute(cart: Json) -> None:
    cart["attributes"] = {}


def unreadable_attribute(cart: Json) -> None:
    cart["attributes"] = {"_bundles": "[object Object]"}


def overwritten_attribute(cart: Json) -> None:
    cart["attributes"] = {"_bundles": "{}"}


def changed_token(cart: Json) -> None:
    bundles = cart["attributes"]["_bundles"]
    place = bundles.index('"discount":"') + 60
    other = "A" if bundles[place] != "A" else "B"
    cart["attributes"] = {"_bundles": bundles[:place] + other + bundles[place + 1 :]}


def one_more(cart: Json) -> None:
    cart["items"][0]["quantity"] += 1


def one_line_less(cart: Json) -> None:
    del cart["items"][0]


def extra_line(cart: Json) -> None:
    cart["items"].append({**cart["items"][0], "id": 10241})


def unreadable_mark(cart: Json) -> None:
    cart["items"][0]["properties"]["_bundle_data"] = "1#2"


def another_parent(cart: Json) -> None:
    for item in cart["items"]:
        configured, _, unique = item["properties"]["_bundle_data"].split("#")
        item["properties"]["_bundle_data"] = f"{configured}#404#{unique}"


@pytest.mark.parametrize(
    ("tamper", "codes"),
    [
        (without_attribute, ["attribute_missing"]),
        (unreadable_attribute, ["attribute_unreadable"]),
        (overwritten_attribute, ["entry_missing"]),
        (changed_token, ["discount_broken"]),
        (one_more, ["quantity_changed"]),
        (one_line_less, ["lines_missing"]),
        (extra_line, ["lines_extra"]),
        (unreadable_mark, ["line_unreadable", "lines_missing"]),
        (another_parent, ["other_parent"]),
    ],
)
async def test_damaged_cart_is_charged_in_full(demo: Demo, tamper: Callable[[Json], None], codes: list[str]) -> None:
    result = await demo.configured(BREAKFAST)
    cart = cart_of(result)
    tamper(cart)

    receipt = await demo.receipt(cart)

    assert [refusal["code"] for refusal in receipt["refusals"]] == codes
    assert all(refusal["message"] for refusal in receipt["refusals"])
    assert {line["kind"] for line in receipt["lines"]} == {"item"}
    assert receipt["total"] == str(amounts(receipt["lines"], "original"))
    assert receipt["refusals"][-1]["configuredBundleId"] == result["configured_bundle_id"]


async def test_discount_that_depends_on_the_market_is_refused_in_another_country(demo: Demo) -> None:
    """A discount that depends on the market is refused in another country. Here, the bundle's tiers depend on an amount, and
    therefore on the market."""
    cart = cart_of(await demo.configured(ORDERS["tiers that add up"]))

    receipt = await demo.receipt({**cart, "countryCode": "US"})

    (refusal,) = receipt["refusals"]
    assert (refusal["code"], refusal["details"]) == (
        "market_changed",
        {"promised": "no country (EUR)", "found": "US (USD)"},
    )
    assert {line["kind"] for line in receipt["lines"]} == {"item"}


async def test_percentage_is_taken_off_in_another_country(demo: Demo) -> None:
    """A percentage discount is deducted in another country too, and the total equals the price promised for that country."""
    cart = cart_of(await demo.configured(BREAKFAST))
    there = (await demo.configured(BREAKFAST, "US"))["presentment"]

    receipt = await demo.receipt({**cart, "countryCode": "US"})

    assert receipt["refusals"] == []
    assert (receipt["marketTotal"], receipt["marketCurrency"]) == (there["discountedPrice"], there["currency"])


async def test_discount_opens_with_an_old_key_but_not_with_a_removed_one(
    make_demo: MakeDemo, serve: Serve, settings: Settings
) -> None:
    before = await make_demo()
    cart = cart_of(await before.configured(BREAKFAST))
    new = Fernet.generate_key().decode()

    async def after(*secret_keys: str) -> Json:
        own = replace(settings, demo=True, secret_keys=secret_keys)
        return await Demo(await serve(settings=own, demo_key=before.key), before.key).receipt(cart)

    assert (await after(new, SECRET_KEY))["refusals"] == []
    assert [refusal["code"] for refusal in (await after(new))["refusals"]] == ["discount_broken"]


async def test_discount_of_a_test_key_is_refused(demo: Demo, make_key: MakeKey) -> None:
    testing = Demo(demo.client, await make_key(test=True))
    receipt = await demo.receipt(cart_of(await testing.configured(BREAKFAST)))
    assert [refusal["code"] for refusal in receipt["refusals"]] == ["test_discount"]


async def test_discount_of_another_shop_is_refused(demo: Demo) -> None:
    """A discount from another shop is refused, although the service can decrypt it with the secret keys that all shops share."""
    cart = cart_of(await demo.configured(BREAKFAST))
    cipher = discount_cipher([SECRET_KEY])
    bundles = cart["attributes"]["_bundles"]
    token = bundles.split('"discount":"')[1].split('"')[0]
    theirs = cipher.seal({**cipher.unseal(token), "shop": "other"}, 0)
    cart["attributes"] = {"_bundles": bundles.replace(token, theirs)}

    receipt = await demo.receipt(cart)

    assert [refusal["code"] for refusal in receipt["refusals"]] == ["other_shop"]


async def test_what_is_not_for_sale_is_refused_and_the_rest_charged(demo: Demo) -> None:
    """Unknown variants, and variants not sold in the market, are refused as not for sale, and the other items in the cart are
    charged."""
    sold = {"id": 10351, "quantity": 1, "properties": {}}
    honey, nothing = {**sold, "id": 10151}, {**sold, "id": 4040}

    receipt = await demo.receipt({"items": [nothing, sold, honey], "countryCode": "US"})

    assert [(refusal["code"], refusal["items"], refusal["details"]) for refusal in receipt["refusals"]] == [
        ("not_for_sale", [0], {"variantId": "4040"}),
        ("not_for_sale", [2], {"variantId": "10151"}),
    ]
    assert [line["title"] for line in receipt["lines"]] == ["Greeting Card"]


async def test_empty_cart_costs_nothing(demo: Demo) -> None:
    receipt = await demo.receipt({"items": [], "countryCode": "JP"})
    assert (receipt["lines"], receipt["refusals"]) == ([], [])
    assert (receipt["total"], receipt["marketTotal"], receipt["marketCurrency"]) == ("0.00", "0.00", "JPY")


@pytest.mark.parametrize(
    ("cart", "paths"),
    [
        ({}, ["items"]),
        ({"items": {}}, ["items"]),
        ({"items": [7]}, ["items.0"]),
        ({"items": [{"id": "11", "quantity": 1}]}, ["items.0.id"]),
        ({"items": [{"id": 0, "quantity": 0}]}, ["items.0.id", "items.0.quantity"]),
        ({"items": [{"id": 11, "quantity": 1, "properties": {"a": 1}}]}, ["items.0.properties.a.value"]),
        ({"items": [{"id": 11, "quantity": 1}] * 501}, ["items"]),
        ({"items": [1] * 501}, ["items"]),
        ({"items": [], "attributes": {"_bundles": {}}}, ["attributes._bundles"]),
        ({"items": [], "attributes": []}, ["attributes"]),
        ({"items": [], "countryCode": "XX"}, ["countryCode"]),
    ],
)
async def test_malformed_cart_is_a_400_that_names_every_fault(demo: Demo, cart: Json, paths: list[str]) -> None:
    answer = (await demo.checkout(cart)).held(400)
    assert (answer.code, answer.paths) == ("invalid_request", paths)
