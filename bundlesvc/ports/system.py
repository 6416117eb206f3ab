"""Ports for time, randomness, encryption and token buckets."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bundlesvc.domain.rate_limit import Bucket, BucketState


class Clock(Protocol):
    def now(self) -> float:
        """Return the current time in seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Return the seconds since an arbitrary instant. This number never decreases."""


class Ids(Protocol):
    """Generates random ids and secrets."""

    def configured_bundle(self) -> tuple[int, str]:
        """Return the ids of a new configured bundle: a number from 1 to 2^53-1, and 32 hex characters. Both are random, so that
        nobody can guess the ids of other shoppers' bundles."""

    def unique_id(self) -> str:
        """Return 32 random hex characters."""

    def key_secret(self) -> str:
        """Return 43 random URL-safe characters."""


class TokenCipher(Protocol):
    """Signs and encrypts data for one purpose: discount strings, or the credentials of live platforms."""

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        """Create a token that contains these claims; `now` is its creation time (seconds since 1970)."""

    def unseal(self, token: str) -> dict[str, Any]:
        """Decrypt a token and return its claims. Raises TokenInvalid when no key decrypts it."""


class RotatingCipher(TokenCipher, Protocol):
    """A cipher for stored tokens, which are re-encrypted when the keys are rotated."""

    def is_current(self, token: str) -> bool:
        """Whether the token was created with the newest key."""


class TokenInvalid(Exception):
    """Raised for a token that was tampered with, or that was not created with any of the service's keys."""


class Buckets(Protocol):
    """Named token buckets."""

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        """Take one token from each bucket atomically, or none at all when a bucket is empty. Returns the states of the buckets in
        the same order."""

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        """Put one token back into each bucket, because the requested work was not done."""


class RequestBuckets(Buckets, Protocol):
    """Token buckets for use on every request; taking a token rarely involves waiting."""

    async def aclose(self) -> None:
        """Put back the tokens that this process has reserved but not spent."""
