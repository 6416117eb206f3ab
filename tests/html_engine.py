"""The engine that draws HTML (`bundlesvc[html]`), which a machine may lack."""

from bundlesvc.api.first_paint.drawing import is_installed
from tests.missing import missing


def require_engine() -> None:
    """Without the engine, tests are skipped, or fail if CI is set."""
    if not is_installed():
        missing("the extra bundlesvc[html] is not installed: tests of the first paint need it")
