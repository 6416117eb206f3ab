"""The claims of a discount string: those that configure writes, and how they are read: the percentage, fees, other versions."""

import hashlib
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.demo.receipt import Amount, Currencies
from bundlesvc.domain.checkout.discount_claims import DiscountClaims, discount_claims, read_claims
from bundlesvc.domain.configured import PendingSubscription
from bundlesvc.domain.pricing.selection_price import Pricing
from tests.domain.builders import EUR, JPY
from tests.domain.configured_bundles import PRICING, UNIQUE, configured, item
from tests.domain.strategies import PROPERTY

MOST = 9_900_000_000
"""99 million, in minor units."""


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


def claims(original: Decimal, discounted: Decimal) -> DiscountClaims:
    return DiscountClaims(
        "demo", 42, 555, original, discounted, EUR, {11: 1}, {}, Decimal(0), UNIQUE, test=False, made_at=0
    )


@PROPERTY
@given(
    original=st.integers(0, MOST),
    part=st.fractions(0, 1),
    currency=st.sampled_from([EUR, JPY]),
)
def test_the_percentage_gives_back_the_discounted_amount_to_the_cent(original: int, part: float, currency: str) -> None:
    places = 0 if currency == JPY else -2
    whole, promised = (Decimal(int(units)).scaleb(places) for units in (original, original * part))

    percentage = claims(whole, promised).percentage

    assert Currencies(currency, currency).less(Amount(whole, whole), percentage) == Amount(promised, promised)


def test_claims_of_configure_can_be_read_back() -> None:
    pricing = Pricing(Decimal("30.00"), Decimal("27.00"), "percentage", Decimal("10.00"), EUR)
    engraved = replace(item(11, 2), fee_variant_ids=(31,))
    made = discount_claims(configured(engraved, item(21), pricing=pricing, test=True), "demo")

    read = read_claims(made)

    assert read == DiscountClaims(
        "demo",
        42,
        555,
        Decimal("30.00"),
        Decimal("27.00"),
        EUR,
        {11: 2, 21: 1},
        {31: 2},
        Decimal(0),
        UNIQUE,
        True,
        1_700_000_000,
    )
    assert read.covers({21: 1, 11: 2})
    assert not read.covers({21: 1, 11: 3})


def test_the_first_version_promises_no_fees() -> None:
    made = discount_claims(configured(item(11, 2)), "demo") | {"v": 1}
    del made["fees"], made["subscription"]

    read = read_claims(made)

    assert read is not None
    assert read.fees == {}
    assert read.includes_fees({})


@pytest.mark.parametrize(
    ("found", "included"), [({31: 2}, True), ({31: 3, 32: 1}, True), ({31: 1}, False), ({}, False), ({32: 2}, False)]
)
def test_missing_fee_is_noticed(found: dict[int, int], included: bool) -> None:
    made = discount_claims(configured(replace(item(11, 2), fee_variant_ids=(31,))), "demo")
    read = read_claims(made)
    assert read is not None
    assert read.includes_fees(found) is included


def test_many_variants_are_compared_by_digest() -> None:
    many = dict.fromkeys(range(1, 31), 2)
    read = read_claims(discount_claims(configured(*(item(variant, 2) for variant in many)), "demo"))

    assert read is not None
    assert isinstance(read.variants, str)
    assert read.covers(dict(reversed(many.items())))
    assert not read.covers(many | {30: 1})


@pytest.mark.parametrize(
    "changes",
    [
        {"v": 3},
        {"fees": None},
        {"fees": {"31": "two"}},
        {"iat": None},
        {"v": None},
        {"original": "much"},
        {"original": None},
        {"discounted": ["1"]},
        {"variants": {"eleven": 1}},
        {"variants": 7},
    ],
)
def test_claims_of_another_version_are_rejected(changes: dict[str, object]) -> None:
    assert read_claims({**discount_claims(configured(item(11)), "demo"), **changes}) is None


@pytest.mark.parametrize(
    "name", ["v", "shop", "bundle", "configured", "original", "discounted", "variants", "fees", "unique", "test", "iat"]
)
def test_incomplete_claims_are_rejected(name: str) -> None:
    made = discount_claims(configured(item(11)), "demo")
    del made[name]
    assert read_claims(made) is None
