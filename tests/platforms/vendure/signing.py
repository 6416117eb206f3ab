"""Signs webhooks as the plugin does."""

import base64
import hashlib
import hmac
from typing import Any

import orjson

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
OTHER_SECRET = "whsec_" + base64.b64encode(b"o" * 32).decode()


def signature(secret: str, delivery: str, sent_at: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{delivery}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def signed(body: Any, sent_at: float, delivery: str = "d-1", secret: str = SECRET) -> tuple[dict[str, str], bytes]:
    """Build the headers and the body of a signed webhook."""
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    time = int(sent_at)
    headers = {
        "webhook-id": delivery,
        "webhook-timestamp": str(time),
        "webhook-signature": signature(secret, delivery, time, content),
    }
    return headers, content
