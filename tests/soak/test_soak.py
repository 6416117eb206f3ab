"""A short soak test, in which every disturbance happens once or twice. Promises that depend on the speed of the machine are not
checked."""

import sys
from pathlib import Path

import pytest

from tests.process.serving import Server, started
from tests.soak.plan import SHORT
from tests.soak.soak import Process, soak
from tests.soak.watch import Life

pytestmark = pytest.mark.process


async def test_a_service_that_ends_by_itself_ends_the_soak(tmp_path: Path) -> None:
    process = Process(tmp_path, {})
    process.lives.append(Life())
    with started(tmp_path, "-c", "exit('no memory')", program=[sys.executable]) as program:
        process.server = Server(program, "http://127.0.0.1:1")
        process.server.wait()
        with pytest.raises(SystemExit, match=r"ended by itself, with exit status 1\. no memory"):
            await process.watch(60, lambda _: None)


def test_promises_hold(tmp_path: Path) -> None:
    rows = soak(SHORT, tmp_path, lambda _: None)
    assert [row for row in rows if not row.kept and not row.timed] == []
