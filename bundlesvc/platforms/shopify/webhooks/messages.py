"""Checks the signatures of Shopify's webhooks, and reads what changed. Only the ids in a body are used; the changed data is
fetched from the API."""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bundlesvc.domain.errors import Fault, InvalidRequest, SignatureInvalid
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.live_platform.platform_change import (
    CONTRACT,
    INVENTORY_ITEM,
    MARKETS,
    ORDER,
    PRODUCT,
    SELLING_PLANS,
    SHOP_SETTINGS,
    Change,
    Delivery,
    Notice,
    ProductUpdate,
)
from bundlesvc.json_body import parse_object
from bundlesvc.platforms.calls.times import whole_seconds
from bundlesvc.platforms.shopify.webhooks import compliance

SIGNATURE = "X-Shopify-Hmac-Sha256"
TOPIC = "X-Shopify-Topic"
DOMAIN = "X-Shopify-Shop-Domain"
DELIVERY = "X-Shopify-Webhook-Id"

_MAX_DELIVERY = 255
_TOPIC_FORM = re.compile(r"[A-Za-z0-9_]{1,100}(/[A-Za-z0-9_]{1,100}){1,2}\Z")


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
"""The topics to subscribe to, with the changes that each reports. Other topics affect nothing that is cached."""

UPDATE = "products/update"
"""The only topic that the service's own changes to a product trigger."""

ORDERS = "orders/create"
"""The topic that reports which variants were bought."""

NOTICES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    ORDERS: (ORDER, ("id",)),
    "orders/paid": (ORDER, ("id",)),
    "orders/edited": (ORDER, ("order_edit", "order_id")),
    "orders/cancelled": (ORDER, ("id",)),
    "refunds/create": (ORDER, ("order_id",)),
    "subscription_contracts/activate": (CONTRACT, ("id",)),
    "subscription_contracts/cancel": (CONTRACT, ("id",)),
    "subscription_contracts/expire": (CONTRACT, ("id",)),
    "subscription_contracts/fail": (CONTRACT, ("id",)),
}
"""The topics about orders and contracts, with the kind of object that each names and the path of its id in the body. These topics
require the scopes for reading the objects."""

OTHER_TOPIC = "other"
"""The metrics label of all other topics. The header with the topic is not signed, so an unknown value must not become a label."""


class ShopifyWebhooks:
    """Implements the `WebhookReader` port."""

    def domain(self, headers: Mapping[str, str]) -> str:
        return headers.get(DOMAIN, "").lower()

    def is_addressed(self, headers: Mapping[str, str], domain: str) -> bool:
        return self.domain(headers) == domain.lower() and _sent_signature(headers) is not None

    def expect(self, headers: Mapping[str, str], domain: str, secrets: Sequence[str]) -> "ShopifyMessage":
        sent = _sent_signature(headers)
        if not secrets or sent is None or self.domain(headers) != domain.lower():
            raise SignatureInvalid
        faults = list(_faults(headers))
        if faults:
            raise InvalidRequest(faults)
        return ShopifyMessage(headers[DELIVERY], headers[TOPIC].lower(), domain, sent, secrets)


class ShopifyMessage:
    """Implements the `SignedMessage` port, and computes the signature while the body arrives."""

    def __init__(self, delivery: str, topic: str, domain: str, sent: bytes, secrets: Sequence[str]) -> None:
        self._delivery = delivery
        self._topic = topic
        self._domain = domain
        self._sent = sent
        self._signatures = [hmac.new(secret.encode(), digestmod=hashlib.sha256) for secret in secrets]
        self._parts: list[bytes] = []

    def feed(self, part: bytes) -> None:
        for signature in self._signatures:
            signature.update(part)
        self._parts.append(part)

    def finish(self) -> Delivery:
        signed = any(hmac.compare_digest(signature.digest(), self._sent) for signature in self._signatures)
        if not self._parts or not signed:
            raise SignatureInvalid
        change_of = CHANGES.get(self._topic)
        is_request = self._topic in compliance.KINDS
        is_known = change_of is not None or is_request or self._topic in NOTICES
        body = parse_object(b"".join(self._parts)) if is_known else {}
        changes = (change_of(body),) if change_of else ()
        bought = _bought(body) if self._topic == ORDERS else frozenset()
        # products/create and products/update may both report the same new product
        subject = self._topic.partition("/")[0]
        request = compliance.request_of(self._topic, body, self._domain) if is_request else None
        topic = self._topic if is_known else OTHER_TOPIC
        digest, updated = self._digest(body, changes), self._update(body)
        notices = tuple(_notices(self._topic, body))
        return Delivery(
            self._delivery, changes, digest, subject, topic, bought, updated, request=request, notices=notices
        )

    def _update(self, body: Mapping[str, Any]) -> ProductUpdate | None:
        updated_at = whole_seconds(body.get("updated_at")) if self._topic == UPDATE else None
        return None if updated_at is None else ProductUpdate(_id(body, "id"), updated_at)

    def _digest(self, body: Mapping[str, Any], changes: tuple[Change, ...]) -> str:
        """Return a digest that is the same for a delivery and its replay. Without `updated_at`, two changes to the same product
        have the same body and signature, so the digest then includes the delivery's id to distinguish them."""
        distinction = self._delivery if changes and "updated_at" not in body else ""
        return hashlib.sha256(self._sent + distinction.encode()).hexdigest()


def _sent_signature(headers: Mapping[str, str]) -> bytes | None:
    """Read the signature from the headers: HMAC-SHA256 of the body under the app's secret. Returns None when it is malformed."""
    try:
        sent = base64.b64decode(headers.get(SIGNATURE, ""), validate=True)
    except ValueError:
        return None
    return sent if len(sent) == hashlib.sha256().digest_size else None


def _faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    for name in (TOPIC, DELIVERY):
        if not headers.get(name):
            yield Fault(name, "required", "This header is required.")
    if headers.get(TOPIC) and not _TOPIC_FORM.match(headers[TOPIC]):
        yield Fault(TOPIC, "invalid", "This is not a webhook topic.")
    if len(headers.get(DELIVERY, "")) > _MAX_DELIVERY:
        yield Fault(DELIVERY, "invalid", f"This is longer than {_MAX_DELIVERY} characters.")


def _bought(order: Mapping[str, Any]) -> frozenset[int]:
    """Return the variants in an order's lines. Ignores lines without a variant, such as a tip."""
    lines = order.get("line_items")
    named = [line.get("variant_id") for line in lines if isinstance(line, dict)] if isinstance(lines, list) else []
    variants = (parse_id(str(variant)) for variant in named if isinstance(variant, int | str))
    return frozenset(variant for variant in variants if variant is not None)


def _notices(topic: str, body: Mapping[str, Any]) -> Iterator[Notice]:
    """Yield the order or subscription contract that a webhook refers to. Yields nothing for webhooks without an id, which older
    subscriptions send."""
    kind, path = NOTICES.get(topic, ("", ()))
    found: Any = body if path else None
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    number = parse_id(str(found)) if isinstance(found, int | str) else None
    if number is not None:
        yield Notice(kind, str(number))


def _id(body: Mapping[str, Any], field: str) -> int:
    sent = body.get(field)
    number = parse_id(str(sent)) if isinstance(sent, int | str) else None
    if number is None:
        raise InvalidRequest([Fault(field, "invalid", "This is not an id.")])
    return number
