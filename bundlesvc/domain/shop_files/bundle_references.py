"""The products and variants that a bundle refers to on a live platform, and the check that they exist there. Their existence
cannot be checked when a shop file is loaded (docs/contract.md#shop-file)."""

from collections.abc import Iterator, Mapping, Set

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.product import Product


def named_products(bundle: Bundle) -> set[int]:
    """Return the ids of a bundle's own product and of the products that it offers or requires."""
    own = () if bundle.product_id is None else (bundle.product_id,)
    return {*own, *bundle.product_ids}


def extras(bundle: Bundle) -> Iterator[tuple[int, str]]:
    """Yield the variants that can be added to a selection, each with its role. They may belong to any product."""
    yield from ((variant_id, "a free item") for variant_id in sorted(bundle.graph.free_variant_ids))
    fields = (field for fields in bundle.personalisation.values() for field in fields)
    yield from ((field.fee.variant_id, f"the fee of {field.label}") for field in fields if field.fee)


def missing(bundle: Bundle, products: Mapping[int, Product], gone: Set[int]) -> Iterator[str]:
    """Yield a message for each missing product or variant. `products` are the products that exist; `gone` are the ids of the free
    items and fee variants that do not exist."""
    yield from _missing_own(bundle, products)
    for product_id in bundle.product_ids:
        if product_id not in products:
            yield f"the product {product_id} does not exist"
    for product_id, variant_id in dict.fromkeys(_named_variants(bundle)):
        if product_id in products and variant_id not in products[product_id].variants_by_id:
            yield f"{products[product_id].title} ({product_id}) has no variant {variant_id}"
    for variant_id, role in extras(bundle):
        if variant_id in gone:
            yield f"the variant {variant_id}, {role}, does not exist"


def _missing_own(bundle: Bundle, products: Mapping[int, Product]) -> Iterator[str]:
    if bundle.product_id is None:
        return
    own = products.get(bundle.product_id)
    if own is None:
        yield f"its own product {bundle.product_id} does not exist"
    elif bundle.parent_variant_id and bundle.parent_variant_id not in own.variants_by_id:
        yield f"its parent variant {bundle.parent_variant_id} is not a variant of {own.title} ({own.id})"


def _named_variants(bundle: Bundle) -> Iterator[tuple[int, int]]:
    """Yield the variants that a bundle refers to, as pairs of product id and variant id."""
    for section in bundle.sections:
        for offer in section.products:
            yield from ((offer.product_id, variant_id) for variant_id in offer.variant_ids)
    for required in bundle.required_products:
        yield from ((required.product_id, variant_id) for variant_id in required.variant_ids)
