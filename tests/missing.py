"""Requirements of some tests that a machine may not have: Node, Chromium, a package of the npm registry."""

import os
from typing import NoReturn

import pytest


def missing(message: str) -> NoReturn:
    """Skip the test, stating the reason. If `CI` is set, fail the test instead, because it must run there."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
