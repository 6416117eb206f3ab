"""Token buckets: their capacity and period, and the decision whether to allow a request (docs/contract.md#rate-limits)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

MINUTE = 60.0
HOUR = 3600.0

GHOST_VARIANTS, CONFIGURED_BUNDLES = "ghost_variants", "configured_bundles"
REMINDERS, SUBSCRIPTIONS = "reminders", "subscriptions"
COSTLY_RESULTS = (GHOST_VARIANTS, CONFIGURED_BUNDLES, REMINDERS, SUBSCRIPTIONS)
"""The results whose number per visitor is limited. Each name is a kind of bucket, and a possible value of `limit` in a 429
response."""


_FLOAT_ERROR = 5e-7
"""The fraction of a second that is ignored when times are rounded up, because it may be a floating-point error."""


class Bucket(NamedTuple):
    """A token bucket with room for `capacity` tokens, refilled evenly within `period` seconds.

    All buckets of one `kind` have the same period. The names of buckets that are used together contain the same string in braces,
    so that a Redis cluster stores these buckets in one slot.
    """

    kind: str
    name: str
    capacity: int
    period: float = MINUTE


class BucketState(NamedTuple):
    """A bucket's decision on one request, with times in whole seconds. It is a tuple for speed, because every request creates
    one."""

    kind: str
    allowed: bool
    capacity: int
    remaining: int
    until_full: int
    retry_after: int


def bucket_state(bucket: Bucket, tokens: float, *, allowed: bool) -> BucketState:
    """Return the state of a bucket with `tokens` left after the request. `allowed` says whether a token was available for the
    request."""
    kind, _, capacity, period = bucket
    until_full = ceil((capacity - tokens) * period / capacity - _FLOAT_ERROR)
    retry_after = 0 if allowed else max(1, ceil((1 - tokens) * period / capacity - _FLOAT_ERROR))
    return tuple.__new__(BucketState, (kind, allowed, capacity, int(tokens), until_full, retry_after))  # twice as fast


def decisive(states: Sequence[BucketState]) -> BucketState:
    """Return the state that decides whether a request is admitted: the refusal with the longest wait or, without a refusal, the
    state with the fewest tokens left."""
    if len(states) == 1:
        return states[0]
    refusals = [state for state in states if not state.allowed]
    if refusals:
        return max(refusals, key=lambda state: state.retry_after)
    return min(states, key=lambda state: state.remaining)
