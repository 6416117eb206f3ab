"""A shop on a live platform, and deliveries of its webhooks."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from tests.api.conftest import Client
from tests.platforms.shopify.test_webhooks import headers


async def deliver(
    client: Client,
    body: bytes,
    topic: str = "products/update",
    *,
    shop: str = "live",
    changed: Mapping[str, str | None] | None = None,
) -> tuple[int, Any]:
    """Status and body of the answer to a delivery that is signed, with these headers changed."""
    sent = headers(body, topic, changed)
    async with client.post(f"/webhooks/platform/{shop}", data=BytesIO(body), headers=sent) as answer:
        text = await answer.text()
        return answer.status, json.loads(text) if text else None
