"""Webhooks as Shopify sends them: the signature first, then what they say changed."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping

import pytest

from bundlesvc.domain.errors import InvalidJson, InvalidRequest, SignatureInvalid
from bundlesvc.platforms.shopify.webhooks import CHANGES, ShopifyWebhooks
from bundlesvc.ports import INVENTORY_ITEM, MARKETS, PRODUCT, SELLING_PLANS, SHOP_SETTINGS, Change

SECRET = "shhh-of-the-app"


def headers(
    body: bytes, topic: str = "products/update", changed: Mapping[str, str | None] | None = None
) -> dict[str, str]:
    """The headers that belong to a body; a name that is given as None is left out."""
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
    sent: dict[str, str | None] = {
        "X-Shopify-Topic": topic,
        "X-Shopify-Hmac-Sha256": base64.b64encode(digest).decode(),
        "X-Shopify-Shop-Domain": "Roaster.myshopify.com",
        "X-Shopify-Webhook-Id": "d-1",
        "X-Shopify-API-Version": "2026-07",
    }
    sent |= {f"X-Shopify-{name.replace('_', '-')}": value for name, value in (changed or {}).items()}
    return {name: value for name, value in sent.items() if value is not None}


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
def test_what_a_topic_changes(topic: str, body: dict[str, object], change: Change) -> None:
    raw = json.dumps(body).encode()
    delivery = ShopifyWebhooks().read(headers(raw, topic), raw, SECRET)
    assert delivery.changes == (change,)
    assert (delivery.id, delivery.domain) == ("d-1", "roaster.myshopify.com")


def test_a_topic_that_nobody_remembers_anything_of() -> None:
    assert "app/uninstalled" not in CHANGES
    assert ShopifyWebhooks().read(headers(b"{}", "app/uninstalled"), b"{}", SECRET).changes == ()


@pytest.mark.parametrize(
    ("body", "changed", "secret"),
    [
        (b'{"id": 8}', {}, SECRET),  # another body than the signed one
        (b'{"id":7}', {}, SECRET),  # the same JSON in other bytes
        (b'{"id": 7}', {}, "another secret"),
        (b'{"id": 7}', {}, ""),
        (b'{"id": 7}', {"Hmac_Sha256": None}, SECRET),
        (b'{"id": 7}', {"Hmac_Sha256": ""}, SECRET),
        (b'{"id": 7}', {"Hmac_Sha256": "not base64 ü"}, SECRET),
    ],
)
def test_a_signature_that_does_not_hold(body: bytes, changed: dict[str, str | None], secret: str) -> None:
    sent = headers(b'{"id": 7}', changed=changed)
    with pytest.raises(SignatureInvalid):
        ShopifyWebhooks().read(sent, body, secret)


def test_an_empty_body_is_never_signed() -> None:
    with pytest.raises(SignatureInvalid):
        ShopifyWebhooks().read(headers(b""), b"", SECRET)


def test_the_signature_is_checked_before_anything_is_parsed() -> None:
    with pytest.raises(SignatureInvalid):
        ShopifyWebhooks().read(headers(b"{}") | {"X-Shopify-Topic": ""}, b"{broken", SECRET)


@pytest.mark.parametrize("name", ["Topic", "Shop_Domain", "Webhook_Id"])
def test_a_header_is_missing(name: str) -> None:
    sent = headers(b'{"id": 7}', changed={name: None})
    with pytest.raises(InvalidRequest) as raised:
        ShopifyWebhooks().read(sent, b'{"id": 7}', SECRET)
    assert [fault.path for fault in raised.value.faults] == [f"X-Shopify-{name.replace('_', '-')}"]


def test_an_id_that_is_too_long_is_named() -> None:
    body = b'{"id": 7}'
    assert ShopifyWebhooks().read(headers(body, changed={"Webhook_Id": "d" * 255}), body, SECRET).id == "d" * 255
    with pytest.raises(InvalidRequest) as raised:
        ShopifyWebhooks().read(headers(body, changed={"Webhook_Id": "d" * 256, "Topic": None}), body, SECRET)
    assert [(fault.path, fault.code) for fault in raised.value.faults] == [
        ("X-Shopify-Topic", "required"),
        ("X-Shopify-Webhook-Id", "invalid"),
    ]


@pytest.mark.parametrize("body", [b"{broken", b"\xff\xfe"])
def test_a_signed_body_that_is_no_json(body: bytes) -> None:
    with pytest.raises(InvalidJson):
        ShopifyWebhooks().read(headers(body), body, SECRET)


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"id": "x"}', b'{"id": -1}', b'{"id": 1e30}', b'{"id": null}'])
def test_a_signed_body_without_an_id(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        ShopifyWebhooks().read(headers(body), body, SECRET)
