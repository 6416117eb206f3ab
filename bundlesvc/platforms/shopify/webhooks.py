"""Shopify's webhooks: the signature, and what each topic says changed. Bodies are taken as a sign that something changed;
what it is now is read again."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bundlesvc.domain.errors import Fault, InvalidRequest, SignatureInvalid
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.json_body import parse_object
from bundlesvc.ports import INVENTORY_ITEM, MARKETS, PRODUCT, SELLING_PLANS, SHOP_SETTINGS, Change, Delivery

SIGNATURE = "X-Shopify-Hmac-Sha256"
TOPIC = "X-Shopify-Topic"
DOMAIN = "X-Shopify-Shop-Domain"
DELIVERY = "X-Shopify-Webhook-Id"

_MAX_DELIVERY = 255


def _one(kind: str, field: str) -> Callable[[Mapping[str, Any]], Change]:
    return lambda body: Change(kind, _id(body, field))


def _whole(kind: str) -> Callable[[Mapping[str, Any]], Change]:
    return lambda _: Change(kind)


CHANGES: Mapping[str, Callable[[Mapping[str, Any]], Change]] = {
    "products/create": _one(PRODUCT, "id"),
    "products/update": _one(PRODUCT, "id"),
    "products/delete": _one(PRODUCT, "id"),
    "inventory_levels/update": _one(INVENTORY_ITEM, "inventory_item_id"),
    "inventory_items/update": _one(INVENTORY_ITEM, "id"),
    "shop/update": _whole(SHOP_SETTINGS),
    "markets/create": _whole(MARKETS),
    "markets/update": _whole(MARKETS),
    "markets/delete": _whole(MARKETS),
    "selling_plan_groups/create": _whole(SELLING_PLANS),
    "selling_plan_groups/update": _whole(SELLING_PLANS),
    "selling_plan_groups/delete": _whole(SELLING_PLANS),
}
"""What we subscribe to, by topic. Other topics change nothing that is remembered."""


class ShopifyWebhooks:
    """The port `WebhookReader`."""

    def read(self, headers: Mapping[str, str], body: bytes, secret: str) -> Delivery:
        if not secret or not body or not hmac.compare_digest(signature(body, secret), _sent_signature(headers)):
            raise SignatureInvalid
        faults = list(_faults(headers))
        if faults:
            raise InvalidRequest(faults)
        change_of = CHANGES.get(headers[TOPIC].lower())
        changes = (change_of(parse_object(body)),) if change_of else ()
        return Delivery(headers[DELIVERY], headers[DOMAIN].lower(), changes)


def signature(body: bytes, secret: str) -> bytes:
    """The signature that belongs to these bytes: HMAC-SHA256 under the app's secret, in base64."""
    return base64.b64encode(hmac.digest(secret.encode(), body, hashlib.sha256))


def _faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    for name in (TOPIC, DOMAIN, DELIVERY):
        if not headers.get(name):
            yield Fault(name, "required", "This header is required.")
    if len(headers.get(DELIVERY, "")) > _MAX_DELIVERY:
        yield Fault(DELIVERY, "invalid", f"This is longer than {_MAX_DELIVERY} characters.")


def _sent_signature(headers: Mapping[str, str]) -> bytes:
    return headers.get(SIGNATURE, "").encode("utf-8", "surrogateescape")


def _id(body: Mapping[str, Any], field: str) -> int:
    sent = body.get(field)
    number = parse_id(str(sent)) if isinstance(sent, int | str) else None
    if number is None:
        raise InvalidRequest([Fault(field, "invalid", "This is not an id.")])
    return number
