"""Amounts in a shop's money format, tested with the vectors from the client's tests."""

from decimal import Decimal
from pathlib import Path

import orjson
import pytest

from bundlesvc.domain.shop import ShopSettings
from bundlesvc.domain.texts.money_format import money_format_in, money_text

CASES = orjson.loads((Path(__file__).parents[2] / "vectors" / "money_formats.json").read_bytes())


@pytest.mark.parametrize(("amount", "money_format", "expected"), CASES)
def test_amount_in_a_money_format(amount: str, money_format: str, expected: str) -> None:
    assert money_text(Decimal(amount), money_format) == expected


@pytest.mark.parametrize(
    ("currency", "money_format", "decimal_point", "expected"),
    [
        ("EUR", "{{amount}} Euro", ",", "9.90 Euro"),
        ("EUR", "{{amount}}", ".", "€9.90"),
        ("EUR", "{{ amount }} ", ",", "9,90 €"),
        ("CHF", "{{amount}}", ".", "CHF 9.90"),
        ("CHF", "{{amount}}", ",", "9,90 CHF"),
        ("JPY", "{{amount}}", ".", "¥10"),
        ("KRW", "{{amount}}", ",", "10 KRW"),
    ],
)
def test_without_a_format_the_currency_is_named(
    currency: str, money_format: str, decimal_point: str, expected: str
) -> None:
    template = money_format_in(ShopSettings(currency, money_format, "kg"), decimal_point)

    assert money_text(Decimal("9.90"), template).replace("\xa0", " ") == expected
