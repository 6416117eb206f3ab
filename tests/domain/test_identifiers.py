"""Ids in requests and responses (docs/contract.md#ids-and-codes)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.identifiers import (
    GHOST_VARIANT_FLOOR,
    MAX_ID,
    id_pattern,
    parse_id,
    parse_platform_id,
    product_gid,
    variant_gid,
)
from tests.domain.strategies import PROPERTY


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("1", 1, id="least"),
        pytest.param("42", 42, id="ordinary"),
        pytest.param("9007199254740991", 9007199254740991, id="greatest"),
        pytest.param("9007199254740992", None, id="one too great"),
        pytest.param("9999999999999999", None, id="16 digits, too great"),
        pytest.param("10000000000000000", None, id="17 digits"),
        pytest.param("0", None, id="zero"),
        pytest.param("01", None, id="leading zero"),
        pytest.param("-1", None, id="negative"),
        pytest.param("+1", None, id="plus sign"),
        pytest.param("", None, id="empty"),
        pytest.param(" 1", None, id="space before"),
        pytest.param("1 ", None, id="space after"),
        pytest.param("1\n", None, id="line end"),
        pytest.param("1.0", None, id="decimal"),
        pytest.param("1e3", None, id="exponent"),
        pytest.param("1_000", None, id="underscore"),
        pytest.param("0x1", None, id="hexadecimal"),
        pytest.param("\u0661", None, id="arabic digit"),
        pytest.param("1\u0662", None, id="arabic digit behind"),
    ],
)
def test_numeric_ids_are_parsed(text: str, number: int | None) -> None:
    assert parse_id(text) == number


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        pytest.param("111", "Product", 111, id="numeric"),
        pytest.param("gid://platform/Product/111", "Product", 111, id="product"),
        pytest.param("gid://platform/ProductVariant/1001", "ProductVariant", 1001, id="variant"),
        pytest.param("gid://platform/ProductVariant/1001", "Product", None, id="variant for product"),
        pytest.param("gid://platform/Product/111", "ProductVariant", None, id="product for variant"),
        pytest.param("gid://platform/Product/0", "Product", None, id="no id inside"),
        pytest.param("gid://platform/Product/", "Product", None, id="nothing inside"),
        pytest.param("gid://platform/Product/gid://platform/Product/1", "Product", None, id="twice"),
        pytest.param("gid://other/Product/1", "Product", None, id="another authority"),
        pytest.param("GID://platform/Product/1", "Product", None, id="upper case"),
        pytest.param("gid://platform/Product/1?x=1", "Product", None, id="query"),
        pytest.param(" gid://platform/Product/1", "Product", None, id="space before"),
    ],
)
def test_global_ids_are_parsed(text: str, kind: str, number: int | None) -> None:
    assert parse_platform_id(text, kind) == number


def test_global_ids_name_products_and_variants() -> None:
    assert product_gid(111) == "gid://platform/Product/111"
    assert variant_gid(1001) == "gid://platform/ProductVariant/1001"


def test_ghost_variant_ids_fit_below_the_greatest_id() -> None:
    assert GHOST_VARIANT_FLOOR == 8 * 10**15 < MAX_ID == 2**53 - 1


@PROPERTY
@given(number=st.integers(1, MAX_ID))
def test_every_id_reads_back_from_its_number_and_its_global_id(number: int) -> None:
    assert parse_id(str(number)) == number
    assert parse_platform_id(product_gid(number), "Product") == number
    assert parse_platform_id(variant_gid(number), "ProductVariant") == number


@PROPERTY
@given(text=st.text())
def test_any_text_is_a_valid_id_or_none(text: str) -> None:
    number = parse_platform_id(text, "Product")

    assert number is None or 1 <= number <= MAX_ID


@pytest.mark.parametrize("digits", range(16))
def test_pattern_matches_the_ids_up_to_the_greatest(digits: int) -> None:
    pattern = re.compile(id_pattern())
    near = {MAX_ID + sign * number for sign in (-1, 1) for number in (10**digits - 1, 10**digits, 10**digits + 1)}
    for text in map(str, {0, 10**digits, 10**digits - 1, MAX_ID, *near}):
        assert bool(pattern.fullmatch(text)) == (parse_id(text) is not None), text
