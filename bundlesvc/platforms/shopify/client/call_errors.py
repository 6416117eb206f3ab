"""Failures of a call that are specific to Shopify. None of these errors leaves this package."""

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.platforms.calls.call_errors import Carrier


class OutOfPoints(Exception):
    """The query-cost points for a call will not be available before the deadline. `retry_after`: the seconds until they are
    available."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("out of points")
        self.retry_after = retry_after


class NoMoreVariants(Carrier):
    """The shop has reached its daily limit on new variants; everything else works. `error`: as in `Refused`."""


class TooCostly(Exception):
    """The document costs more than the platform allows for one query."""


class CursorRefused(PlatformFailed):
    """The platform rejected the cursor of a page."""
