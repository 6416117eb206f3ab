"""Every setting is read from the environment, and all faults are reported together (docs/contract.md#settings)."""

from base64 import urlsafe_b64encode
from dataclasses import FrozenInstanceError, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.settings.environment import Settings, SettingsInvalid

FIRST, SECOND = (urlsafe_b64encode(sha256(seed).digest()).decode() for seed in (b"first", b"second"))

HAND_OVER = (
    "Must be an address of the storefront, such as https://shop.example/box?id={id}, with {shop}, {bundle}, {id}, {unique}, "
    "{variant}."
)

READ: list[tuple[str, str, str, object]] = [
    # (variable, value, field, parsed value)
    ("BUNDLESVC_HOST", "0.0.0.0", "host", "0.0.0.0"),
    ("PORT", "9000", "port", 9000),
    ("PORT", "0", "port", 0),
    ("PORT", "65535", "port", 65535),
    ("DATABASE_URL", "sqlite:///var/x.db", "database", "var/x.db"),
    ("DATABASE_URL", "sqlite:////data/x y.db", "database", "/data/x y.db"),
    *(
        ("DATABASE_URL", url, "database", url)
        for url in (
            "postgres://user:pass%40word@db.example:5433/shop?sslmode=require",
            "postgresql://user:password@db.example/shop",
            "postgresql://user@[::1]:5432/shop",
            "postgresql://user:password@one.example:5432,two.example:5433/shop?target_session_attrs=read-write",
            "postgresql://user:@/shop?host=/run/postgresql",
            "postgresql:///shop",
            "postgresql://db.example",
        )
    ),
    ("BUNDLESVC_SECRET_KEYS", FIRST, "secret_keys", (FIRST,)),
    ("BUNDLESVC_SECRET_KEYS", f" {FIRST} , {SECOND},", "secret_keys", (FIRST, SECOND)),
    ("BUNDLESVC_SECRET_KEYS", "", "secret_keys", ()),
    ("BUNDLESVC_BASE_PATH", "/v1", "base_path", "/v1"),
    ("BUNDLESVC_BASE_PATH", "/a-b/c.d/e_f/g~h/1", "base_path", "/a-b/c.d/e_f/g~h/1"),
    ("BUNDLESVC_LOG_FORMAT", "console", "log_format", "console"),
    ("BUNDLESVC_LOG_LEVEL", "warning", "log_level", "WARNING"),
    ("BUNDLESVC_TRUSTED_PROXIES", "2", "trusted_proxies", 2),
    ("BUNDLESVC_PRICE_MAX_AGE", "1.5", "price_max_age", 1.5),
    ("BUNDLESVC_GHOST_GRACE_HOURS", "0.5", "ghost_grace_hours", 0.5),
    ("BUNDLESVC_PLATFORM_TIMEOUT", "2.5", "platform_timeout", 2.5),
    ("BUNDLESVC_PLATFORM_ENDPOINT", "http://127.0.0.1:9292", "platform_endpoint", "http://127.0.0.1:9292"),
    ("BUNDLESVC_VENDURE_ENDPOINT", "http://vendure:3000", "vendure_endpoint", "http://vendure:3000"),
    ("BUNDLESVC_STUDIO", "1", "studio", True),
    ("BUNDLESVC_DEMO", "1", "demo", True),
    ("BUNDLESVC_DEMO", "true", "demo", True),
    ("BUNDLESVC_DEMO", "0", "demo", False),
    ("WEB_CONCURRENCY", "4", "workers", 4),
    *(
        ("REDIS_URL", url, "redis_url", url)
        for url in (
            "redis://localhost",
            "redis://:pass%40word@redis.example:6379",
            "rediss://user:password@redis.example:6380/3",
            "rediss://redis.example/0?ssl_cert_reqs=none",
            "redis://[::1]:6379?db=2",
            "redis+sentinel://sentinel/primary",
            "rediss+sentinel://user:password@one:26379,[::1]:26380/my-primary.1/3?sentinel_password=x&ssl_cert_reqs=none",
            "redis+cluster://one",
            "rediss+cluster://user:pass%40word@one:6379,two,[::1]:6380/0?ssl_cert_reqs=none",
        )
    ),
    ("BUNDLESVC_CACHE_PRODUCTS_TTL", "120", "cache_products_ttl", 120.0),
    ("BUNDLESVC_CACHE_PRICES_TTL", "1.5", "cache_prices_ttl", 1.5),
    ("BUNDLESVC_CACHE_SHOP_TTL", "86400", "cache_shop_ttl", 86400.0),
    ("BUNDLESVC_CACHE_NEGATIVE_TTL", "1", "cache_negative_ttl", 1.0),
    ("BUNDLESVC_MAX_REQUESTS", "50", "max_requests", 50),
    ("BUNDLESVC_MAX_CONNECTIONS", "500", "max_connections", 500),
    ("BUNDLESVC_HEADER_TIMEOUT", "5", "header_timeout", 5.0),
    ("BUNDLESVC_BODY_TIMEOUT", "1.5", "body_timeout", 1.5),
    ("BUNDLESVC_KEEPALIVE_TIMEOUT", "3600", "keepalive_timeout", 3600.0),
    ("BUNDLESVC_BODY_RATE", "10000", "body_rate", 10_000.0),
    ("BUNDLESVC_STOP_DELAY", "0", "stop_delay", 0.0),
    ("BUNDLESVC_BODY_MEMORY", "128", "body_memory", 128),
    ("BUNDLESVC_CACHE_MEMORY", "32", "cache_memory", 32),
    ("BUNDLESVC_CACHED_OBJECTS", "1000", "cached_objects", 1000),
    ("BUNDLESVC_COMPLETION_WORK", "5000", "completion_work", 5000),
    ("BUNDLESVC_EDGE", "0", "edge", False),
    ("BUNDLESVC_SHARED_CACHING", "1", "shared_caching", True),
    ("BUNDLESVC_WEBHOOKS_PRIVATE", "1", "webhooks_private", True),
    ("BUNDLESVC_BACKUP_FOLDER", "/backups", "backup_folder", Path("/backups")),
    ("BUNDLESVC_BACKUP_FOLDER", "", "backup_folder", None),
    ("BUNDLESVC_BACKUP_HOURS", "1.5", "backup_hours", 1.5),
    ("BUNDLESVC_BACKUP_KEEP", "7", "backup_keep", 7),
    ("BUNDLESVC_METRICS_PORT", "9100", "metrics_port", 9100),
    ("BUNDLESVC_METRICS_SHOPS", "1", "metrics_shops", True),
    *(
        ("BUNDLESVC_HAND_OVER_URL", url, "hand_over_url", url)
        for url in (
            "https://shop.example/box?id={id}&unique={unique}",
            "http://127.0.0.1:8080/cart/{variant}:1",
            "https://{shop}.shop.example/{bundle}#buy",
        )
    ),
    ("BUNDLESVC_SUBSCRIPTION_DAYS", "0", "subscription_days", 0),
    ("BUNDLESVC_VISITOR_GHOST_VARIANTS", "1", "visitor_ghost_variants", 1),
    ("BUNDLESVC_VISITOR_CONFIGURED_BUNDLES", "500", "visitor_configured_bundles", 500),
    ("BUNDLESVC_VISITOR_REMINDERS", "5", "visitor_reminders", 5),
    ("BUNDLESVC_VISITOR_SUBSCRIPTIONS", "7", "visitor_subscriptions", 7),
    *(
        (f"BUNDLESVC_{name.upper()}", "30", name, 30)
        for name in (
            "keep_reminders_days",
            "keep_pending_subscriptions_days",
            "keep_cancelled_subscriptions_days",
            "keep_answers_days",
            "keep_configured_bundles_days",
            "keep_usage_days",
            "keep_orders_days",
            "keep_audit_days",
            "keep_events_days",
        )
    ),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://otel:4318/", "traces_endpoint", "http://otel:4318/v1/traces"),
    ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://otel/spans", "traces_endpoint", "https://otel/spans"),
    ("BUNDLESVC_SENTRY_DSN", "https://key@sentry.example/1", "sentry_dsn", "https://key@sentry.example/1"),
    ("SENTRY_DSN", "http://key:old@127.0.0.1:9000/path/2", "sentry_dsn", "http://key:old@127.0.0.1:9000/path/2"),
    ("DYNO", "web.1", "disk_does_not_last", True),
]

MANAGED = f"Must not be {{}}: {MANAGE_PATH} is the path of the management API."
FERNET = "Must be Fernet keys (32 bytes in URL-safe base64), separated by commas."
DATABASE = (
    "Must be sqlite:///relative/path, sqlite:////absolute/path, or postgresql://user:password@host:port/database."
)
POSTGRESQL = (
    "Must be postgresql://user:password@host:port/database; "
    "in user and password, characters such as @ : / ? # % must be percent-encoded."
)
REPLICA = "Must be postgresql://user:password@host:port/database, a replica of the one in DATABASE_URL."
NO_PRIMARY = "Names a PostgreSQL replica; DATABASE_URL must name its primary server."
SESSION = "target_session_attrs must be one of any, primary, standby, read-write, read-only, prefer-standby."
ENCODED = "in user and password, characters such as @ : / ? # % must be percent-encoded."
REDIS = (
    "Must be redis:// or rediss://, as in rediss://user:password@host:6379/0, or for several servers redis+sentinel:// or "
    f"redis+cluster://; {ENCODED}"
)
SENTINEL = (
    "Must be as in redis+sentinel://user:password@host:26379,host:26379/name/0, with the addresses of Sentinels and their "
    f"name for the primary server; {ENCODED}"
)
CLUSTER = f"Must be as in redis+cluster://user:password@host:6379,host:6379, with no other database than 0; {ENCODED}"
BASE_PATH = "Must begin with a slash and not end with one."
ENDPOINT = "Must be http://host:port, the address of a stand-in for the live platform."
VENDURE_ENDPOINT = "Must be http://host:port or https://host:port, the address of Vendure, without a path."
TTL = "Must be greater than or equal to 1 and less than or equal to 86400."
CONNECTION_TIME = "Must be greater than or equal to 1 and less than or equal to 3600."
DAYS = "Must be greater than or equal to 1 and less than or equal to 36500."
COLLECTOR = "Must be http://host:port or https://host:port, the address of an OpenTelemetry collector."
OTLP_PROTOCOL = "Must be http/protobuf: spans are sent over HTTP, to port 4318 of most collectors."
DSN = "Must be https://key@host/number, the DSN of a project in Sentry or a service like it."
LEVEL = "Must be DEBUG, INFO, WARNING or ERROR."

WRONG: list[tuple[str, str, str]] = [
    # (variable, value, the error message)
    ("PORT", "http", "Not a valid integer."),
    ("PORT", "", "Not a valid integer."),
    ("PORT", "80.5", "Not a valid integer."),
    ("PORT", "-1", "Must be greater than or equal to 0 and less than or equal to 65535."),
    ("PORT", "65536", "Must be greater than or equal to 0 and less than or equal to 65535."),
    ("DATABASE_URL", "", DATABASE),
    ("DATABASE_URL", "var/x.db", DATABASE),
    ("DATABASE_URL", "sqlite://", DATABASE),
    ("DATABASE_URL", "sqlite:///", DATABASE),
    ("DATABASE_URL", "sqlite:///x.db?mode=ro", DATABASE),
    ("DATABASE_URL", "mysql://user:hunter2@host/x", DATABASE),
    ("DATABASE_URL", "postgresql+asyncpg://user:hunter2@host/x", DATABASE),
    ("DATABASE_URL", "postgres://user:hunter2@host:port/x", POSTGRESQL),
    ("DATABASE_URL", "postgres://user:hunter2/@host/x", POSTGRESQL),
    ("DATABASE_URL", "postgres://user:4/hunter2@host/x", POSTGRESQL),
    ("DATABASE_URL", "postgres://user:4?x=hunter2@host/x", POSTGRESQL),
    ("DATABASE_URL", "postgres://user:hunter2#@host/x", POSTGRESQL),
    ("DATABASE_URL", "postgres://user:hunter2@@host/x", POSTGRESQL),
    ("DATABASE_URL", "postgres://", POSTGRESQL),
    ("DATABASE_URL", "postgres://user:hunter2?@host/x", "This URL cannot be read."),
    ("DATABASE_URL", "postgres://user:hunter2@[host/x", "This URL cannot be read."),
    ("DATABASE_URL", "postgres://user:hunter2@host/x?sslmode", "This URL cannot be read."),
    ("DATABASE_URL", "postgres://user:hunter2@host/x?sslrootcert=/no/such/file", "sslrootcert names no file."),
    ("DATABASE_URL", "postgres://user:hunter2@host/x?target_session_attrs=writable", SESSION),
    ("DATABASE_READ_URL", "sqlite:///x.db", REPLICA),
    ("DATABASE_READ_URL", "postgres://user:hunter2@host:port/x", POSTGRESQL),
    ("DATABASE_READ_URL", "postgres://user@host/x", NO_PRIMARY),
    ("DATABASE_URL", "postgres://user:hunter2@host/x?pgbouncer=1", "pgbouncer must be one of true, false."),
    ("BUNDLESVC_SECRET_KEYS", "hunter2", FERNET),
    ("BUNDLESVC_SECRET_KEYS", f"{FIRST},hunter2", FERNET),
    ("BUNDLESVC_SECRET_KEYS", FIRST[:-2], FERNET),
    ("BUNDLESVC_BASE_PATH", "", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "api", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api/", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api//v1", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api\n", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/{id}", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api/manage", MANAGED.format("/api/manage")),
    ("BUNDLESVC_BASE_PATH", MANAGE_PATH, MANAGED.format(MANAGE_PATH)),
    ("BUNDLESVC_LOG_FORMAT", "xml", "Must be one of: json, console."),
    ("BUNDLESVC_LOG_LEVEL", "loud", LEVEL),
    ("BUNDLESVC_TRUSTED_PROXIES", "-1", "Must be greater than or equal to 0."),
    ("BUNDLESVC_TRUSTED_PROXIES", "all", "Not a valid integer."),
    ("BUNDLESVC_GHOST_GRACE_HOURS", "-1", "Must be greater than or equal to 0 and less than or equal to 720."),
    ("BUNDLESVC_PRICE_MAX_AGE", "-1", "Must be greater than or equal to 0."),
    ("BUNDLESVC_PRICE_MAX_AGE", "long", "Not a valid number."),
    ("BUNDLESVC_VISITOR_GHOST_VARIANTS", "0", "Must be greater than or equal to 1."),
    ("BUNDLESVC_VISITOR_CONFIGURED_BUNDLES", "-1", "Must be greater than or equal to 1."),
    ("BUNDLESVC_VISITOR_REMINDERS", "none", "Not a valid integer."),
    ("BUNDLESVC_VISITOR_SUBSCRIPTIONS", "", "Not a valid integer."),
    ("BUNDLESVC_PLATFORM_TIMEOUT", "0", "Must be greater than or equal to 0.1."),
    ("BUNDLESVC_PLATFORM_ENDPOINT", "127.0.0.1:9292", ENDPOINT),
    ("BUNDLESVC_PLATFORM_ENDPOINT", "http://127.0.0.1:9292/admin", ENDPOINT),
    ("BUNDLESVC_PLATFORM_ENDPOINT", "http://user:hunter2@127.0.0.1", ENDPOINT),
    ("BUNDLESVC_PLATFORM_ENDPOINT", "", ENDPOINT),
    ("BUNDLESVC_VENDURE_ENDPOINT", "vendure:3000", VENDURE_ENDPOINT),
    ("BUNDLESVC_VENDURE_ENDPOINT", "http://vendure:3000/admin-api", VENDURE_ENDPOINT),
    ("BUNDLESVC_VENDURE_ENDPOINT", "http://vendure:0", VENDURE_ENDPOINT),
    ("BUNDLESVC_VENDURE_ENDPOINT", "http://user:hunter2@vendure", VENDURE_ENDPOINT),
    ("BUNDLESVC_PRICE_MAX_AGE", "nan", "Special numeric values (nan or infinity) are not permitted."),
    ("BUNDLESVC_PRICE_MAX_AGE", "inf", "Special numeric values (nan or infinity) are not permitted."),
    ("REDIS_URL", "", REDIS),
    ("REDIS_URL", "localhost:6379", REDIS),
    ("REDIS_URL", "http://user:hunter2@localhost", REDIS),
    ("REDIS_URL", "redis://", REDIS),
    ("REDIS_URL", "redis://user:hunter2@", REDIS),
    ("REDIS_URL", "redis://user:hunter2@host:port", REDIS),
    ("REDIS_URL", "redis://user:hunter2@host:65536", REDIS),
    ("REDIS_URL", "redis://user:hunter2/@host", REDIS),
    ("REDIS_URL", "redis://user:hunter2@host/shop", REDIS),
    ("REDIS_URL", "redis://user:hunter2@host?socket_timeout", REDIS),
    ("REDIS_URL", "redis://user:5?socket_timeout=hunter2@host", REDIS),
    ("REDIS_URL", "rediss://user:hunter2@host?ssl_ca_certs=hunter2", "ssl_ca_certs names no file."),
    ("REDIS_URL", "rediss://host?ssl_cert_reqs=hunter2", "ssl_cert_reqs must be one of none, optional, required."),
    ("REDIS_URL", "redis://host?ssl_cert_reqs=none", "ssl_cert_reqs needs rediss:// instead of redis://."),
    ("REDIS_URL", "redis://user:hunter2@one,two", REDIS),
    ("REDIS_URL", "redis+sentinels://user:hunter2@host/primary", REDIS),
    ("REDIS_URL", "redis+://user:hunter2@host", REDIS),
    ("REDIS_URL", "redis+sentinel://user:hunter2@host", SENTINEL),
    ("REDIS_URL", "redis+sentinel://user:hunter2@host/0/primary", SENTINEL),
    ("REDIS_URL", "redis+sentinel://user:hunter2@host,/primary", SENTINEL),
    ("REDIS_URL", "redis+sentinel://user:hunter2@host:0/primary", SENTINEL),
    ("REDIS_URL", "redis+cluster://user:hunter2@host/1", CLUSTER),
    ("REDIS_URL", "redis+cluster://user:hunter2@host:99999,two", CLUSTER),
    ("REDIS_URL", "redis+cluster://user:hunter2@", CLUSTER),
    ("BUNDLESVC_CACHE_PRODUCTS_TTL", "0", TTL),
    ("BUNDLESVC_CACHE_PRICES_TTL", "86401", TTL),
    ("BUNDLESVC_CACHE_SHOP_TTL", "long", "Not a valid number."),
    ("BUNDLESVC_CACHE_NEGATIVE_TTL", "-1", TTL),
    ("BUNDLESVC_MAX_REQUESTS", "0", "Must be greater than or equal to 1."),
    ("BUNDLESVC_MAX_CONNECTIONS", "0", "Must be greater than or equal to 1."),
    ("BUNDLESVC_HEADER_TIMEOUT", "0", CONNECTION_TIME),
    ("BUNDLESVC_BODY_TIMEOUT", "3601", CONNECTION_TIME),
    ("BUNDLESVC_KEEPALIVE_TIMEOUT", "-1", CONNECTION_TIME),
    ("BUNDLESVC_STOP_DELAY", "21", "Must be greater than or equal to 0 and less than or equal to 20."),
    ("BUNDLESVC_BODY_RATE", "0", "Must be greater than or equal to 1."),
    ("BUNDLESVC_BODY_MEMORY", "7", "Must be greater than or equal to 8."),
    ("BUNDLESVC_DEMO", "perhaps", "Not a valid boolean."),
    ("BUNDLESVC_STUDIO", "perhaps", "Not a valid boolean."),
    ("BUNDLESVC_CACHE_MEMORY", "7", "Must be greater than or equal to 8."),
    ("BUNDLESVC_CACHED_OBJECTS", "99", "Must be greater than or equal to 100."),
    ("BUNDLESVC_COMPLETION_WORK", "99", "Must be greater than or equal to 100 and less than or equal to 100000."),
    ("BUNDLESVC_EDGE", "perhaps", "Not a valid boolean."),
    ("BUNDLESVC_SHARED_CACHING", "perhaps", "Not a valid boolean."),
    ("BUNDLESVC_KEEP_ANSWERS_DAYS", "0", DAYS),
    ("BUNDLESVC_KEEP_REMINDERS_DAYS", "36501", DAYS),
    ("BUNDLESVC_KEEP_PENDING_SUBSCRIPTIONS_DAYS", "-1", DAYS),
    ("BUNDLESVC_KEEP_CANCELLED_SUBSCRIPTIONS_DAYS", "long", "Not a valid integer."),
    ("BUNDLESVC_KEEP_CONFIGURED_BUNDLES_DAYS", "", "Not a valid integer."),
    ("BUNDLESVC_KEEP_USAGE_DAYS", "0", DAYS),
    ("BUNDLESVC_KEEP_ORDERS_DAYS", "0", DAYS),
    ("BUNDLESVC_SUBSCRIPTION_DAYS", "-1", "Must be greater than or equal to 0 and less than or equal to 36500."),
    ("BUNDLESVC_KEEP_EVENTS_DAYS", "0", DAYS),
    ("BUNDLESVC_WEBHOOKS_PRIVATE", "perhaps", "Not a valid boolean."),
    ("BUNDLESVC_KEEP_AUDIT_DAYS", "0", DAYS),
    ("BUNDLESVC_BACKUP_HOURS", "0", "Must be greater than or equal to 0.1 and less than or equal to 720."),
    ("BUNDLESVC_BACKUP_KEEP", "0", "Must be greater than or equal to 1 and less than or equal to 10000."),
    ("BUNDLESVC_METRICS_PORT", "0", "Must be greater than or equal to 1 and less than or equal to 65535."),
    ("BUNDLESVC_METRICS_SHOPS", "perhaps", "Not a valid boolean."),
    *(
        ("BUNDLESVC_HAND_OVER_URL", url, HAND_OVER)
        for url in (
            "",
            "/box?id={id}",
            "ftp://shop.example/{id}",
            "javascript:alert({id})",
            "https://shop.example/{price}",
            "https://shop.example/{id!r}",
            "https://shop.example/{id",
            "https://user@shop.example/{id}",
            "https://shop.example/{id} ",
        )
    ),
    *(
        (f"OTEL_EXPORTER_OTLP_{kind}ENDPOINT", url, COLLECTOR)
        for kind in ("", "TRACES_")
        for url in ("collector:4317", "grpc://collector:4317", "http://hunter2:port")
    ),
    *(
        (variable, dsn, DSN)
        for variable in ("SENTRY_DSN", "BUNDLESVC_SENTRY_DSN")
        for dsn in ("hunter2", "https://sentry.example/1", "https://hunter2@sentry.example", "https://key@host:x/1")
    ),
    ("WEB_CONCURRENCY", "0", "Must be greater than or equal to 1."),
    ("WEB_CONCURRENCY", "auto", "Not a valid integer."),
]

VARIABLES = sorted({"DATABASE_READ_URL", *(variable for variable, *_ in READ)})


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment in which no variable of the settings is set."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


def faults() -> dict[str, str]:
    """Return the error messages about invalid settings, by variable."""
    with pytest.raises(SettingsInvalid) as refused:
        Settings.from_environment()
    return dict(line.split(": ", 1) for line in str(refused.value).splitlines())


def test_defaults() -> None:
    settings = Settings.from_environment()
    assert settings == Settings()
    assert settings == Settings(
        host="127.0.0.1",
        port=8080,
        database="./var/bundlesvc.db",
        secret_keys=(),
        base_path="/api/headless/v1",
        log_format="json",
        log_level="INFO",
        trusted_proxies=0,
        price_max_age=300.0,
        ghost_grace_hours=24.0,
        visitor_ghost_variants=30,
        visitor_configured_bundles=120,
        visitor_reminders=20,
        visitor_subscriptions=20,
        demo=False,
        workers=1,
        redis_url=None,
        cache_products_ttl=60.0,
        cache_prices_ttl=60.0,
        cache_shop_ttl=300.0,
        cache_negative_ttl=30.0,
        max_requests=500,
        max_connections=2000,
        header_timeout=10.0,
        body_timeout=60.0,
        body_rate=1000.0,
        keepalive_timeout=75.0,
        body_memory=64,
        disk_does_not_last=False,
    )


@pytest.mark.parametrize(("variable", "value", "name", "expected"), READ)
def test_each_setting(variable: str, value: str, name: str, expected: object, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, value)
    found: dict[str, Any] = vars(Settings.from_environment())
    assert found == {**vars(Settings()), name: expected}
    assert type(found[name]) is type(expected)


def test_a_replica_needs_a_primary_server(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("DATABASE_URL", "postgres://user:password@primary/x")
    environment.setenv("DATABASE_READ_URL", "postgres://user:password@replica/x?pgbouncer=true")
    settings = Settings.from_environment()
    assert settings.database_read == "postgres://user:password@replica/x?pgbouncer=true"
    assert "password" not in repr(settings)


@pytest.mark.parametrize(("variable", "value"), [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")])
def test_spans_are_turned_off(variable: str, value: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://otel:4318")
    environment.setenv(variable, value)
    assert Settings.from_environment().traces_endpoint is None


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", OTLP_PROTOCOL),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json", OTLP_PROTOCOL),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "long", "Not a valid number."),
    ],
)
def test_fault_of_how_spans_are_sent(variable: str, value: str, sentence: str, environment: pytest.MonkeyPatch) -> None:
    """Invalid settings for sending spans are faults only if the address that receives the spans is set. Otherwise, the settings
    are not meant for this service."""
    environment.setenv(variable, value)
    assert Settings.from_environment().traces_endpoint is None
    environment.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://otel:4318")
    assert faults() == {variable: sentence}


def test_every_setting_is_tested() -> None:
    assert {name for _, _, name, _ in READ} == {field.name for field in fields(Settings)} - {"database_read"}
    assert {variable for variable, *_ in WRONG} == set(VARIABLES) - {
        "BUNDLESVC_BACKUP_FOLDER",
        "BUNDLESVC_HOST",
        "DYNO",
    }


@pytest.mark.parametrize(("variable", "value", "sentence"), WRONG)
def test_fault_of_each_setting(variable: str, value: str, sentence: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, value)
    assert faults() == {variable: sentence}


def test_a_database_in_memory_is_refused(environment: pytest.MonkeyPatch) -> None:
    """An in-memory database is refused, because every connection would have its own database."""
    environment.setenv("DATABASE_URL", "sqlite:///:memory:")
    assert list(faults()) == ["DATABASE_URL"]


def test_all_faults_are_reported_together(environment: pytest.MonkeyPatch) -> None:
    first_of_each: dict[str, tuple[str, str]] = {}
    for variable, value, sentence in WRONG:
        first_of_each.setdefault(variable, (value, sentence))
    for variable, (value, _) in first_of_each.items():
        environment.setenv(variable, value)
    assert faults() == {variable: sentence for variable, (_, sentence) in first_of_each.items()}


@pytest.mark.parametrize(
    ("variable", "value"), [(variable, value) for variable, value, _ in WRONG if "hunter2" in value]
)
def test_secrets_are_not_repeated(variable: str, value: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, value)
    assert "hunter2" not in faults()[variable]


@pytest.mark.parametrize(
    ("database", "file"),
    [("var/x.db", Path("var/x.db")), ("postgres://h/x", None), ("postgresql://h/x", None)],
)
def test_the_file_of_a_database(database: str, file: Path | None) -> None:
    assert Settings(database=database).database_file == file


def test_secrets_are_not_shown() -> None:
    settings = Settings(
        database="postgres://user:hunter2@host/x", secret_keys=("hunter2",), redis_url="redis://:hunter2@host"
    )
    assert "hunter2" not in repr(settings)


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]


def test_scheduled_backups_are_of_sqlite_only(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("BUNDLESVC_BACKUP_FOLDER", "/backups")
    environment.setenv("DATABASE_URL", "postgresql://db.example/shop")
    with pytest.raises(SettingsInvalid, match="back up PostgreSQL with pg_dump"):
        Settings.from_environment()
