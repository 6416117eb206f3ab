"""Checks the rules within a bundle, and its references to the rest of the shop. Reads the raw tree (see `checks`)."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import BUNDLE_TYPES, NATIVE, TIERED
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.conditions import check_conditions, check_percentage
from bundlesvc.shop_file.format_fields import MISSING
from bundlesvc.shop_file.known_ids import KnownProducts, KnownSections, known_sections
from bundlesvc.shop_file.translation_checks import check_translations
from bundlesvc.shop_file.tree import TreeFault
from bundlesvc.shop_file.tree_nodes import TreeNode, repeated

_TYPES_WITHOUT_FEES = tuple(type_ for type_ in BUNDLE_TYPES if type_ != NATIVE)


def check_bundle(bundle: TreeNode, products: KnownProducts) -> Iterator[TreeFault]:
    """Find every inconsistency between the parts of one bundle."""
    sections = known_sections(bundle)
    yield from _check_times(bundle)
    yield from _check_own_product(bundle, products)
    yield from _check_discount(bundle.at("discount"))
    yield from _check_sections(bundle)
    yield from _check_named_products(bundle, products)
    for rule in bundle.items("limitRules"):
        yield from _check_limit_rule(rule, sections)
    yield from check_conditions(bundle, sections, products)
    yield from _check_personalisation(bundle, products)
    yield from _check_subscription(bundle.at("subscription"))
    yield from check_translations(bundle, sections)


def _check_times(bundle: TreeNode) -> Iterator[TreeFault]:
    """Check that sales of a bundle end after they begin. Both times are local times in the same zone, so their strings can be
    compared."""
    begin, end = (bundle.at(key).read(scalars.local_time) for key in ("publishedFrom", "publishedUntil"))
    if begin is not None and end is not None and end <= begin:
        yield bundle.at("publishedUntil").fault("This must be later than publishedFrom.")


def _check_own_product(bundle: TreeNode, products: KnownProducts) -> Iterator[TreeFault]:
    product = bundle.at("platformProductId")
    yield from products.missing_product(product)
    yield from products.missing_variant(bundle.at("parentVariantId"), product.read(scalars.product_id))


def _check_discount(discount: TreeNode) -> Iterator[TreeFault]:
    """Check that a flat discount has a value, and that no percentage is above 100."""
    if not discount.is_mapping or not discount.value:
        return
    value, tiers = discount.at("value"), discount.items("tiers")
    if value.value is None and not _is_tiered(discount, tiers):
        yield value.fault(MISSING)
    yield from check_percentage(discount, value)
    for tier in tiers:
        yield from check_percentage(discount, tier.at("discount"))


def _is_tiered(discount: TreeNode, tiers: list[TreeNode]) -> bool:
    kind = discount.at("flatOrTiered").value
    return kind == TIERED or (kind is None and bool(tiers))


def _offered(bundle: TreeNode) -> list[TreeNode]:
    return [product for section in bundle.items("sections") for product in section.items("products")]


def _check_sections(bundle: TreeNode) -> Iterator[TreeFault]:
    section_ids = (section.at("id") for section in bundle.items("sections"))
    item_ids = (product.at("bundleItemId") for product in _offered(bundle))
    yield from repeated(section_ids, scalars.number_id, "Section")
    yield from repeated(item_ids, scalars.number_id, "Bundle item")


def _check_named_products(bundle: TreeNode, products: KnownProducts) -> Iterator[TreeFault]:
    for named in (*_offered(bundle), *bundle.items("requiredProducts")):
        product = named.at("platformProductId")
        yield from products.missing_product(product)
        for variant in named.items("variantIds"):
            yield from products.missing_variant(variant, product.read(scalars.product_id))


def _check_limit_rule(rule: TreeNode, sections: KnownSections) -> Iterator[TreeFault]:
    """Check a limit rule. A `multiples-of` rule needs no operation, and its value may be empty, which disables the rule."""
    value, row = rule.at("value"), RULE_TYPES.get(str(rule.at("type").value))
    yield from sections.missing(rule.at("sectionId"))
    if row and row.is_multiple:
        if value.value != "":
            yield from value.unfit(scalars.number_text)
    elif rule.is_mapping:
        yield from _check_needed(rule.at("operation"), scalars.operation)
        yield from _check_needed(value, scalars.number_text)


def _check_needed(node: TreeNode, reader: scalars.Reader[object]) -> Iterator[TreeFault]:
    if node.value is None:
        yield node.fault(MISSING)
    yield from node.unfit(reader)


def _check_personalisation(bundle: TreeNode, products: KnownProducts) -> Iterator[TreeFault]:
    for product_id, fields in bundle.entries("personalisation"):
        yield from products.missing_product_key(product_id, fields)
        yield from repeated((field.at("key") for field in fields.items()), scalars.name, "A field with the key")
        for field in fields.items():
            yield from _check_fee(bundle, field.at("fee"), products)


def _check_fee(bundle: TreeNode, fee: TreeNode, products: KnownProducts) -> Iterator[TreeFault]:
    if fee.value and bundle.at("type").value in _TYPES_WITHOUT_FEES:
        yield fee.fault("Only native bundles can have fees; remove it.")
    yield from products.missing_variant(fee.at("variantId"))


def _check_subscription(subscription: TreeNode) -> Iterator[TreeFault]:
    groups = subscription.items("groups")
    yield from repeated((group.at("id") for group in groups), scalars.number_id, "Group")
    for group in groups:
        seen: set[tuple[int | None, str | None]] = set()
        for option in group.items("options"):
            cadence = (option.at("frequency").read(scalars.whole_number()), option.at("unit").read(scalars.name))
            if None not in cadence and cadence in seen:
                yield option.fault(f"This group already has an option for {_every(*cadence)}.")
            seen.add(cadence)


def _every(frequency: int | None, unit: str | None) -> str:
    return f"every {unit}" if frequency == 1 else f"every {frequency} {unit}s"
