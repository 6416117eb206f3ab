"""Parses the `Accept-Language` header, which lists the languages that a visitor prefers."""

import re
from collections.abc import Iterator

from aiohttp import web

_WEIGHT = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\Z", re.ASCII)

AvailableLanguages = tuple[tuple[str, ...], ...]
"""The available languages of each kind of text that is translated separately in a response."""

AVAILABLE_LANGUAGES = web.RequestKey("available_languages", AvailableLanguages)
"""The languages in which the texts of a response are available. `Accept-Language` determines the choice from each tuple
(`choose_language`). Empty when the response does not depend on the header; absent when that is unknown."""


def accepted_languages(header: str) -> tuple[str, ...]:
    """Return the languages that the visitor prefers, best first."""
    weighted = sorted(_weighted(header), key=lambda pair: -pair[0])
    return tuple(tag for weight, tag in weighted if weight > 0)


def _weighted(header: str) -> Iterator[tuple[float, str]]:
    """Yield the language ranges with their weights (RFC 9110, 12.5.4). Malformed ranges and `*` are skipped."""
    for part in header.split(","):
        tag, *parameters = (piece.strip() for piece in part.split(";"))
        quality = next((value[2:] for value in parameters if value.lower().startswith("q=")), "1")
        if tag and tag != "*" and _WEIGHT.match(quality):
            yield float(quality), tag
