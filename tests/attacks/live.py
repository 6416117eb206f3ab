"""Delivers signed webhooks to a shop on a live platform."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from tests.api.conftest import Client
from tests.platforms.shopify.webhooks.test_messages import headers


async def deliver(
    client: Client,
    body: bytes,
    topic: str = "products/update",
    *,
    shop: str = "live",
    changed: Mapping[str, str | None] | None = None,
) -> tuple[int, Any]:
    """Send a signed delivery, with the headers in `changed` replaced, and return the status and the body of the response."""
    sent = headers(body, topic, changed)
    async with client.post(f"/webhooks/platform/{shop}", data=BytesIO(body), headers=sent) as response:
        text = await response.text()
        return response.status, json.loads(text) if text else None
