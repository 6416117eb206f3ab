"""The service with a shop that uses every feature of the embed API."""

from pathlib import Path

import pytest

from bundlesvc.storage.database import Database
from tests.api.conftest import Api, MakeApi

EMBED = "/embed/api/v1"
SHOP_TEXT = Path(__file__).with_name("shop.yaml").read_text("utf-8")
FEATURES = "activeFeatures: [conditions, ab-testing, translations, stock-reminders]"


def with_features(*features: str) -> str:
    """The shop with these features only."""
    assert FEATURES in SHOP_TEXT
    return SHOP_TEXT.replace(FEATURES, f"activeFeatures: [{', '.join(features)}]")


@pytest.fixture
async def api(make_api: MakeApi, database: Database) -> Api:
    """The service with the shop of this folder, and a live key of it."""
    return await make_api(SHOP_TEXT)
