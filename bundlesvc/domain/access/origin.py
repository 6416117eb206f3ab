"""Page origins, as browsers send them and as keys list them (docs/contract.md#cors)."""

import re
from ipaddress import IPv4Address, IPv6Address

WILDCARD = "https://*."
MAX_HOST_LENGTH = 253
MAX_PORT = 65535
DEFAULT_PORTS = {"http": "80", "https": "443"}

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*\Z")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}\Z")
_PORT = re.compile(r"[1-9][0-9]{0,4}\Z")
_SUBDOMAIN = re.compile(r"https://[a-z0-9_-]{1,63}\Z")


def plain_origin(origin: str) -> str:
    """Return the origin without a trailing slash."""
    return origin.removesuffix("/")


def wildcard_of(origin: str) -> str | None:
    """Return the wildcard that matches an origin: `https://*.example.app` for `https://pr-7.example.app`. None when no wildcard
    can match the origin."""
    subdomain, dot, parent = origin.partition(".")
    return f"{WILDCARD}{parent}" if dot and _SUBDOMAIN.match(subdomain) else None


def check_origin(origin: str) -> str:
    """Check an origin and return it in the form in which keys list it. Raises ValueError with the reason when no browser can send
    it."""
    if origin == "null":
        raise ValueError("browsers send null for many unrelated pages, such as local files, so it cannot be allowed")
    if origin == "*":
        raise ValueError("to allow all pages, list no origin")
    if origin != origin.lower():
        raise ValueError(f"browsers send origins in lower case: {origin.lower()}")
    scheme, separator, rest = origin.partition("://")
    rest = plain_origin(rest)
    if not separator or not _SCHEME.match(scheme):
        raise ValueError("it must begin with a scheme, as in https://shop.example")
    if found := re.search(r"[/?#@\\\s]", rest):
        raise ValueError(f"it must end after host and port, as in https://shop.example: remove {found[0]!r}")
    _check_host(_check_port(scheme, rest), scheme)
    return plain_origin(origin)


def _check_port(scheme: str, rest: str) -> str:
    """Check that the port, if any, is one that a browser would send, and return the host without the port. Raises ValueError."""
    host, colon, port = rest.rpartition(":") if not rest.endswith("]") else (rest, "", "")
    if not colon:
        return rest
    if not _PORT.match(port) or int(port) > MAX_PORT:
        raise ValueError(f"{port!r} is not a port")
    if DEFAULT_PORTS.get(scheme) == port:
        raise ValueError(f"browsers omit the default port; write {scheme}://{host}")
    return host


def _check_host(host: str, scheme: str) -> None:
    if host.startswith("["):
        _check_address(host, f"[{_canonical(IPv6Address, host[1:-1])}]")
        return
    if not host.isascii():
        raise ValueError("browsers send international host names in their ASCII form; write xn--…")
    if host.endswith("."):
        raise ValueError("remove the dot at the end of the host")
    labels = host.split(".")
    if "*" in host:
        labels = _under_wildcard(labels, scheme)
    if not all(map(_LABEL.match, labels)) or len(host) > MAX_HOST_LENGTH:
        raise ValueError(f"{host!r} is not a host name")
    if labels[-1].isdigit():
        _check_address(host, _canonical(IPv4Address, host))


def _under_wildcard(labels: list[str], scheme: str) -> list[str]:
    """Return the labels after `*`. The `*` must replace exactly the first label. Raises ValueError."""
    first, *parent = labels
    if scheme != "https" or first != "*" or "*" in "".join(parent):
        raise ValueError("* can only replace the whole first label of an https origin, as in https://*.example.app")
    if len(parent) < 2:  # noqa: PLR2004 - a name and a top-level domain
        raise ValueError("* must be below a domain of your own, as in https://*.example.app")
    return parent


def _check_address(host: str, canonical: str) -> None:
    if host != canonical:
        raise ValueError(f"browsers write this address as {canonical}; use that")


def _canonical(kind: type[IPv4Address | IPv6Address], text: str) -> str:
    try:
        return str(kind(text))
    except ValueError as error:
        raise ValueError(f"{text} is not an address") from error
