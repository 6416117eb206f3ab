"""Reading the claims of a discount string: the percentage, fees, and claims of other versions."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.demo.receipt import Amount, Currencies
from bundlesvc.domain.discount_claims import DiscountClaims, discount_claims, read_claims
from bundlesvc.domain.pricing import Pricing
from tests.domain.builders import EUR, JPY
from tests.domain.strategies import PROPERTY
from tests.domain.test_configured import UNIQUE, configured, item

MOST = 9_900_000_000
"""99 million, in minor units."""


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
