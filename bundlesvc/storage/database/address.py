"""Database addresses (docs/contract.md#settings): the path of a SQLite file, or the URL of a PostgreSQL database."""

import re
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

_SQLITE = re.compile(r"sqlite:///(?P<path>[^?]+)\Z")
_SCHEMES = ("postgresql", "postgres")
_HOSTS = re.compile(r"((\[[0-9A-Fa-f:.%]+\]|[^\[\]:,@]*)(:[0-9]*)?)(,(\[[0-9A-Fa-f:.%]+\]|[^\[\]:,@]*)(:[0-9]*)?)*")
_FILES = ("sslrootcert", "sslcert", "sslkey", "sslcrl")

_PLACE = frozenset(("host", "port", "dbname", "database"))

_NOT_FOR_THE_DRIVER = frozenset(
    "channel_binding connect_timeout fallback_application_name gssdelegation gssencmode hostaddr keepalives "
    "keepalives_count keepalives_idle keepalives_interval load_balance_hosts max_protocol_version min_protocol_version "
    "pgbouncer replication require_auth requirepeer sslcompression sslsni tcp_user_timeout".split()
)
"""URL options that are meant for other clients or for this service. The driver would pass them to the server, which refuses
them."""

PREFER_STANDBY = "prefer-standby"
_CHOICES = {
    "target_session_attrs": ("any", "primary", "standby", "read-write", "read-only", PREFER_STANDBY),
    "pgbouncer": ("true", "false"),
}


def database_address(url: str) -> str:
    """Convert the value of `DATABASE_URL` to the path of a SQLite file or the URL of a PostgreSQL database. Raises ValueError
    with a message that repeats no part of the URL."""
    if is_postgresql(url):
        check_postgresql(url)
        return url
    found = _SQLITE.match(url)
    if found is None:
        raise ValueError(
            "Must be sqlite:///relative/path, sqlite:////absolute/path, or postgresql://user:password@host:port/database."
        )
    if found["path"].startswith(":memory:"):
        raise ValueError("A database in memory is lost when the process ends. Name a file.")
    return found["path"]


def is_postgresql(address: str) -> bool:
    return address.partition("://")[0] in _SCHEMES


def check_postgresql(url: str) -> None:
    """Check a PostgreSQL URL. Raises ValueError with a message that repeats no part of the URL, because the URL contains a
    password."""
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
        if value not in _CHOICES.get(name, (value,)):
            raise ValueError(f"{name} must be one of {', '.join(_CHOICES[name])}.")


def _is_whole(parts: SplitResult) -> bool:
    """Whether the URL was parsed as intended: it is not empty, and no unescaped character in the password has split it in the
    wrong place."""
    account, _, hosts = parts.netloc.rpartition("@")
    rest = f"{account}{parts.path}{parts.query}"
    return bool(hosts or rest) and "@" not in rest and not parts.fragment and _HOSTS.fullmatch(hosts) is not None


def without_account(url: str) -> str:
    """Return the URL for display, with only the server and the database."""
    parts = urlsplit(url)
    options = [(name, value) for name, value in _options(parts) if name in _PLACE]
    return urlunsplit(("postgresql", parts.netloc.rpartition("@")[2], parts.path, urlencode(options), ""))


def shown(address: str) -> str:
    """Return the address for display: the full path of the file, or the URL without user name and password."""
    return without_account(address) if is_postgresql(address) else str(Path(address).resolve())


def for_driver(url: str) -> str:
    """Return the URL with only the options that the driver and the server understand, such as TLS options and
    `application_name`."""
    parts = urlsplit(url)
    options = [(name, value) for name, value in _options(parts) if name not in _NOT_FOR_THE_DRIVER]
    return parts._replace(query=urlencode(options)).geturl()


def one_per_host(url: str) -> list[str]:
    """Return one URL for each host in this URL."""
    parts = urlsplit(url)
    account, at, hosts = parts.netloc.rpartition("@")
    return [parts._replace(netloc=f"{account}{at}{host}").geturl() for host in hosts.split(",")]


def has_pooler(url: str) -> bool:
    """Whether the URL has the `pgbouncer` option, which indicates a connection pooler (other clients use the same option)."""
    return option(url, "pgbouncer") == "true"


def option(url: str, name: str) -> str | None:
    """Return the last value of an option in the URL, or None."""
    return dict(_options(urlsplit(url))).get(name)


def _options(parts: SplitResult) -> list[tuple[str, str]]:
    return parse_qsl(parts.query, keep_blank_values=False, strict_parsing=bool(parts.query))
