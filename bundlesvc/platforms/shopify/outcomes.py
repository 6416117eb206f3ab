"""How a call may fail before anybody has decided what to do about it. None of these crosses the port."""

from bundlesvc.domain.errors import PlatformNotConnected, Unavailable


class Transient(Exception):
    """It may work when it is sent again. `error` is what to raise when it is not; `sent`: the shop may have acted on it;
    `retry_after`: seconds that the platform asked to wait."""

    def __init__(self, error: Unavailable, *, sent: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.sent = sent
        self.retry_after = retry_after


class Throttled(Exception):
    """The shop's bucket was too empty: nothing was done. `retry_after`: seconds that the platform asked to wait."""

    def __init__(self, retry_after: float = 0.0) -> None:
        super().__init__("throttled")
        self.retry_after = retry_after


class OutOfPoints(Exception):
    """The points that a call costs will not be there in time. `retry_after`: seconds until they are."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("out of points")
        self.retry_after = retry_after


class _Carrier(Exception):
    """Brings along the `error` to raise in its place where nobody does better."""

    def __init__(self, error: Unavailable) -> None:
        super().__init__(str(error))
        self.error = error


class Refused(_Carrier):
    """The shop refuses every call: the next ones would be refused too. `error`: what to raise, for as many seconds as it
    says to wait."""


class TokenRefused(PlatformNotConnected):
    """The shop does not take the access token, and did nothing; it may take another. `words`: what it says itself."""

    message = "The commerce platform refuses the access token that it gave for this shop."
    retry_after = 5  # a token may be good again within ten seconds

    def __init__(self, message: str | None = None, *, retry_after: int | None = None, words: str = "") -> None:
        super().__init__(message, retry_after=retry_after)
        self.words = words


class NoMoreVariants(_Carrier):
    """The shop has made all the new variants that it may make today; all else works. `error` as in `Refused`."""


class TooCostly(Exception):
    """The document asks for more at once than any query may."""


class Denied(Exception):
    """The access token lacks a scope for something in the document."""


class InDoubt(_Carrier):
    """A change was sent, and nobody knows whether it was made. `error`: what to raise when that is not looked into."""
