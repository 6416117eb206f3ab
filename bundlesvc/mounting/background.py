"""The metrics of the service, and the tasks that run in the background while the service runs."""

from collections.abc import Iterator

from aiohttp import web
from prometheus_client.registry import Collector

from bundlesvc.api import app_keys
from bundlesvc.api.counting.statistics import GhostStatistics, UsageStatistics, UseCaseStatistics
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.api.middleware.observation import RECORD
from bundlesvc.domain.retention import Retention
from bundlesvc.lifecycle import (
    CleanupContext,
    backed_up,
    background_jobs,
    counted_usage,
    measured,
    measured_database,
    opened_database,
    opened_live_platforms,
    opened_redis,
    polling,
    pruned_daily,
    traced,
    unused_responses_dropped,
)
from bundlesvc.metrics.page import MetricsPage
from bundlesvc.metrics.process import EventLoopLag, ProcessMetrics
from bundlesvc.mounting.adapters import Adapters
from bundlesvc.mounting.core import HOUR, Core
from bundlesvc.ports import Clock
from bundlesvc.serving.background_output import DROPPED_LINES
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.maintenance.backups import ScheduledBackups


def add_background(app: web.Application, settings: Settings, adapters: Adapters, core: Core) -> None:
    """Set up the metrics, the resources to open at startup, and the periodic tasks. Tasks added by capabilities come last."""
    lag = EventLoopLag()
    backups = _backups(app, settings, adapters.clock)
    app[app_keys.METRICS] = MetricsPage([*_collectors(app, adapters, core), *backups, lag])
    app.cleanup_ctx.append(traced(app[RECORD].tracing))
    app.cleanup_ctx.extend(_lifecycle(adapters, core, settings.retention))
    background = app[app_keys.BACKGROUND]
    app.cleanup_ctx.extend(background)
    app.cleanup_ctx.append(measured(lag, app[app_keys.METRICS]))


def _collectors(app: web.Application, adapters: Adapters, core: Core) -> Iterator[Collector]:
    database, redis = adapters.database, adapters.redis
    yield app[app_keys.STATISTICS]
    yield UseCaseStatistics(core.recorder, app[app_keys.WEBHOOKS], adapters.shop_labels)
    yield GhostStatistics(core.ghosts, core.ghost_upkeep)
    yield UsageStatistics(core.usage, adapters.shop_labels)
    if FAST_PATH in app:
        yield app[FAST_PATH]
    yield core.rendered
    yield adapters.objects
    yield from adapters.live.collectors
    yield database.health
    yield adapters.measurements
    if redis is not None:
        yield redis
    yield ProcessMetrics()
    yield DROPPED_LINES
    yield from app[app_keys.COLLECTORS]


def _backups(app: web.Application, settings: Settings, clock: Clock) -> Iterator[Collector]:
    """Schedule backups of the SQLite file, if the settings name a folder for them."""
    if settings.backup_folder is None or settings.database_file is None:
        return
    seconds, keep = settings.backup_hours * HOUR, settings.backup_keep
    backups = ScheduledBackups(settings.database_file, settings.backup_folder, seconds, keep, clock)
    app.cleanup_ctx.append(backed_up(backups))
    yield backups


def _lifecycle(adapters: Adapters, core: Core, retention: Retention) -> Iterator[CleanupContext]:
    """Yield the resources to open at startup, which are closed in reverse order at shutdown."""
    yield opened_database(adapters.database)
    if adapters.redis is not None:
        yield opened_redis(adapters.redis, adapters.request_buckets)
    yield opened_live_platforms(adapters.live)
    yield background_jobs(
        core.authentication,
        core.follower,
        adapters.configured,
        adapters.changes,
        core.ghost_upkeep,
        core.requests,
        adapters.clock,
    )
    yield polling("the check of bundles that begin or end", core.times.run)
    yield measured_database(adapters.measurements)
    yield counted_usage(core.usage)
    yield unused_responses_dropped(core.rendered)
    yield pruned_daily(adapters.database, retention, adapters.clock)
