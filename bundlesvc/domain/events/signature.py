"""Signatures of deliveries: HMAC-SHA256 over id, time and body, as defined by Standard Webhooks
(https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac

SECRET_PREFIX = "whsec_"  # noqa: S105 - the standard's prefix, not a secret
SECRET_BYTES = 24


def secret_text(secret: bytes) -> str:
    """Return the secret as the text that receivers enter in their configuration."""
    return f"{SECRET_PREFIX}{base64.b64encode(secret).decode()}"


def signature(secret: str, event_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of the `webhook-signature` header."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{event_id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
