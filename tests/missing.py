"""What some tests need and a machine may not have: Node, Chromium, a package of the npm registry."""

import os
from typing import NoReturn

import pytest


def missing(message: str) -> NoReturn:
    """Skip the test, and say why; where CI is set it fails, for there it must run."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
