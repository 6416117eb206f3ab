"""Each template creates a bundle that can be loaded, and that shoppers can buy."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from bundlesvc.shop_file.lint import lint_bytes
from bundlesvc.shop_file.lint.findings import ERROR
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.shop_file.plain import plain_content, read_content
from tests.studio.page import in_page

pytestmark = pytest.mark.process

DEMO_SHOP = Path(__file__).parents[2] / "config" / "demo-shop.yaml"
TEMPLATES = ("box", "more", "set", "subscription", "gift", "personal")


@pytest.fixture(scope="module")
def content() -> dict[str, Any]:
    return plain_content(read_shop_file(DEMO_SHOP))


@pytest.fixture(scope="module")
def made(content: Mapping[str, Any]) -> dict[str, Any]:
    """From each template, create a bundle with some coffees. Returns the bundles, keyed by the name of their template."""
    coffees = [
        each for each in content["products"] if each["title"] in ("First Light", "Harbour Blend", "Colombia Huila")
    ]
    products = [
        {
            "platformProductId": str(each["id"]),
            "title": each["title"],
            "imageUrl": each["imageUrl"],
            "status": "ACTIVE",
            "variants": [
                {"platformVariantId": str(one["id"]), "title": "", "price": one["price"]} for one in each["variants"]
            ],
        }
        for each in coffees
    ]
    (templates,) = in_page(("templates", products))
    return {template["name"]: template for template in templates}


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_makes_a_bundle_that_can_be_bought(
    name: str, made: Mapping[str, Any], content: Mapping[str, Any]
) -> None:
    template = made[name]
    shop = {
        **content,
        "products": [*content["products"], template["product"]],
        "bundles": [{"id": 1, **template["bundle"]}],
        "experiments": [],
    }

    assert not read_content(shop)[1]
    findings = lint_bytes(orjson.dumps(shop), Path("shop.json"))
    assert [finding.message for finding in findings if finding.severity == ERROR] == []
    assert set(template["features"]) <= set(content["shop"]["activeFeatures"])


def test_there_is_no_other_template(made: Mapping[str, Any]) -> None:
    assert tuple(made) == TEMPLATES
