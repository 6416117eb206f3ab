"""Which promises are valid in every market (docs/discount-string.md#markets), as a table of bundles."""

from collections.abc import Sequence
from typing import Any

import pytest

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.checkout.market_dependence import (
    holds_anywhere,
    is_market_discount,
    market_tiers,
)
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import price_selection
from tests.domain.builders import EUR, bundle, flat, line, rule, tier, tiered

THREE = (line(2, price="10.00"), line(variant_id=21, price="5.00"))
CHEAP = (line(price="0.05"),)
FREE = (line(2, price="0.00"),)
TENTH = flat("percentage", "10.00")

ABROAD = {"id": "c", "kind": "condition", "type": "country", "value": "SE"}
DEAR = {"id": "c", "kind": "condition", "type": "total-price", "operation": "gte", "value": "5.00"}
HEAVY = {"id": "c", "kind": "condition", "type": "total-weight", "operation": "gte", "value": "5.00"}
MANY = {"id": "c", "kind": "condition", "type": "total-products", "operation": "gte", "value": "2"}
BY_PLAN = {"id": "c", "kind": "condition", "type": "subscription-chosen"}


def graph(condition: dict[str, Any], type_: str, **more: object) -> tuple[dict[str, Any], ...]:
    """Nodes with an action of this type that fires when the condition holds."""
    return (condition, {"id": "a", "kind": "action", "type": type_, "when": "c", **more})


def tenth(condition: dict[str, Any], type_: str, **more: object) -> Bundle:
    """A bundle with a 10% discount, and an action of type `type_` that fires when the condition holds."""
    return bundle(discount=TENTH, conditions=graph(condition, type_, **more))


def grouped(condition: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Nodes with a discount that depends on the condition through two groups."""
    inner = {"id": "g", "kind": "group", "mode": "none", "children": ["c"]}
    outer = {"id": "h", "kind": "group", "mode": "any", "children": ["g"]}
    return (condition, inner, outer, {"id": "a", "kind": "action", "type": "discount", "when": "h", "discount": HALF})


HALF = {"type": "percentage", "value": "50.00"}
OFF = {"type": "fixed", "value": "5.00"}
GIFT = {"variantId": "21", "productId": "2", "quantity": 1}

ROWS: list[tuple[str, bool, Bundle, Sequence[Line]]] = [
    ("no discount", True, bundle(), THREE),
    ("a percentage", True, bundle(discount=TENTH), THREE),
    ("all of it", True, bundle(discount=flat("percentage", "100.00")), THREE),
    ("an amount", False, bundle(discount=flat("fixed", "5.00")), THREE),
    ("a price", False, bundle(discount=flat("price", "20.00")), THREE),
    ("a price above what it costs: nothing off here", False, bundle(discount=flat("price", "99.00")), THREE),
    ("a minimum that is met", False, bundle(discount=flat("percentage", "10.00", minimum="1.00")), THREE),
    ("a minimum that is not met", False, bundle(discount=flat("percentage", "10.00", minimum="99.00")), THREE),
    ("a tier on a count", True, bundle(discount=tiered("percentage", tier("bulk_buy", "gte", "2", "5"))), THREE),
    (
        "tiers on counts that add up",
        True,
        bundle(
            discount=tiered(
                "percentage",
                tier("bulk_buy", "gte", "2", "5"),
                tier("total_products", "gte", "3", "7"),
                operator="cumulative",
            )
        ),
        THREE,
    ),
    ("no tier reached", True, bundle(discount=tiered("percentage", tier("bulk_buy", "gte", "9", "5"))), THREE),
    (
        "a tier on an amount, although another one applies",
        False,
        bundle(
            discount=tiered("percentage", tier("bulk_buy", "gte", "2", "9"), tier("total_price", "gte", "99", "5"))
        ),
        THREE,
    ),
    ("tiers of a flat discount are not read", True, bundle(discount=flat("percentage", "10", tiers=[
        tier("total_price", "gte", "1", "5")])), THREE),
    ("amounts by count", False, bundle(discount=tiered("fixed", tier("bulk_buy", "gte", "2", "5"))), THREE),
    ("amounts by count, none reached", False, bundle(discount=tiered("fixed", tier("bulk_buy", "gte", "9", "5"))), THREE),
    ("a percentage too small for a cent", False, bundle(discount=flat("percentage", "5.00")), (line(price="0.05"),)),
    (
        "two percentages that take the same cent off",
        False,
        bundle(
            discount=tiered(
                "percentage", tier("total_products", "gte", "1", "10"), tier("total_products", "gte", "1", "12")
            )
        ),
        CHEAP,
    ),
    (
        "two percentages that take the same cent off, the larger one first",
        True,
        bundle(
            discount=tiered(
                "percentage", tier("total_products", "gte", "1", "12"), tier("total_products", "gte", "1", "10")
            )
        ),
        CHEAP,
    ),
    (
        "percentages that add up to too little for a cent",
        False,
        bundle(
            discount=tiered(
                "percentage",
                tier("total_products", "gte", "1", "2"),
                tier("total_products", "gte", "1", "3"),
                operator="cumulative",
            )
        ),
        CHEAP,
    ),
    ("a percentage by conditions of units that cost nothing", False, tenth(MANY, "discount", discount=HALF), FREE),
    ("a condition on the country", False, tenth(ABROAD, "discount", discount=HALF), THREE),
    ("a condition on the amount", False, tenth(DEAR, "discount", discount=HALF), THREE),
    ("a condition on the country, through groups", False, bundle(discount=TENTH, conditions=grouped(ABROAD)), THREE),
    ("a condition on the count, through groups", True, bundle(discount=TENTH, conditions=grouped(MANY)), THREE),
    ("a condition on the weight", True, tenth(HEAVY, "discount", discount=HALF), THREE),
    ("a condition on the plan", True, tenth(BY_PLAN, "discount", discount=HALF), THREE),
    ("an amount by conditions", False, tenth(MANY, "discount", discount=OFF), THREE),
    (
        "a percentage by conditions in the place of an amount",
        True,
        bundle(discount=flat("fixed", "5.00"), conditions=graph(MANY, "discount", discount=HALF)),
        THREE,
    ),
    ("a message for a country", True, tenth(ABROAD, "message", text="Hej"), THREE),
    ("a section that is next in a country", True, tenth(ABROAD, "goto-section", sectionId=1), THREE),
    ("not sold in a country", False, tenth(ABROAD, "block-cart", text="No"), THREE),
    ("a section hidden in a country", False, tenth(ABROAD, "hide-section", sectionId=9), THREE),
    ("a product hidden by amount", False, tenth(DEAR, "hide-product", productId="9"), THREE),
    ("a free item", False, tenth(MANY, "free-item", **GIFT), THREE),
    ("a free item by count that is not given", True, tenth(
        MANY | {"value": "9"}, "free-item", **GIFT), THREE),
    ("a free item by amount that is not given", False, tenth(
        DEAR | {"value": "99"}, "free-item", **GIFT), THREE),
    ("a rule on an amount", False, bundle(discount=TENTH, limit_rules=(rule("bundle-price", "gte", "1"),)), THREE),
    ("a rule on the amount before", False, bundle(discount=TENTH, limit_rules=(
        rule("bundle-price-before-discount", "lte", "99"),)), THREE),
    ("rules on counts and weight", True, bundle(discount=TENTH, limit_rules=(
        rule("total-number-of-products", "gte", "1"), rule("amount-of-weight", "lte", "5"))), THREE),
]  # fmt: skip


@pytest.mark.parametrize(("anywhere", "of", "lines"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_promise_is_valid_anywhere(anywhere: bool, of: Bundle, lines: Sequence[Line]) -> None:
    outcome = of.graph.evaluate(lines, Facts("kg", "DE"))

    assert holds_anywhere(of, of.graph, outcome, price_selection(of, outcome, EUR)) is anywhere


def test_parts_that_depend_on_the_market_are_named() -> None:
    """Parts of a bundle that depend on the market are listed for the linter."""
    discount = tiered("percentage", tier("bulk_buy", "gte", "2", "5"), tier("total_price", "gte", "9", "7"))
    of = bundle(discount=discount, conditions=grouped(ABROAD))

    assert list(market_tiers(discount)) == [1]
    assert [node["id"] for node in of.graph.market_conditions] == ["c"]
    assert is_market_discount(discount)
    assert not is_market_discount(None)
