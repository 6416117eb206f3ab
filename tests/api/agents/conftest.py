"""Fixtures: assistants that call the test shop."""

import pytest

from tests.api.agents.assistant import Assistant
from tests.api.conftest import Api


@pytest.fixture
def assistant(shared_api: Api) -> Assistant:
    """An assistant connected to the shared service, for tests that change nothing."""
    return Assistant(shared_api)


@pytest.fixture
def buyer(api: Api) -> Assistant:
    """An assistant connected to a service of its own, where it may configure bundles."""
    return Assistant(api)
