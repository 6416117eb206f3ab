"""What tests of the client module need."""

import pytest

from tests.storefront.node import require_node


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node; skips or fails without one."""
    return require_node()
