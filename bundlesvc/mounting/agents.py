"""Mounts the tools for shopping assistants."""

from bundlesvc.api.agents.routes import add_agents
from bundlesvc.mounting.service import Service


def mount_agents(service: Service) -> None:
    add_agents(service.app, service.settings.base_path, service.gate, service.settings.hand_over_url)
