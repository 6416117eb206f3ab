"""The platform's webhooks, signed and with the platform's headers."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import orjson
from aiohttp import ClientSession

from tests.standin.data.gids import gid
from tests.standin.data.orders import Order
from tests.standin.data.shop import Product, Variant
from tests.standin.operations.versions import CURRENT

SECRET = "standin-secret"
"""The default secret of the app, which signs webhooks."""


DOMAIN = "standin.myshopify.com"
"""The domain of the default shop."""


@dataclass(frozen=True)
class Webhook:
    """A webhook delivery. The platform resends it when no response arrives in time.

    `topic` is written as in the header, such as "products/update". A body that is not bytes is sent as JSON.
    """

    topic: str
    body: Any
    domain: str = DOMAIN
    secret: str = SECRET
    id: str = field(default_factory=lambda: str(uuid4()))
    event_id: str = field(default_factory=lambda: str(uuid4()))
    triggered_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat())
    version: str = CURRENT

    @property
    def raw(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else orjson.dumps(self.body)

    @property
    def headers(self) -> Mapping[str, str]:
        return {
            "Content-Type": "application/json",
            "X-Shopify-Topic": self.topic,
            "X-Shopify-Hmac-Sha256": signature(self.raw, self.secret),
            "X-Shopify-Shop-Domain": self.domain,
            "X-Shopify-API-Version": self.version,
            "X-Shopify-Webhook-Id": self.id,
            "X-Shopify-Event-Id": self.event_id,
            "X-Shopify-Triggered-At": self.triggered_at,
        }

    async def send(self, session: ClientSession, url: str, headers: Mapping[str, str] = {}) -> int:
        """Send the webhook, and return the status of the response. `headers` replace headers of the same name."""
        async with session.post(url, data=self.raw, headers={**self.headers, **headers}) as response:
            await response.read()
            return response.status


def signature(body: bytes, secret: str) -> str:
    """Return the base64-encoded HMAC-SHA256 of the raw body, with the app's secret as the key."""
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


def product_body(product: Product) -> Mapping[str, Any]:
    """Build the body of a products/create or products/update webhook, in the format of the platform's older REST API."""
    return {
        "id": product.id,
        "admin_graphql_api_id": gid("Product", product.id),
        "title": product.title,
        "handle": product.handle,
        "body_html": product.description_html,
        "status": product.status.lower(),
        "tags": ", ".join(product.tags),
        "updated_at": product.updated_at,
        "options": [{"name": option.name, "position": index} for index, option in enumerate(product.options, start=1)],
        "images": [{"src": product.image_url}] if product.image_url else [],
        "variants": [_variant_body(variant) for variant in product.variants],
        "variant_gids": [
            {"admin_graphql_api_id": gid("ProductVariant", variant.id), "updated_at": variant.updated_at}
            for variant in product.variants
        ],
    }


def deleted_product_body(product_id: int) -> Mapping[str, Any]:
    """Build the body of a products/delete webhook."""
    return {"id": product_id}


def inventory_level_body(variant: Variant, location_id: int = 1) -> Mapping[str, Any]:
    """Build the body of an inventory_levels/update webhook. It contains the inventory item but not the variant."""
    item = variant.inventory_item_id
    return {
        "inventory_item_id": item,
        "location_id": location_id,
        "available": variant.quantity,
        "updated_at": variant.updated_at,
        "admin_graphql_api_id": f"{gid('InventoryLevel', location_id)}?inventory_item_id={item}",
    }


def order_webhook(topic: str, order: Order, domain: str = DOMAIN) -> Webhook:
    """Build a webhook about an order. Its body also contains fields to which the service never subscribes."""
    if topic == "orders/edited":
        return Webhook(
            topic, {"order_edit": {"id": 1, "order_id": order.number, "committed_at": order.updated_at}}, domain
        )
    if topic == "refunds/create":
        return Webhook(topic, {"id": 2, "order_id": order.number, "created_at": order.updated_at}, domain)
    lines = [{"variant_id": line.variant_id, "quantity": line.quantity} for line in order.lines]
    body = {"id": order.number, "updated_at": order.updated_at, "email": "mira@mail.example", "line_items": lines}
    return Webhook(topic, body, domain)


def shopper_body(email: str | None, domain: str, **own: Any) -> Mapping[str, Any]:
    """Build the body of a customers/data_request or customers/redact webhook."""
    customer = {"id": 191167, "email": email, "phone": "555-625-1199"}
    return {"shop_id": 954889, "shop_domain": domain, "customer": customer, **own}


def data_request(email: str | None, domain: str = DOMAIN, number: int = 9999) -> Webhook:
    """Build the webhook with which the platform requests a customer's data."""
    body = shopper_body(email, domain, orders_requested=[299938], data_request={"id": number})
    return Webhook("customers/data_request", body, domain)


def customer_redact(email: str | None, domain: str = DOMAIN) -> Webhook:
    """Build the webhook with which the platform requests the erasure of a customer's data."""
    return Webhook("customers/redact", shopper_body(email, domain, orders_to_redact=[299938]), domain)


def shop_redact(domain: str = DOMAIN) -> Webhook:
    """Build the webhook with which the platform requests the deletion of a shop's data, two days after the app was
    uninstalled."""
    return Webhook("shop/redact", {"shop_id": 954889, "shop_domain": domain}, domain)


def _variant_body(variant: Variant) -> Mapping[str, Any]:
    options = {f"option{index}": value for index, value in enumerate(variant.option_values, start=1)}
    return {
        "id": variant.id,
        "admin_graphql_api_id": gid("ProductVariant", variant.id),
        "title": variant.title,
        "price": f"{variant.price:.2f}",
        "inventory_item_id": variant.inventory_item_id,
        "inventory_quantity": variant.quantity,
        **options,
    }
