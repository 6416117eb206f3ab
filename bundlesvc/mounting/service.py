"""The assembled core, on which capabilities are mounted."""

from dataclasses import dataclass

from aiohttp import web

from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.middleware.gate import Gate
from bundlesvc.mounting.adapters import Adapters
from bundlesvc.mounting.core import Core
from bundlesvc.ports import Ids, TokenCipher
from bundlesvc.settings.environment import Settings


@dataclass(frozen=True, slots=True)
class Service:
    """The complete core of the service. A capability uses the parts that it needs, and adds its routes, metrics and tasks to
    `app`. `gate` is the gate of the main API; `demo_key` is the API key of the demo page."""

    app: web.Application
    settings: Settings
    adapters: Adapters
    core: Core
    gate: Gate
    manage: ManagementApi
    discounts: TokenCipher
    ids: Ids
    demo_key: str | None
