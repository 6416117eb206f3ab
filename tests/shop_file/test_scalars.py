"""Single values: which strings are accepted, what they mean, and which are refused."""

from decimal import Decimal
from typing import Any

import pytest

from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.scalars import Reader, Unfit


@pytest.mark.parametrize(
    ("reader", "written", "value"),
    [
        (scalars.amount, "19.90", Decimal("19.90")),
        (scalars.amount, "0019.9", Decimal("19.90")),
        (scalars.amount, "-0", Decimal("0.00")),
        (scalars.amount, "999999999999.99", Decimal("999999999999.99")),
        (scalars.amount_text, "19.9", "19.9"),
        (scalars.percentage, "100", Decimal("100.00")),
        (scalars.percentage, "0", Decimal("0.00")),
        (scalars.number_text, "0.90", "0.90"),
        (scalars.number_text, "3", "3"),
        (scalars.positive_number, "0.5", Decimal("0.5")),
        (scalars.exchange_rate, "0.000000000001", Decimal("1E-12")),
        (scalars.price_adjustment, "-99.99", Decimal("-99.99")),
        (scalars.flag, "True", True),
        (scalars.flag, "FALSE", False),
        (scalars.whole_number(), "-5", -5),
        (scalars.whole_number(minimum=1), "007", 7),
        (scalars.whole_number(), "-" + "0" * 5000 + "5", -5),
        (scalars.whole_number(), "9007199254740991", 2**53 - 1),
        (scalars.number_id, "9007199254740991", 2**53 - 1),
        (scalars.product_id, "gid://platform/Product/7", 7),
        (scalars.variant_id, "7", 7),
        (scalars.variant_id_text, "gid://platform/ProductVariant/7", "7"),
        (scalars.product_id_text, "7", "7"),
        (scalars.own_variant_id, "7999999999999999", 7_999_999_999_999_999),
        (scalars.country, "no", "NO"),
        (scalars.currency, "EUR", "EUR"),
        (scalars.language_tag, "zh-Hant-TW", "zh-Hant-TW"),
        (scalars.local_time, "2026-11-27T00:00", "2026-11-27T00:00"),
        (scalars.local_time, "2026-11-27 00:00:00", "2026-11-27T00:00"),
        (scalars.local_time, "2026-11-27T00:00:30", "2026-11-27T00:00:30"),
        (scalars.timezone, "Europe/Berlin", "Europe/Berlin"),
        (scalars.shop_handle, "my_shop-2.example", "my_shop-2.example"),
        (scalars.money_format, "<b>{{ amount }}</b>", "<b>{{ amount }}</b>"),
        (scalars.money_format, "{{amount_with_comma_separator}} €", "{{amount_with_comma_separator}} €"),
        (scalars.operation, "gte", "gte"),
        (scalars.name, "Ü", "Ü"),
        (scalars.short_text, "", ""),
    ],
)
def test_accepted_values(reader: Reader[Any], written: str, value: object) -> None:
    read = reader(written)
    assert read == value
    assert str(read) == str(value)


@pytest.mark.parametrize(
    ("reader", "written", "message"),
    [
        (scalars.amount, "19.999", "at most 2 decimals"),
        (scalars.amount, "-1", "negative"),
        (scalars.amount, "1e3", "not a decimal number"),
        (scalars.amount, "NaN", "not a decimal number"),
        (scalars.amount, "Infinity", "not a decimal number"),
        (scalars.amount, "1,50", "not a decimal number"),
        (scalars.amount, "+1", "not a decimal number"),
        (scalars.amount, " 1", "not a decimal number"),
        (scalars.amount, "1\n", "not a decimal number"),
        (scalars.amount, "1.", "not a decimal number"),
        (scalars.amount, ".5", "not a decimal number"),
        (scalars.amount, "", "not a decimal number"),
        (scalars.amount, "١٢", "not a decimal number"),
        (scalars.amount, "1000000000000", "too large"),
        (scalars.amount, "9" * 2_000_000, "too large"),
        (scalars.amount_text, "1.999", "at most 2 decimals"),
        (scalars.percentage, "100.01", "at most 100"),
        (scalars.number_text, "-3", "negative"),
        (scalars.number_text, "three", "not a decimal number"),
        (scalars.number_text, "0.0000000000001", "at most 12 decimals"),
        (scalars.positive_number, "0", "greater than 0"),
        (scalars.exchange_rate, "-1.1", "greater than 0"),
        (scalars.exchange_rate, "1000000000", "less than"),
        (scalars.price_adjustment, "-100", "greater than -100"),
        (scalars.price_adjustment, "10001", "at most 10000"),
        (scalars.flag, "yes", "not true or false"),
        (scalars.flag, "1", "not true or false"),
        (scalars.whole_number(), "1.0", "not a whole number"),
        (scalars.whole_number(), "9" * 5000, r"9…' is greater than 9007199254740991\."),
        (scalars.whole_number(), "9007199254740992", r"'9007199254740992' is greater than 9007199254740991\."),
        (scalars.whole_number(), "-9007199254740992", r"'-9007199254740992' is less than -9007199254740991\."),
        (scalars.whole_number(), "١٢", "not a whole number"),
        (scalars.whole_number(minimum=1), "0", "must be at least 1"),
        (scalars.number_id, "0", "not an id"),
        (scalars.number_id, "0123", "not an id"),
        (scalars.number_id, "9007199254740992", "not an id"),
        (scalars.number_id, "gid://platform/Product/7", "not an id"),
        (scalars.product_id, "gid://platform/ProductVariant/7", "not an id"),
        (scalars.variant_id, "gid://shopify/ProductVariant/7", "not an id"),
        (scalars.own_variant_id, "8000000000000000", "ghost variants"),
        (scalars.country, "XX", "not a country code"),
        (scalars.country, "false", "not a country code"),
        (scalars.currency, "eur", "not a currency code"),
        (scalars.currency, "EURO", "not a currency code"),
        (scalars.language_tag, "german", "not a language tag"),
        (scalars.local_time, "2026-11-27", "not a local time"),
        (scalars.local_time, "2026-11-31T00:00", "not a local time"),
        (scalars.local_time, "2026-11-27T24:01", "not a local time"),
        (scalars.local_time, "2026-11-27T00:00Z", "without an offset"),
        (scalars.local_time, "2026-11-27T00:00+01:00", "without an offset"),
        (scalars.timezone, "Berlin", "not a time zone"),
        (scalars.timezone, "+01:00", "not a time zone"),
        (scalars.timezone, "../../etc/passwd", "not a time zone"),
        (scalars.language_tag, "de_DE", "not a language tag"),
        (scalars.shop_handle, "my shop", "shop handle"),
        (scalars.shop_handle, "", "shop handle"),
        (scalars.money_format, "€", "placeholder"),
        (scalars.operation, "=>", "gt, gte, lt, lte, eq"),
        (scalars.name, " ", "empty"),
        (scalars.name, "x" * 256, "longer than 255"),
        (scalars.long_text, "x" * 100_001, "longer than 100000"),
    ],
)
def test_refused_values(reader: Reader[Any], written: str, message: str) -> None:
    with pytest.raises(Unfit, match=message):
        reader(written)


def test_messages_stay_short() -> None:
    with pytest.raises(Unfit) as refused:
        scalars.currency("x" * 10_000)
    assert len(str(refused.value)) < 200
