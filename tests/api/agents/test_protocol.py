"""Messages, revisions, headers and methods of the protocol (docs/agents.md#protocol)."""

from base64 import b64encode
from typing import Any

import pytest

from bundlesvc import __version__
from bundlesvc.api.agents.revisions import HANDSHAKES, REVISIONS, STATELESS
from bundlesvc.api.agents.tools import TOOLS
from bundlesvc.json_body import MAX_DEPTH
from tests.api.agents.assistant import EVERY_REVISION, META, Assistant, Json, stateless_headers

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED = -32020, -32022

LIST: Json = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}


def call(name: object = "list_bundles", **params: object) -> Json:
    return {**LIST, "method": "tools/call", "params": {"_meta": META, "name": name, **params}}


def error(code: int, status: int = 400, id_: object = 1) -> tuple[int, object, int]:
    """The value that `answer` returns for this error."""
    return status, id_, code


async def answer(assistant: Assistant, body: object, headers: dict[str, str]) -> tuple[int, object, int]:
    """Send a message that must fail, and return the HTTP status, the message id and the error code."""
    response = await assistant.send(body, headers)
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.json["jsonrpc"] == "2.0"
    return response.status, response.json["id"], response.json["error"]["code"]


@pytest.mark.parametrize("requested", [*HANDSHAKES, "2024-11-05", "2025-03-26", STATELESS, 7, None])
async def test_handshake_settles_on_a_revision(assistant: Assistant, requested: object) -> None:
    params = {"protocolVersion": requested, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    response = await assistant.send({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params})

    result = response.held().json["result"]
    assert result["protocolVersion"] == (requested if requested in HANDSHAKES else HANDSHAKES[0])
    assert result["serverInfo"]["version"] == __version__
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert "Mcp-Session-Id" not in response.headers


@pytest.mark.parametrize("revision", HANDSHAKES)
async def test_handshake_is_of_the_published_schema(assistant: Assistant, revision: str) -> None:
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    assert (await Assistant(assistant.api, revision).result("initialize", params))["protocolVersion"] == revision
    assert await Assistant(assistant.api, revision).result("ping") == {}


async def test_discovery_names_every_revision(assistant: Assistant) -> None:
    result = await assistant.result("server/discover")
    assert result["supportedVersions"] == list(REVISIONS)
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "bundlesvc"


@pytest.mark.parametrize("revision", EVERY_REVISION)
async def test_tools_are_the_same_in_every_revision(assistant: Assistant, revision: str) -> None:
    result = await Assistant(assistant.api, revision).result("tools/list")
    assert [tool["name"] for tool in result["tools"]] == [*(tool.name for tool in TOOLS), "complete_selection"]
    assert ("ttlMs" in result) is (revision == STATELESS)


@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": STATELESS}, {"MCP-Protocol-Version": HANDSHAKES[1]}])
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "anything"])
async def test_notification_is_accepted_without_a_reply(
    assistant: Assistant, method: str, headers: dict[str, str]
) -> None:
    response = await assistant.send({"jsonrpc": "2.0", "method": method}, headers)
    assert (response.status, response.body) == (202, b"")


async def test_notification_of_an_unknown_revision_is_refused(assistant: Assistant) -> None:
    body = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert await answer(assistant, body, {"MCP-Protocol-Version": "1999"}) == error(UNSUPPORTED, id_=None)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", error(PARSE_ERROR, id_=None)),
        (b"{", error(PARSE_ERROR, id_=None)),
        (b"\xff", error(PARSE_ERROR, id_=None)),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), error(PARSE_ERROR, id_=None)),
        ([LIST], error(INVALID_REQUEST, id_=None)),
        ([], error(INVALID_REQUEST, id_=None)),
        (None, error(INVALID_REQUEST, id_=None)),
        ("tools/list", error(INVALID_REQUEST, id_=None)),
        ({}, error(INVALID_REQUEST, id_=None)),
        ({**LIST, "jsonrpc": "1.0"}, error(INVALID_REQUEST)),
        ({**LIST, "jsonrpc": None}, error(INVALID_REQUEST)),
        ({**LIST, "method": 5}, error(INVALID_REQUEST)),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, error(INVALID_REQUEST)),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}, error(INVALID_REQUEST)),
        ({**LIST, "id": None}, error(INVALID_REQUEST, id_=None)),
        ({**LIST, "id": True}, error(INVALID_REQUEST, id_=None)),
        ({**LIST, "id": 1.5}, error(INVALID_REQUEST, id_=None)),
        ({**LIST, "id": {}}, error(INVALID_REQUEST, id_=None)),
        ({**LIST, "params": []}, error(INVALID_PARAMS)),
        ({**LIST, "params": None}, error(INVALID_PARAMS)),
    ],
)
async def test_malformed_message_is_refused(
    assistant: Assistant, body: object, expected: tuple[int, object, int]
) -> None:
    assert await answer(assistant, body, stateless_headers("tools/list")) == expected


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({}, INVALID_PARAMS),
        ("no object", INVALID_PARAMS),
        ({"io.modelcontextprotocol/protocolVersion": STATELESS}, INVALID_PARAMS),
        ({"io.modelcontextprotocol/clientCapabilities": {}}, INVALID_PARAMS),
        ({**META, "io.modelcontextprotocol/protocolVersion": None}, HEADER_MISMATCH),
        ({**META, "io.modelcontextprotocol/protocolVersion": [STATELESS]}, HEADER_MISMATCH),
    ],
)
async def test_stateless_request_names_revision_and_capabilities(assistant: Assistant, meta: object, code: int) -> None:
    body = {**LIST, "params": {"_meta": meta}}
    assert await answer(assistant, body, stateless_headers("tools/list")) == error(code)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (LIST, {}),
        (LIST, {"Mcp-Method": "tools/list"}),
        (LIST, {**stateless_headers("tools/list"), "MCP-Protocol-Version": "1999"}),
        (LIST, {**stateless_headers("tools/list"), "MCP-Protocol-Version": HANDSHAKES[0]}),
        (LIST, {"MCP-Protocol-Version": STATELESS}),
        (LIST, stateless_headers("tools/call")),
        (call(), stateless_headers("tools/call")),
        (call(), stateless_headers("tools/call", "configure")),
        (call(), stateless_headers("tools/call", "=?base64?!?=")),
        (call(), stateless_headers("tools/call", "=?base64?/w==?=")),
    ],
)
async def test_headers_repeat_what_the_body_says(assistant: Assistant, body: object, headers: dict[str, str]) -> None:
    assert await answer(assistant, body, headers) == error(HEADER_MISMATCH)


async def test_name_in_a_header_may_be_encoded(assistant: Assistant) -> None:
    name = f"=?base64?{b64encode(b'list_bundles').decode()}?="
    assert not (await assistant.send(call(), stateless_headers("tools/call", name))).held().json["result"]["isError"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({**LIST, "params": {}}, {"MCP-Protocol-Version": "2024-11-05"}),
        ({**LIST, "params": {}}, {"MCP-Protocol-Version": "tomorrow"}),
        (
            {**LIST, "params": {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}}},
            {**stateless_headers("tools/list"), "MCP-Protocol-Version": "2027-01-01"},
        ),
    ],
)
async def test_unknown_revision_gets_the_list_of_known_ones(
    assistant: Assistant, body: object, headers: dict[str, str]
) -> None:
    response = (await assistant.send(body, headers)).held(400)
    assert response.json["error"]["code"] == UNSUPPORTED
    assert response.json["error"]["data"] == {
        "supported": list(REVISIONS),
        "requested": headers["MCP-Protocol-Version"],
    }


@pytest.mark.parametrize("method", ["initialize", "ping", "resources/list", "prompts/list", ""])
async def test_unknown_method_is_not_found(assistant: Assistant, method: str) -> None:
    body = {**LIST, "method": method}
    assert await answer(assistant, body, stateless_headers(method)) == error(METHOD_NOT_FOUND, 404)


@pytest.mark.parametrize("method", ["resources/list", "logging/setLevel", "server/undiscovered"])
async def test_unknown_method_does_not_end_a_session(assistant: Assistant, method: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": method}
    assert await answer(assistant, body, {}) == error(METHOD_NOT_FOUND, 200)


@pytest.mark.parametrize(
    "params",
    [{}, {"name": None}, {"name": "buy_everything"}, {"name": 5}, {"name": "list_bundles", "arguments": []}],
)
async def test_call_of_an_unknown_tool_is_refused(assistant: Assistant, params: dict[str, Any]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert await answer(assistant, body, {}) == error(INVALID_PARAMS)


async def test_call_may_have_no_arguments(assistant: Assistant) -> None:
    result = await Assistant(assistant.api, HANDSHAKES[0]).result("tools/call", {"name": "list_bundles"})
    assert result["structuredContent"]["bundles"]
