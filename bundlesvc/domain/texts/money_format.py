"""Amounts in a shop's money format, as shown to shoppers. The client has its own implementation in
`storefront/client/money-format.js`."""

import html
import re
from decimal import ROUND_HALF_UP, Decimal

from bundlesvc.domain.money import exponent
from bundlesvc.domain.shop import ShopSettings

_STYLES = {
    "amount": (",", ".", 2),
    "amount_no_decimals": (",", "", 0),
    "amount_with_comma_separator": (".", ",", 2),
    "amount_no_decimals_with_comma_separator": (".", "", 0),
    "amount_with_apostrophe_separator": ("'", ".", 2),
    "amount_no_decimals_with_space_separator": (" ", "", 0),
    "amount_with_space_separator": (" ", ",", 2),
    "amount_with_period_and_space_separator": (" ", ".", 2),
}
"""For each placeholder of a money format: the thousands separator, the decimal point, and the number of decimal places."""

_NOT_SET = re.compile(r"\s*\{\{\s*amount\s*\}\}\s*\Z")
"""The money format of a shop that has not chosen one. It names no currency."""
_SYMBOLS = {"EUR": "€", "GBP": "£", "JPY": "¥", "USD": "$"}

_NO_BREAK_SPACE = "\xa0"

_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}", re.ASCII)
_TAG = re.compile(r"<[^>]*>")


def money_text(amount: Decimal, money_format: str) -> str:
    """Format an amount as plain text, without the HTML tags of the money format and with its character references resolved."""
    plain = html.unescape(_TAG.sub("", money_format))
    return _PLACEHOLDER.sub(lambda found: _number(amount, *_STYLES.get(found[1], _STYLES["amount"])), plain)


def money_format_in(settings: ShopSettings, decimal_point: str) -> str:
    """Return the shop's money format. If it has none, return a default format that places the currency where it is usual for this
    decimal point."""
    if not _NOT_SET.match(settings.money_format):
        return settings.money_format
    symbol = _SYMBOLS.get(settings.currency)
    amount = "amount" if exponent(settings.currency) else "amount_no_decimals"
    if decimal_point == ",":
        return f"{{{{{amount}_with_comma_separator}}}}{_NO_BREAK_SPACE}{symbol or settings.currency}"
    return f"{symbol or settings.currency + _NO_BREAK_SPACE}{{{{{amount}}}}}"


def _number(amount: Decimal, thousands: str, point: str, decimals: int) -> str:
    whole, _, fraction = f"{amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):,f}".partition(".")
    return whole.replace(",", thousands) + (point + fraction if fraction else "")
