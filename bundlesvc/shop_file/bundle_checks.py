"""What must hold inside of a bundle, and of what it names in the shop; reads the raw tree (see `checks`)."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import BUNDLE_TYPES, NATIVE
from bundlesvc.domain.conditions import ACTION
from bundlesvc.domain.limit_rules import MULTIPLES_OF
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.condition_checks import check_conditions
from bundlesvc.shop_file.discount_checks import check_discount
from bundlesvc.shop_file.document import Finding
from bundlesvc.shop_file.format_fields import MISSING
from bundlesvc.shop_file.place import Place, read_text, repeated
from bundlesvc.shop_file.references import Catalogue, Sections, sections_of

_TYPES_WITHOUT_FEES = tuple(type_ for type_ in BUNDLE_TYPES if type_ != NATIVE)


def check_bundle(bundle: Place, catalogue: Catalogue) -> Iterator[Finding]:
    """Every fault between the parts of one bundle."""
    sections = sections_of(bundle)
    yield from _check_own_product(bundle, catalogue)
    yield from check_discount(bundle.at("discount"))
    yield from _check_sections(bundle)
    yield from _check_named_products(bundle, catalogue)
    for rule in bundle.items("limitRules"):
        yield from _check_limit_rule(rule, sections)
    yield from check_conditions(bundle, sections, catalogue)
    yield from _check_personalisation(bundle, catalogue)
    yield from _check_subscription(bundle.at("subscription"))
    yield from _check_translations(bundle, sections)


def _check_own_product(bundle: Place, catalogue: Catalogue) -> Iterator[Finding]:
    product = bundle.at("platformProductId")
    yield from catalogue.missing_product(product)
    yield from catalogue.missing_variant(bundle.at("parentVariantId"), product.read(scalars.product_id))


def _offered(bundle: Place) -> list[Place]:
    return [product for section in bundle.items("sections") for product in section.items("products")]


def _check_sections(bundle: Place) -> Iterator[Finding]:
    section_ids = (section.at("id") for section in bundle.items("sections"))
    item_ids = (product.at("bundleItemId") for product in _offered(bundle))
    yield from repeated(section_ids, scalars.number_id, "Section")
    yield from repeated(item_ids, scalars.number_id, "Bundle item")


def _check_named_products(bundle: Place, catalogue: Catalogue) -> Iterator[Finding]:
    for named in (*_offered(bundle), *bundle.items("requiredProducts")):
        product = named.at("platformProductId")
        yield from catalogue.missing_product(product)
        for variant in named.items("variantIds"):
            yield from catalogue.missing_variant(variant, product.read(scalars.product_id))


def _check_limit_rule(rule: Place, sections: Sections) -> Iterator[Finding]:
    """Of `multiples-of` the operation is not read, and an empty value means no rule (design 8)."""
    value = rule.at("value")
    yield from sections.missing(rule.at("sectionId"))
    if rule.at("type").value == MULTIPLES_OF:
        if value.value != "":
            yield from value.unfit(scalars.number_text)
    elif rule.is_mapping:
        yield from _check_needed(rule.at("operation"), scalars.operation)
        yield from _check_needed(value, scalars.number_text)


def _check_needed(place: Place, reader: scalars.Reader[object]) -> Iterator[Finding]:
    if place.value is None:
        yield place.finding(MISSING)
    yield from place.unfit(reader)


def _check_personalisation(bundle: Place, catalogue: Catalogue) -> Iterator[Finding]:
    for product_id, fields in bundle.entries("personalisation"):
        yield from catalogue.missing_product_key(product_id, fields)
        yield from repeated((field.at("key") for field in fields.items()), scalars.name, "A field with the key")
        for field in fields.items():
            yield from _check_fee(bundle, field.at("fee"), catalogue)


def _check_fee(bundle: Place, fee: Place, catalogue: Catalogue) -> Iterator[Finding]:
    if fee.value and bundle.at("type").value in _TYPES_WITHOUT_FEES:
        yield fee.finding("Only native bundles may have fees.")
    yield from catalogue.missing_variant(fee.at("variantId"))


def _check_subscription(subscription: Place) -> Iterator[Finding]:
    groups = subscription.items("groups")
    yield from repeated((group.at("id") for group in groups), scalars.number_id, "Group")
    for group in groups:
        seen: set[tuple[int | None, str | None]] = set()
        for option in group.items("options"):
            cadence = (option.at("frequency").read(scalars.whole_number()), option.at("unit").read(scalars.name))
            if None not in cadence and cadence in seen:
                yield option.finding(f"This group has an option for every {cadence[0]} {cadence[1]} already.")
            seen.add(cadence)


def _check_translations(bundle: Place, sections: Sections) -> Iterator[Finding]:
    tiers = range(len(bundle.at("discount").items("tiers")))
    nodes = bundle.items("conditions")
    actions = {node.at("id").read(scalars.name) for node in nodes if node.at("kind").value == ACTION}
    for _, translation in bundle.entries("translations"):
        for section_id, section in translation.entries("sections"):
            yield from sections.missing_key(section_id, section)
        for written, tier in translation.entries("tiers"):
            index = read_text(written, scalars.whole_number(minimum=0))
            if index is not None and index not in tiers:
                yield tier.finding(f"The discount has no tier {index}; tiers count from 0.")
        for action_id, text in translation.entries("texts"):
            if action_id not in actions:
                yield text.finding("This bundle has no condition action of this id.")
