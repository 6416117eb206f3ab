"""The application that handles every request, and the routes of the core."""

from aiohttp import web

from bundlesvc.api import app_keys
from bundlesvc.api.bodies.limits import SELECTION_BYTES
from bundlesvc.api.bodies.memory import BodyMemory
from bundlesvc.api.bodies.reading import MEBIBYTE
from bundlesvc.api.cors import BasePath, embed_path
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.api.exposures import LISTENERS
from bundlesvc.api.headless.routes import CONFIGURED_BUNDLES, ENDPOINTS
from bundlesvc.api.keyless_routes import add_operations
from bundlesvc.api.middleware.errors import render_errors
from bundlesvc.api.middleware.gate import Gate, TakeTokens, admission
from bundlesvc.api.middleware.observation import RECORD, RequestRecord, observation
from bundlesvc.api.response_cache.own_address import OwnAddresses
from bundlesvc.api.server.connection_limits import CONNECTION_LIMITS, ConnectionLimits
from bundlesvc.mounting.core import Core
from bundlesvc.settings.environment import Settings


def build_gate(settings: Settings, core: Core, take: TakeTokens) -> Gate:
    """Build the gate of the main API, which checks keys, origins and rate limits."""
    embed, either = BasePath(embed_path(settings.base_path)), BasePath(f"{settings.base_path}{CONFIGURED_BUNDLES}")
    return Gate(embed, either, core.authentication, take, core.visitors, settings.platform_timeout)


def build_application(settings: Settings, gate: Gate, record: RequestRecord) -> web.Application:
    """Build an application with the middleware through which every request passes."""
    app = web.Application(
        # Outermost first. CORS headers are added by a response signal (`api/cors.py`), so that every response has them.
        middlewares=(
            observation(record),  # sees every response
            render_errors,  # turns errors raised by the gate or a handler into responses
            admission(BasePath(settings.base_path), gate),
        ),
        client_max_size=SELECTION_BYTES,
    )
    app[app_keys.STATISTICS] = record.statistics
    app[app_keys.COLLECTORS] = []
    app[LISTENERS] = []
    app[app_keys.BACKGROUND] = []
    app[RECORD] = record
    app[app_keys.OWN_ADDRESSES] = OwnAddresses()
    app[app_keys.SHARED_CACHING] = settings.shared_caching
    app[CONNECTION_LIMITS] = ConnectionLimits(
        settings.max_requests,
        settings.max_connections,
        settings.header_timeout,
        settings.body_timeout,
        settings.body_rate,
        settings.keepalive_timeout,
    )
    app[app_keys.BODY_MEMORY] = BodyMemory(settings.body_memory * MEBIBYTE)
    app[app_keys.WEBHOOK_MEMORY] = BodyMemory(settings.body_memory * MEBIBYTE)
    return app


def add_routes(app: web.Application, settings: Settings, demo_key: str | None) -> None:
    """Serve the endpoints of the core, the documentation, health and metrics."""
    app[app_keys.EMBED_PATH] = embed_path(settings.base_path)
    add_endpoints(app, settings.base_path, ENDPOINTS)
    add_endpoints(app, app[app_keys.EMBED_PATH], EMBED_ENDPOINTS)
    with_metrics = settings.metrics_port is None
    add_operations(app, settings.base_path, demo_key if settings.demo else None, with_metrics=with_metrics)
