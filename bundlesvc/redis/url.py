"""Parses `REDIS_URL`: the address of a single Redis server, of Sentinels, or of some of the servers of a Redis Cluster."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

SERVER, SENTINEL, CLUSTER = "", "+sentinel", "+cluster"
"""The connection modes, as suffixes of the URL's scheme."""

_PORTS = {SERVER: 6379, SENTINEL: 26379, CLUSTER: 6379}

_CREDENTIALS = r"(?P<credentials>[^/?#\s]*@)?"
_HOST = r"(?:[^/?#\s@:,]+|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?"


def _form(path: str, *, several: bool) -> re.Pattern[str]:
    hosts = rf"(?P<hosts>{_HOST}{f'(?:,{_HOST})*' if several else ''})"
    return re.compile(rf"{_CREDENTIALS}{hosts}{path}(?:\?(?P<options>(?:[a-z_]+=[^&#\s@]*&?)*))?")


_FORMS = {
    SERVER: _form(r"(?P<database>/[0-9]*)?", several=False),
    SENTINEL: _form(r"/(?P<service>[\w.-]+)(?P<database>/[0-9]*)?", several=True),
    CLUSTER: _form(r"(?P<database>/0?)?", several=True),
}

_TLS_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_TLS = frozenset(
    (*_TLS_FILES, "ssl_ca_data", "ssl_cert_reqs", "ssl_check_hostname", "ssl_ciphers", "ssl_exclude_verify_flags",
     "ssl_include_verify_flags", "ssl_min_version")
)  # fmt: skip
OPTIONS = {
    SERVER: _TLS | {"db", "ssl_ca_path", "ssl_password"},
    SENTINEL: _TLS | {"db", "ssl_ca_path", "ssl_password", "sentinel_username", "sentinel_password"},
    CLUSTER: _TLS,
}
_CHOICES = {
    "ssl_cert_reqs": ("none", "optional", "required"),
    "ssl_min_version": ("769", "770", "771", "772"),
}
_ENCODED = "in user and password, characters such as @ : / ? # % must be percent-encoded."
_SENTENCES = {
    SERVER: "Must be redis:// or rediss://, as in rediss://user:password@host:6379/0, or for several servers "
    f"redis+sentinel:// or redis+cluster://; {_ENCODED}",
    SENTINEL: "Must be as in redis+sentinel://user:password@host:26379,host:26379/name/0, with the addresses of Sentinels "
    f"and their name for the primary server; {_ENCODED}",
    CLUSTER: "Must be as in redis+cluster://user:password@host:6379,host:6379, with no other database than 0; "
    f"{_ENCODED}",
}
_MAX_PORT = 65535


@dataclass(frozen=True)
class RedisUrl:
    """The parts of a Redis URL. `server` is the URL of the first host, in the form for a single Redis server, with the
    credentials, the database and the options. `service` is the name by which Sentinels know the primary server; `sentinel_login`
    contains the Sentinels' own credentials."""

    mode: str
    hosts: tuple[tuple[str, int], ...]
    server: str = field(repr=False)
    service: str = ""
    sentinel_login: Mapping[str, str] = field(default_factory=dict, repr=False)


def parse_redis_url(url: str) -> RedisUrl:
    """Parse a Redis URL. Raises ValueError, whose message contains no part of the URL."""
    scheme, _, rest = url.partition("://")
    protocol, plus, mode = scheme.partition("+")
    mode = plus + mode
    if protocol not in ("redis", "rediss") or mode not in _FORMS:
        raise ValueError(_SENTENCES[SERVER])
    found = _FORMS[mode].fullmatch(rest)
    if found is None:
        raise ValueError(_SENTENCES[mode])
    parts = {part: text or "" for part, text in found.groupdict().items()}
    hosts = tuple(_address(host, _PORTS[mode]) for host in parts["hosts"].split(","))
    if not all(0 < port <= _MAX_PORT for _, port in hosts):
        raise ValueError(_SENTENCES[mode])
    options = dict(parse_qsl(parts["options"], keep_blank_values=True))
    _check_options(options, protocol, mode)
    login = {
        name: options.pop(f"sentinel_{name}") for name in ("username", "password") if f"sentinel_{name}" in options
    }
    first = parts["hosts"].partition(",")[0]
    server = f"{protocol}://{parts['credentials']}{first}{parts['database']}"
    return RedisUrl(mode, hosts, f"{server}?{urlencode(options)}", parts.get("service", ""), login)


def _check_options(options: Mapping[str, str], protocol: str, mode: str) -> None:
    known = OPTIONS[mode]
    for name, value in options.items():
        if name not in known:
            raise ValueError(
                f"{name} is not an option of {protocol}{mode}://. The options are: {', '.join(sorted(known))}."
            )
        if name.startswith("ssl_") and protocol == "redis":
            raise ValueError(f"{name} needs rediss{mode}:// instead of redis{mode}://.")
        if name in _TLS_FILES and not Path(value).is_file():
            raise ValueError(f"{name} names no file.")
        if value not in _CHOICES.get(name, (value,)):
            raise ValueError(f"{name} must be one of {', '.join(_CHOICES[name])}.")


def _address(host: str, default_port: int) -> tuple[str, int]:
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host.strip("[]"), default_port
    return name.strip("[]"), int(port)
