"""Signatures of deliveries: HMAC-SHA256 of id, time and body, as Standard Webhooks has it (https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac

SECRET_PREFIX = "whsec_"  # noqa: S105 - the standard's mark of a secret
SECRET_BYTES = 24


def secret_text(secret: bytes) -> str:
    """The secret as receivers configure it."""
    return f"{SECRET_PREFIX}{base64.b64encode(secret).decode()}"


def signature(secret: str, event_id: str, timestamp: int, body: bytes) -> str:
    """The value of `webhook-signature`."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{event_id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
