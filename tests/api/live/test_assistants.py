"""A shop on a live platform, as assistants use it (docs/agents.md)."""

from decimal import Decimal

from tests.api.agents.assistant import Assistant, Json
from tests.api.conftest import Api
from tests.cli.live_shop import BOX, MUG, SHIRT
from tests.standin.server import Standin


def chosen(section: Json, product: int) -> Json:
    """The first variant of a product in a section, as an argument for the tools."""
    (found,) = [each for each in section["products"] if each["product"] == str(product)]
    return {"variant": found["variants"][0]["variant"], "product": found["product"], "section": section["id"]}


async def test_required_variant_is_offered_where_no_section_has_it(apis: list[Api]) -> None:
    """A required variant is offered in section 0 when no section has it; here, section 1 has only the shirt's other variant."""
    bundle = await Assistant(apis[0]).call("get_bundle", {"bundleId": 42})

    variants = {
        section["id"]: [variant["variant"] for product in section["products"] for variant in product["variants"]]
        for section in bundle["sections"]
    }
    assert variants[0] == ["10001"]
    assert "10002" in variants[1]
    assert "10001" not in variants[1]


async def test_bundle_is_bought_at_the_platforms_prices(apis: list[Api], standin: Standin) -> None:
    assistant = Assistant(apis[0])
    (listed,) = (await assistant.call("list_bundles"))["bundles"]
    assert listed["handle"] == standin.shop.products[BOX].handle
    section, required = (await assistant.call("get_bundle", {"bundleId": listed["id"]}))["sections"]
    selection = {"bundleId": listed["id"], "products": [chosen(required, SHIRT), chosen(section, MUG)]}

    checked = await assistant.call("check_selection", selection)
    shop = standin.shop.products
    price = sum((shop[product].variants[0].price for product in (SHIRT, MUG)), Decimal(0))
    assert (checked["valid"], checked["pricing"]["originalPrice"]) == (True, f"{price:.2f}")
    bought = await assistant.call("configure", {**selection, "idempotencyKey": "one"})
    assert bought["pricing"] == checked["pricing"]
    assert len(bought["cart"]["line_items"]) == 2
