"""Fixtures: the service with a shop that uses every feature of the embed API."""

from pathlib import Path

import pytest

from tests.api.conftest import service
from tests.api.loaded import LoadedDatabase, loaded_file

__all__ = ["service"]  # uses this folder's `loaded_database`

EMBED = "/embed/api/v1"
SHOP = Path(__file__).with_name("shop.yaml")
SHOP_TEXT = SHOP.read_text("utf-8")
FEATURES = "activeFeatures: [conditions, ab-testing, translations, stock-reminders]"


def with_features(*features: str) -> str:
    """The shop file with only these features active."""
    assert FEATURES in SHOP_TEXT
    return SHOP_TEXT.replace(FEATURES, f"activeFeatures: [{', '.join(features)}]")


@pytest.fixture(scope="session")
def loaded_database(tmp_path_factory: pytest.TempPathFactory) -> LoadedDatabase:
    """A database file with the shop defined in this folder and the other test shop, created once and copied by the tests."""
    return loaded_file(tmp_path_factory, SHOP)
