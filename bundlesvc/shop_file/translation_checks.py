"""Checks that every part to which a bundle's translations refer exists: sections, tiers, actions, personalisation fields and
subscription groups."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from bundlesvc.domain.conditions.graph import ACTION
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.known_ids import KnownSections
from bundlesvc.shop_file.tree import TreeFault, quoted
from bundlesvc.shop_file.tree_nodes import TreeNode, read_text

_Options: TypeAlias = Mapping[str | None, frozenset[str | None]]
"""The options of each personalisation field of a product, by the key of the field."""


def check_translations(bundle: TreeNode, sections: KnownSections) -> Iterator[TreeFault]:
    """Report each translation of a part that the bundle does not have."""
    tiers = range(len(bundle.at("discount").items("tiers")))
    nodes = bundle.items("conditions")
    actions = {node.at("id").read(scalars.name) for node in nodes if node.at("kind").value == ACTION}
    groups = {group.at("id").read(scalars.number_id) for group in bundle.at("subscription").items("groups")}
    fields = _options_by_product(bundle)
    for _, translation in bundle.entries("translations"):
        for section_id, section in translation.entries("sections"):
            yield from sections.missing_key(section_id, section)
        yield from _check_tiers(translation, tiers)
        for action_id, text in translation.entries("texts"):
            if action_id not in actions:
                yield text.fault("This bundle has no condition action with this id.")
        for written, group in translation.entries("groups"):
            group_id = read_text(written, scalars.number_id)
            if group_id is not None and group_id not in groups:
                yield group.fault(f"This bundle's subscription has no group {group_id}.")
        yield from _check_fields(translation, fields)


def _options_by_product(bundle: TreeNode) -> dict[int | None, _Options]:
    return {
        read_text(written, scalars.product_id): {
            field.at("key").read(scalars.name): frozenset(each.read(scalars.name) for each in field.items("options"))
            for field in fields.items()
        }
        for written, fields in bundle.entries("personalisation")
    }


def _check_tiers(translation: TreeNode, tiers: range) -> Iterator[TreeFault]:
    for written, tier in translation.entries("tiers"):
        index = read_text(written, scalars.whole_number(minimum=0))
        if index is not None and index not in tiers:
            yield tier.fault(f"The discount has no tier {index}; tiers are counted from 0.")


def _check_fields(translation: TreeNode, fields: Mapping[int | None, _Options]) -> Iterator[TreeFault]:
    for written, product in translation.entries("personalisation"):
        product_id = read_text(written, scalars.product_id)
        if product_id is not None and product_id not in fields:
            yield product.fault(f"This bundle has no personalisation of product {product_id}.")
            continue
        options = fields.get(product_id, {})
        for key, field in translation.at("personalisation").entries(written):
            if key not in options:
                yield field.fault(f"Product {product_id} has no personalisation field with this key.")
                continue
            for option, label in field.entries("options"):
                if option not in options[key]:
                    yield label.fault(f"The field {quoted(key)} has no such option.")
