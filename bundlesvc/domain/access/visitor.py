"""Visitors, as counted by rate limits: an IPv4 address, or the network of an IPv6 address (docs/contract.md#rate-limits)."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

MAX_LENGTH = 64
"""The maximum length of an address in characters, including zone and port."""


def visitor_of(peer: str, forwarded_for: Iterable[str], trusted_proxies: int) -> str:
    """Return the visitor behind a request. `peer` is the address of the connection, `forwarded_for` the values of
    X-Forwarded-For.

    Behind `trusted_proxies` proxies, the visitor is the address that the outermost proxy saw: the entry at position
    `trusted_proxies`, counted from the right. Entries further to the left come from the client and cannot be trusted. If the
    entry is not an address, the peer is the visitor.
    """
    if trusted_proxies:
        hops = [hop for hop in map(str.strip, ",".join(forwarded_for).split(",")) if hop]
        visitor = _visitor(hops[max(len(hops) - trusted_proxies, 0)][:MAX_LENGTH]) if hops else None
        if visitor is not None:
            return visitor
    return _visitor(peer) or peer


def is_local(peer: str) -> bool:
    """Whether the address belongs to this host or to a private network, as a proxy's address does."""
    try:
        return ip_address(peer).is_private
    except ValueError:
        return True  # a Unix socket


@lru_cache(maxsize=4096)
def _visitor(text: str) -> str | None:
    """Return the visitor that an address stands for. An IPv4 address, even one mapped into IPv6, is itself the visitor; any other
    IPv6 address stands for its /64 network, which usually belongs to one customer. None when the text is not an address."""
    try:
        address = ip_address(_without_port(text))
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address if isinstance(address, IPv4Address) else address.ipv4_mapped)


def _without_port(text: str) -> str:
    """Return the address without the port that some proxies add, as in `203.0.113.7:4711` or `[2001:db8::1]:4711`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    host, colon, _ = text.partition(":")
    return host if colon and "." in host else text
