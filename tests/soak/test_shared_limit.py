"""Four processes with one Redis never exceed the limit of a key, even when one of them is killed. For a long run, use `python -m
tests.soak.shared_limit`."""

from pathlib import Path

import pytest

from tests.soak.shared_limit import Disturbance, Shared, disturbances, running, stretch

pytestmark = pytest.mark.process

SECONDS = 4.0


def disturbance(shared: Shared, name: str) -> Disturbance:
    return next(each for each in disturbances(shared) if each.name == name)


def test_no_more_is_allowed_when_a_process_or_redis_is_killed(tmp_path: Path) -> None:
    with running(tmp_path) as shared:
        for name in ("process 2 killed", "Redis killed"):
            found = stretch(shared, disturbance(shared, name), SECONDS)
            assert 0 < found.spent <= found.allowed, found
