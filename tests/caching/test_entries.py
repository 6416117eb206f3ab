"""The encoding and decoding of entries as bytes."""

from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass, replace
from decimal import Decimal
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.caching.entries import SHAPES, Plan
from bundlesvc.caching.entry_store import decode, encode, format_of
from bundlesvc.caching.stores import VERSION_BYTES, version_of
from bundlesvc.domain.product import MarketPrice, Option, OptionTranslation, Product, ProductTranslation, Swatch
from bundlesvc.domain.shop import ShopSettings
from tests.caching.live import product
from tests.running.properties import examples

READ_AT = 1_800_000_000_123_456
WHOLE = replace(
    product(1),
    tags=("linen", "bundlesvc:seasonal"),
    description_html="<p>Größe</p>",
    options=(Option("Size", ("S", "M"), {"S": Swatch("#C02020", "https://images.example/s.png")}),),
    translations={"de": ProductTranslation("Hemd", "", {"Size": OptionTranslation("Größe", {"S": "klein"})})},
)
VALUES: list[tuple[object, Any]] = [
    (WHOLE, Product),
    (replace(WHOLE, variants=()), Product),
    (MarketPrice(Decimal(2879), "JPY", Decimal("17.99"), available_for_sale=True), MarketPrice),
    (MarketPrice(Decimal("0.10"), "EUR", Decimal("1E+2"), available_for_sale=False), MarketPrice),
    (ShopSettings("EUR", "€{{amount}}", "kg"), ShopSettings),
    ((Plan(1, "month", "9"), Plan(2, "week", "10")), tuple[Plan, ...]),
    ((), tuple[Plan, ...]),
    (2**53 - 1, int),
    (Decimal(-10), Decimal),
    (None, Product),
]


@pytest.mark.parametrize(("value", "shape"), VALUES, ids=[str(shape) for _, shape in VALUES])
def test_decoding_returns_what_was_encoded(value: object, shape: Any) -> None:
    raw = encode(value, READ_AT)
    assert decode(raw, shape) == (value, READ_AT)
    assert orjson.loads(raw)[0] == READ_AT


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4))
def test_amounts_survive_encoding_exactly(amount: Decimal) -> None:
    found = decode(encode(amount, READ_AT), Decimal)
    assert found is not None
    assert str(found[0]) == str(amount)


def test_version_is_ordered_by_time_of_reading() -> None:
    earlier, later = encode(WHOLE, READ_AT), encode(WHOLE, READ_AT + 1)
    assert len(version_of(earlier)) == VERSION_BYTES
    assert version_of(earlier) < version_of(later)
    assert version_of(encode(None, READ_AT)) == version_of(earlier)
    assert version_of(None) == b""


WRONG: list[tuple[bytes, Any]] = [
    (b"", Product),
    (b"null", Product),
    (b"rubbish", Product),
    (b"\xff\xfe\x00", Product),
    (b"[]", Product),
    (b"{}", Product),
    (b'{"a":1,"b":2}', Product),
    (b"[1,null]", Product),
    (b"[%d]" % READ_AT, Product),
    (b"[%d,null,1]" % READ_AT, Product),
    (b"[%d ,null]" % READ_AT, Product),
    (b"[%d.5,null]" % READ_AT, Product),
    (b"[null,null]", Product),
    (b'["%d",null]' % READ_AT, Product),
    (b"[%d,{}]" % READ_AT, Product),
    (b"[%d,[]]" % READ_AT, Product),
    (b"[%d,1]" % READ_AT, Product),
    (b'[%d,{"variants":1}]' % READ_AT, Product),
    (b'[%d,{"id":"x"}]' % READ_AT, Product),
    (b"[%d,{}]" % READ_AT, ShopSettings),
    (b"[%d,[{}]]" % READ_AT, tuple[Plan, ...]),
    (b'[%d,"ten"]' % READ_AT, Decimal),
    (b'[%d,"NaN"]' % READ_AT, Decimal),
    (b'[%d,"Infinity"]' % READ_AT, Decimal),
    (b"[%d,{}]" % READ_AT, int),
    (b"[" * 100_000, Product),
    (b"cbuiltins\neval\n(S'1/0'\ntR.", Product),
    (encode(WHOLE, READ_AT)[:-2], Product),
    (encode(WHOLE, READ_AT) + b"]", Product),
    (encode(WHOLE, 7), Product),
]


@pytest.mark.parametrize(("raw", "shape"), WRONG, ids=[str(raw[:24]) for raw, _ in WRONG])
def test_decoding_foreign_bytes_returns_none(raw: bytes, shape: Any) -> None:
    assert decode(raw, shape) is None


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
fields_of_product = st.fixed_dictionaries(dict.fromkeys(Product.__dataclass_fields__, plain))


@examples(300)
@given(st.sampled_from([shape for _, shape in VALUES]), plain | fields_of_product, st.just(READ_AT) | plain)
def test_decoding_any_json_raises_nothing(shape: Any, value: object, read_at: object) -> None:
    try:
        raw = orjson.dumps([read_at, value])
    except orjson.JSONEncodeError:
        return
    decode(raw, shape)


@examples(100)
@given(st.binary(max_size=100))
def test_decoding_any_bytes_raises_nothing(raw: bytes) -> None:
    assert decode(raw, Product) is None


def test_changed_field_changes_the_name_of_the_format() -> None:
    """A changed field, even a nested one, changes the name of the format, so nobody has to remember to rename it."""

    @dataclass
    class Inner:
        a: int

    def holding(inner: type, **more: type) -> type:
        return make_dataclass("Outer", [("inner", Mapping[str, tuple[inner, ...]]), *more.items()])  # type: ignore[valid-type]

    changed = make_dataclass("Inner", [("a", str)])
    changed.__qualname__ = Inner.__qualname__
    names = {
        format_of(holding(Inner)),
        format_of(holding(Inner, b=int)),
        format_of(holding(Inner, b=str)),
        format_of(holding(changed)),
    }
    assert len(names) == 4
    assert format_of(holding(Inner)) in names
    assert format_of(*SHAPES) == format_of(*reversed(SHAPES))
