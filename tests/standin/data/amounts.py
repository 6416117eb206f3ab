"""The platform's formats for amounts: the scalars `Money` and `Decimal` have different formats."""

from collections.abc import Mapping
from decimal import Decimal

from bundlesvc.domain.money import exponent, round_presentment


def money_text(amount: Decimal, currency: str) -> str:
    """Format an amount as a `Money` scalar, in the shop's currency: "24.00"."""
    return str(amount.quantize(Decimal(1).scaleb(-exponent(currency))))


def decimal_text(number: Decimal) -> str:
    """Format a number as a `Decimal` scalar, without trailing zeros except for a single one after the decimal point: "9.5",
    "0.0", "11709.0"."""
    text = f"{number.normalize():f}" if number else "0"
    return text if "." in text else f"{text}.0"


def money(amount: Decimal, currency: str) -> Mapping[str, str]:
    """Build a `MoneyV2` object, with the amount rounded for its currency."""
    return {
        "__typename": "MoneyV2",
        "amount": decimal_text(round_presentment(amount, currency)),
        "currencyCode": currency,
    }
