"""What a token bucket says of a request, wherever its tokens are counted (design 5)."""

from math import ceil

from bundlesvc.ports import BucketState

MINUTE = 60.0


def state(capacity: int, tokens: float, *, allowed: bool) -> BucketState:
    """The state of a bucket that holds so many tokens after the request."""
    seconds_per_token = MINUTE / capacity
    return BucketState(
        allowed,
        capacity,
        int(tokens),
        _whole_seconds((capacity - tokens) * seconds_per_token),
        0 if allowed else max(1, _whole_seconds((1 - tokens) * seconds_per_token)),
    )


def _whole_seconds(seconds: float) -> int:
    """Rounded up; what floating point adds at the ninth place is no second more."""
    return ceil(seconds - 5e-7)
