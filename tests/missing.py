"""Requirements of some tests that a machine may lack: Node, Chromium, a package of the npm registry."""

import os
from typing import NoReturn

import pytest


def missing(message: str) -> NoReturn:
    """Skip the test with a reason. With CI set it fails, because it must run there."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
