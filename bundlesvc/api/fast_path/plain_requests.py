"""Recognises requests simple enough for the fast path."""

from collections.abc import Container

from aiohttp import HttpVersion11, hdrs

from bundlesvc.api.aiohttp_internals import RawRequestMessage


def is_plain(message: RawRequestMessage, methods: Container[str]) -> bool:
    """Whether the method, protocol, content coding and origin of the request are simple enough for the fast path."""
    headers = message.headers
    return not (
        message.method not in methods
        or message.should_close
        or message.upgrade
        or not (message.version is HttpVersion11 or message.version == HttpVersion11)
        or hdrs.CONTENT_ENCODING in headers
        or hdrs.EXPECT in headers
        or not headers.get(hdrs.ORIGIN, "").isascii()
    )


def path_of(message: RawRequestMessage) -> str:
    """Return the path of a request exactly as it was sent, without the query."""
    return message.path.partition("?")[0]
