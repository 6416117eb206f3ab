"""Shopify's compliance webhooks, which request the export or deletion of shoppers' data. Their address is set in the app's
configuration file."""

from collections.abc import Mapping
from typing import Any

from bundlesvc.domain.errors import Fault, InvalidRequest, SignatureInvalid
from bundlesvc.domain.shopper import DELETE_SHOP, ERASE, EXPORT, ShopperRequest
from bundlesvc.domain.subscription import is_email

KINDS = {"customers/data_request": EXPORT, "customers/redact": ERASE, "shop/redact": DELETE_SHOP}
"""The kinds of requests by topic."""

_OWN_FIELD = {EXPORT: "data_request", ERASE: "orders_to_redact", DELETE_SHOP: "shop_id"}
_MAX_REFERENCE = 64


def request_of(topic: str, body: Mapping[str, Any], domain: str) -> ShopperRequest | None:
    """Read the request from a webhook; None when it concerns a shopper without an e-mail address, about whom nothing can be
    stored.

    Raises SignatureInvalid when the shop does not match the body, and InvalidRequest when the topic does not match it. The
    signature covers only the body, so somebody who has seen a webhook could send it again with another topic, or for another shop
    of the same app.
    """
    kind = KINDS[topic]
    if str(body.get("shop_domain")).lower() != domain.lower():
        raise SignatureInvalid
    if _OWN_FIELD[kind] not in body or (kind == DELETE_SHOP and "customer" in body):
        raise InvalidRequest([Fault(_OWN_FIELD[kind], "invalid", f"This is not the body of a webhook for {topic}.")])
    if kind == DELETE_SHOP:
        return ShopperRequest(kind, domain)
    email = _field(body, "customer", "email")
    if not isinstance(email, str) or not is_email(email):
        return None
    return ShopperRequest(kind, email, _reference(body) if kind == EXPORT else None)


def _reference(body: Mapping[str, Any]) -> str | None:
    reference = _field(body, "data_request", "id")
    return str(reference)[:_MAX_REFERENCE] if isinstance(reference, int | str) else None


def _field(body: Mapping[str, Any], name: str, field: str) -> object:
    part = body.get(name)
    return part.get(field) if isinstance(part, dict) else None
