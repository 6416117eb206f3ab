"""Bytes and text from a request to values: path ids, query parameters, headers, JSON bodies (design 4)."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from aiohttp import web
from marshmallow import Schema, ValidationError

from bundlesvc.api.app_keys import BODY_MEMORY
from bundlesvc.domain.countries import parse_country
from bundlesvc.domain.errors import (
    BundlesvcError,
    Fault,
    IdempotencyKeyInvalid,
    InvalidRequest,
)
from bundlesvc.domain.identifiers import MAX_ID, parse_id
from bundlesvc.json_body import parse_object

MAX_BODY_BYTES = 1024 * 1024
MAX_KEY_LENGTH = 255

REQUIRED = "This is required."
NO_ID = f"An id is a whole number from 1 to {MAX_ID}."
NO_COUNTRY = "This is no ISO 3166-1 alpha-2 country code."


def path_id(request: web.Request) -> int:
    """The id in the path. Raises InvalidRequest when it is none."""
    number = parse_id(request.match_info["id"])
    if number is None:
        raise InvalidRequest([Fault("id", "invalid", NO_ID)])
    return number


def path_ids(request: web.Request, *names: str) -> list[int]:
    """The ids in the path. Raises InvalidRequest with each that is none."""
    numbers = {name: parse_id(request.match_info[name]) for name in names}
    faults = [Fault(name, "invalid", NO_ID) for name, number in numbers.items() if number is None]
    if faults:
        raise InvalidRequest(faults)
    return [number for number in numbers.values() if number is not None]


def query_country(request: web.Request) -> str | None:
    """The query's countryCode. Raises InvalidRequest when there is no such country."""
    sent = request.query.get("countryCode") if request.query_string else None
    if sent is None:
        return None
    country = parse_country(sent)
    if country is None:
        raise InvalidRequest([Fault("countryCode", "invalid", NO_COUNTRY)])
    return country


def idempotency_key(request: web.Request) -> str | None:
    """The Idempotency-Key header. Raises IdempotencyKeyInvalid."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (1 <= len(key) <= MAX_KEY_LENGTH and key.isascii() and key.isprintable()):
        raise IdempotencyKeyInvalid
    return key


Body = bytes | BundlesvcError
"""A body as it was read, or what is wrong with it: told in its turn, once the bundle is found."""


async def read_body(request: web.Request) -> Body:
    """The body, read to its end or to the limit of what this API takes."""
    parts: list[bytes] = []
    try:
        await request.app[BODY_MEMORY].receive(request, MAX_BODY_BYTES, parts.append)
    except BundlesvcError as error:
        return error
    return b"".join(parts)


def body_digest(body: Body) -> str:
    """What tells whether two bodies are the same bytes; one that could not be read is like no other."""
    return hashlib.sha256(body).hexdigest() if isinstance(body, bytes) else ""


def load_body(body: Body, schema: Schema) -> Any:
    """What the schema makes of a JSON body. Raises BodyTooLarge, InvalidJson, InvalidRequest with every fault."""
    if not isinstance(body, bytes):
        raise body
    plain = parse_object(body)
    try:
        return schema.load(plain)
    except ValidationError as error:
        raise InvalidRequest(list(_faults(error.messages))) from error


def _faults(messages: Any, path: str = "") -> Iterator[Fault]:
    """marshmallow's tree of messages as a flat list with dotted paths."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from _faults(inner, path if name == "_schema" else f"{path}.{name}".lstrip("."))
    else:
        for message in messages:
            yield Fault(path, "required" if message == REQUIRED else "invalid", message)
