"""Takes the idempotency key out of a request head. A client that configures bundles sends a new key with each request; the
rest of the head stays the same."""

import re
from typing import NamedTuple

from multidict import CIMultiDict, CIMultiDictProxy

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.posts.idempotency import HEADER, MAX_KEY_LENGTH

_LINE = re.compile(rb"\r\n(%b): ([!-~]{1,%d})\r\n" % (HEADER.encode(), MAX_KEY_LENGTH), re.IGNORECASE)

_MARK = b"\0"
"""Ends a head whose key was taken out. A head as it was sent ends with an empty line, so the two are never confused."""


class KeyHeader(NamedTuple):
    """The `Idempotency-Key` header as it was sent: its name, in the client's spelling, and the key."""

    name: bytes
    key: bytes


def split_head(head: bytes) -> tuple[bytes, KeyHeader | None]:
    """Take the first idempotency key out of a head. Returns the rest of the head, and the header. A key in an unusual form, such
    as one with spaces, stays in the head, and None is returned instead of the header."""
    found = _LINE.search(head)
    if found is None:
        return head, None
    start, end = found.span(2)
    return head[:start] + head[end:] + _MARK, KeyHeader(*found.groups())


def has_only(message: RawRequestMessage, header: KeyHeader) -> bool:
    """Whether the message has this idempotency key and no other."""
    return message.headers.getall(HEADER, []) == [header.key.decode()]


def with_key(message: RawRequestMessage, header: KeyHeader) -> RawRequestMessage:
    """Return the message that aiohttp's parser would produce from the head of `message` with this key. The header's name must be
    spelled as in `message`."""
    name, key = header
    headers = CIMultiDict(message.headers)
    headers[name.decode()] = key.decode()
    raw_headers = tuple([(name, key) if pair[0] == name else pair for pair in message.raw_headers])
    return message._replace(headers=CIMultiDictProxy(headers), raw_headers=raw_headers)
