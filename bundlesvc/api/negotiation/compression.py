"""Compressed forms of a body, for clients that accept them (docs/contract.md#http-caching)."""

import gzip
from collections.abc import Container, Iterator
from functools import lru_cache

import brotli

GZIP, BROTLI = "gzip", "br"
MIN_BYTES = 1024
"""The minimum size of a body to compress, in bytes. A smaller body fits into one or two packets without compression."""

MIN_GAIN = 0.9
"""The maximum size of a compressed form, relative to the original: compression must save at least a tenth."""


def compressed_forms(body: bytes, brotli_quality: int = 5, gzip_level: int = 6) -> dict[str, bytes]:
    """Compress the body with each coding that makes it smaller. High quality pays off, because each result is sent in many
    responses."""
    if len(body) < MIN_BYTES:
        return {}
    forms = {
        BROTLI: brotli.compress(body, quality=brotli_quality),
        GZIP: gzip.compress(body, compresslevel=gzip_level, mtime=0),
    }
    return {coding: form for coding, form in forms.items() if len(form) <= len(body) * MIN_GAIN}


def preferred_coding(accept_encoding: str | None, available: Container[str]) -> str:
    """Return the available coding with the highest weight, brotli before gzip, or "" when there is none (RFC 9110, 12.5.3)."""
    return next((coding for coding in codings_by_preference(accept_encoding) if coding in available), "")


def codings_by_preference(accept_encoding: str | None) -> tuple[str, ...]:
    """Return the usable codings from an `Accept-Encoding` header, in order of preference. Headers with the same result get the
    same response."""
    return _by_preference(accept_encoding) if accept_encoding else ()


@lru_cache(maxsize=128)
def _by_preference(accept_encoding: str) -> tuple[str, ...]:
    """Return the codings that the client prefers to an uncompressed body, best first. Cached, because browsers send few different
    headers."""
    weights = dict(_weights(accept_encoding))
    offered = {coding: weights.get(coding, weights.get("*", 0.0)) for coding in (BROTLI, GZIP)}
    wanted = [coding for coding in offered if offered[coding] > 0 and offered[coding] >= weights.get("identity", 0.0)]
    return tuple(sorted(wanted, key=lambda coding: -offered[coding]))


def _weights(accept_encoding: str) -> Iterator[tuple[str, float]]:
    for part in accept_encoding.lower().split(","):
        coding, _, parameter = part.partition(";")
        quality = parameter.strip().removeprefix("q=").strip() or "1"
        is_number = quality.replace(".", "", 1).isdecimal() and quality.isascii()
        yield coding.strip(), float(quality) if is_number else 0.0
