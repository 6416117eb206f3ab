"""Webhooks from the plugin: the id, time and signature are checked before the changes and orders are read."""

from collections.abc import Mapping
from typing import Any

import pytest

from bundlesvc.domain.errors import InvalidJson, InvalidRequest, SignatureInvalid
from bundlesvc.domain.live_platform.platform_change import (
    INVENTORY_ITEM,
    MARKETS,
    ORDER,
    PRODUCT,
    SHOP_SETTINGS,
    Change,
    Delivery,
    Notice,
)
from bundlesvc.platforms.vendure.webhooks import LARGEST_AGE, VendureWebhooks, new_secret
from tests.fakes import START, FakeClock
from tests.platforms.vendure.signing import OTHER_SECRET, SECRET, signature, signed

EVERYTHING = {"products": [7, 8, 7], "stock": [71], "shop": True, "orders": [12, 12, 13]}


def read(headers: Mapping[str, str], body: bytes, *secrets: str) -> Delivery:
    """Read a webhook, with its body fed byte by byte."""
    message = VendureWebhooks(FakeClock()).expect(headers, "shop.example", secrets or (SECRET,))
    for index in range(len(body)):
        message.feed(body[index : index + 1])
    return message.finish()


def test_changes_and_orders_are_read() -> None:
    delivery = read(*signed(EVERYTHING, START))
    assert delivery.id == "d-1"
    assert list(delivery.changes) == [
        Change(SHOP_SETTINGS),
        Change(MARKETS),
        Change(PRODUCT, 7),
        Change(PRODUCT, 8),
        Change(INVENTORY_ITEM, 71),
    ]
    assert delivery.notices == (Notice(ORDER, "12"), Notice(ORDER, "13"))


def test_empty_webhook_changes_nothing() -> None:
    delivery = read(*signed({}, START))
    assert (delivery.changes, delivery.notices) == ((), ())


def test_old_secret_is_valid_while_it_is_rotated() -> None:
    headers, body = signed({}, START, secret=SECRET)
    assert read(headers, body, OTHER_SECRET, SECRET).id == "d-1"
    with pytest.raises(SignatureInvalid):
        read(headers, body, OTHER_SECRET)


def test_one_of_several_signatures_is_enough() -> None:
    headers, body = signed({}, START)
    other = signature(OTHER_SECRET, "d-1", int(START), body)
    both = {**headers, "webhook-signature": f"v2,abc {other} {headers['webhook-signature']}"}
    assert read(both, body).id == "d-1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("webhook-id", "d-2"),
        ("webhook-timestamp", str(int(START) + 1)),
        ("webhook-signature", "v1," + "A" * 43 + "="),
        ("webhook-signature", "v1,not base64"),
        ("webhook-signature", "v1a,abc"),
        ("webhook-signature", ""),
    ],
)
def test_changed_header_makes_the_signature_invalid(name: str, value: str) -> None:
    headers, body = signed(EVERYTHING, START)
    with pytest.raises(SignatureInvalid):
        read({**headers, name: value}, body)


def test_changed_body_makes_the_signature_invalid() -> None:
    headers, body = signed(EVERYTHING, START)
    with pytest.raises(SignatureInvalid):
        read(headers, body.replace(b"71", b"72"))


@pytest.mark.parametrize(
    ("seconds", "is_accepted"),
    [(-LARGEST_AGE, True), (LARGEST_AGE, True), (-LARGEST_AGE - 1, False), (LARGEST_AGE + 1, False)],
)
def test_webhook_is_valid_for_a_few_minutes(seconds: int, is_accepted: bool) -> None:
    headers, body = signed({}, START + seconds)
    if is_accepted:
        assert read(headers, body).id == "d-1"
    else:
        with pytest.raises(SignatureInvalid):
            read(headers, body)


def test_every_missing_or_malformed_header_is_named() -> None:
    headers, body = signed({}, START)
    with pytest.raises(InvalidRequest) as refused:
        read({**headers, "webhook-id": "", "webhook-timestamp": "soon"}, body)
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [
        ("webhook-id", "required"),
        ("webhook-timestamp", "invalid"),
    ]


def test_every_fault_of_a_signed_body_is_named() -> None:
    body = {"products": [1, "2", 2**31, 0, True], "stock": 7, "shop": "yes", "orders": {}}
    with pytest.raises(InvalidRequest) as refused:
        read(*signed(body, START))
    assert [fault.path for fault in refused.value.faults] == [
        "products.1",
        "products.2",
        "products.3",
        "products.4",
        "stock",
        "orders",
        "shop",
    ]


@pytest.mark.parametrize(("body", "error"), [(b"{", InvalidJson), (b"", InvalidJson), (b"[]", InvalidRequest)])
def test_signed_body_that_is_no_object(body: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        read(*signed(body, START))


def test_shop_without_a_secret_accepts_nothing() -> None:
    headers, _ = signed({}, START)
    with pytest.raises(SignatureInvalid):
        VendureWebhooks(FakeClock()).expect(headers, "shop.example", ())


def test_webhooks_without_a_handle_are_for_no_shop() -> None:
    headers, _ = signed({}, START)
    assert VendureWebhooks(FakeClock()).domain(headers) == ""


def test_deliveries_with_another_time_have_another_digest() -> None:
    digests = {read(*signed(EVERYTHING, START + seconds)).signature for seconds in (0, 0, 1)}
    assert len(digests) == 2


def test_new_secrets_differ_and_sign() -> None:
    made: Any = new_secret()
    assert made != new_secret()
    headers, body = signed({}, START, secret=made)
    assert read(headers, body, made).id == "d-1"
