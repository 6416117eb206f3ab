"""The JSON Schema accepts the same single values of a shop file as the functions that read them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.json_schema.single_values import key_schema, nullable, value_schema
from bundlesvc.shop_file.scalars import Reader, Unfit

READERS: list[Reader[Any]] = [
    scalars.name,
    scalars.short_text,
    scalars.flag,
    scalars.operation,
    scalars.whole_number(),
    scalars.whole_number(minimum=1),
    scalars.number_id,
    scalars.product_id,
    scalars.own_variant_id,
    scalars.amount,
    scalars.percentage,
    scalars.number_text,
    scalars.positive_number,
    scalars.price_adjustment,
    scalars.country,
    scalars.currency,
    scalars.language_tag,
    scalars.shop_handle,
    scalars.host_name,
    scalars.money_format,
]

TEXTS = st.one_of(
    st.text(max_size=8),
    st.from_regex(r"[0-9]{1,17}(\.[0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"-[1-9][0-9]{0,3}(\.[1-9])?", fullmatch=True),
    st.from_regex(r"[A-Za-z]{2,3}(-[A-Za-z]{2})?", fullmatch=True),
    st.sampled_from(["true", "FALSE", "gte", "gid://platform/Product/12", "a-shop.example", "{{amount}} EUR", "1 "]),
)


def accepts(schema: dict[str, Any], value: object) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))


@given(text=TEXTS, read=st.sampled_from(READERS))
def test_text_that_a_reader_accepts_is_valid(text: str, read: Reader[Any]) -> None:
    try:
        read(text)
    except Unfit:
        return
    assert accepts(value_schema(read), text)
    assert accepts(key_schema(read), text)


@pytest.mark.parametrize(
    ("read", "value", "valid"),
    [
        (scalars.amount, 19.9, True),
        (scalars.amount, -1, False),
        (scalars.amount, True, False),
        (scalars.percentage, 101, False),
        (scalars.price_adjustment, -100, False),
        (scalars.price_adjustment, -99.5, True),
        (scalars.positive_number, 0, False),
        (scalars.whole_number(minimum=1), 0, False),
        (scalars.whole_number(), 1.5, False),
        (scalars.number_id, 2**53, False),
        (scalars.short_text, 2024, True),
        (scalars.short_text, "x" * 256, False),
        (scalars.flag, True, True),
        (scalars.flag, 1, False),
        (scalars.name, " ", False),
        (scalars.country, "QQ", False),
    ],
)
def test_values_as_editors_read_them(read: Reader[Any], value: object, valid: bool) -> None:
    assert accepts(value_schema(read), value) is valid


@pytest.mark.parametrize("schema", [{"enum": ["a"]}, {"type": "string"}, {"type": ["string"]}, {"$ref": "#/$defs/x"}])
def test_null_counts_as_absent(schema: dict[str, Any]) -> None:
    document = nullable(schema) | {"$defs": {"x": {"type": "string"}}}
    assert accepts(document, None)
    assert not accepts(document, 1)


def test_reader_without_a_row_fails() -> None:
    with pytest.raises(KeyError):
        value_schema(str)
