"""A short soak: everything happens once or twice. What depends on the speed of the machine is not checked."""

from pathlib import Path

import pytest

from tests.soak.plan import SHORT
from tests.soak.soak import soak

pytestmark = pytest.mark.process


def test_promises_hold(tmp_path: Path) -> None:
    rows = soak(SHORT, tmp_path, lambda _: None)
    assert [row for row in rows if not row.kept and not row.timed] == []
