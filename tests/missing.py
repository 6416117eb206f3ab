"""What some tests require and a machine may lack: Node, Chromium, a package from the npm registry."""

import os
from typing import NoReturn

import pytest


def missing(message: str) -> NoReturn:
    """Skip the test, stating the reason. If `CI` is set, fail the test instead, because it must run there."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
