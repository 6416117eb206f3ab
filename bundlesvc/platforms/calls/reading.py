"""Reading responses whose format the platform may have changed."""

from collections.abc import Iterator
from contextlib import contextmanager

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.platforms.calls.notices import Notices


@contextmanager
def matching_schema(notices: Notices) -> Iterator[None]:
    """Return a context manager for code that reads a response. It raises PlatformFailed when the response does not match the
    schema."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        notices.once("a response does not match the schema: %s %s", type(error).__name__, error)
        raise PlatformFailed from error
