"""Every encoded response is decoded to exactly the same bytes."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.storage.configured.response_encoding import (
    DEFLATE,
    DISCOUNT_ONCE,
    MAX_SHORT,
    decode_response,
    encode_response,
)

DISCOUNT = "gAAAAAB" + "c" * 600

_PARTS = [b'"discount":"', b'"', b"\0", b"d", b"d" * 40, DISCOUNT.encode(), b'{"', b"\\", b"\xff", b"x" * MAX_SHORT]


def response(**others: object) -> bytes:
    return orjson.dumps({"id": 1, "discount": DISCOUNT, **others})


def test_discount_string_is_stored_once() -> None:
    body = response(cart={"_bundles": orjson.dumps({"discount": DISCOUNT}).decode()})

    stored, encoding = encode_response(body)

    assert (encoding, decode_response(stored, encoding)) == (DISCOUNT_ONCE, body)
    assert len(stored) < len(body) - len(DISCOUNT) + 10


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(response(), id="one copy"),
        pytest.param(response(other=DISCOUNT[:-1]), id="a similar string"),
        pytest.param(response(other=DISCOUNT, items=["item"] * MAX_SHORT), id="long"),
        pytest.param(response(other=DISCOUNT) + b"\0", id="not JSON"),
        pytest.param(b'{"discount":"', id="cut off"),
        pytest.param(b'{"discount":""}', id="empty discount string"),
        pytest.param(b"", id="empty"),
    ],
)
def test_other_responses_are_deflated(body: bytes) -> None:
    stored, encoding = encode_response(body)

    assert (encoding, decode_response(stored, encoding)) == (DEFLATE, body)


@given(st.lists(st.sampled_from(_PARTS), max_size=8).map(b"".join))
def test_any_body_is_returned_unchanged(body: bytes) -> None:
    assert decode_response(*encode_response(body)) == body


def test_response_without_an_encoding_is_returned_unchanged() -> None:
    assert decode_response(b"\0{", "identity") == b"\0{"
