"""Skips or fails tests that need the HTML engine (`bundlesvc[html]`) where it is not installed."""

from bundlesvc.api.first_paint.drawing import is_installed
from tests.missing import missing


def require_engine() -> None:
    """Skip the test if the HTML engine is not installed, or fail it if `CI` is set."""
    if not is_installed():
        missing("the extra bundlesvc[html] is not installed: tests of the first paint need it")
