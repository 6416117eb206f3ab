"""Configured bundles: what is stored, the claims of the discount string, and the cart payload."""

import hashlib
import re
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.cart_payload import bundles_entry, cart_lines
from bundlesvc.domain.configured import (
    ConfiguredBundle,
    ConfiguredItem,
    PendingSubscription,
    configured_items,
    variant_counts,
)
from bundlesvc.domain.discount_claims import discount_claims
from bundlesvc.domain.ghost_identity import ghost_identity
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing import Pricing
from tests.domain.builders import bundle, line, line_of, product, variant
from tests.domain.strategies import PROPERTY, selections

UNIQUE = "0123456789abcdef0123456789abcdef"
PRICING = Pricing(Decimal("30.00"), Decimal("27.00"), "percentage", Decimal("10.00"), "EUR")


def item(variant_id: int, count: int = 1, section: int = 1) -> ConfiguredItem:
    return ConfiguredItem(variant_id, variant_id // 10, section, count, "Shirt", "S", Decimal("10.00"))


def configured(*items: ConfiguredItem, **changes: Any) -> ConfiguredBundle:
    fields: dict[str, Any] = {
        "id": 555,
        "bundle_id": 42,
        "bundle_type": "native",
        "title": "Box",
        "product_id": 900,
        "country": None,
        "test": False,
        "unique_id": UNIQUE,
        "pricing": PRICING,
        "items": items,
        "configured_at": 1_700_000_000,
    }
    return ConfiguredBundle(**(fields | changes))


def test_items_store_titles_and_prices_of_the_moment() -> None:
    shirt = product(1, variant(11, title="S", price="19.99"), variant(12, title="M"))

    assert configured_items(bundle(), [line_of(shirt, 11, 2, section=3)]) == (
        ConfiguredItem(
            variant_id=11,
            product_id=1,
            section_id=3,
            count=2,
            title="Product 1",
            variant_title="S",
            unit_price=Decimal("19.99"),
        ),
    )


def test_items_store_the_price_charged_not_the_variants() -> None:
    charged = Line(product(), variant(price="10.00"), 1, 1, Decimal("8.50"), 0)

    assert [one.unit_price for one in configured_items(bundle(), [charged])] == [Decimal("8.50")]


@pytest.mark.parametrize(
    ("items", "counts"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([item(11, 2)], [(11, 2)], id="one variant"),
        pytest.param([item(11, 2), item(21), item(11, 1, 2)], [(11, 3), (21, 1)], id="over sections, in order"),
        pytest.param([item(21), item(11)], [(21, 1), (11, 1)], id="in the order of selection"),
    ],
)
def test_variant_counts_add_up_over_sections(items: list[ConfiguredItem], counts: list[tuple[int, int]]) -> None:
    assert list(variant_counts(items).items()) == counts


def identity(*items: ConfiguredItem, of: int = 42, price: str = "27.00") -> str:
    return ghost_identity(of, items, Decimal(price))


SAME = identity(item(11, 2), item(21, 1, 2))


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        pytest.param(identity(item(11, 2), item(21, 1, 2)), True, id="equal"),
        pytest.param(identity(item(21, 1, 2), item(11, 2)), True, id="in another order"),
        pytest.param(identity(item(11, 2), item(21, 1, 2), price="27"), True, id="the same price in other digits"),
        pytest.param(identity(item(11, 2), item(21, 1, 2), price="27.01"), False, id="another price"),
        pytest.param(identity(item(11, 2), item(21, 1, 2), of=43), False, id="another bundle"),
        pytest.param(identity(item(11, 3), item(21, 1, 2)), False, id="another count"),
        pytest.param(identity(item(12, 2), item(21, 1, 2)), False, id="another variant"),
        pytest.param(identity(item(11, 2), item(21, 1, 3)), False, id="another section"),
        pytest.param(identity(item(11, 2)), False, id="an item less"),
        pytest.param(identity(item(11, 2, 2), item(21, 1, 1)), False, id="sections swapped"),
    ],
)
def test_equal_bundles_share_a_ghost_variant(other: str, shared: bool) -> None:
    assert (other == SAME) is shared


def test_a_ghost_identity_is_a_sha_256() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", SAME)


def test_titles_and_unit_prices_do_not_change_a_ghost_identity() -> None:
    renamed = ConfiguredItem(11, 1, 1, 2, "Chemise", "P", Decimal("9.00"))

    assert identity(renamed, item(21, 1, 2)) == SAME


@PROPERTY
@given(lines=selections(), order=st.randoms(use_true_random=False))
def test_order_of_items_does_not_change_a_ghost_identity(lines: list[Line], order: Random) -> None:
    shuffled = order.sample(lines, len(lines))

    assert identity(*configured_items(bundle(), lines)) == identity(*configured_items(bundle(), shuffled))


def test_claims_of_the_discount_string() -> None:
    claims = discount_claims(configured(item(21, 1, 2), item(11, 2), item(21, 1, 1)), "demo")

    assert claims == {
        "v": 2,
        "shop": "demo",
        "bundle": 42,
        "bundleType": "native",
        "configured": 555,
        "type": "percentage",
        "value": "10.00",
        "original": "30.00",
        "discounted": "27.00",
        "currency": "EUR",
        "variants": {"11": 2, "21": 2},
        "fees": {},
        "subscription": None,
        "unique": UNIQUE,
        "test": False,
        "iat": 1_700_000_000,
    }


@pytest.mark.parametrize(
    ("pricing", "amounts"),
    [
        pytest.param(
            Pricing(Decimal("30.00"), Decimal("30.00"), "none", Decimal(0), "EUR"),
            ("none", "0.00", "30.00", "30.00"),
            id="no discount",
        ),
        pytest.param(
            Pricing(Decimal(1000), Decimal(900), "fixed", Decimal(100), "JPY"),
            ("fixed", "100.00", "1000.00", "900.00"),
            id="yen",
        ),
        pytest.param(
            Pricing(Decimal("30.5"), Decimal(0), "price", Decimal("0.0"), "EUR"),
            ("price", "0.00", "30.50", "0.00"),
            id="two decimals",
        ),
    ],
)
def test_amounts_of_the_discount_string(pricing: Pricing, amounts: tuple[str, str, str, str]) -> None:
    claims = discount_claims(configured(item(11), pricing=pricing, test=True, bundle_type="single-product"), "demo")

    assert (claims["type"], claims["value"], claims["original"], claims["discounted"]) == amounts
    assert (claims["test"], claims["bundleType"]) == (True, "single-product")


def test_subscription_claim_is_separate_from_the_discount() -> None:
    """`pricing` is the subscriber's: 5 % less than without a subscription."""
    subscription = PendingSubscription(7, 2, "week", "mira@mail.example", None, Decimal(5), PRICING)
    subscribed = Pricing(Decimal("30.00"), Decimal("25.65"), "percentage", Decimal("10.00"), "EUR")

    claims = discount_claims(configured(item(11), pricing=subscribed, subscription=subscription), "demo")

    assert (claims["original"], claims["discounted"]) == ("30.00", "27.00")
    assert claims["subscription"] == {"group": 7, "frequency": 2, "unit": "week", "percentage": "5.00"}


def test_fees_are_claimed_by_variant_and_count() -> None:
    engraved = replace(item(11, 2), fee_variant_ids=(31, 32))
    wrapped = replace(item(21, 1), fee_variant_ids=(31,))

    assert discount_claims(configured(engraved, wrapped, item(12)), "demo")["fees"] == {"31": 3, "32": 2}


@pytest.mark.parametrize(("distinct", "named"), [(20, True), (21, False)])
def test_more_than_20_fees_become_a_digest(distinct: int, named: bool) -> None:
    items = [replace(item(11), fee_variant_ids=(fee,)) for fee in range(31, 31 + distinct)]

    fees = discount_claims(configured(*items), "demo")["fees"]

    assert isinstance(fees, dict) is named
    assert named or fees.startswith("sha256:")


@pytest.mark.parametrize(("distinct", "named"), [(1, True), (20, True), (21, False), (200, False)])
def test_more_than_20_variants_become_a_digest(distinct: int, named: bool) -> None:
    items = [item(variant_id, 1, section) for variant_id in range(1, distinct + 1) for section in (1, 2)]

    variants = discount_claims(configured(*reversed(items)), "demo")["variants"]

    if named:
        assert variants == {str(variant_id): 2 for variant_id in range(1, distinct + 1)}
        return
    sorted_list = ",".join(f"{variant_id}:2" for variant_id in range(1, distinct + 1))
    assert variants == f"sha256:{hashlib.sha256(sorted_list.encode()).hexdigest()}"


def test_equal_variants_are_one_cart_line() -> None:
    lines = cart_lines(configured(item(21, 2), item(11), item(21, 1, 2)), 9001)

    properties = {"_bundle_data": f"555#9001#{UNIQUE}"}
    assert lines == [
        {"id": 21, "quantity": 3, "properties": properties},
        {"id": 11, "quantity": 1, "properties": properties},
    ]


def test_the_entry_of_the_cart_attribute() -> None:
    of = bundle(id=42, name="Box", image_url="https://cdn.example/box.png")

    entry = bundles_entry(configured(item(21, 2), item(11), item(21, 1, 2)), of, "gAAAA")

    assert entry == {
        "555": {
            "configuredBundleId": 555,
            "discount": "gAAAA",
            "title": "Box",
            "items": [{"variantId": 21, "count": 3}, {"variantId": 11, "count": 1}],
            "image": "https://cdn.example/box.png",
            "note": "",
            "id": 42,
        }
    }


@PROPERTY
@given(lines=selections())
def test_cart_and_attribute_contain_every_unit(lines: list[Line]) -> None:
    whole = configured(*configured_items(bundle(), lines))
    units = sum(one.count for one in lines)

    assert sum(one["quantity"] for one in cart_lines(whole, 9001)) == units
    assert sum(one["count"] for one in bundles_entry(whole, bundle(), "")["555"]["items"]) == units
    assert sum(discount_claims(whole, "demo")["variants"].values()) == units


def test_one_variant_in_two_sections_is_two_items() -> None:
    items = configured_items(bundle(), [line(1, section=1), line(2, section=2)])

    assert [(one.section_id, one.count) for one in items] == [(1, 1), (2, 2)]
