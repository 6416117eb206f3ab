"""Amounts: currency exponents, rounding, allocation and formatting (docs/contract.md#prices). All price rounding is defined here.

Amounts are `Decimal`s in major units ("19.99"). Allocation works on whole minor units (cents), so the parts always add up.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

ZERO = Decimal(0)
HUNDRED = Decimal(100)

_NO_MINOR_UNIT = frozenset("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split())
_THREE_DECIMALS = frozenset("BHD IQD JOD KWD LYD OMR TND".split())
_CENT = Decimal("0.01")
_UNITS = dict.fromkeys(_NO_MINOR_UNIT, Decimal(1))
_PRESENTMENT_UNITS = _UNITS | dict.fromkeys(_THREE_DECIMALS, Decimal("0.001"))
"""The minor units of currencies without cents: `_UNITS` for amounts in the shop's currency, and `_PRESENTMENT_UNITS` for amounts
in a market's currency."""


def exponent(currency: str) -> int:
    """Return the number of decimal places of a currency (ISO 4217), but at most 2, because the API writes amounts in the shop's
    currency with two."""
    return 0 if currency in _NO_MINOR_UNIT else 2


def round_amount(amount: Decimal, currency: str) -> Decimal:
    """Round an amount half up to the currency's exponent."""
    return amount.quantize(_UNITS.get(currency, _CENT), ROUND_HALF_UP)


def presentment_exponent(currency: str) -> int:
    """Return the number of decimal places of a currency (ISO 4217), for amounts that the API writes at full precision
    (docs/contract.md#presentment)."""
    return 3 if currency in _THREE_DECIMALS else exponent(currency)


def round_presentment(amount: Decimal, currency: str) -> Decimal:
    """Round an amount half up to the number of decimal places of a market's currency."""
    return amount.quantize(_PRESENTMENT_UNITS.get(currency, _CENT), ROUND_HALF_UP)


def presentment_units(amount: Decimal, currency: str) -> int:
    """Convert an amount to a whole number of the currency's minor units, rounded half up: 1.255 KWD is 1255."""
    return int(round_presentment(amount, currency).scaleb(presentment_exponent(currency)))


def from_presentment_units(units: int, currency: str) -> Decimal:
    """Convert an amount in minor units of a currency (ISO 4217) to a decimal amount."""
    return Decimal(units).scaleb(-presentment_exponent(currency))


def half_presentment_unit(currency: str) -> Decimal:
    """Return half of a currency's minor unit (ISO 4217)."""
    return _PRESENTMENT_UNITS.get(currency, _CENT) / 2


def half_unit(currency: str) -> Decimal:
    """Return half of a currency's minor unit, which is the most by which rounding can change an amount."""
    return _UNITS.get(currency, _CENT) / 2


def minor_units(amount: Decimal, currency: str) -> int:
    """Convert a rounded amount to a whole number of minor units: 19.99 EUR is 1999, and 20 JPY is 20."""
    return int(amount.scaleb(exponent(currency)))


def from_minor_units(units: int, currency: str) -> Decimal:
    """Convert a number of minor units to an amount."""
    return Decimal(units).scaleb(-exponent(currency))


def amount_text(amount: Decimal) -> str:
    """Format an amount as the API writes it, always with two decimal places."""
    return str(amount.quantize(_CENT, ROUND_HALF_UP))


def presentment_price_text(price: Decimal) -> str:
    """Format a market's price as product lists show it: with two decimal places, or with three if the price has three."""
    text = amount_text(price)
    return text if Decimal(text) == price else str(price)


def plain_text(number: Decimal) -> str:
    """Format a number without an exponent or trailing zeros: "1.3", "12", "0"."""
    return f"{number.normalize():f}" if number else "0"


def percentage_of(amount: Decimal, percentage: Decimal, currency: str) -> Decimal:
    """Return a percentage of an amount, rounded to the decimal places of the currency."""
    return round_amount(amount * percentage / HUNDRED, currency)


def allocate(total: int, weights: Sequence[int]) -> list[int]:
    """Distribute `total` minor units in proportion to `weights`; the shares add up to `total` (docs/contract.md#allocation).

    Each share is first rounded down. The units that remain go to the shares with the largest fractions, one unit each; the
    earlier share wins ties. The caller must order the weights by variant id, then section id.
    """
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    shares = [total * weight // whole for weight in weights]
    by_fraction = sorted(range(len(weights)), key=lambda index: -(total * weights[index] % whole))
    for index in by_fraction[: total - sum(shares)]:
        shares[index] += 1
    return shares


def first_units(total: int, count: int, units: int) -> int:
    """Return the sum of the first `count` shares when `allocate` distributes `total` among `units` identical units."""
    whole, rest = divmod(total, units)
    return whole * count + min(count, rest)
