"""The definition of a tool: its name, its purpose, the schemas of its arguments and result, and the function behind it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from marshmallow import Schema

from bundlesvc.api.agents.json_schema import schema_of
from bundlesvc.api.agents.messages import Json
from bundlesvc.domain.access.caller import Caller
from bundlesvc.request_deadline import RequestDeadline


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call to a tool: the application, the caller, the deadline for calls to platforms, and the arguments, both as `sent` and
    as loaded by the tool's schema."""

    app: web.Application
    caller: Caller
    deadline: RequestDeadline
    sent: Json
    arguments: Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that an assistant can call. Only `description` tells the assistant when to use it. A tool that is not `read_only`
    stores something, once per idempotency key."""

    name: str
    title: str
    description: str
    arguments: Schema
    result: Schema
    run: Callable[[ToolCall], Awaitable[Json]]
    read_only: bool = True

    def definition(self) -> Json:
        """Return the tool's definition in the format of `tools/list`."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema_of(self.arguments),
            "outputSchema": schema_of(self.result),
            "annotations": {
                "readOnlyHint": self.read_only,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        }
