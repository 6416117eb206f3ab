"""A shopping assistant that speaks the Model Context Protocol, in its stateless revision or, after a handshake, in an older
revision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from mcp_types import methods
from yarl import URL

from bundlesvc.api.agents.revisions import HANDSHAKES, STATELESS
from tests.api.conftest import BASE, Api, Response

Json = dict[str, Any]

PATH = f"{BASE}/mcp"
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
}


def stateless_headers(method: str, name: str | None = None) -> dict[str, str]:
    """The headers in which a stateless request repeats its method and name."""
    headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": method}
    return headers if name is None else {**headers, "Mcp-Name": name}


@dataclass(frozen=True)
class Assistant:
    """An assistant that sends messages and checks every result against the published schema of its protocol revision."""

    api: Api
    revision: str = STATELESS

    async def send(self, body: object, headers: Mapping[str, str] = {}) -> Response:
        """Send any body, and return the response."""
        data = body if isinstance(body, bytes) else orjson.dumps(body)
        own = {} if self.api.key is None else {"Authorization": f"Bearer {self.api.key}"}
        async with self.api.client.request("POST", URL(PATH), data=data, headers={**own, **headers}) as sent:
            return Response(sent.status, sent.headers, await sent.read())

    async def request(self, method: str, params: Json | None = None) -> Response:
        """Send a request, and return the response."""
        own, headers = dict(params or {}), {"MCP-Protocol-Version": self.revision}
        if self.revision == STATELESS:
            headers = stateless_headers(method, own.get("name"))
            own["_meta"] = META
        return await self.send({"jsonrpc": "2.0", "id": 7, "method": method, "params": own}, headers)

    async def result(self, method: str, params: Json | None = None) -> Json:
        """Send a request that must succeed, and return its result."""
        response = (await self.request(method, params)).held()
        result: Json = response.json["result"]
        methods.validate_server_result(method, self.revision, result)
        assert response.json == {"jsonrpc": "2.0", "id": 7, "result": result}
        return result

    async def call(self, tool: str, arguments: Json | None = None) -> Json:
        """Call a tool that must succeed, and return the structured content of its result."""
        result = await self.result("tools/call", {"name": tool, "arguments": arguments or {}})
        assert not result["isError"], result["content"]
        content: Json = result["structuredContent"]
        assert [orjson.loads(each["text"]) for each in result["content"]] == [content]
        return content

    async def refusal(self, tool: str, arguments: Json | None = None) -> Json:
        """Call a tool that must return an error, and return the content of the error."""
        result = await self.result("tools/call", {"name": tool, "arguments": arguments or {}})
        assert result["isError"], result["content"]
        assert "structuredContent" not in result
        content: Json = orjson.loads(result["content"][0]["text"])
        return content


EVERY_REVISION = (STATELESS, *HANDSHAKES)
