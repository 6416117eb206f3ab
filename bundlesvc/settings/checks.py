"""Validators for settings, in the form that `environs` expects."""

import logging
import re
from urllib.parse import urlsplit

from marshmallow import ValidationError

from bundlesvc.redis.url import parse_redis_url
from bundlesvc.settings.secret_keys import check_secret_key
from bundlesvc.storage.database.address import database_address, is_postgresql

MANAGE_PATH = "/api/manage/v1"
"""The path of the management API."""


_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+\Z")


def check_base_path(path: str) -> None:
    if not _PATH.match(path):
        raise ValidationError("Must begin with a slash and not end with one.")
    if f"{MANAGE_PATH}/".startswith(f"{path}/"):
        raise ValidationError(f"Must not be {path}: {MANAGE_PATH} is the path of the management API.")


def check_database(url: str) -> None:
    try:
        database_address(url)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def check_replica(url: str | None) -> None:
    if url is not None and not is_postgresql(url):
        raise ValidationError(
            "Must be postgresql://user:password@host:port/database, a replica of the one in DATABASE_URL."
        )
    if url is not None:
        check_database(url)


def check_redis(url: str | None) -> None:
    try:
        if url is not None:
            parse_redis_url(url)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def check_secret_keys(keys: list[str]) -> None:
    for key in filter(None, (key.strip() for key in keys)):
        try:
            check_secret_key(key)
        except ValueError as error:
            raise ValidationError(str(error)) from error


def check_endpoint(url: str | None) -> None:
    if url is not None and not re.fullmatch(r"https?://[^/?#\s@]+", url):
        raise ValidationError("Must be http://host:port, the address of a stand-in for the live platform.")


HAND_OVER_NAMES = ("shop", "bundle", "id", "unique", "variant")


def check_hand_over_url(template: str | None) -> None:
    if template is None:
        return
    plain = re.sub(rf"\{{({'|'.join(HAND_OVER_NAMES)})\}}", "0", template)
    if not re.fullmatch(r"https?://[^/?#\s@{}]+([/?#][^\s{}]*)?", plain):
        names = ", ".join(f"{{{name}}}" for name in HAND_OVER_NAMES)
        raise ValidationError(
            f"Must be an address of the storefront, such as https://shop.example/box?id={{id}}, with {names}."
        )


def check_vendure_endpoint(url: str | None) -> None:
    if url is not None and not (re.fullmatch(r"https?://[^/?#\s@]+", url) and _has_port(url)):
        raise ValidationError("Must be http://host:port or https://host:port, the address of Vendure, without a path.")


def _has_port(url: str) -> bool:
    """Whether the URL's port is valid. A URL without a port passes, too."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def check_collector(url: str) -> None:
    if url and not (re.fullmatch(r"https?://[^/?#\s]+(/[^\s?#]*)?", url) and _has_port(url)):
        raise ValidationError(
            "Must be http://host:port or https://host:port, the address of an OpenTelemetry collector."
        )


def check_otlp_protocol(protocol: str) -> None:
    if protocol not in ("", "http/protobuf"):
        raise ValidationError("Must be http/protobuf: spans are sent over HTTP, to port 4318 of most collectors.")


def check_dsn(dsn: str) -> None:
    if dsn and not (re.fullmatch(r"https?://[^/?#\s@]+@[^/?#\s@]+(/[^\s?#]*)?/[0-9]+", dsn) and _has_port(dsn)):
        raise ValidationError("Must be https://key@host/number, the DSN of a project in Sentry or a service like it.")


def check_log_level(level: str) -> None:
    if level.upper() not in logging.getLevelNamesMapping():
        raise ValidationError("Must be DEBUG, INFO, WARNING or ERROR.")
