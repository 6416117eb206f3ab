"""Rounding, minor units, amounts as text, and allocation (docs/contract.md#prices)."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.money import (
    allocate,
    amount_text,
    exponent,
    first_units,
    from_minor_units,
    minor_units,
    percentage_of,
    plain_text,
    presentment_exponent,
    presentment_price_text,
    round_amount,
    round_presentment,
)
from tests.domain.strategies import PROPERTY, amounts, currencies


@pytest.mark.parametrize(
    ("currency", "places"),
    [
        pytest.param("EUR", 2, id="euro"),
        pytest.param("USD", 2, id="dollar"),
        pytest.param("JPY", 0, id="yen"),
        pytest.param("KRW", 0, id="won"),
        pytest.param("CLP", 0, id="chilean peso"),
        pytest.param("KWD", 2, id="three decimals are cut to two"),
    ],
)
def test_exponent_of_currencies(currency: str, places: int) -> None:
    assert exponent(currency) == places


@pytest.mark.parametrize(
    ("currency", "places"),
    [("EUR", 2), ("CHF", 2), ("JPY", 0), ("KRW", 0), ("KWD", 3), ("BHD", 3), ("TND", 3)],
)
def test_presentment_has_all_decimals_of_its_currency(currency: str, places: int) -> None:
    assert presentment_exponent(currency) == places


@pytest.mark.parametrize(
    ("amount", "currency", "rounded"),
    [
        ("1.1245", "KWD", "1.125"),
        ("1.12449", "KWD", "1.124"),
        ("0", "KWD", "0.000"),
        ("9.9", "CHF", "9.90"),
        ("9.905", "CHF", "9.91"),
        ("1608.5", "JPY", "1609"),
        ("1000", "JPY", "1000"),
    ],
)
def test_presentment_is_rounded_half_up(amount: str, currency: str, rounded: str) -> None:
    assert str(round_presentment(Decimal(amount), currency)) == rounded


@pytest.mark.parametrize(
    ("price", "text"), [("1609", "1609.00"), ("9.90", "9.90"), ("9.9", "9.90"), ("9.905", "9.905"), ("9.900", "9.90")]
)
def test_presentment_price_has_a_third_decimal_only_where_it_needs_one(price: str, text: str) -> None:
    assert presentment_price_text(Decimal(price)) == text


@pytest.mark.parametrize(
    ("amount", "currency", "rounded"),
    [
        pytest.param("0.004999", "EUR", "0.00", id="below half"),
        pytest.param("0.005", "EUR", "0.01", id="half goes up from zero"),
        pytest.param("0.045", "EUR", "0.05", id="half goes up from an even digit"),
        pytest.param("0.015", "EUR", "0.02", id="half goes up from an odd digit"),
        pytest.param("2.675", "EUR", "2.68", id="no binary float in between"),
        pytest.param("1.125", "KWD", "1.13", id="three-decimal currency"),
        pytest.param("0.49", "JPY", "0", id="yen below half"),
        pytest.param("0.5", "JPY", "1", id="yen half"),
        pytest.param("2.5", "JPY", "3", id="yen half from even"),
        pytest.param("100", "JPY", "100", id="yen whole"),
    ],
)
def test_amounts_are_rounded_half_up(amount: str, currency: str, rounded: str) -> None:
    assert round_amount(Decimal(amount), currency) == Decimal(rounded)


@pytest.mark.parametrize(
    ("amount", "currency", "units"),
    [
        pytest.param("19.99", "EUR", 1999, id="cents"),
        pytest.param("0", "EUR", 0, id="nothing"),
        pytest.param("5", "EUR", 500, id="whole euros"),
        pytest.param("20", "JPY", 20, id="yen"),
        pytest.param("20.00", "JPY", 20, id="yen with decimals of zero"),
    ],
)
def test_minor_units(amount: str, currency: str, units: int) -> None:
    assert minor_units(Decimal(amount), currency) == units
    assert from_minor_units(units, currency) == Decimal(amount)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        pytest.param("0", "0.00", id="zero"),
        pytest.param("5", "5.00", id="whole"),
        pytest.param("19.9", "19.90", id="one decimal"),
        pytest.param("19.99", "19.99", id="two decimals"),
        pytest.param("1E+3", "1000.00", id="exponent"),
        pytest.param("1234567.89", "1234567.89", id="no grouping"),
    ],
)
def test_amounts_are_written_with_two_decimals(amount: str, text: str) -> None:
    assert amount_text(Decimal(amount)) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param("0", "0", id="zero"),
        pytest.param("0.000", "0", id="zero with decimals"),
        pytest.param("1.300", "1.3", id="trailing zeros"),
        pytest.param("12.00", "12", id="whole"),
        pytest.param("100", "100", id="zeros before the point stay"),
        pytest.param("1E+3", "1000", id="exponent"),
        pytest.param("0.001", "0.001", id="small"),
    ],
)
def test_plain_text_has_no_trailing_zeros(number: str, text: str) -> None:
    assert plain_text(Decimal(number)) == text


@pytest.mark.parametrize(
    ("amount", "percentage", "currency", "part"),
    [
        pytest.param("30.00", "10", "EUR", "3.00", id="exact"),
        pytest.param("99.99", "33.33", "EUR", "33.33", id="33.326667"),
        pytest.param("0.05", "50", "EUR", "0.03", id="0.025"),
        pytest.param("0.01", "49.99", "EUR", "0.00", id="0.004999"),
        pytest.param("101", "50", "JPY", "51", id="50.5 yen"),
        pytest.param("99", "50.5", "JPY", "50", id="49.995 yen"),
    ],
)
def test_percentages_are_rounded_once(amount: str, percentage: str, currency: str, part: str) -> None:
    assert percentage_of(Decimal(amount), Decimal(percentage), currency) == Decimal(part)


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        pytest.param(6, [1, 2, 3], [1, 2, 3], id="exact"),
        pytest.param(10, [1, 1, 1], [4, 3, 3], id="a tie goes to the earlier"),
        pytest.param(2, [5, 5, 5, 5], [1, 1, 0, 0], id="ties in order"),
        pytest.param(100, [1000, 2000], [33, 67], id="66.67 before 33.33"),
        pytest.param(1, [1, 2], [0, 1], id="0.67 before 0.33"),
        pytest.param(2, [1, 2], [1, 1], id="0.67 before 1.33"),
        pytest.param(5, [0, 1], [0, 5], id="no weight takes nothing"),
        pytest.param(0, [3, 4], [0, 0], id="nothing to share"),
        pytest.param(0, [0, 0], [0, 0], id="nothing weighs"),
        pytest.param(0, [], [], id="nobody"),
    ],
)
def test_allocation(total: int, weights: list[int], shares: list[int]) -> None:
    assert allocate(total, weights) == shares


WEIGHTS = st.lists(st.integers(0, 10_000), min_size=1, max_size=12).filter(any)


@PROPERTY
@given(total=st.integers(0, 100_000), weights=WEIGHTS)
def test_shares_add_up_and_are_within_one_unit_of_the_exact_share(total: int, weights: list[int]) -> None:
    shares = allocate(total, weights)

    assert sum(shares) == total
    assert all(
        abs(share - Fraction(total * weight, sum(weights))) < 1 for share, weight in zip(shares, weights, strict=True)
    )


@PROPERTY
@given(total=st.integers(0, 100_000), weights=WEIGHTS)
def test_leftovers_go_to_the_largest_fractions(total: int, weights: list[int]) -> None:
    exact = [Fraction(total * weight, sum(weights)) for weight in weights]
    raised = [share > int(part) for share, part in zip(allocate(total, weights), exact, strict=True)]
    by_claim = sorted(range(len(weights)), key=lambda index: (int(exact[index]) - exact[index], index))

    assert [raised[index] for index in by_claim] == sorted(raised, reverse=True)


@PROPERTY
@given(data=st.data(), currency=currencies)
def test_minor_units_convert_back(data: st.DataObject, currency: str) -> None:
    amount = data.draw(amounts(currency))

    assert from_minor_units(minor_units(amount, currency), currency) == amount


@PROPERTY
@given(st.integers(0, 10_000), st.integers(1, 40), st.data())
def test_first_units_have_the_share_that_allocation_gives_them(total: int, units: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, units))

    assert first_units(total, count, units) == sum(allocate(total, [1] * units)[:count])
