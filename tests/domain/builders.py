"""Builders with defaults for the objects of domain tests.

Product 1 has the variants 11, 12, …, product 2 has 21, 22, …: `line(2, variant_id=11)` is two units of product 1.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from bundlesvc.domain.bundle import Bundle, Discount, LimitRule, Section, SectionProduct, Tier
from bundlesvc.domain.line import Answers, Line
from bundlesvc.domain.product import ACTIVE, DEFAULT_TITLE, Product, Variant

EUR, JPY = "EUR", "JPY"

OUTCOMES = {
    "gt": (False, False, True),
    "gte": (False, True, True),
    "lt": (True, False, False),
    "lte": (True, True, False),
    "eq": (False, True, False),
}
"""The results of each operation one step below, at, and one step above its threshold."""

BOUNDARIES = [
    (operation, side, held)
    for operation, outcomes in OUTCOMES.items()
    for side, held in zip(("below", "at", "above"), outcomes, strict=True)
]


def variant(
    variant_id: int = 11,
    *,
    title: str = DEFAULT_TITLE,
    price: str = "10.00",
    grams: int = 0,
    stock: int | None = None,
    policy: str = "deny",
) -> Variant:
    """A variant. Its stock is tracked if `stock` is given."""
    return Variant(
        id=variant_id,
        title=title,
        price=Decimal(price),
        compare_at_price=None,
        sku="",
        inventory_tracked=stock is not None,
        inventory_policy=policy,
        inventory_quantity=stock or 0,
        grams=grams,
        option_values=(),
    )


def product(product_id: int = 1, *variants: Variant, status: str = ACTIVE) -> Product:
    """A product, by default product 1, with the given variants, or with a single default variant when none are given."""
    return Product(
        id=product_id,
        title=f"Product {product_id}",
        handle=f"product-{product_id}",
        image_url="",
        status=status,
        tags=(),
        description_html="",
        options=(),
        variants=variants or (variant(product_id * 10 + 1),),
    )


def line_of(
    owner: Product, variant_id: int, count: int = 1, *, section: int = 1, first: int = 0, answers: Answers = ()
) -> Line:
    """A line of `count` units of this variant of the product `owner`, at the variant's price."""
    chosen = owner.variants_by_id[variant_id]
    return Line(owner, chosen, section, count, chosen.price, first, answers)


def line(
    count: int = 1,
    *,
    variant_id: int = 11,
    price: str = "10.00",
    section: int = 1,
    grams: int = 0,
    first: int = 0,
    answers: Answers = (),
) -> Line:
    """A line of `count` units of a product's only variant: variant 11 of product 1, variant 21 of product 2, and so on."""
    owner = product(variant_id // 10, variant(variant_id, price=price, grams=grams))
    return line_of(owner, variant_id, count, section=section, first=first, answers=answers)


def offer(product_id: int, *variant_ids: int) -> SectionProduct:
    """A product in a section; without `variant_ids`, all of its variants are offered."""
    return SectionProduct(product_id, product_id, variant_ids)


def section(section_id: int, *products: SectionProduct) -> Section:
    return Section(section_id, f"Section {section_id}", "", "", section_id, auto_next_section=False, products=products)


def flat(type_: str, value: str, *, minimum: str | None = None, tiers: Sequence[Tier] = ()) -> Discount:
    return Discount(type_, Decimal(value), "flat", _decimal(minimum), None, tuple(tiers))


def tier(type_: str, operation: str, value: str, discount: str) -> Tier:
    return Tier(type_, operation, value, Decimal(discount))


def tiered(
    type_: str, *tiers: Tier, operator: str | None = "max", minimum: str | None = None, value: str = "0.00"
) -> Discount:
    """A tiered discount. `value` is the flat value, which tiered discounts must ignore."""
    return Discount(type_, Decimal(value), "tiered", _decimal(minimum), operator, tiers)


def rule(type_: str, operation: str, value: str, section_id: int | None = None) -> LimitRule:
    return LimitRule(type_, operation, value, section_id)


def bundle(**changes: Any) -> Bundle:
    """The native bundle 42, which has no sections, discount or rules, with these fields changed."""
    return replace(_BUNDLE, **changes)


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


_BUNDLE = Bundle(
    id=42,
    name="Box",
    description="",
    image_url="https://cdn.example/box.png",
    type="native",
    bundling_option="bundles",
    published=True,
    layout="multiple-sections",
    product_id=900,
    parent_variant_id=9001,
    template_code="default",
    discount=None,
    sections=(),
    required_products=(),
    limit_rules=(),
)
