"""Shopify's compliance webhooks: the request that each one produces, and the bodies that are refused."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from bundlesvc.domain.errors import InvalidJson, InvalidRequest, SignatureInvalid
from bundlesvc.domain.live_platform.platform_change import Delivery
from bundlesvc.domain.shopper import DELETE_SHOP, ERASE, EXPORT, ShopperRequest
from tests.platforms.shopify.webhooks.test_messages import SECRET, headers, read
from tests.standin.app.webhooks import Webhook, customer_redact, data_request, shop_redact

DOMAIN = "roaster.myshopify.com"
EMAIL = "Mira@mail.example"


def delivered(webhook: Webhook) -> Delivery:
    return read(headers(webhook.raw, webhook.topic), webhook.raw, SECRET)


@pytest.mark.parametrize(
    ("webhook", "request_"),
    [
        (data_request(EMAIL, DOMAIN, 9), ShopperRequest(EXPORT, EMAIL, "9")),
        (customer_redact(EMAIL, DOMAIN), ShopperRequest(ERASE, EMAIL)),
        (customer_redact(EMAIL, "Roaster.MyShopify.com"), ShopperRequest(ERASE, EMAIL)),
        (shop_redact(DOMAIN), ShopperRequest(DELETE_SHOP, DOMAIN)),
    ],
)
def test_request_of_each_topic(webhook: Webhook, request_: ShopperRequest) -> None:
    delivery = delivered(webhook)
    assert delivery.request == request_
    assert delivery.changes == ()


@pytest.mark.parametrize("email", [None, "", "none", "a b@mail.example", f"{'x' * 250}@mail.example"])
def test_customer_without_an_address_that_can_be_stored(email: str | None) -> None:
    assert delivered(data_request(email, DOMAIN)).request is None
    assert delivered(customer_redact(email, DOMAIN)).request is None


@pytest.mark.parametrize("customer", [None, [], "x", {"email": 5}, {"email": ["a@mail.example"]}, {}])
def test_customer_of_another_form(customer: object) -> None:
    body = {**customer_redact(EMAIL, DOMAIN).body, "customer": customer}
    assert delivered(Webhook("customers/redact", body)).request is None


@pytest.mark.parametrize(
    ("topic", "body"),
    [
        ("customers/redact", data_request(EMAIL, DOMAIN).body),
        ("customers/data_request", customer_redact(EMAIL, DOMAIN).body),
        ("shop/redact", customer_redact(EMAIL, DOMAIN).body),
        ("customers/redact", shop_redact(DOMAIN).body),
    ],
)
def test_body_of_another_topic_is_refused(topic: str, body: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        delivered(Webhook(topic, body))


@pytest.mark.parametrize("topic", ["customers/data_request", "customers/redact", "shop/redact"])
def test_body_for_another_shop_is_refused(topic: str) -> None:
    for body in ({}, {"shop_domain": None}, {"shop_domain": "other.myshopify.com", "shop_id": 1}):
        with pytest.raises(SignatureInvalid):
            delivered(Webhook(topic, body))
    with pytest.raises(InvalidJson):
        delivered(Webhook(topic, b"{"))


def test_other_topics_request_nothing() -> None:
    raw = json.dumps({"id": 7}).encode()
    assert read(headers(raw, "products/update"), raw, SECRET).request is None
