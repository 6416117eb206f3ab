"""The claims in a discount string: writing them in `configure`, and reading them, including percentages, fees and claims of other
versions."""

import hashlib
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.demo.receipt import Amount, Currencies
from bundlesvc.domain.checkout.cart_prices import percentage_off
from bundlesvc.domain.checkout.discount_promise import DiscountClaims, MarketPromise, Terms, read_claims
from bundlesvc.domain.configured import PendingSubscription
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing
from tests.domain.builders import EUR, JPY
from tests.domain.configured_bundles import PRICING, UNIQUE, claims_of, configured, item
from tests.domain.strategies import PROPERTY

MOST = 9_900_000_000
"""99 million, in minor units."""


def test_claims_of_the_discount_string() -> None:
    made = configured(item(21, 1, 2), item(11, 2), item(21, 1, 1), country="CH")
    shown = Presentment(Decimal("28.50"), Decimal("25.65"), "CHF")
    claims = claims_of(made, prices=shown, anywhere=True)

    assert claims == {
        "v": 3,
        "shop": "demo",
        "bundle": 42,
        "bundleType": "native",
        "configured": 555,
        "parent": 9001,
        "type": "percentage",
        "value": "10.00",
        "original": "30.00",
        "discounted": "27.00",
        "currency": "EUR",
        "market": {"country": "CH", "currency": "CHF", "original": 2850, "discounted": 2565},
        "anywhere": True,
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
    claims = claims_of(configured(item(11), pricing=pricing, test=True, bundle_type="single-product"))

    assert (claims["type"], claims["value"], claims["original"], claims["discounted"]) == amounts
    assert (claims["test"], claims["bundleType"]) == (True, "single-product")


def test_subscription_claim_is_separate_from_the_discount() -> None:
    """The claim about a subscription is separate from the discount. Here, `pricing` is the price for a subscriber: 5% less than
    without a subscription."""
    subscription = PendingSubscription(7, 2, "week", "mira@mail.example", None, Decimal(5))
    subscribed = Pricing(Decimal("30.00"), Decimal("25.65"), "percentage", Decimal("10.00"), "EUR")

    claims = claims_of(configured(item(11), pricing=subscribed, subscription=subscription), one_time=PRICING)

    assert (claims["original"], claims["discounted"]) == ("30.00", "27.00")
    assert claims["subscription"] == {"group": 7, "frequency": 2, "unit": "week", "percentage": "5.00"}


def test_fees_are_claimed_by_variant_and_count() -> None:
    engraved = replace(item(11, 2), fee_variant_ids=(31, 32))
    wrapped = replace(item(21, 1), fee_variant_ids=(31,))

    assert claims_of(configured(engraved, wrapped, item(12)))["fees"] == {"31": 3, "32": 2}


@pytest.mark.parametrize(("distinct", "named"), [(20, True), (21, False)])
def test_more_than_20_fees_become_a_digest(distinct: int, named: bool) -> None:
    items = [replace(item(11), fee_variant_ids=(fee,)) for fee in range(31, 31 + distinct)]

    fees = claims_of(configured(*items))["fees"]

    assert isinstance(fees, dict) is named
    assert named or fees.startswith("sha256:")


@pytest.mark.parametrize(("distinct", "named"), [(1, True), (20, True), (21, False), (200, False)])
def test_more_than_20_variants_become_a_digest(distinct: int, named: bool) -> None:
    items = [item(variant_id, 1, section) for variant_id in range(1, distinct + 1) for section in (1, 2)]

    variants = claims_of(configured(*reversed(items)))["variants"]

    if named:
        assert variants == {str(variant_id): 2 for variant_id in range(1, distinct + 1)}
        return
    sorted_list = ",".join(f"{variant_id}:2" for variant_id in range(1, distinct + 1))
    assert variants == f"sha256:{hashlib.sha256(sorted_list.encode()).hexdigest()}"


@PROPERTY
@given(
    original=st.integers(0, MOST),
    part=st.fractions(0, 1),
    currency=st.sampled_from([EUR, JPY]),
)
def test_the_percentage_gives_back_the_discounted_amount_to_the_cent(original: int, part: float, currency: str) -> None:
    places = 0 if currency == JPY else -2
    whole, promised = (Decimal(int(units)).scaleb(places) for units in (original, original * part))

    percentage = percentage_off(whole, promised)

    assert Currencies(currency, currency).less(Amount(whole, whole), percentage) == Amount(promised, promised)


def test_claims_of_configure_can_be_read_back() -> None:
    pricing = Pricing(Decimal("30.00"), Decimal("27.00"), "percentage", Decimal("10.00"), EUR)
    engraved = replace(item(11, 2), fee_variant_ids=(31,))
    made = claims_of(configured(engraved, item(21), pricing=pricing, test=True))

    read = read_claims(made)

    assert read == DiscountClaims(
        "demo",
        42,
        555,
        Decimal("30.00"),
        Decimal("27.00"),
        EUR,
        Terms(9001, MarketPromise(None, EUR, Decimal("30.00"), Decimal("27.00")), None),
        {11: 2, 21: 1},
        {31: 2},
        None,
        UNIQUE,
        True,
        1_700_000_000,
    )
    assert read.covers({21: 1, 11: 2})
    assert not read.covers({21: 1, 11: 3})


def test_the_second_version_is_bound_to_no_market() -> None:
    made = claims_of(configured(item(11, 2))) | {"v": 2}
    del made["parent"], made["market"], made["anywhere"]

    read = read_claims(made)

    assert read is not None
    assert read.terms is None


@pytest.mark.parametrize(
    ("currency", "amount", "units"),
    [("EUR", "18.87", 1887), ("JPY", "4226", 4226), ("KWD", "1.255", 1255), ("KWD", "1.25", 1250), ("ISK", "7", 7)],
)
def test_market_amounts_are_minor_units(currency: str, amount: str, units: int) -> None:
    shown = Presentment(Decimal(amount), Decimal(0), currency)

    made = claims_of(configured(item(11), country="KW"), prices=shown)
    read = read_claims(made)

    assert made["market"] == {"country": "KW", "currency": currency, "original": units, "discounted": 0}
    assert read is not None
    assert read.terms == Terms(9001, MarketPromise("KW", currency, Decimal(amount), Decimal(0)), None)


def test_percentage_of_a_discount_that_is_valid_anywhere() -> None:
    read = read_claims(claims_of(configured(item(11))) | {"anywhere": True, "value": "12.50"})

    assert read is not None
    assert read.terms is not None
    assert read.terms.anywhere == Decimal("12.50")


@pytest.mark.parametrize(
    ("found", "included"), [({31: 2}, True), ({31: 3, 32: 1}, True), ({31: 1}, False), ({}, False), ({32: 2}, False)]
)
def test_missing_fee_is_noticed(found: dict[int, int], included: bool) -> None:
    made = claims_of(configured(replace(item(11, 2), fee_variant_ids=(31,))))
    read = read_claims(made)
    assert read is not None
    assert read.includes_fees(found) is included


def test_many_variants_are_compared_by_digest() -> None:
    many = dict.fromkeys(range(1, 31), 2)
    read = read_claims(claims_of(configured(*(item(variant, 2) for variant in many))))

    assert read is not None
    assert isinstance(read.variants, str)
    assert read.covers(dict(reversed(many.items())))
    assert not read.covers(many | {30: 1})


@pytest.mark.parametrize(
    "changes",
    [
        {"v": 1},
        {"v": 4},
        {"parent": "9001"},
        {"market": None},
        {"market": {"country": None, "currency": "EUR", "original": 1.5, "discounted": 1}},
        {"market": {"country": None, "currency": "EUR", "original": -1, "discounted": 1}},
        {"market": {"currency": "EUR", "original": 1, "discounted": 1}},
        {"anywhere": "yes"},
        {"anywhere": True, "value": "100.01"},
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
    assert read_claims({**claims_of(configured(item(11))), **changes}) is None


@pytest.mark.parametrize(
    "name",
    [
        "v",
        "shop",
        "bundle",
        "configured",
        "parent",
        "value",
        "market",
        "anywhere",
        "original",
        "discounted",
        "variants",
        "fees",
        "unique",
        "test",
        "iat",
    ],
)
def test_incomplete_claims_are_rejected(name: str) -> None:
    made = claims_of(configured(item(11)))
    del made[name]
    assert read_claims(made) is None
