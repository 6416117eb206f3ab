"""Idempotency keys and the responses stored for them (docs/contract.md#idempotency)."""

from bundlesvc.immutable import immutable

RESPONSE_SECONDS = 24 * 60 * 60
"""The number of seconds for which an idempotency key returns the stored response."""


@immutable
class IdempotencyKey:
    """An idempotency key in its scope, with the digest of the request body."""

    test: bool
    method: str
    path: str
    key: str
    body_digest: str


@immutable
class StoredResponse:
    """The rendered body of a configure response. `replayed` is set when an earlier request stored it."""

    body: bytes
    replayed: bool = False
