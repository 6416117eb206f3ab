"""The fast parser of typical request bodies agrees with the schemas on every body that it parses itself."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bundlesvc.api.requests.parsing import load_body
from bundlesvc.api.requests.schemas import ConfigureRequestSchema, PriceRequestSchema
from bundlesvc.api.requests.usual_selections import usual_selection
from bundlesvc.domain.errors import BundlesvcError
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.selection import SelectedItem, SelectionRequest
from tests.domain.strategies import PROPERTY

SCHEMAS = {False: PriceRequestSchema(), True: ConfigureRequestSchema()}
BOTH = pytest.mark.parametrize("configure", [False, True])

NUMBERS = st.sampled_from(["1", "12", "gid://platform/Product/1", "gid://platform/ProductVariant/12", str(MAX_ID)])
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        1,
        1.0,
        -1,
        MAX_ID + 1,
        "",
        "0",
        "01",
        "x},{y",
        "}, {",
        "[{",
        "}]",
        '"',
        "\\",
        [],
        [[1]],
        {},
        {"a": {}},
    ]
)
ITEMS = st.fixed_dictionaries({"variant": NUMBERS, "product": NUMBERS, "section": st.integers(0, 3)})
ODD_ITEMS = st.dictionaries(
    st.sampled_from(["variant", "product", "section", "personalisation", "more"]), NUMBERS | ODD | st.integers(0, 3)
)
VALID_ITEMS = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["1", "12", "gid://platform/ProductVariant/12"]),
        "product": st.sampled_from(["1", str(MAX_ID), "gid://platform/Product/1"]),
        "section": st.integers(0, MAX_ID),
    }
)
COUNTRIES = st.sampled_from(["US", "gb", "XX", "ß", None])
TYPES = st.sampled_from(["native", "single-product", "other", None])
PRICES = st.sampled_from(
    ["40.50", "1609", "12.345", "", "1.2345", "1e3", "\N{ARABIC-INDIC DIGIT ONE}", "9" * 16, 40.5, None]
)
USUAL = st.fixed_dictionaries(
    {"products": st.lists(ITEMS, max_size=12)},
    optional={"type": TYPES, "countryCode": COUNTRIES, "expectedPrice": PRICES, "expectedPresentment": PRICES},
)
ODD_BODIES = st.fixed_dictionaries(
    {"products": st.lists(ITEMS | ODD_ITEMS, max_size=5) | ODD},
    optional=dict.fromkeys(
        ("type", "countryCode", "subscription", "bundleContent", "visitorId", "more"), ODD | COUNTRIES
    ),
)
STYLES = st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : "), (",\n", ": ")])


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Bodies of the usual shape and other shapes, some of them with a slice removed, repeated or replaced."""
    body = json.dumps(draw(USUAL | ODD_BODIES), separators=draw(STYLES), ensure_ascii=draw(st.booleans())).encode()
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(body)))
        end = draw(st.integers(start, min(len(body), start + 40)))
        new = draw(
            st.sampled_from([b"", body[start:end] * 2, b"},{", b"}, {", b"[", b"]", b"{", b"}", b'"', b"1", b"\xff"])
        )
        body = body[:start] + new + body[end:]
    return body


def _schemas(body: bytes, *, configure: bool) -> SelectionRequest | None:
    try:
        request: SelectionRequest = load_body(body, SCHEMAS[configure])
    except BundlesvcError:
        return None
    return request


@BOTH
@PROPERTY
@given(body=bodies())
@example(body=b'{"products":[{"variant":"1},{","variant":"1","product":"1","section":1}]}')
@example(
    body=b'{"products":[{"variant":"},{","variant":"1","product":"2","section":1}, {"variant":"3"},{","section":1}]}'
)
@example(body=b'{"other":[{"variant":"1","product":"1","section":1}],"products":[]}')
@example(body=b'{"products":[{"variant":"1","product":"1","section":1}],"products":1}')
@example(body=b'{"products":[{"variant":"1","product":"1","section":1},{"variant":"1","product":"1","section":true}]}')
@example(body=b'{"products":[{"variant":"1","product":"1","section":1},{"variant":"1","product":"1","section":1.0}]}')
@example(body=b'{"a":"[{","products":[{"variant":"1","product":"1","section":1}]}')
@example(body=b'{"products":[{"variant":"1","product":"1","section":1}],"a":"}]"}')
@example(body=b'{"a":{"products":[{"variant":"1","product":"1","section":1}]}}')
@example(body=b'{"products":[{"variant":"1","product":"1","section":1}],"a":' + b'{"a":' * 40 + b"1" + b"}" * 41)
def test_what_the_fast_reader_reads_the_schema_reads_too(body: bytes, configure: bool) -> None:
    usual = usual_selection(body, configure=configure)
    if usual is not None:
        expected = _schemas(body, configure=configure)
        assert usual == expected
        assert expected is not None
        assert list(usual.units.items()) == list(expected.units.items())


@BOTH
@PROPERTY
@given(
    items=st.lists(VALID_ITEMS, min_size=1, max_size=200),
    country=st.sampled_from(["US", "gb", None]),
    separators=st.sampled_from([(",", ":"), (", ", ": ")]),
)
def test_the_fast_reader_reads_every_valid_body_of_the_usual_shape(
    items: list[dict[str, Any]], country: str | None, separators: tuple[str, str], configure: bool
) -> None:
    plain = {"type": "native", "products": items, "countryCode": country}
    body = json.dumps(plain, separators=separators).encode()
    expected = _schemas(body, configure=configure)
    usual = usual_selection(body, configure=configure)
    assert usual is not None
    assert expected is not None
    assert usual == expected
    assert list(usual.units.items()) == list(expected.units.items())


def test_a_long_item_is_left_to_the_schema() -> None:
    spaces = b" " * 300
    body = b'{"products":[{"variant":"1","product":"1","section":1%b}]}' % spaces
    assert usual_selection(body, configure=False) is None
    assert _schemas(body, configure=False) == SelectionRequest({SelectedItem(1, 1, 1): [0]})


def test_section_that_is_written_as_a_fraction_is_left_to_the_schema() -> None:
    body = b'{"products":[{"variant":"1","product":"1","section":2.0}]}'
    assert usual_selection(body, configure=False) is None
    assert _schemas(body, configure=False) == SelectionRequest({SelectedItem(1, 1, 2): [0]})
