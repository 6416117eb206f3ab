"""The tools that a service offers to assistants. Optional capabilities add their own tools before the first request."""

from collections.abc import Iterable

from aiohttp import web

from bundlesvc.api.agents.messages import Json
from bundlesvc.api.agents.tool import Tool


class Toolbox:
    """The tools by name, and their definitions, which are built when they are first listed."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._definitions: list[Json] = []

    def add(self, tool: Tool) -> None:
        self._tools[tool.name] = tool

    def find(self, name: object) -> Tool | None:
        """Return the tool with this name, or None."""
        return self._tools.get(name) if isinstance(name, str) else None

    def definitions(self) -> list[Json]:
        """Return the definitions of all tools, in the format of `tools/list`."""
        if not self._definitions:
            self._definitions = [tool.definition() for tool in self._tools.values()]
        return self._definitions


TOOLBOX = web.AppKey("toolbox", Toolbox)
