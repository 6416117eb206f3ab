"""Failures of a call to a platform. The type of a failure tells the caller whether to retry the call. None of these errors leaves
the adapters."""

from bundlesvc.domain.errors import PlatformNotConnected, Unavailable


class Transient(Exception):
    """A failed call that may succeed when retried. `error` is what to raise when there is no retry; `sent` says whether the shop
    may have acted on the request; `retry_after` is the number of seconds that the platform asked callers to wait; `hung` says
    whether the call used up most of the session's time."""

    def __init__(self, error: Unavailable, *, sent: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.sent = sent
        self.hung = False
        self.retry_after = retry_after


class Throttled(Exception):
    """The shop had too few query-cost points left, so the platform did not run the call. `retry_after` is the number of seconds
    that the platform asked callers to wait."""

    def __init__(self, retry_after: float = 0.0) -> None:
        super().__init__("throttled")
        self.retry_after = retry_after


class Carrier(Exception):
    """A failure that contains the `error` to raise when the caller cannot handle it."""

    def __init__(self, error: Unavailable) -> None:
        super().__init__(str(error))
        self.error = error


class Refused(Carrier):
    """The shop refuses every call, including later ones. `error` is the error to raise for each of them until the seconds in its
    `retry_after` have passed."""


class TokenRefused(PlatformNotConnected):
    """The shop refused the access token without running the call. It may accept another token. `words` contains the reason in the
    shop's own words."""

    message = "The commerce platform refuses the access token of this shop."
    retry_after = 5  # a new token may be available within ten seconds

    def __init__(self, message: str | None = None, *, retry_after: int | None = None, words: str = "") -> None:
        super().__init__(message, retry_after=retry_after)
        self.words = words


class Denied(Exception):
    """The access token lacks a scope that the document needs."""


class InDoubt(Carrier):
    """A change was sent, and it is unknown whether the shop applied it. `error` is what to raise when the caller cannot find
    out."""
