"""A pytest plugin: one worker runs all tests with the commerce engine, which takes longer to start than most of them to run."""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

ENGINE = "vendure"
"""Text in the names of these tests, or of their files or parameters."""


class OneEngine(LoadFileScheduling):  # type: ignore[misc] # it has no type hints
    """A worker gets whole files, or all tests with the engine."""

    def _split_scope(self, nodeid: str) -> str:
        return ENGINE if ENGINE in nodeid else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneEngine | None:
    return OneEngine(config, log) if config.getoption("dist") == "loadfile" else None
