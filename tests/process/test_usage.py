"""The usage of API keys is counted by several workers, and stored when they stop."""

import json
from pathlib import Path

import pytest

from tests.process.serving import BASE, command, prepare, serving


def used(folder: Path) -> list[dict[str, object]]:
    """Return the rows that `bundlesvc usage` prints."""
    done = command(folder, "usage", "--format", "json")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("workers", ["1", "2"])
def test_no_request_is_lost_or_counted_twice_over_a_restart(workers: str, tmp_path: Path) -> None:
    key = prepare(tmp_path)
    for _ in range(2):
        with serving(tmp_path, settings={"WEB_CONCURRENCY": workers}) as server:
            for _ in range(40):
                assert server.get(f"{BASE}/bundles", key).status == 200
            assert server.stop() == 0
    assert sum(int(str(row["reads"])) for row in used(tmp_path)) == 80  # one row, or two around midnight
