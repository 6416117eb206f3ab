"""Exact amounts, and rounding half up to a currency's decimal places (ISO 4217)."""

from fractions import Fraction
from math import floor

DECIMALS = {"EUR": 2, "CHF": 2, "USD": 2, "SEK": 2, "JPY": 0, "KWD": 3, "BHD": 3}
WRITTEN = 2
"""The maximum number of decimal places in shop files and in the API."""


def half_up(amount: Fraction, decimals: int) -> Fraction:
    """Round to a number of decimal places, with halves rounded up."""
    unit = 10**decimals
    return Fraction(floor(amount * unit + Fraction(1, 2)), unit)


def half_down(amount: Fraction, decimals: int) -> Fraction:
    """Round to a number of decimal places, with halves rounded down."""
    return -half_up(-amount, decimals)


def home(amount: Fraction, currency: str) -> Fraction:
    """Round an amount in the shop's currency to the number of decimal places that the API outputs."""
    return half_up(amount, min(DECIMALS[currency], WRITTEN))


def exact(amount: Fraction, currency: str) -> Fraction:
    """Round an amount to the number of decimal places that its currency has."""
    return half_up(amount, DECIMALS[currency])


def minor_unit(currency: str) -> Fraction:
    return Fraction(1, 10 ** DECIMALS[currency])


def text(amount: Fraction) -> str:
    """Format an amount as the platform writes it: "9.5", "10.0"."""
    thousandths = amount * 1000
    assert thousandths.denominator == 1, amount
    whole, rest = divmod(int(thousandths), 1000)
    return f"{whole}.{f'{rest:03}'.rstrip('0') or '0'}"


def written(amount: Fraction) -> str:
    """Format an amount as in shop files, with two decimal places."""
    hundredths = amount * 100
    assert hundredths.denominator == 1, amount
    return f"{int(hundredths) // 100}.{int(hundredths) % 100:02}"
