"""Requests with an idempotency key: a retry gets the first response again (docs/contract.md#idempotency)."""

import re

from aiohttp import web

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.posts.response import HEADERS
from bundlesvc.domain.errors import IdempotencyKeyInvalid

HEADER = "Idempotency-Key"
MAX_KEY_LENGTH = 255
_KEY = re.compile(r"[!-~]([ -~]*[!-~])?", re.ASCII)


def idempotency_key(request: web.Request | RawRequestMessage) -> str | None:
    """Return the `Idempotency-Key` header, or None when it is absent. Raises IdempotencyKeyInvalid."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not is_idempotency_key(key):
        raise IdempotencyKeyInvalid
    return key


def is_idempotency_key(text: str) -> bool:
    """Whether a string consists of 1 to `MAX_KEY_LENGTH` printable ASCII characters, without a space at either end."""
    return len(text) <= MAX_KEY_LENGTH and _KEY.fullmatch(text) is not None


def replay_response(body: bytes) -> web.Response:
    """Build the response to a retry from the stored body of the first response."""
    return web.Response(body=body, headers={**HEADERS, "Idempotent-Replayed": "true"})
