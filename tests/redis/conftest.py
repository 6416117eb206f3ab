"""Fixtures: certificates for servers with TLS."""

from pathlib import Path

import pytest

from tests.storage.database.postgresql.certificates import Authority


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")
