"""Every setting, read from the environment once, typed and validated (design 16)."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.fernet import Fernet
from environs import Env, EnvError, EnvValidationError
from marshmallow import ValidationError
from marshmallow.validate import OneOf, Range, Regexp

DEFAULT_DATABASE = "./var/bundlesvc.db"
DEFAULT_BASE_PATH = "/api/headless/v1"

_SQLITE = re.compile(r"sqlite:///(?P<path>[^?]+)\Z")


class SettingsInvalid(Exception):
    """Settings that cannot be used; the message names each with its reason."""


@dataclass(frozen=True)
class Settings:
    """What an operator decides. `secret_keys` sign and open discount strings; times in seconds."""

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = DEFAULT_DATABASE
    secret_keys: tuple[str, ...] = field(default=(), repr=False)
    base_path: str = DEFAULT_BASE_PATH
    log_format: str = "json"
    log_level: str = "INFO"
    trusted_proxies: int = 0
    price_max_age: float = 300
    demo: bool = False
    workers: int = 1
    redis_url: str | None = None
    disk_does_not_last: bool = False

    @classmethod
    def from_environment(cls) -> "Settings":
        """Raises SettingsInvalid with every setting that is wrong."""
        env = Env(eager=False)
        values: dict[str, Any] = {
            "host": env.str("BUNDLESVC_HOST", cls.host),
            "port": env.int("PORT", cls.port, validate=Range(0, 65535)),
            "database": env.str("DATABASE_URL", f"sqlite:///{DEFAULT_DATABASE}", validate=_check_database),
            "secret_keys": env.list("BUNDLESVC_SECRET_KEYS", [], validate=_check_secret_keys),
            "base_path": env.str(
                "BUNDLESVC_BASE_PATH",
                DEFAULT_BASE_PATH,
                validate=Regexp(r"(/[A-Za-z0-9._~-]+)+\Z", error="Must begin with / and not end with it."),
            ),
            "log_format": env.str("BUNDLESVC_LOG_FORMAT", cls.log_format, validate=OneOf(("json", "console"))),
            "log_level": env.str("BUNDLESVC_LOG_LEVEL", cls.log_level, validate=_check_log_level),
            "trusted_proxies": env.int("BUNDLESVC_TRUSTED_PROXIES", 0, validate=Range(0)),
            "price_max_age": env.float("BUNDLESVC_PRICE_MAX_AGE", cls.price_max_age, validate=Range(0)),
            "demo": env.bool("BUNDLESVC_DEMO", False),
            "workers": env.int("WEB_CONCURRENCY", 1, validate=Range(1)),
            "redis_url": env.str("REDIS_URL", None),
            "disk_does_not_last": env.str("DYNO", None) is not None,
        }
        try:
            env.seal()
        except EnvValidationError as error:
            raise SettingsInvalid(_sentences(error)) from error
        database = _SQLITE.match(values["database"])
        values["database"] = database["path"] if database else values["database"]
        values["secret_keys"] = tuple(key.strip() for key in values["secret_keys"] if key.strip())
        values["log_level"] = values["log_level"].upper()
        return cls(**values)


def _check_database(url: str) -> None:
    if url.startswith(("postgres://", "postgresql://")):
        raise ValidationError(
            "PostgreSQL is not supported yet: use sqlite:///relative/path or sqlite:////absolute/path."
        )
    database = _SQLITE.match(url)
    if database and database["path"].startswith(":memory:"):
        raise ValidationError("A database in memory does not last: name a file.")
    if not database:
        raise ValidationError("Must be sqlite:///relative/path or sqlite:////absolute/path.")


def _check_secret_keys(keys: list[str]) -> None:
    for key in filter(None, (key.strip() for key in keys)):
        try:
            Fernet(key)
        except ValueError as error:
            raise ValidationError("Must be Fernet keys (32 bytes in URL-safe base64), comma separated.") from error


def _check_log_level(level: str) -> None:
    if level.upper() not in logging.getLevelNamesMapping():
        raise ValidationError("Must be DEBUG, INFO, WARNING or ERROR.")


def _sentences(error: EnvError) -> str:
    messages: Mapping[str, list[str]] = getattr(error, "error_messages", {})
    return "\n".join(f"{name}: {' '.join(reasons)}" for name, reasons in messages.items()) or str(error)
