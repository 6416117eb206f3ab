"""The supported revisions of the protocol, and how to determine which one a request uses.

In the stateless revision, every request specifies its revision and the client's capabilities in `params._meta`, and repeats in
headers the values that proxies need. In the older revisions, the client begins with a handshake (`initialize`), after which this
service keeps no state.
"""

import base64
import binascii
import re

from multidict import MultiMapping

from bundlesvc.api.agents.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    Message,
    ProtocolError,
)

STATELESS = "2026-07-28"
HANDSHAKES = ("2025-11-25", "2025-06-18")
"""The revisions that begin with a handshake, newest first. Older revisions require batches, so they are not supported."""
REVISIONS = (STATELESS, *HANDSHAKES)

INITIALIZE, DISCOVER = "initialize", "server/discover"

_VERSION = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_VERSION_HEADER, _METHOD_HEADER, _NAME_HEADER = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
_ENCODED = re.compile(r"=\?base64\?(.*)\?=\Z")


def revision_of(message: Message, headers: MultiMapping[str]) -> str:
    """Determine the protocol revision of a request. Raises ProtocolError when the revision is not supported, or when headers and
    body disagree."""
    header = headers.get(_VERSION_HEADER)
    if _VERSION in message.meta or header == STATELESS or message.method == DISCOVER:
        return _stateless(message, headers)
    if header is None or header in HANDSHAKES or message.method == INITIALIZE:
        return HANDSHAKES[0]
    raise _unsupported(header)


def check_notification(headers: MultiMapping[str]) -> None:
    """Check the protocol revision of a notification, which is given only in a header. Raises ProtocolError."""
    header = headers.get(_VERSION_HEADER)
    if header is not None and header not in REVISIONS:
        raise _unsupported(header)


def negotiated(requested: object) -> str:
    """Choose the protocol revision for a handshake: the requested one if it is supported, otherwise the newest one that has a
    handshake."""
    return requested if isinstance(requested, str) and requested in HANDSHAKES else HANDSHAKES[0]


def _stateless(message: Message, headers: MultiMapping[str]) -> str:
    missing = [key for key in (_VERSION, _CAPABILITIES) if key not in message.meta]
    if missing:
        raise ProtocolError(INVALID_PARAMS, f"params._meta must contain {' and '.join(missing)}.")
    revision = message.meta[_VERSION]
    _check_header(headers, _VERSION_HEADER, revision)
    _check_header(headers, _METHOD_HEADER, message.method)
    name = message.params.get("name")
    if message.method == "tools/call" and name is not None:
        _check_header(headers, _NAME_HEADER, name)
    if revision != STATELESS:
        raise _unsupported(revision)
    return STATELESS


def _check_header(headers: MultiMapping[str], name: str, expected: object) -> None:
    """Check that a header occurs exactly once and matches the value in the body. Raises ProtocolError."""
    sent = headers.getall(name, [])
    if len(sent) != 1 or _decoded(sent[0]) != expected:
        raise ProtocolError(
            HEADER_MISMATCH, f"The header {name} must occur exactly once and equal the value in the body."
        )


def _decoded(header: str) -> str | None:
    """Decode the value of a header, which may be in Base64. Returns None when the Base64 is malformed."""
    encoded = _ENCODED.match(header)
    if encoded is None:
        return header
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _unsupported(requested: str) -> ProtocolError:
    data = {"supported": list(REVISIONS), "requested": requested}
    return ProtocolError(UNSUPPORTED_VERSION, "This protocol version is not supported.", data)
