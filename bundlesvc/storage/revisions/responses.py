"""The stored responses to management API requests with an idempotency key."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from bundlesvc.domain.errors import IdempotencyKeyReused
from bundlesvc.domain.idempotency import RESPONSE_SECONDS, IdempotencyKey
from bundlesvc.domain.revisions.revision import Act, Response
from bundlesvc.ports.revisions import ResponseStored
from bundlesvc.storage.database.tables import manage_responses
from bundlesvc.storage.revisions.packing import pack_document, unpack_document

_ROWS = manage_responses.c


def find_response(connection: Connection, shop_id: int, api_key: str, key: IdempotencyKey, now: int) -> Response | None:
    """Find the response stored for a key; None when there is none. Raises IdempotencyKeyReused, DocumentDamaged."""
    row = connection.execute(select(manage_responses).where(_is(shop_id, api_key, key))).first()
    if row is None or row.created_at <= now - RESPONSE_SECONDS:
        return None
    if row.body_digest != key.body_digest:
        raise IdempotencyKeyReused
    return Response(row.status, row.etag, unpack_document(row.answer).encode())


def refuse_repetition(connection: Connection, shop_id: int, act: Act) -> None:
    """Raise ResponseStored if the act's request has already been processed, and IdempotencyKeyReused if its idempotency key
    was used for another request."""
    request = act.idempotent_request
    if request is None:
        return
    found = find_response(connection, shop_id, request.api_key, request.key, act.now)
    if found is not None:
        raise ResponseStored(found)


def remember(connection: Connection, shop_id: int, act: Act, result: Any) -> None:
    """Store the response to the act's request, if that request has an idempotency key."""
    request = act.idempotent_request
    if request is None:
        return
    key, response = request.key, request.render(result)
    connection.execute(delete(manage_responses).where(_is(shop_id, request.api_key, key)))  # an expired row
    values = {
        "shop_id": shop_id,
        "api_key": request.api_key,
        "method": key.method,
        "path": key.path,
        "key": key.key,
        "body_digest": key.body_digest,
        "status": response.status,
        "etag": response.etag,
        "answer": pack_document(response.body.decode()),
        "created_at": act.now,
    }
    connection.execute(insert(manage_responses).values(values))


def _is(shop_id: int, api_key: str, key: IdempotencyKey) -> ColumnElement[bool]:
    return (
        (_ROWS.shop_id == shop_id)
        & (_ROWS.api_key == api_key)
        & (_ROWS.method == key.method)
        & (_ROWS.path == key.path)
        & (_ROWS.key == key.key)
    )
