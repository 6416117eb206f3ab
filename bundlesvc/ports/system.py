"""Time, randomness, encryption and token buckets."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bundlesvc.domain.rate_limit import Bucket, BucketState


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds since some instant; never decreases."""


class Ids(Protocol):
    """Random ids and secrets."""

    def configured_bundle_id(self) -> int:
        """A random number from 1 to 2^53-1: nobody can guess the ids of other shoppers' bundles."""

    def unique_id(self) -> str:
        """32 hex characters."""

    def key_secret(self) -> str:
        """43 URL-safe characters."""


class TokenCipher(Protocol):
    """Signed and encrypted text for one purpose: discount strings, or the credentials of live platforms."""

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        """The token for these claims, made at `now` (seconds since 1970)."""

    def unseal(self, token: str) -> dict[str, Any]:
        """The claims of a token. Raises TokenInvalid when no key decrypts it."""


class RotatingCipher(TokenCipher, Protocol):
    """A cipher for stored tokens, which are made again when the keys are rotated."""

    def is_current(self, token: str) -> bool:
        """Whether the token was made with the newest key."""


class TokenInvalid(Exception):
    """The token was not made with any of our keys, or was changed."""


class Buckets(Protocol):
    """Token buckets by name."""

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        """Take one token from each bucket, or none when one of them is empty, in one step. Returns the states in the same
        order."""

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        """Put one token back into each bucket, because the work was not done."""


class RequestBuckets(Buckets, Protocol):
    """Buckets that every request takes from, most of them without waiting."""

    async def aclose(self) -> None:
        """Put back the tokens that the process holds and has not spent."""
