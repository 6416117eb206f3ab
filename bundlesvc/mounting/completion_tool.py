"""Mounts completion as a tool for shopping assistants, which needs both the completion capability and the assistant
capability."""

from bundlesvc.api.agents.tools.completion import add_completion_tool
from bundlesvc.mounting.service import Service


def mount_completion_tool(service: Service) -> None:
    add_completion_tool(service.app)
