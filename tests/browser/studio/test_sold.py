"""The list of bundles shows the sales of each bundle to users who may read reports."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MakeStudio
from tests.browser.service import Service
from tests.browser.studio.studio_page import EDITOR
from tests.demo.visitors import BOUGHT, MANAGE, UNITS, order_of

BREAKFAST = 101


@pytest.fixture
def sold(studio_service: Service) -> dict[str, Any]:
    """Configure and order a breakfast bundle, and return the configure response."""
    body = {"type": "native", "products": [BOUGHT] * UNITS}
    path = f"/api/headless/v1/bundles/{BREAKFAST}/configure"
    configured: dict[str, Any] = studio_service.server.post(path, studio_service.key("demo"), body).json
    order = order_of("3b241101-e2bb-4255-8caf-4136c566a962", configured)
    key = studio_service.new_key(scopes=("orders",))
    assert studio_service.server.post(f"{MANAGE}/orders", key, order).json["result"] == "stored"
    return configured


@pytest.mark.parametrize("scopes", [EDITOR, (*EDITOR, "reports")], ids=["without reports", "with reports"])
def test_what_a_bundle_sold(
    scopes: tuple[str, ...], sold: dict[str, Any], studio_service: Service, make_studio: MakeStudio
) -> None:
    studio = make_studio()
    studio.log_in(scopes=scopes)
    card = studio.page.locator(".bundle-card").filter(has_text="Breakfast Box")
    expect(card).to_contain_text("from €")
    text = f"1 sold in 30 days, for €{sold['pricing']['discountedPrice']}"
    if "reports" in scopes:
        expect(card).to_contain_text(text)
    else:
        expect(card).not_to_contain_text("sold")
    expect(studio.page.locator(".bundle-card").filter(has_text="Tasting Flight")).not_to_contain_text("sold")
