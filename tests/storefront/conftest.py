"""Fixtures for the tests of the client module."""

from collections.abc import Iterator

import pytest

from tests.storefront.node import RunScript, require_node, running_scripts


@pytest.fixture(scope="session")
def node() -> str:
    """The path to the Node executable. If Node is missing, the test is skipped, or fails if `CI` is set."""
    return require_node()


@pytest.fixture(scope="session")
def run_script(node: str) -> Iterator[RunScript]:
    """A function that runs scripts in this folder (see `running_scripts`)."""
    with running_scripts(node) as run:
        yield run
