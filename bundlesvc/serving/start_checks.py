"""Checks the settings of `serve` before the service starts, and warns about those that may cause problems."""

import logging
from importlib.util import find_spec

from bundlesvc.serving.start_refused import StartRefused
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.address import option
from bundlesvc.token_cipher import new_secret_key

logger = logging.getLogger("bundlesvc")


def check_settings(settings: Settings) -> None:
    """Check that the service can run with these settings, before anything is opened or created. Raises StartRefused."""
    if settings.metrics_port == settings.port:
        raise StartRefused(
            f"BUNDLESVC_METRICS_PORT is {settings.port}, the port of the service itself. Choose another, such as 9110."
        )
    _check_extras(settings)
    if settings.redis_url:
        _check_redis(settings.redis_url)


def _check_extras(settings: Settings) -> None:
    """Check that every package that a setting needs is installed. Raises StartRefused."""
    for setting, name, package, extra in (
        (settings.traces_endpoint, "OTEL_EXPORTER_OTLP_ENDPOINT", "opentelemetry.exporter.otlp.proto.http", "otel"),
        (settings.sentry_dsn, "SENTRY_DSN", "sentry_sdk", "sentry"),
    ):
        if setting is not None and not _is_installed(package):
            raise StartRefused(
                f"{name} is set, but the package that it needs is not installed. Install it, or unset {name}:\n"
                f'pip install "bundlesvc[{extra}]"'
            )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # raised when the parent package is missing
        return False


def _check_redis(url: str) -> None:
    """Check that the Redis client accepts the options in the URL. Raises StartRefused."""
    from bundlesvc.redis.servers import redis_servers  # noqa: PLC0415 - see `redis/names.py`

    try:
        redis_servers(url)
    except ValueError as error:
        raise StartRefused(f"REDIS_URL: {error}") from error


def with_secrets(settings: Settings) -> Settings:
    """Return the settings after checking that they include secret keys. Raises StartRefused."""
    if not settings.secret_keys:
        raise StartRefused(
            "BUNDLESVC_SECRET_KEYS is not set: it holds the keys that sign discount strings.\n"
            f"Set it once, and store a copy. This is a new key:\n{new_secret_key()}"
        )
    return settings


def log_warnings(settings: Settings) -> None:
    """Log warnings about settings that an operator should know about before relying on this process."""
    if settings.disk_does_not_last and settings.database_file is not None:
        logger.warning(
            "the database is a local file (%s), and this host's disk is not persistent: what shoppers configure is lost at the "
            "next restart. Attach a persistent disk, and name it in DATABASE_URL.",
            settings.database,
        )
    if settings.workers > 1 and not settings.redis_url:
        logger.warning(
            "WEB_CONCURRENCY=%d without REDIS_URL: each process counts rate limits for itself, so a key can make up to "
            "%d times as many requests.",
            settings.workers,
            settings.workers,
        )
    if settings.platform_endpoint is not None and not settings.demo:
        logger.warning(
            "BUNDLESVC_PLATFORM_ENDPOINT is set: access tokens of every live shop are sent to %s instead of the shop's own "
            "platform. Unset it unless this is a test.",
            settings.platform_endpoint,
        )
    if settings.database_file is None and option(settings.database, "channel_binding") == "require":
        logger.warning(
            "DATABASE_URL requires channel_binding, which is not supported: use sslmode=verify-full to authenticate the server."
        )
