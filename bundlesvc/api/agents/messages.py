"""The subset of JSON-RPC 2.0 that the Model Context Protocol uses: one request or notification per body, and its reply."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson

from bundlesvc.domain.errors import InvalidJson, InvalidRequest
from bundlesvc.json_body import parse_object

Json = dict[str, Any]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

_NOT_ONE_MESSAGE = "The body must be one JSON-RPC request or notification. Batches and responses are not accepted."


class ProtocolError(Exception):
    """A message that cannot be processed. `status` is the status of the HTTP response."""

    def __init__(self, code: int, message: str, data: Json | None = None, status: int = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.code = code
        self.data = data
        self.status = status


@dataclass(frozen=True, slots=True)
class Message:
    """A request or a notification. A notification has no id and gets no reply."""

    method: str
    params: Json
    id: str | int | None

    @property
    def meta(self) -> Json:
        """The `_meta` object in the parameters; empty when there is none."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


def read_message(body: bytes) -> Message:
    """Parse the message in a body. Raises ProtocolError."""
    try:
        plain = parse_object(body)
    except InvalidJson as error:
        raise ProtocolError(PARSE_ERROR, str(error)) from error
    except InvalidRequest as error:
        raise ProtocolError(INVALID_REQUEST, _NOT_ONE_MESSAGE) from error
    method, id_, params = plain.get("method"), plain.get("id"), plain.get("params", {})
    if plain.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, _NOT_ONE_MESSAGE)
    if "id" in plain and type(id_) not in (str, int):
        raise ProtocolError(INVALID_REQUEST, "The id of a request must be a string or a whole number.")
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object.")
    return Message(method, params, id_)


def id_in(body: bytes) -> str | int | None:
    """Find the id of a message, for the error reply. Returns None if the message has no valid id."""
    try:
        id_ = parse_object(body).get("id")
    except (InvalidJson, InvalidRequest):
        return None
    return id_ if type(id_) in (str, int) else None


def result_body(message: Message, result: Json) -> bytes:
    """Serialise the reply to a request that succeeded."""
    return orjson.dumps({"jsonrpc": "2.0", "id": message.id, "result": result})


def error_body(id_: str | int | None, error: ProtocolError) -> bytes:
    """Serialise the reply to a message that could not be served. `id_` is None when the message had no valid id."""
    fields: Json = {"code": error.code, "message": str(error)}
    if error.data is not None:
        fields["data"] = error.data
    return orjson.dumps({"jsonrpc": "2.0", "id": id_, "error": fields})
