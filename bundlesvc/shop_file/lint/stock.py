"""What is for sale now: sections and bundles that cannot be filled, required products and free items that cannot be had.

Of a live platform nothing of this is known: `doctor` asks it.
"""

from collections.abc import Iterator
from itertools import chain

from bundlesvc.domain.bundle import NATIVE
from bundlesvc.domain.product import ACTIVE, Product
from bundlesvc.shop_file.document import quoted
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Remark, error, remark, warning
from bundlesvc.shop_file.lint.narrowing import Cause
from bundlesvc.shop_file.lint.ranges import Numbers
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.terms import Requirement, requirements_of
from bundlesvc.shop_file.lint.words import counted


def check_stock(subject: Subject) -> Iterator[Remark]:
    yield from _check_own_product(subject)
    yield from _check_free_items(subject)
    required = list(_check_required(subject))
    yield from required
    if subject.is_possible:
        sections = list(_check_sections(subject))
        yield from sections
        if not required and not any(found.severity == ERROR for found in sections):
            yield from _check_whole(subject)
    if subject.can_be_bought:
        yield from _check_empty(subject)


def _check_own_product(subject: Subject) -> Iterator[Remark]:
    """The cart holds a variant of the bundle's own product, unless it is native: then it holds the chosen variants."""
    bundle = subject.bundle
    product = subject.catalogue.products.get(bundle.product_id) if bundle.product_id else None
    if product and product.status != ACTIVE:
        severity = WARNING if bundle.type == NATIVE else ERROR
        message = f"The bundle's own product {_name(product)} is {product.status}, so it is not for sale."
        yield remark(severity, Code.BUNDLE_PRODUCT_NOT_ACTIVE, subject.at("platformProductId"), message)


def _check_free_items(subject: Subject) -> Iterator[Remark]:
    for node in subject.actions("free-item"):
        if not subject.catalogue.stock(subject.catalogue.choice_of(int(node["variantId"]))):
            message = f"Variant {node['variantId']} is a free item, and cannot be had: it is sold out or its product not ACTIVE."
            yield warning(Code.FREE_ITEM_UNAVAILABLE, subject.at_node(node), message)


def _check_required(subject: Subject) -> Iterator[Remark]:
    for need in requirements_of(subject.bundle, subject.catalogue):
        product = subject.catalogue.products[need.product_id]
        path = subject.at("requiredProducts", need.place)
        stock = sum(map(subject.catalogue.stock, need.choices))
        if product.status != ACTIVE:
            message = f"Product {_name(product)} is required, and is {product.status}."
            yield error(Code.REQUIRED_NOT_ACTIVE, path, message)
        elif stock < need.quantity and not _is_unmet_anyway(subject, need):
            left = counted(stock, "unit") if need.choices else "no variant"
            message = f"Product {_name(product)} is required, {counted(need.quantity, 'unit')} of it, and has {left} for sale."
            yield error(Code.REQUIRED_OUT_OF_STOCK, path, message)


def _is_unmet_anyway(subject: Subject, need: Requirement) -> bool:
    """Whether the rules already forbid what is required, which is said elsewhere."""
    return bool(need.choices) and need in subject.by_terms.unmet


def _check_sections(subject: Subject) -> Iterator[Remark]:
    for section_id, now in subject.in_stock.sections.items():
        if now.cause and not subject.by_terms.sections[section_id].cause:
            severity = WARNING if section_id in subject.terms.hideable else ERROR
            counts = subject.by_terms.sections[section_id].counts
            message = f"What is ACTIVE and in stock does not meet the rules of {subject.section_name(section_id)}"
            message += _shortage(counts, subject.in_stock.sections[section_id].cause, subject, section_id)
            yield remark(severity, Code.SECTION_OUT_OF_STOCK, subject.at_section(section_id), message)


def _check_empty(subject: Subject) -> Iterator[Remark]:
    """Sections that need nothing and have nothing for sale; what is no longer sold beside other things is no matter."""
    for section in subject.bundle.sections:
        named = [subject.catalogue.choices(product.product_id, product.variant_ids) for product in section.products]
        found = subject.in_stock.sections.get(section.id)
        if named and found and not found.cause and not any(map(subject.catalogue.stock, chain.from_iterable(named))):
            message = f"Nothing that {subject.section_name(section.id)} offers is ACTIVE and in stock."
            yield warning(Code.SECTION_SELLS_NOTHING, subject.at_section(section.id), message)


def _shortage(counts: Numbers, cause: Cause | None, subject: Subject, section_id: int | None) -> str:
    """The end of the sentence: in figures where it is a matter of too few units."""
    units = sum(map(subject.catalogue.stock, subject.terms.offers.within(section_id)))
    if cause is Cause.AMOUNTS and units < counts.least:
        return f": {counted(counts.least, 'item')} are needed, and {units} can be sold."
    return "."


def _check_whole(subject: Subject) -> Iterator[Remark]:
    now = subject.in_stock.whole
    if now.cause:
        message = "What is ACTIVE and in stock leaves no selection that can be bought"
        message += _shortage(subject.by_terms.whole.counts, now.cause, subject, None)
        yield error(Code.BUNDLE_OUT_OF_STOCK, subject.path, message)


def _name(product: Product) -> str:
    return f"{product.id} ({quoted(product.title)})"
