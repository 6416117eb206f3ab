"""Hashes of visitors' ids, computed with a secret of their shop. Without the secret, somebody who knows a visitor's id cannot
find the visitor's data."""

import hmac
import secrets
from collections.abc import Collection, Iterable

from sqlalchemy import Connection, delete, insert, select, update

from bundlesvc.storage.database.tables import experiment_visitors, order_totals, visitor_secrets

HASH_LENGTH = 32


def visitor_hash(connection: Connection, shop_id: int, visitor_id: str) -> str:
    """Return the hash of a visitor's id. The first call for a shop creates its secret."""
    return visitor_hashes(connection, shop_id, [visitor_id])[visitor_id]


def visitor_hashes(connection: Connection, shop_id: int, visitor_ids: Iterable[str]) -> dict[str, str]:
    """Return the hashes of several visitors' ids, by id."""
    secret = _stored_secret(connection, shop_id) or _make_secret(connection, shop_id)
    return {visitor_id: _hash(secret, visitor_id) for visitor_id in visitor_ids}


def forget_visitors(connection: Connection, shop_id: int, visitor_ids: Collection[str]) -> None:
    """Remove visitors from A/B tests and from order totals. If the shop has no secret, no data about visitors is stored."""
    secret = _stored_secret(connection, shop_id)
    if secret is None:
        return
    hashes = [_hash(secret, visitor_id) for visitor_id in visitor_ids]
    seen, total = experiment_visitors.c, order_totals.c
    connection.execute(delete(experiment_visitors).where(seen.shop_id == shop_id, seen.visitor.in_(hashes)))
    connection.execute(
        update(order_totals).where(total.shop_id == shop_id, total.visitor.in_(hashes)).values(visitor=None)
    )


def _stored_secret(connection: Connection, shop_id: int) -> str | None:
    own = select(visitor_secrets.c.secret).where(visitor_secrets.c.shop_id == shop_id)
    stored: str | None = connection.execute(own).scalar()
    return stored


def _make_secret(connection: Connection, shop_id: int) -> str:
    made = secrets.token_hex(32)
    connection.execute(insert(visitor_secrets).values(shop_id=shop_id, secret=made))
    return made


def _hash(secret: str, visitor_id: str) -> str:
    return hmac.digest(bytes.fromhex(secret), visitor_id.encode(), "sha256").hex()[:HASH_LENGTH]
