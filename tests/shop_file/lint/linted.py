"""Shops to lint, and helpers that shorten the findings."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from bundlesvc.shop_file.lint import lint_bytes
from bundlesvc.shop_file.lint.findings import NOTE, Finding
from bundlesvc.shop_file.loading import ShopFileInvalid, parse_shop_file
from tests.shop_file.shop_files import SHOP_YAML

FEATURES = "conditions, subscriptions, personalisation, ab-testing, translations, stock-reminders"
PRODUCTS = """
- id: 100
  title: Shirt
  options: [{name: Size}]
  variants:
    - {id: 1001, price: 20.00, grams: 200, optionValues: [S]}
    - {id: 1002, price: 25.00, grams: 300, optionValues: [M]}
- {id: 200, title: Mug, variants: [{id: 2001, price: 8.00, grams: 350}]}
- {id: 300, title: Tea, variants: [{id: 3001, price: 5.00, grams: 50, inventoryTracked: true, inventoryQuantity: 2}]}
- {id: 400, title: Scarf, status: ARCHIVED, variants: [{id: 4001, price: 15.00}]}
- {id: 500, title: Idea}
- {id: 900, title: Box, variants: [{id: 9001, price: 0.00}]}
"""
_SHIRTS, _MUGS = "{bundleItemId: 1, platformProductId: 100}", "{bundleItemId: 2, platformProductId: 200}"
SHIRTS_AND_MUGS = f"sections: [{{id: 1, products: [{_SHIRTS}, {_MUGS}]}}]"
SHIRTS_THEN_MUGS = (
    f"sections: [{{id: 1, name: Shirts, products: [{_SHIRTS}]}}, {{id: 2, name: Mugs, products: [{_MUGS}]}}]"
)
TEA = "sections: [{id: 1, products: [{bundleItemId: 3, platformProductId: 300}]}]"
OWN_PRODUCT = "platformProductId: 900, parentVariantId: 9001"


def shop(
    *parts: str,
    features: str = FEATURES,
    markets: str = "",
    products: str = PRODUCTS,
    kind: str = "native",
    own: str = OWN_PRODUCT,
    settings: str = "currency: EUR, weightUnit: kg",
) -> str:
    """Build a shop file with one bundle, whose id is 1 and whose fields are `parts`. If `parts` contains no sections, the bundle
    offers shirts and mugs."""
    if not any(part.startswith("sections") for part in parts):
        parts = (SHIRTS_AND_MUGS, *parts)
    return "\n".join(
        (
            f"shop: {{handle: s, {settings}, activeFeatures: [{features}]}}",
            f"markets: [{markets}]",
            f"products: {products}",
            "bundles:",
            f"- {{id: 1, name: Box, type: {kind}, {', '.join((own, *parts)).strip(', ')}}}",
        )
    )


def live(*parts: str) -> str:
    """Build a shop file for a shop on a live platform. The file lists no products, so the linter does not know any."""
    return shop(*parts, settings="platform: {kind: shopify, domain: s.example}", products="[]")


def lint(text: str) -> list[Finding]:
    return lint_bytes(text.encode(), SHOP_YAML)


def found(text: str) -> list[str]:
    """Return the severity, code and path (relative to bundle 1) of every error and warning. The file must load."""
    return [text for text in _in_short(text) if not text.startswith(NOTE)]


def noted(text: str) -> list[str]:
    """Return the severity, code and path (relative to bundle 1) of every note. The file must load."""
    return [text for text in _in_short(text) if text.startswith(NOTE)]


def _in_short(text: str) -> list[str]:
    try:
        parse_shop_file(text.encode(), SHOP_YAML)
    except ShopFileInvalid as invalid:
        pytest.fail(str(invalid))
    return [
        f"{finding.severity} {finding.code} {finding.path.removeprefix('bundles.0').removeprefix('.')}".rstrip()
        for finding in lint(text)
    ]


class Case(NamedTuple):
    """A test case: parts of a bundle, and the findings expected in them."""

    name: str
    parts: Sequence[str]
    findings: Sequence[str] = ()

    def __str__(self) -> str:
        return self.name


def assert_found(case: Case) -> None:
    assert sorted(found(shop(*case.parts))) == sorted(case.findings), case.name


_RULE_TYPES = {
    "items": "total-number-of-products",
    "each": "amount-of-one-product",
    "each-variant": "amount-of-one-variant",
    "different": "number-of-different-products",
    "multiples": "multiples-of",
    "weight": "amount-of-weight",
    "price": "bundle-price",
    "full-price": "bundle-price-before-discount",
}


def rules(*written: str) -> str:
    """Build limit rules from short forms such as "items gte 3" and "multiples 6". A final "@2" restricts a rule to section 2."""
    return f"limitRules: [{', '.join(map(_rule, written))}]"


def _rule(written: str) -> str:
    words, _, section = written.partition(" @")
    type_, *operation, value = words.split()
    limit = f"operation: {operation[0] if operation else 'eq'}, value: '{value}'"
    return f"{{type: {_RULE_TYPES[type_]}, {limit}{f', sectionId: {section}' if section else ''}}}"


def nodes(*written: str) -> str:
    """Build the conditions, groups and actions of a bundle. Each is given as in the file, without its braces."""
    return f"conditions: [{', '.join(f'{{{node}}}' for node in written)}]"


def condition(node_id: str, type_: str, operation: str, value: str, **names: object) -> str:
    rest = "".join(f", {name}: {named}" for name, named in names.items())
    return f"id: {node_id}, kind: condition, type: {type_}, operation: {operation}, value: '{value}'{rest}"


def country(node_id: str, code: str) -> str:
    return condition(node_id, "country", "eq", code)


def group(node_id: str, mode: str, *children: str) -> str:
    return f"id: {node_id}, kind: group, mode: {mode}, children: [{', '.join(children)}]"


def action(node_id: str, type_: str, when: str | None = None, **names: object) -> str:
    rest = "".join(f", {name}: {named}" for name, named in names.items())
    return f"id: {node_id}, kind: action, type: {type_}" + (f", when: {when}" if when else "") + rest


def discount_action(node_id: str, when: str | None = None, type_: str = "percentage", value: str = "15") -> str:
    return action(node_id, "discount", when, discount=f"{{type: {type_}, value: {value}}}")
