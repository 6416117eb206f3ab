"""A pytest plugin: a single worker runs all tests that need the commerce engine, because starting the engine takes longer than
most of these tests."""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

ENGINE = "vendure"
"""Text that occurs in the path, name or parameters of every test that needs the engine."""


class OneEngine(LoadFileScheduling):  # type: ignore[misc] # it has no type hints
    """A scheduler that assigns whole files to a worker, except that a single worker gets all tests that use the engine."""

    def _split_scope(self, nodeid: str) -> str:
        return ENGINE if ENGINE in nodeid else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneEngine | None:
    return OneEngine(config, log) if config.getoption("dist") == "loadfile" else None
