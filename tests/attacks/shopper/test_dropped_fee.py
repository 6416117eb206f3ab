"""A shopper removes the line of a personalisation fee from the cart, and keeps the personalised units.

The discount string contains the fees, so the units are not discounted without them."""

from collections.abc import Callable

import pytest

from tests.api.selection import Json
from tests.demo.orders import LETTERED, mugs
from tests.demo.service import Demo, amounts, cart_of, loaded_database

__all__ = ["loaded_database"]  # the demo shop

TWO_MUGS = mugs("Mira", "Jan")


def fees(cart: Json) -> list[Json]:
    return [item for item in cart["items"] if "_bundle_fee" in item["properties"]]


def without_fees(cart: Json) -> None:
    cart["items"] = [item for item in cart["items"] if item not in fees(cart)]


def one_fee_of_two(cart: Json) -> None:
    [fee] = fees(cart)
    fee["quantity"] -= 1


def fee_of_another_bundle(cart: Json) -> None:
    [fee] = fees(cart)
    configured, parent, unique = fee["properties"]["_bundle_data"].split("#")
    fee["properties"]["_bundle_data"] = f"{int(configured) + 1}#{parent}#{unique}"


@pytest.mark.parametrize("attack", [without_fees, one_fee_of_two, fee_of_another_bundle])
async def test_a_cart_without_its_fee_gets_no_discount(demo: Demo, attack: Callable[[Json], None]) -> None:
    cart = cart_of(await demo.configured(TWO_MUGS))
    attack(cart)

    receipt = await demo.receipt(cart)

    assert [refusal["code"] for refusal in receipt["refusals"]] == ["fee_missing"]
    assert receipt["total"] == str(amounts(receipt["lines"], "original"))


def _names(count: int) -> list[str]:
    return [f"Name{number % 9}" for number in range(count)]


@pytest.mark.parametrize(("count", "left"), [(1, 0), (3, 1), (3, 2), (7, 6), (11, 4)])
async def test_fewer_fees_than_personalised_units_get_no_discount(count: int, left: int, demo: Demo) -> None:
    cart = cart_of(await demo.configured(mugs(*_names(count))))
    found = fees(cart)
    assert sum(fee["quantity"] for fee in found) == count
    without_fees(cart)
    cart["items"] += [{**found[0], "quantity": left}] if left else []

    receipt = await demo.receipt(cart)

    assert [refusal["code"] for refusal in receipt["refusals"]] == ["fee_missing"]
    assert receipt["total"] == str(amounts(receipt["lines"], "original"))


@pytest.mark.parametrize("count", [1, 3, 7, 11])
async def test_all_fees_of_any_number_of_units_keep_the_discount(count: int, demo: Demo) -> None:
    assert (await demo.receipt(cart_of(await demo.configured(mugs(*_names(count))))))["refusals"] == []


async def test_a_complete_cart_gets_its_discount(demo: Demo) -> None:
    receipt = await demo.receipt(cart_of(await demo.configured(LETTERED)))
    assert receipt["refusals"] == []
