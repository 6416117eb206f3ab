"""Parses the parts of a request: path ids, query parameters, headers, JSON bodies."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from aiohttp import web
from marshmallow import Schema, ValidationError

from bundlesvc.api.app_keys import BODY_MEMORY, CALLER
from bundlesvc.api.bodies.memory import Sender
from bundlesvc.api.bodies.reading import receive_body
from bundlesvc.api.visitors import VISITORS
from bundlesvc.domain.errors import (
    BundlesvcError,
    Fault,
    InvalidRequest,
)
from bundlesvc.domain.identifiers import MAX_ID, parse_country, parse_id
from bundlesvc.json_body import parse_object

REQUIRED = "This is required."
NO_ID = f"Must be a whole number from 1 to {MAX_ID}."
NO_COUNTRY = "Must be an ISO 3166-1 alpha-2 country code."


T = TypeVar("T")


def path_id(request: web.Request) -> int:
    """Parse the id in the path. Raises InvalidRequest."""
    number = parse_id(request.match_info["id"])
    if number is None:
        raise InvalidRequest([Fault("id", "invalid", NO_ID)])
    return number


def path_ids(request: web.Request, *names: str) -> list[int]:
    """Parse the ids in the path. Raises InvalidRequest with a fault for each invalid id."""
    numbers = {name: parse_id(request.match_info[name]) for name in names}
    faults = [Fault(name, "invalid", NO_ID) for name, number in numbers.items() if number is None]
    if faults:
        raise InvalidRequest(faults)
    return [number for number in numbers.values() if number is not None]


def query_country(request: web.Request) -> str | None:
    """Parse the query parameter `countryCode`. Returns None when it is absent. Raises InvalidRequest."""
    sent = request.query.get("countryCode") if request.query_string else None
    if sent is None:
        return None
    country = parse_country(sent)
    if country is None:
        raise InvalidRequest([Fault("countryCode", "invalid", NO_COUNTRY)])
    return country


class QueryReader:
    """Reads query parameters one by one, and collects their faults."""

    def __init__(self, request: web.Request) -> None:
        self._query = request.query
        self.faults: list[Fault] = []

    def text(self, name: str) -> str | None:
        return self._query.get(name) or None

    def take(self, name: str, parse: Callable[[str], T | None], fault: str) -> T | None:
        """Parse a query parameter. Returns None when it is absent or invalid; an invalid value is recorded as a fault with the
        message `fault`."""
        sent = self._query.get(name)
        if sent is None:
            return None
        value = parse(sent)
        if value is None:
            self.faults.append(Fault(name, "invalid", fault))
        return value


BodyOrError = bytes | BundlesvcError
"""A body, or the error from reading it. The error is raised only after errors about the bundle
(docs/contract.md#order-of-checks)."""


async def read_body(request: web.Request, limit: int) -> BodyOrError:
    """Read a body of up to `limit` bytes. Returns an error if the body cannot be read."""
    parts: list[bytes] = []
    try:
        await receive_body(request, request.app[BODY_MEMORY], _sender, limit, parts.append)
    except BundlesvcError as error:
        return error
    return b"".join(parts)


def _sender(request: web.Request) -> Sender:
    caller = request.get(CALLER)
    address = request.app[VISITORS].of(request.remote, request.headers)
    return Sender(address, () if caller is None else (caller.key.id,))


def body_digest(body: BodyOrError) -> str:
    """Compute the digest of a body; equal bodies have equal digests. Returns "" for a body that could not be read."""
    return hashlib.sha256(body).hexdigest() if isinstance(body, bytes) else ""


def load_body(body: BodyOrError, schema: Schema) -> Any:
    """Load a JSON body with the schema. Raises InvalidJson, InvalidRequest with every fault, or the error that occurred when the
    body was read."""
    if not isinstance(body, bytes):
        raise body
    return load_object(parse_object(body), schema)


def load_object(plain: Mapping[str, Any], schema: Schema) -> Any:
    """Load a JSON object with the schema. Raises InvalidRequest with every fault."""
    try:
        return schema.load(plain)
    except ValidationError as error:
        raise InvalidRequest(list(_faults(error.messages))) from error


def _faults(messages: Any, path: str = "") -> Iterator[Fault]:
    """Yield the leaves of marshmallow's tree of messages as faults with dotted paths."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from _faults(inner, path if name == "_schema" else f"{path}.{name}".lstrip("."))
    else:
        for message in messages:
            yield Fault(path, "required" if message == REQUIRED else "invalid", message)
