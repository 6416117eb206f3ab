"""Shopify webhooks: the signature is checked before the changes are read."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping

import pytest

from bundlesvc.domain.errors import InvalidJson, InvalidRequest, SignatureInvalid
from bundlesvc.domain.live_platform.platform_change import (
    INVENTORY_ITEM,
    MARKETS,
    PRODUCT,
    SELLING_PLANS,
    SHOP_SETTINGS,
    Change,
    Delivery,
    ProductUpdate,
)
from bundlesvc.platforms.shopify.webhooks.messages import CHANGES, ShopifyWebhooks

SECRET = "shhh-of-the-app"


def headers(
    body: bytes,
    topic: str = "products/update",
    changed: Mapping[str, str | None] | None = None,
    secret: str = SECRET,
) -> dict[str, str]:
    """Build the headers for a body. A header whose value is None is omitted."""
    digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
    sent: dict[str, str | None] = {
        "X-Shopify-Topic": topic,
        "X-Shopify-Hmac-Sha256": base64.b64encode(digest).decode(),
        "X-Shopify-Shop-Domain": "Roaster.myshopify.com",
        "X-Shopify-Webhook-Id": "d-1",
        "X-Shopify-API-Version": "2026-07",
    }
    sent |= {f"X-Shopify-{name.replace('_', '-')}": value for name, value in (changed or {}).items()}
    return {name: value for name, value in sent.items() if value is not None}


def read(headers: Mapping[str, str], body: bytes, *secrets: str) -> Delivery:
    """Read a webhook for the shop, with its body fed byte by byte."""
    message = ShopifyWebhooks().expect(headers, "roaster.myshopify.com", secrets)
    for index in range(len(body)):
        message.feed(body[index : index + 1])
    return message.finish()


@pytest.mark.parametrize(
    ("topic", "body", "change"),
    [
        ("products/create", {"id": 7}, Change(PRODUCT, 7)),
        ("products/update", {"id": 7, "title": "Kettle", "variants": []}, Change(PRODUCT, 7)),
        ("products/delete", {"id": 7}, Change(PRODUCT, 7)),
        ("PRODUCTS/UPDATE", {"id": 7}, Change(PRODUCT, 7)),
        ("inventory_levels/update", {"inventory_item_id": 9, "available": None}, Change(INVENTORY_ITEM, 9)),
        ("inventory_items/update", {"id": 9}, Change(INVENTORY_ITEM, 9)),
        ("shop/update", {"id": 1}, Change(SHOP_SETTINGS)),
        ("markets/update", {"id": 1}, Change(MARKETS)),
        ("selling_plan_groups/update", {"id": 1}, Change(SELLING_PLANS)),
    ],
)
def test_change_of_each_topic(topic: str, body: dict[str, object], change: Change) -> None:
    raw = json.dumps(body).encode()
    delivery = read(headers(raw, topic), raw, SECRET)
    assert delivery.changes == (change,)
    assert delivery.id == "d-1"


@pytest.mark.parametrize(
    ("body", "bought"),
    [
        ({"line_items": [{"variant_id": 7}, {"variant_id": 8, "quantity": 2}, {"variant_id": 7}]}, {7, 8}),
        ({"line_items": [{"variant_id": None, "title": "Tip"}, {}, 5, {"variant_id": [7]}, {"variant_id": -1}]}, set()),
        ({"line_items": []}, set()),
        ({"line_items": None}, set()),
        ({}, set()),
    ],
)
def test_order_names_bought_variants(body: dict[str, object], bought: set[int]) -> None:
    raw = json.dumps(body).encode()
    delivery = read(headers(raw, "orders/create"), raw, SECRET)
    assert delivery.bought == bought
    assert delivery.changes == ()


def test_topic_without_cached_data_changes_nothing() -> None:
    assert "app/uninstalled" not in CHANGES
    assert read(headers(b"{}", "app/uninstalled"), b"{}", SECRET).changes == ()


@pytest.mark.parametrize(
    ("body", "changed", "secret"),
    [
        (b'{"id": 8}', {}, SECRET),  # not the signed body
        (b'{"id":7}', {}, SECRET),  # the same JSON, but different bytes
        (b'{"id": 7}', {}, "another secret"),
        (b'{"id": 7}', {}, ""),
        (b'{"id": 7}', {"Hmac_Sha256": None}, SECRET),
        (b'{"id": 7}', {"Hmac_Sha256": ""}, SECRET),
        (b'{"id": 7}', {"Hmac_Sha256": "not base64 ü"}, SECRET),
    ],
)
def test_invalid_signature(body: bytes, changed: dict[str, str | None], secret: str) -> None:
    sent = headers(b'{"id": 7}', changed=changed)
    with pytest.raises(SignatureInvalid):
        read(sent, body, secret)


def test_empty_body_is_refused() -> None:
    with pytest.raises(SignatureInvalid):
        read(headers(b""), b"", SECRET)


def test_the_signature_is_checked_before_the_body_is_parsed() -> None:
    with pytest.raises(SignatureInvalid):
        read(headers(b"{}"), b"{broken", SECRET)


@pytest.mark.parametrize(
    "changed",
    [
        {"Shop_Domain": None},
        {"Shop_Domain": "another.myshopify.com"},
        {"Hmac_Sha256": None},
        {"Hmac_Sha256": "AAAA"},
        {"Hmac_Sha256": "!" * 44},
        {"Hmac_Sha256": "A" * 44 + "==="},
        {"Hmac_Sha256": "\u00fc" * 44},
        {"Hmac_Sha256": None, "Topic": None},
    ],
)
def test_headers_for_another_shop_are_refused_before_the_body(changed: dict[str, str | None]) -> None:
    with pytest.raises(SignatureInvalid):
        ShopifyWebhooks().expect(headers(b"{}", changed=changed), "roaster.myshopify.com", [SECRET])


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        ({"Topic": None}, [("X-Shopify-Topic", "required")]),
        ({"Webhook_Id": None}, [("X-Shopify-Webhook-Id", "required")]),
        (
            {"Topic": None, "Webhook_Id": "d" * 256},
            [("X-Shopify-Topic", "required"), ("X-Shopify-Webhook-Id", "invalid")],
        ),
        *(
            ({"Topic": topic}, [("X-Shopify-Topic", "invalid")])
            for topic in ("products", "/", "a b/c", "a/b\n", "x" * 300)
        ),
    ],
)
def test_invalid_headers_are_reported_before_the_body(
    changed: dict[str, str | None], faults: list[tuple[str, str]]
) -> None:
    with pytest.raises(InvalidRequest) as raised:
        ShopifyWebhooks().expect(headers(b"{}", changed=changed), "Roaster.myshopify.com", [SECRET])
    assert [(fault.path, fault.code) for fault in raised.value.faults] == faults


def test_longest_delivery_id() -> None:
    body = b'{"id": 7}'
    assert read(headers(body, changed={"Webhook_Id": "d" * 255}), body, SECRET).id == "d" * 255


def test_subject_is_the_first_part_of_the_topic() -> None:
    body = b'{"id": 7}'
    first, second, other = (
        read(headers(body, topic), body, SECRET)
        for topic in ("products/create", "Products/Update", "inventory_items/update")
    )
    assert first.signature == second.signature == other.signature
    assert first.subject == second.subject != other.subject


@pytest.mark.parametrize("body", [b"{broken", b"\xff\xfe"])
def test_signed_body_that_is_not_json(body: bytes) -> None:
    with pytest.raises(InvalidJson):
        read(headers(body), body, SECRET)


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"id": "x"}', b'{"id": -1}', b'{"id": 1e30}', b'{"id": null}'])
def test_signed_body_without_an_id(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        read(headers(body), body, SECRET)


@pytest.mark.parametrize("signer", [SECRET, "the-other-secret"])
def test_webhook_may_be_signed_with_either_of_two_secrets(signer: str) -> None:
    signed = headers(b'{"id": 7}', secret=signer)
    delivery = read(signed, b'{"id": 7}', SECRET, "the-other-secret", "third")
    assert delivery.changes == (Change(PRODUCT, 7),)
    with pytest.raises(SignatureInvalid):
        read(signed, b'{"id": 8}', SECRET, "the-other-secret")
    with pytest.raises(SignatureInvalid):
        read(signed, b'{"id": 7}', "third", "fourth")


@pytest.mark.parametrize("written", ["2026-07-01T00:00:01Z", "2026-06-30T20:00:01-04:00"])
def test_time_of_an_update_is_read_in_any_zone(written: str) -> None:
    body = json.dumps({"id": 7, "updated_at": written}).encode()
    assert read(headers(body), body, SECRET).update == ProductUpdate(7, 1_782_864_001)


@pytest.mark.parametrize("topic", ["products/create", "products/delete", "inventory_items/update", "shop/update"])
def test_only_an_update_of_a_product_has_a_time(topic: str) -> None:
    body = json.dumps({"id": 7, "updated_at": "2026-07-01T00:00:01Z"}).encode()
    assert read(headers(body, topic), body, SECRET).update is None
