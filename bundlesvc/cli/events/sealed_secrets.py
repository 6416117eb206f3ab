"""Re-encrypts the secrets of webhook endpoints, for `bundlesvc secrets reseal`."""

from bundlesvc.ports import RotatingCipher
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.events.endpoints import SqlWebhookEndpoints

NAME = "webhook secret"
REMEDY = "add the endpoints again: bundlesvc webhooks list"
"""What to do about secrets that no key can decrypt."""


async def reseal(database: Database, cipher: RotatingCipher, now: int, *, dry_run: bool) -> tuple[int, int]:
    """Re-encrypt all secrets with the first key. Returns how many were (or would be) re-encrypted, and how many cannot be
    decrypted with any key."""
    endpoints = SqlWebhookEndpoints(database, cipher)
    return await (endpoints.outdated() if dry_run else endpoints.reseal(now))
