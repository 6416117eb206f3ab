"""The header `Accept-Language`: what a visitor prefers, and what a response offers."""

import re
from collections.abc import Iterator

from aiohttp import web

_WEIGHT = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\Z", re.ASCII)

Offers = tuple[tuple[str, ...], ...]
"""The languages to choose from, for each kind of text in a response that has its own."""

OFFERS = web.RequestKey("offers", Offers)
"""All that a response depends on besides the header `Accept-Language`: one choice (`choose_language`) from each offer. Empty when
the header is not read. Absent when nobody knows."""


def accepted_languages(header: str) -> tuple[str, ...]:
    """The languages that the visitor prefers, best first."""
    weighted = sorted(_weighted(header), key=lambda pair: -pair[0])
    return tuple(tag for weight, tag in weighted if weight > 0)


def _weighted(header: str) -> Iterator[tuple[float, str]]:
    """Language ranges with their weights (RFC 9110, 12.5.4). Malformed ranges and `*` are skipped."""
    for part in header.split(","):
        tag, *parameters = (piece.strip() for piece in part.split(";"))
        quality = next((value[2:] for value in parameters if value.lower().startswith("q=")), "1")
        if tag and tag != "*" and _WEIGHT.match(quality):
            yield float(quality), tag
