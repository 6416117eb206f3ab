"""Requests with an idempotency key, of which a retry gets the first response again (docs/contract.md#idempotency)."""

import re

from aiohttp import web

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.posts.response import HEADERS
from bundlesvc.domain.errors import IdempotencyKeyInvalid

MAX_KEY_LENGTH = 255
_KEY = re.compile(r"[!-~]([ -~]*[!-~])?", re.ASCII)


def idempotency_key(request: web.Request | RawRequestMessage) -> str | None:
    """The Idempotency-Key header, if present. Raises IdempotencyKeyInvalid."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not is_idempotency_key(key):
        raise IdempotencyKeyInvalid
    return key


def is_idempotency_key(text: str) -> bool:
    """Whether a text has 1 to `MAX_KEY_LENGTH` printable ASCII characters, and no space at an end."""
    return len(text) <= MAX_KEY_LENGTH and _KEY.fullmatch(text) is not None


def replay_response(body: bytes) -> web.Response:
    """The response to a retry: the stored body of the first one."""
    return web.Response(body=body, headers={**HEADERS, "Idempotent-Replayed": "true"})
