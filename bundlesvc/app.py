"""The composition root: builds the core in order, then mounts each capability."""

from collections.abc import Callable

from aiohttp import web

from bundlesvc.api.cors import BasePath, set_up_cors
from bundlesvc.api.counting.statistics import RequestStatistics
from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.middleware.observation import RequestRecord
from bundlesvc.mounting.adapters import build_adapters
from bundlesvc.mounting.agents import mount_agents
from bundlesvc.mounting.application import add_routes, build_application, build_gate
from bundlesvc.mounting.background import add_background
from bundlesvc.mounting.completion import mount_completion
from bundlesvc.mounting.completion_tool import mount_completion_tool
from bundlesvc.mounting.core import add_use_cases, build_core
from bundlesvc.mounting.demo import mount_demo, mount_demo_bundle_pages, mount_demo_buying
from bundlesvc.mounting.events import mount_events
from bundlesvc.mounting.experiments import mount_experiments
from bundlesvc.mounting.fast_path import mount_fast_path
from bundlesvc.mounting.first_paint import mount_first_paint
from bundlesvc.mounting.order_events import mount_order_events
from bundlesvc.mounting.orders import mount_orders
from bundlesvc.mounting.preview_links import mount_preview_links
from bundlesvc.mounting.reports import mount_reports
from bundlesvc.mounting.revisions import mount_revisions
from bundlesvc.mounting.service import Service
from bundlesvc.mounting.studio import mount_studio
from bundlesvc.mounting.studio_completion import mount_studio_completion
from bundlesvc.mounting.tracing import build_tracing
from bundlesvc.ports import Clock, Ids, Platform, RequestBuckets, TokenCipher
from bundlesvc.serving.logs import request_lines
from bundlesvc.settings.environment import Settings
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import discount_cipher

CAPABILITIES: tuple[Callable[[Service], None], ...] = (
    mount_completion,
    mount_first_paint,
    mount_agents,
    mount_completion_tool,
    mount_events,
    mount_orders,
    mount_order_events,
    mount_reports,
    mount_revisions,
    mount_experiments,
    mount_demo,
    mount_demo_bundle_pages,
    mount_demo_buying,
    mount_studio,
    mount_studio_completion,
    mount_preview_links,
)
"""The capabilities that are mounted around the core, in order. Any of them can be removed. The service then also lacks the
capabilities that depend on the removed one."""


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    discounts: TokenCipher | None = None,
    buckets: RequestBuckets | None = None,
    platform: Platform | None = None,
    demo_key: str | None = None,
) -> web.Application:
    """Create the application. The database named in the settings must have an up-to-date schema. Does no I/O until the
    application starts.

    Arguments that are not given have their production defaults. The demo page calls the API with `demo_key`. Raises ValueError
    when the settings contain no secret keys.
    """
    clock, ids = clock or SystemClock(), ids or RandomIds()
    discounts = discounts or discount_cipher(settings.secret_keys)
    adapters = build_adapters(settings, clock, buckets, platform)
    core = build_core(settings, adapters)
    log_line = request_lines(settings.log_format, settings.log_level)
    tracing = build_tracing(settings)
    record = RequestRecord(RequestStatistics(), log_line, adapters.shop_labels, tracing, core.usage)
    gate = build_gate(settings, core, adapters.request_buckets.take)
    app = build_application(settings, gate, record)
    add_use_cases(app, adapters, core, discounts, ids)
    add_routes(app, settings, demo_key)
    service = Service(app, settings, adapters, core, gate, ManagementApi(app, gate), discounts, ids, demo_key)
    for mount in CAPABILITIES:
        mount(service)
    set_up_cors(app, BasePath(settings.base_path), settings.base_path)  # must come after all routes
    mount_fast_path(service)
    add_background(app, settings, adapters, core)
    return app
