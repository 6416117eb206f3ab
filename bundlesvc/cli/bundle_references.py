"""What a bundle names on a live platform, and what of it is not there: a shop file cannot be checked for it (design 15)."""

from collections.abc import Iterator, Mapping, Set

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.product import Product


def named_products(bundle: Bundle) -> set[int]:
    """Its own product, and those that it is put together from."""
    own = () if bundle.product_id is None else (bundle.product_id,)
    return {*own, *bundle.product_ids}


def extras(bundle: Bundle) -> Iterator[tuple[int, str]]:
    """The variants that come on top of a selection, of any product, and as what."""
    yield from ((variant_id, "a free item") for variant_id in sorted(bundle.graph.free_variant_ids))
    fields = (field for fields in bundle.personalisation.values() for field in fields)
    yield from ((field.fee.variant_id, f"the fee of {field.label}") for field in fields if field.fee)


def missing(bundle: Bundle, products: Mapping[int, Product], gone: Set[int]) -> Iterator[str]:
    """A sentence for all that is not there. `products`: those named that are; `gone`: the extras that are not."""
    yield from _missing_own(bundle, products)
    for product_id in bundle.product_ids:
        if product_id not in products:
            yield f"the product {product_id} is not there"
    for product_id, variant_id in dict.fromkeys(_named_variants(bundle)):
        if product_id in products and variant_id not in products[product_id].variants_by_id:
            yield f"{products[product_id].title} ({product_id}) has no variant {variant_id}"
    for variant_id, role in extras(bundle):
        if variant_id in gone:
            yield f"the variant {variant_id}, {role}, is not there"


def _missing_own(bundle: Bundle, products: Mapping[int, Product]) -> Iterator[str]:
    if bundle.product_id is None:
        return
    own = products.get(bundle.product_id)
    if own is None:
        yield f"its own product {bundle.product_id} is not there"
    elif bundle.parent_variant_id and bundle.parent_variant_id not in own.variants_by_id:
        yield f"its parent variant {bundle.parent_variant_id} is none of {own.title} ({own.id})"


def _named_variants(bundle: Bundle) -> Iterator[tuple[int, int]]:
    """With the product of each."""
    for section in bundle.sections:
        for offer in section.products:
            yield from ((offer.product_id, variant_id) for variant_id in offer.variant_ids)
    for required in bundle.required_products:
        yield from ((required.product_id, variant_id) for variant_id in required.variant_ids)
