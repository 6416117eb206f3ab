"""Failures of a call, from which it is decided whether to retry. None of these errors leaves the adapters."""

from bundlesvc.domain.errors import PlatformNotConnected, Unavailable


class Transient(Exception):
    """A retry may succeed. `error`: what to raise without a retry; `sent`: the shop may have acted on the request;
    `retry_after`: seconds that the platform asked us to wait; `hung`: it took most of the time that the session has."""

    def __init__(self, error: Unavailable, *, sent: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.sent = sent
        self.hung = False
        self.retry_after = retry_after


class Throttled(Exception):
    """The shop's bucket had too few points, and nothing was done. `retry_after`: seconds that the platform asked us to wait."""

    def __init__(self, retry_after: float = 0.0) -> None:
        super().__init__("throttled")
        self.retry_after = retry_after


class Carrier(Exception):
    """A failure with the `error` to raise when the caller cannot handle it."""

    def __init__(self, error: Unavailable) -> None:
        super().__init__(str(error))
        self.error = error


class Refused(Carrier):
    """The shop refuses every call, and would refuse the next ones too. `error`: what to raise until its `retry_after`
    seconds have passed."""


class TokenRefused(PlatformNotConnected):
    """The shop refuses the access token, and did nothing; it may accept another one. `words`: the shop's own reason."""

    message = "The commerce platform refuses the access token of this shop."
    retry_after = 5  # a new token may be available within ten seconds

    def __init__(self, message: str | None = None, *, retry_after: int | None = None, words: str = "") -> None:
        super().__init__(message, retry_after=retry_after)
        self.words = words


class Denied(Exception):
    """The access token lacks a scope that the document needs."""


class InDoubt(Carrier):
    """A change was sent, and it is unknown whether the shop made it. `error`: what to raise when the caller cannot find out."""
