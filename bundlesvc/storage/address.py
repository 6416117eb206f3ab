"""The address of a database (design 16): the path of a SQLite file, or the URL of a PostgreSQL as hosts hand it out."""

import re
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

_SCHEMES = ("postgresql", "postgres")
_HOSTS = re.compile(r"((\[[0-9A-Fa-f:.%]+\]|[^\[\]:,@]*)(:[0-9]*)?)(,(\[[0-9A-Fa-f:.%]+\]|[^\[\]:,@]*)(:[0-9]*)?)*")
_FILES = ("sslrootcert", "sslcert", "sslkey", "sslcrl")

_NOT_FOR_THE_DRIVER = frozenset(
    "channel_binding connect_timeout fallback_application_name gssdelegation gssencmode hostaddr keepalives "
    "keepalives_count keepalives_idle keepalives_interval load_balance_hosts max_protocol_version min_protocol_version "
    "pgbouncer replication require_auth requirepeer sslcompression sslsni tcp_user_timeout".split()
)
"""Options that other clients understand. The driver would pass them on to the server, which refuses them."""


def is_postgresql(address: str) -> bool:
    return address.partition("://")[0] in _SCHEMES


def check_postgresql(url: str) -> None:
    """Raises ValueError with a sentence that repeats nothing of the URL: a password stands in it."""
    try:
        parts = urlsplit(url)
        _options(parts)
    except ValueError as error:
        raise ValueError("This URL cannot be read.") from error
    if not _is_whole(parts):
        raise ValueError(
            "Must be postgresql://user:password@host:port/database; "
            "in user and password, characters such as @ : / ? # % must be percent-encoded."
        )
    for name, value in _options(parts):
        if name in _FILES and not Path(value).is_file():
            raise ValueError(f"{name} names no file.")


def _is_whole(parts: SplitResult) -> bool:
    """Whether it says something, and no raw character of a password cut it in a wrong place."""
    account, _, hosts = parts.netloc.rpartition("@")
    rest = f"{account}{parts.path}{parts.query}"
    return bool(hosts or rest) and "@" not in rest and not parts.fragment and _HOSTS.fullmatch(hosts) is not None


def for_driver(url: str) -> str:
    """The URL with those options that the driver and the server understand: TLS options, `application_name`, …"""
    parts = urlsplit(url)
    kept = [(name, value) for name, value in _options(parts) if name not in _NOT_FOR_THE_DRIVER]
    return parts._replace(query=urlencode(kept)).geturl()


def option(url: str, name: str) -> str | None:
    """The last value that the URL gives an option."""
    return dict(_options(urlsplit(url))).get(name)


def _options(parts: SplitResult) -> list[tuple[str, str]]:
    return parse_qsl(parts.query, keep_blank_values=False, strict_parsing=bool(parts.query))
