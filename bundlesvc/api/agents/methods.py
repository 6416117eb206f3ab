"""The methods of the Model Context Protocol: handshake, discovery and tools."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from aiohttp import web

from bundlesvc import __version__
from bundlesvc.api.agents.messages import INVALID_PARAMS, METHOD_NOT_FOUND, Json, Message, ProtocolError
from bundlesvc.api.agents.revisions import DISCOVER, INITIALIZE, REVISIONS, STATELESS, negotiated
from bundlesvc.api.agents.statistics import CALLS
from bundlesvc.api.agents.tool import Tool, ToolCall
from bundlesvc.api.agents.toolbox import TOOLBOX
from bundlesvc.api.errors import own_fields
from bundlesvc.api.requests.parsing import load_object
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import BundlesvcError, RateLimited, Unavailable
from bundlesvc.request_deadline import RequestDeadline

INSTRUCTIONS = (
    "Product bundles of one shop. The usual order: list_bundles, get_bundle for the one that fits, choose by its rules, "
    "check_selection, ask the shopper, configure. Amounts are decimal strings in the shop's currency unless a field names "
    "another. Never compute a price: take it from check_selection or price_selection."
)

_CAPABILITIES: Json = {"tools": {"listChanged": False}}
_SERVER = {"name": "bundlesvc", "title": "Product bundles", "version": __version__}
_FRESH: Json = {"ttlMs": 300_000, "cacheScope": "public"}
"""Caching fields for responses that are the same for every shop, and change only when the service is upgraded."""


@dataclass(frozen=True, slots=True)
class Request:
    """A client's request, with the application, the caller and the deadline that a tool call needs."""

    message: Message
    app: web.Application
    caller: Caller
    deadline: RequestDeadline


Method = Callable[[Request], Awaitable[Json]]


async def serve(request: Request, revision: str) -> Json:
    """Serve a request in the given revision of the protocol, and return its result. Raises ProtocolError."""
    is_stateless = revision == STATELESS
    method = (_STATELESS if is_stateless else _HANDSHAKE).get(request.message.method)
    if method is None:
        # Clients of older revisions would take a 404 to mean that their session has ended.
        status = HTTPStatus.NOT_FOUND if is_stateless else HTTPStatus.OK
        raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {request.message.method[:64]}.", status=status)
    result = await method(request)
    if is_stateless:
        return {"resultType": "complete", **result, "_meta": {"io.modelcontextprotocol/serverInfo": _SERVER}}
    return result


async def _initialize(request: Request) -> Json:
    revision = negotiated(request.message.params.get("protocolVersion"))
    about = {"capabilities": _CAPABILITIES, "serverInfo": _SERVER, "instructions": INSTRUCTIONS}
    return {"protocolVersion": revision, **about}


async def _discover(request: Request) -> Json:
    about = {"supportedVersions": list(REVISIONS), "capabilities": _CAPABILITIES, "instructions": INSTRUCTIONS}
    return {**about, **_FRESH}


async def _ping(request: Request) -> Json:
    return {}


async def _list_tools(request: Request) -> Json:
    return {"tools": request.app[TOOLBOX].definitions()}


async def _list_tools_for_a_while(request: Request) -> Json:
    return {**await _list_tools(request), **_FRESH}


async def _call_tool(request: Request) -> Json:
    """Call a tool and return its result, or the reason for a refusal, which the assistant can read and act on."""
    params = request.message.params
    tool, sent = request.app[TOOLBOX].find(params.get("name")), params.get("arguments")
    if tool is None:
        raise ProtocolError(INVALID_PARAMS, "There is no such tool.")
    if sent is not None and not isinstance(sent, dict):
        raise ProtocolError(INVALID_PARAMS, "arguments must be an object.")
    statistics = request.app[CALLS]
    try:
        result = await _run(tool, request, sent or {})
    except BundlesvcError as error:
        statistics.count(tool.name, error.code)
        return {"content": [_text(_refusal(error))], "isError": True}
    statistics.count(tool.name, "ok")
    return {"content": [_text(result)], "structuredContent": result, "isError": False}


async def _run(tool: Tool, request: Request, sent: Json) -> Json:
    arguments: Any = load_object(sent, tool.arguments)
    return await tool.run(ToolCall(request.app, request.caller, request.deadline, sent, arguments))


def _refusal(error: BundlesvcError) -> Json:
    """Build the body that the API would send for this error, without the request id, which is in a header, but with `retryAfter`
    where the API would send the header `Retry-After`."""
    body = {"error": str(error), "code": error.code, **own_fields(error)}
    if isinstance(error, RateLimited | Unavailable):
        body["retryAfter"] = error.retry_after
    return body


def _text(content: Json) -> Json:
    return {"type": "text", "text": orjson.dumps(content).decode()}


_HANDSHAKE: dict[str, Method] = {
    INITIALIZE: _initialize,
    "ping": _ping,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
}
_STATELESS: dict[str, Method] = {
    DISCOVER: _discover,
    "tools/list": _list_tools_for_a_while,
    "tools/call": _call_tool,
}
