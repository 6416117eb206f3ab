"""Recognises the requests that need nothing special of the application."""

from collections.abc import Container

from aiohttp import HttpVersion11, hdrs

from bundlesvc.api.aiohttp_internals import RawRequestMessage


def is_plain(message: RawRequestMessage, methods: Container[str]) -> bool:
    """Whether nothing about the request's method, protocol, coding and origin needs the application."""
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
    """The path of a request as it was sent, without its query."""
    return message.path.partition("?")[0]
