"""Token buckets: their capacity and period, and what they say of a request."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

MINUTE = 60.0
HOUR = 3600.0

GHOST_VARIANTS, CONFIGURED_BUNDLES = "ghost_variants", "configured_bundles"
REMINDERS, SUBSCRIPTIONS = "reminders", "subscriptions"
COSTLY_RESULTS = (GHOST_VARIANTS, CONFIGURED_BUNDLES, REMINDERS, SUBSCRIPTIONS)
"""What a visitor may leave behind only so often: kinds of buckets, and `limit` of a 429."""


class Bucket(NamedTuple):
    """A bucket that holds `capacity` tokens and is refilled evenly with as many in `period` seconds.

    All buckets of one `kind` have the same period. Buckets that are taken together share the part of their `name` in braces,
    so that a Redis that spreads its keys has them in one place.
    """

    kind: str
    name: str
    capacity: int
    period: float = MINUTE


class BucketState(NamedTuple):
    """What a bucket says of one request; times in whole seconds. (A tuple, because every request makes one.)"""

    kind: str
    allowed: bool
    capacity: int
    remaining: int
    until_full: int
    retry_after: int


def bucket_state(bucket: Bucket, tokens: float, *, allowed: bool) -> BucketState:
    """The state of a bucket that holds `tokens` after the request; `allowed`: it had one for the request."""
    capacity = bucket.capacity
    seconds_per_token = bucket.period / capacity
    return BucketState(
        bucket.kind,
        allowed,
        capacity,
        int(tokens),
        _whole_seconds((capacity - tokens) * seconds_per_token),
        0 if allowed else max(1, _whole_seconds((1 - tokens) * seconds_per_token)),
    )


def decisive(states: Sequence[BucketState]) -> BucketState:
    """The state that decides: the refusal that lasts longest, or else the bucket with the fewest tokens left."""
    if len(states) == 1:
        return states[0]
    refusals = [state for state in states if not state.allowed]
    if refusals:
        return max(refusals, key=lambda state: state.retry_after)
    return min(states, key=lambda state: state.remaining)


def _whole_seconds(seconds: float) -> int:
    """Rounded up; an error of floating point in the ninth place does not add a second."""
    return ceil(seconds - 5e-7)
