"""When a condition holds: its measure, its section and its operation (docs/contract.md#conditions)."""

from typing import Any

import pytest

from bundlesvc.domain.conditions.condition_types import Facts
from tests.domain.builders import BOUNDARIES, line
from tests.domain.conditions.measures import MEASURES
from tests.domain.conditions.nodes import condition, fires


@pytest.mark.parametrize("value", ["3", "3.00"])
@pytest.mark.parametrize(("operation", "side", "held"), BOUNDARIES)
@pytest.mark.parametrize("type_", MEASURES)
def test_condition_boundaries(type_: str, operation: str, side: str, held: bool, value: str) -> None:
    fields, selection = MEASURES[type_]

    assert fires(condition("c1", type_, operation=operation, value=value, **fields), selection[side]) is held


@pytest.mark.parametrize(
    ("fields", "count", "held"),
    [
        pytest.param({}, 1, True, id="one is there"),
        pytest.param({}, 0, False, id="none is there"),
        pytest.param({"operation": None, "value": None}, 1, True, id="null counts as absent"),
        pytest.param({"value": "2"}, 1, False, id="gte is meant, too few"),
        pytest.param({"value": "2"}, 3, True, id="gte is meant, more"),
        pytest.param({"operation": "lt"}, 0, True, id="1 is meant, less"),
        pytest.param({"operation": "lt"}, 1, False, id="1 is meant, not less"),
        pytest.param({"operation": "lte", "value": "0"}, 0, True, id="a value of zero is a value, none there"),
        pytest.param({"operation": "lte", "value": "0"}, 1, False, id="a value of zero is a value, one there"),
    ],
)
def test_variant_selected_defaults_to_at_least_one(fields: dict[str, Any], count: int, held: bool) -> None:
    lines = [line(5, variant_id=21), *([line(count, variant_id=11)] if count else [])]

    assert fires(condition("c1", "variant-selected", variantId="11", **fields), lines) is held


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        pytest.param("total-products", {"value": "2"}, id="items"),
        pytest.param("total-price", {"value": "20.00"}, id="price"),
        pytest.param("product-quantity", {"value": "2", "productId": "1"}, id="product"),
        pytest.param("variant-selected", {"value": "2", "variantId": "11"}, id="variant"),
        pytest.param("total-weight", {"value": "0.2"}, id="weight"),
    ],
)
@pytest.mark.parametrize(
    ("section", "held"), [(None, True), (1, False), (2, True), (3, False)], ids=["none", "1", "2", "3"]
)
def test_condition_measures_its_section_only(
    type_: str, fields: dict[str, Any], section: int | None, held: bool
) -> None:
    lines = [line(1, grams=100, section=1), line(2, grams=100, section=2)]

    assert fires(condition("c1", type_, operation="gte", sectionId=section, **fields), lines) is held


@pytest.mark.parametrize(
    ("unit", "value", "grams", "held"),
    [
        pytest.param("g", "100", 99, False, id="99 g"),
        pytest.param("g", "100", 100, True, id="100 g"),
        pytest.param("kg", "1.5", 1499, False, id="1.499 kg"),
        pytest.param("kg", "1.5", 1500, True, id="1.5 kg"),
        pytest.param("oz", "16", 453, False, id="less than 16 oz"),
        pytest.param("oz", "16", 454, True, id="more than 16 oz"),
        pytest.param("lb", "1", 453, False, id="less than 1 lb"),
        pytest.param("lb", "1", 454, True, id="more than 1 lb"),
        pytest.param("lb", "100000", 45_359_237, True, id="exactly 100,000 lb"),
    ],
)
def test_weight_limit_is_in_the_shops_unit(unit: str, value: str, grams: int, held: bool) -> None:
    node = condition("c1", "total-weight", operation="gte", value=value)

    assert fires(node, [line(grams=grams)], Facts(unit)) is held


@pytest.mark.parametrize(
    ("value", "country", "held"),
    [
        pytest.param("DE", "DE", True, id="the country"),
        pytest.param("de", "DE", True, id="codes are case-insensitive"),
        pytest.param("DE", "AT", False, id="another country"),
        pytest.param("DE", None, False, id="no country"),
    ],
)
def test_country_condition(value: str, country: str | None, held: bool) -> None:
    node = condition("c1", "country", operation="eq", value=value)

    assert fires(node, [line()], Facts("kg", country)) is held


@pytest.mark.parametrize("subscribed", [True, False])
def test_subscription_chosen_condition(subscribed: bool) -> None:
    assert fires(condition("c1", "subscription-chosen"), [line()], Facts("kg", subscribed=subscribed)) is subscribed
