"""All settings, read from the environment once, typed and validated (docs/contract.md#settings)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from environs import Env, EnvError, EnvValidationError
from marshmallow.validate import OneOf, Range

from bundlesvc.domain.rate_limit import COSTLY_RESULTS
from bundlesvc.domain.retention import Retention
from bundlesvc.settings.checks import (
    check_base_path,
    check_collector,
    check_database,
    check_dsn,
    check_endpoint,
    check_hand_over_url,
    check_log_level,
    check_otlp_protocol,
    check_redis,
    check_replica,
    check_secret_keys,
    check_vendure_endpoint,
)
from bundlesvc.storage.database.address import database_address, is_postgresql

DEFAULT_DATABASE = "./var/bundlesvc.db"
DEFAULT_BASE_PATH = "/api/headless/v1"

HOUR = 60 * 60
DAY = 24 * HOUR
MAX_DAYS = 36_500
TTLS = ("cache_products_ttl", "cache_prices_ttl", "cache_shop_ttl", "cache_negative_ttl")
"""The settings that say for how many seconds data fetched from a live platform is fresh: products, market prices, data that
exists once per shop (settings, selling plans, markets), and the fact that something does not exist."""

CONNECTION_TIMES = ("header_timeout", "body_timeout", "keepalive_timeout")
"""The settings that say how many seconds a client may take to send the head of a request, its body, and the next request."""

RETENTION = tuple(field.name for field in fields(Retention))
"""The kinds of data that can be deleted after a number of days. The setting for each kind is `keep_<kind>_days`."""

MAX_STOP_DELAY = 20
"""The longest stop delay, in seconds. Hosts kill a process after thirty seconds, and the last requests need some of that time."""


class SettingsInvalid(Exception):
    """Raised when settings are invalid. The message lists each invalid setting with the reason."""


@dataclass(frozen=True)
class Settings:
    """The settings of a process. `database` is the path of a SQLite file, or the URL of a PostgreSQL database, which may contain
    a password; `database_read` is the URL of its read replica. The encryption keys of discount strings and of stored credentials
    are derived from `secret_keys`. Times are in seconds, `body_rate` is in bytes per second, and `body_memory` and `cache_memory`
    are in MiB."""

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = field(default=DEFAULT_DATABASE, repr=False)
    database_read: str | None = field(default=None, repr=False)
    secret_keys: tuple[str, ...] = field(default=(), repr=False)
    base_path: str = DEFAULT_BASE_PATH
    log_format: str = "json"
    log_level: str = "INFO"
    trusted_proxies: int = 0
    price_max_age: float = 300
    platform_timeout: float = 10
    platform_endpoint: str | None = None
    vendure_endpoint: str | None = None
    ghost_grace_hours: float = 24
    subscription_days: int = 30
    visitor_ghost_variants: int = 30
    visitor_configured_bundles: int = 120
    visitor_reminders: int = 20
    visitor_subscriptions: int = 20
    demo: bool = False
    studio: bool = False
    workers: int = 1
    redis_url: str | None = field(default=None, repr=False)
    cache_products_ttl: float = 60
    cache_prices_ttl: float = 60
    cache_shop_ttl: float = 300
    cache_negative_ttl: float = 30
    max_requests: int = 500
    max_connections: int = 2000
    header_timeout: float = 10
    body_timeout: float = 60
    body_rate: float = 1000
    keepalive_timeout: float = 75
    stop_delay: float = 5
    body_memory: int = 64
    cache_memory: int = 96
    cached_objects: int = 20_000
    edge: bool = True
    completion_work: int = 1200
    hand_over_url: str | None = None
    shared_caching: bool = False
    keep_reminders_days: int | None = None
    keep_pending_subscriptions_days: int | None = None
    keep_cancelled_subscriptions_days: int | None = None
    keep_answers_days: int | None = None
    keep_configured_bundles_days: int | None = None
    keep_usage_days: int = 400
    keep_orders_days: int = 760
    keep_audit_days: int = 730
    keep_events_days: int = 30
    webhooks_private: bool = False
    backup_folder: Path | None = None
    backup_hours: float = 24
    backup_keep: int = 14
    metrics_port: int | None = None
    metrics_shops: bool = False
    traces_endpoint: str | None = field(default=None, repr=False)
    sentry_dsn: str | None = field(default=None, repr=False)
    disk_does_not_last: bool = False

    @property
    def database_file(self) -> Path | None:
        """The path of the SQLite file, or None on PostgreSQL."""
        return None if is_postgresql(self.database) else Path(self.database)

    @property
    def visitor_limits(self) -> Mapping[str, int]:
        """The hourly limits per visitor on new ghost variants, configured bundles, stock reminders and subscriptions, for keys
        with a visitor limit."""
        return {result: getattr(self, f"visitor_{result}") for result in COSTLY_RESULTS}

    @property
    def retention(self) -> Retention:
        """How long shoppers' data and the usage of keys are stored."""
        days = {kind: getattr(self, f"keep_{kind}_days") for kind in RETENTION}
        return Retention(**{kind: count and count * DAY for kind, count in days.items()})

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read the settings. Raises SettingsInvalid, which lists every invalid setting."""
        env = Env(eager=False)
        values = _values(env)
        try:
            env.seal()
        except EnvValidationError as error:
            raise SettingsInvalid(_sentences(error)) from error
        if values["database_read"] and not is_postgresql(values["database"]):
            raise SettingsInvalid(
                "DATABASE_READ_URL: Names a PostgreSQL replica; DATABASE_URL must name its primary server."
            )
        if values["backup_folder"] and is_postgresql(values["database"]):
            raise SettingsInvalid(
                "BUNDLESVC_BACKUP_FOLDER: The service backs up SQLite files only; back up PostgreSQL with pg_dump."
            )
        values["backup_folder"] = values["backup_folder"] and Path(values["backup_folder"])
        values["database"] = database_address(values["database"])
        values["secret_keys"] = tuple(key.strip() for key in values["secret_keys"] if key.strip())
        values["log_level"] = values["log_level"].upper()
        return cls(**values)


def _values(env: Env) -> dict[str, Any]:
    """Read the value of every field of `Settings`, by name. Invalid values are reported by `env.seal`."""
    return {
        "host": env.str("BUNDLESVC_HOST", Settings.host),
        "port": env.int("PORT", Settings.port, validate=Range(0, 65535)),
        "database": env.str("DATABASE_URL", f"sqlite:///{DEFAULT_DATABASE}", validate=check_database),
        "database_read": env.str("DATABASE_READ_URL", None, validate=check_replica),
        "secret_keys": env.list("BUNDLESVC_SECRET_KEYS", [], validate=check_secret_keys),
        "base_path": env.str(
            "BUNDLESVC_BASE_PATH",
            DEFAULT_BASE_PATH,
            validate=check_base_path,
        ),
        "log_format": env.str("BUNDLESVC_LOG_FORMAT", Settings.log_format, validate=OneOf(("json", "console"))),
        "log_level": env.str("BUNDLESVC_LOG_LEVEL", Settings.log_level, validate=check_log_level),
        "trusted_proxies": env.int("BUNDLESVC_TRUSTED_PROXIES", 0, validate=Range(0)),
        "price_max_age": env.float("BUNDLESVC_PRICE_MAX_AGE", Settings.price_max_age, validate=Range(0)),
        "platform_timeout": env.float("BUNDLESVC_PLATFORM_TIMEOUT", Settings.platform_timeout, validate=Range(0.1)),
        "platform_endpoint": env.str("BUNDLESVC_PLATFORM_ENDPOINT", None, validate=check_endpoint),
        "vendure_endpoint": env.str("BUNDLESVC_VENDURE_ENDPOINT", None, validate=check_vendure_endpoint),
        "ghost_grace_hours": env.float(
            "BUNDLESVC_GHOST_GRACE_HOURS", Settings.ghost_grace_hours, validate=Range(0, 30 * 24)
        ),
        "subscription_days": env.int(
            "BUNDLESVC_SUBSCRIPTION_DAYS", Settings.subscription_days, validate=Range(0, MAX_DAYS)
        ),
        "demo": env.bool("BUNDLESVC_DEMO", False),
        "studio": env.bool("BUNDLESVC_STUDIO", Settings.studio),
        "workers": env.int("WEB_CONCURRENCY", 1, validate=Range(1)),
        "redis_url": env.str("REDIS_URL", None, validate=check_redis),
        **{
            name: env.float(f"BUNDLESVC_{name.upper()}", getattr(Settings, name), validate=Range(1, DAY))
            for name in TTLS
        },
        "max_requests": env.int("BUNDLESVC_MAX_REQUESTS", Settings.max_requests, validate=Range(1)),
        "max_connections": env.int("BUNDLESVC_MAX_CONNECTIONS", Settings.max_connections, validate=Range(1)),
        **{
            name: env.float(f"BUNDLESVC_{name.upper()}", getattr(Settings, name), validate=Range(1, HOUR))
            for name in CONNECTION_TIMES
        },
        "stop_delay": env.float("BUNDLESVC_STOP_DELAY", Settings.stop_delay, validate=Range(0, MAX_STOP_DELAY)),
        "body_rate": env.float("BUNDLESVC_BODY_RATE", Settings.body_rate, validate=Range(1)),
        "body_memory": env.int("BUNDLESVC_BODY_MEMORY", Settings.body_memory, validate=Range(8)),
        "cache_memory": env.int("BUNDLESVC_CACHE_MEMORY", Settings.cache_memory, validate=Range(8)),
        "cached_objects": env.int("BUNDLESVC_CACHED_OBJECTS", Settings.cached_objects, validate=Range(100)),
        "completion_work": env.int("BUNDLESVC_COMPLETION_WORK", Settings.completion_work, validate=Range(100, 100_000)),
        "edge": env.bool("BUNDLESVC_EDGE", Settings.edge),
        "webhooks_private": env.bool("BUNDLESVC_WEBHOOKS_PRIVATE", False),
        "hand_over_url": env.str("BUNDLESVC_HAND_OVER_URL", None, validate=check_hand_over_url),
        "shared_caching": env.bool("BUNDLESVC_SHARED_CACHING", Settings.shared_caching),
        **{
            f"visitor_{result}": env.int(
                f"BUNDLESVC_VISITOR_{result.upper()}", getattr(Settings, f"visitor_{result}"), validate=Range(1)
            )
            for result in COSTLY_RESULTS
        },
        **{
            name: env.int(f"BUNDLESVC_{name.upper()}", getattr(Settings, name), validate=Range(1, MAX_DAYS))
            for name in (f"keep_{kind}_days" for kind in RETENTION)
        },
        "backup_folder": env.str("BUNDLESVC_BACKUP_FOLDER", "") or None,
        "backup_hours": env.float("BUNDLESVC_BACKUP_HOURS", Settings.backup_hours, validate=Range(0.1, 30 * 24)),
        "backup_keep": env.int("BUNDLESVC_BACKUP_KEEP", Settings.backup_keep, validate=Range(1, 10_000)),
        "metrics_port": env.int("BUNDLESVC_METRICS_PORT", None, validate=Range(1, 65535)),
        "metrics_shops": env.bool("BUNDLESVC_METRICS_SHOPS", Settings.metrics_shops),
        "traces_endpoint": _traces_endpoint(env),
        "sentry_dsn": env.str("BUNDLESVC_SENTRY_DSN", "", validate=check_dsn)
        or env.str("SENTRY_DSN", "", validate=check_dsn)
        or None,
        "disk_does_not_last": env.str("DYNO", None) is not None,
    }


def _traces_endpoint(env: Env) -> str | None:
    """Return the address to which spans are sent, read from OpenTelemetry's own variables, or None when no spans are sent."""
    exporter = env.str("OTEL_TRACES_EXPORTER", "otlp", validate=OneOf(("otlp", "none", "")))
    base = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", "", validate=check_collector)
    own = env.str("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "", validate=check_collector)
    address = own or (base and f"{base.rstrip('/')}/v1/traces")
    if not address or exporter == "none" or env.str("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    for name in ("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"):
        env.str(name, "", validate=check_otlp_protocol)
    for name in ("OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"):
        env.float(name, 10, validate=Range(0))
    return address


def _sentences(error: EnvError) -> str:
    messages: Mapping[str, list[str]] = getattr(error, "error_messages", {})
    return "\n".join(f"{name}: {' '.join(reasons)}" for name, reasons in messages.items()) or str(error)
