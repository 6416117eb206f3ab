"""`scripts/demo-visitors` runs the demo's A/B test until it is decided, or shows why its result is withheld."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.demo.service import DEMO_SHOP
from tests.demo.visitors import decide, new_keys, visitors_of
from tests.process.serving import Server, command, prepare, serving

pytestmark = pytest.mark.process


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    prepare(tmp_path, DEMO_SHOP)
    with serving(tmp_path) as server:
        yield server


@pytest.mark.parametrize(("lost", "message"), [(0.0, None), (0.6, "The result is withheld")])
async def test_result(lost: float, message: str | None, server: Server, tmp_path: Path) -> None:
    keys = new_keys(partial(command, tmp_path))
    async with visitors_of(server.address, keys, seed=1, lost=lost) as visitors:
        result = await decide(visitors, 5000)
    if message is None:
        assert [each["verdict"] for each in result["comparisons"]] == ["better"]
        assert result["arms"][0]["visitors"] + result["arms"][1]["visitors"] == 2000
    else:
        assert message in result["message"]
        assert result["comparisons"] == []
