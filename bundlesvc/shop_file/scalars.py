"""Readers of single values: each converts a string from the shop file, or raises Unfit with a human-readable message."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias, TypeVar
from zoneinfo import available_timezones

from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR, MAX_ID, parse_country, parse_id, parse_platform_id
from bundlesvc.domain.measures import COMPARISONS
from bundlesvc.domain.money import HUNDRED, ZERO
from bundlesvc.domain.texts.characters import hidden_in_line, hidden_in_lines
from bundlesvc.shop_file.tree import quoted

T = TypeVar("T")
Reader: TypeAlias = Callable[[str], T]

SHORT = 255
LONG = 100_000
PRODUCT, VARIANT = "Product", "ProductVariant"

_INTEGER = re.compile(r"-?[0-9]+\Z")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")
_CURRENCY = re.compile(r"[A-Z]{3}\Z")
_HANDLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z")
_HOST_NAME = re.compile(r"([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_LOCAL_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?\Z")
_AMOUNT_PLACEHOLDER = re.compile(r"\{\{\s*amount\w*\s*\}\}")

_LONGEST_HOST_NAME = 253
_NUMBER_LIMIT = Decimal(10) ** 12
_LONGEST_NUMBER = 20
_AMOUNT_DECIMALS = 2
_NUMBER_DECIMALS = 12
_CENT = Decimal("0.01")
# These limits keep a market price that is converted to the shop's currency within the 28 digits of Decimal.
_RATE_LIMIT = Decimal(10) ** 9
_ADJUSTMENT_LIMIT = Decimal(10) ** 4


class Unfit(ValueError):
    """Raised when a string is not valid here; the message says what would be valid."""


@dataclass(frozen=True, slots=True)
class Text:
    """A reader of strings of up to `limit` characters, which may be empty. `hidden` finds characters that are not allowed, such
    as control characters."""

    limit: int = SHORT
    hidden: Callable[[str], str | None] = hidden_in_line

    def __call__(self, written: str) -> str:
        if len(written) > self.limit:
            raise Unfit(f"This is longer than {self.limit} characters; shorten it.")
        if found := self.hidden(written):
            raise Unfit(f"This contains the control character {found}: remove it.")
        return written


short_text = Text()
long_text = Text(LONG, hidden_in_lines)


def name(written: str) -> str:
    """Read a string that is not empty."""
    if not written.strip():
        raise Unfit("This cannot be empty.")
    return short_text(written)


@dataclass(frozen=True, slots=True)
class OneOf:
    """A reader that accepts only the words in `allowed`."""

    allowed: tuple[str, ...]

    def __call__(self, written: str) -> str:
        if written not in self.allowed:
            raise Unfit(f"{quoted(written)} is not one of: {', '.join(self.allowed)}.")
        return written


def one_of(*allowed: str) -> OneOf:
    """Return a reader that accepts only these words."""
    return OneOf(allowed)


operation = one_of(*COMPARISONS)


def flag(written: str) -> bool:
    """Read true or false."""
    if written.lower() not in ("true", "false"):
        raise Unfit(f"{quoted(written)} is not true or false.")
    return written.lower() == "true"


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A reader of whole numbers, from `minimum` up if it is given."""

    minimum: int | None = None

    def __call__(self, written: str) -> int:
        number = _integer(written)
        if self.minimum is not None and number < self.minimum:
            raise Unfit(f"This must be at least {self.minimum}.")
        return number


def whole_number(minimum: int | None = None) -> WholeNumber:
    """Return a reader of whole numbers. If `minimum` is given, the reader rejects smaller numbers."""
    return WholeNumber(minimum)


def _integer(written: str) -> int:
    if not _INTEGER.match(written):
        raise Unfit(f"{quoted(written)} is not a whole number.")
    digits = written.lstrip("-0") or "0"
    number = int(digits) if len(digits) <= _LONGEST_NUMBER else MAX_ID + 1  # int() refuses thousands of digits
    is_negative = written.startswith("-")
    if number > MAX_ID:
        raise Unfit(f"{quoted(written)} is {f'less than -{MAX_ID}' if is_negative else f'greater than {MAX_ID}'}.")
    return -number if is_negative else number


def number_id(written: str) -> int:
    """Parse an id that the shop chooses: the id of a bundle, section, item or group."""
    number = parse_id(written)
    if number is None:
        raise Unfit(f"{quoted(written)} is not an id; it must be a whole number from 1 to {MAX_ID}.")
    return number


def product_id(written: str) -> int:
    return _platform_id(written, PRODUCT)


def variant_id(written: str) -> int:
    return _platform_id(written, VARIANT)


def _platform_id(written: str, kind: str) -> int:
    number = parse_platform_id(written, kind)
    if number is None:
        raise Unfit(f"{quoted(written)} is not an id such as 1234 or gid://platform/{kind}/1234.")
    return number


def own_variant_id(written: str) -> int:
    """Parse the id of a variant in the shop file. The id must be lower than the ids of ghost variants."""
    number = variant_id(written)
    if number >= GHOST_VARIANT_FLOOR:
        raise Unfit(f"Variant ids from {GHOST_VARIANT_FLOOR} up are reserved for ghost variants; use a lower one.")
    return number


def product_id_text(written: str) -> str:
    return str(product_id(written))


def variant_id_text(written: str) -> str:
    return str(variant_id(written))


def _decimal(written: str, decimals: int) -> Decimal:
    if not _DECIMAL.match(written):
        raise Unfit(f"{quoted(written)} is not a decimal number such as 12 or 12.50.")
    whole, _, fraction = written.partition(".")
    if len(fraction) > decimals:
        raise Unfit(f"This can have at most {decimals} decimals.")
    if len(whole) > _LONGEST_NUMBER or abs(Decimal(written)) >= _NUMBER_LIMIT:
        raise Unfit("This number is too large: it must be less than 10^12.")
    return Decimal(written)


def _not_negative(number: Decimal) -> Decimal:
    if number < ZERO:
        raise Unfit("This cannot be negative.")
    return number


@lru_cache(maxsize=4096)
def amount(written: str) -> Decimal:
    """Parse an amount of money with two decimal places. Equal amounts in a file share one object, because many variants have the
    same price."""
    return abs(_not_negative(_decimal(written, _AMOUNT_DECIMALS))).quantize(_CENT)  # abs() turns -0 into 0


def amount_text(written: str) -> str:
    """Check an amount, and return it as written."""
    amount(written)
    return written


def percentage(written: str) -> Decimal:
    """Parse a discount percentage, from 0 to 100. Raises Unfit."""
    number = amount(written)
    if number > HUNDRED:
        raise Unfit("A percentage must be at most 100.")
    return number


def number_text(written: str) -> str:
    """Check that a string is a non-negative decimal number, and return it as written."""
    _not_negative(_decimal(written, _NUMBER_DECIMALS))
    return written


def positive_number(written: str) -> Decimal:
    number = _decimal(written, _NUMBER_DECIMALS)
    if number <= ZERO:
        raise Unfit("This must be greater than 0.")
    return number


def exchange_rate(written: str) -> Decimal:
    rate = positive_number(written)
    if rate >= _RATE_LIMIT:
        raise Unfit(f"An exchange rate must be less than {_RATE_LIMIT}.")
    return rate


def price_adjustment(written: str) -> Decimal:
    """Read a percentage by which a market raises prices, or lowers them if it is negative."""
    number = _decimal(written, _NUMBER_DECIMALS)
    if number <= -HUNDRED:
        raise Unfit("A price adjustment must be greater than -100 percent.")
    if number > _ADJUSTMENT_LIMIT:
        raise Unfit(f"A price adjustment must be at most {_ADJUSTMENT_LIMIT} percent.")
    return number


def country(written: str) -> str:
    code = parse_country(written)
    if code is None:
        raise Unfit(f"{quoted(written)} is not a country code (ISO 3166-1 alpha-2, such as DE).")
    return code


def currency(written: str) -> str:
    if not _CURRENCY.match(written):
        raise Unfit(f"{quoted(written)} is not a currency code: three capital letters, such as EUR.")
    return written


def language_tag(written: str) -> str:
    if not _LANGUAGE.match(written):
        raise Unfit(f"{quoted(written)} is not a language tag such as de or pt-BR.")
    return written


def local_time(written: str) -> str:
    """Read a date and time in the shop's time zone, written without an offset."""
    try:
        time = datetime.fromisoformat(written) if _LOCAL_TIME.match(written) else None
    except ValueError:
        time = None
    if time is None:
        raise Unfit(f"{quoted(written)} is not a local time such as 2026-11-27T00:00, without an offset.")
    return time.isoformat(timespec="seconds" if time.second else "minutes")


def timezone(written: str) -> str:
    """Check the IANA name of a time zone, and return it as written."""
    if written not in available_timezones():
        raise Unfit(f"{quoted(written)} is not a time zone: an IANA name such as Europe/Berlin.")
    return written


def shop_handle(written: str) -> str:
    """Check a shop handle, which is the shop's name in commands and URLs, and return it as written."""
    if not _HANDLE.match(written):
        raise Unfit(
            "A shop handle must be 1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit first."
        )
    return written


def host_name(written: str) -> str:
    """Check the host name of a live platform, and return it as written. Only a bare host name is accepted, because the shop's
    access token is sent there."""
    if len(written) > _LONGEST_HOST_NAME or not _HOST_NAME.match(written):
        raise Unfit(
            f"{quoted(written)} is not a domain: a host name such as my-shop.example.com, without https://, port or path."
        )
    return written


def money_format(written: str) -> str:
    if not _AMOUNT_PLACEHOLDER.search(written):
        raise Unfit("A money format must contain a placeholder such as {{amount}}.")
    return short_text(written)
