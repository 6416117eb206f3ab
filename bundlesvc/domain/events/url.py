"""The rules for addresses that may receive events."""

import ipaddress
from urllib.parse import urlsplit

LONGEST = 2_000


def url_fault(url: str, *, allow_private: bool) -> str | None:
    """Return what is wrong with the address of an endpoint; None when it is valid. A host name that resolves to a private address
    is detected only when an event is sent."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "This is not an address. Write one such as https://shop.example/hooks."
    if not parts.hostname or len(url) > LONGEST or not url.isascii() or any(character <= " " for character in url):
        return "This is not an address. Write one such as https://shop.example/hooks."
    if parts.username is not None or parts.password is not None:
        return "The address cannot contain a name and password. Check the signature at the endpoint instead."
    if port == 0:
        return "The port cannot be 0."
    if parts.scheme != "https" and not (allow_private and parts.scheme == "http"):
        return "The address must begin with https://. (http:// needs BUNDLESVC_WEBHOOKS_PRIVATE=1.)"
    if not allow_private and is_address(parts.hostname) and not is_public(parts.hostname):
        return "The address is in a private network. (That needs BUNDLESVC_WEBHOOKS_PRIVATE=1.)"
    return None


def is_address(host: str) -> bool:
    """Whether a host is an IP address rather than a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an IP address is publicly reachable."""
    found = ipaddress.ip_address(address)
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_global and not found.is_multicast
