"""The format of `bundles` in a shop file."""

from decimal import Decimal
from typing import Any

from bundlesvc.domain.bundle import (
    BUNDLE_TYPES,
    CUMULATIVE,
    DISABLED,
    DISCOUNT_TYPES,
    FLAT,
    LAYOUTS,
    MAX,
    OPTIONAL,
    SUBSCRIPTION_MODES,
    SUBSCRIPTION_UNITS,
    TIER_TYPES,
    TIERED,
    Bundle,
    BundleTranslation,
    Discount,
    FieldTranslation,
    GroupTranslation,
    LimitRule,
    PersonalisationFee,
    PersonalisationField,
    RecurringGroup,
    RequiredProduct,
    Section,
    SectionProduct,
    SectionTranslation,
    SubscriptionOption,
    SubscriptionProgram,
    Tier,
    TierTranslation,
)
from bundlesvc.domain.personalisation import FIELD_TYPES
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.conditions import ConditionNode
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, KeyedMapping, Scalar, unique

DEFAULT_OPERATION = "eq"
"""The operation that a rule gets if the file states none. Only a `multiples-of` rule may leave it out, and there it has no
effect."""


def _variant_ids() -> Items:
    return Items(Scalar(scalars.variant_id), unique)


class TierSchema(FileSchema):
    makes = Tier
    type = Scalar(scalars.one_of(*TIER_TYPES), required=True)
    operation = Scalar(scalars.operation, required=True)
    value = Scalar(scalars.number_text, required=True)
    discount = Scalar(scalars.amount, required=True)
    custom_text = Scalar(scalars.long_text, load_default=None)


def _discount(tiers: tuple[Tier, ...], **values: Any) -> Discount:
    """Build a discount. Without `flatOrTiered`, it is tiered if it has tiers."""
    return Discount(**({"flat_or_tiered": TIERED if tiers else FLAT} | values), tiers=tiers)


class DiscountSchema(FileSchema):
    makes = staticmethod(_discount)
    type = Scalar(scalars.one_of(*DISCOUNT_TYPES), required=True)
    value = Scalar(scalars.amount, load_default=Decimal("0.00"))
    flat_or_tiered = Scalar(scalars.one_of(FLAT, TIERED))
    minimum = Scalar(scalars.amount, load_default=None)
    operator = Scalar(scalars.one_of(MAX, CUMULATIVE), load_default=None)
    tiers = Items(Item(TierSchema()))


class SectionProductSchema(FileSchema):
    makes = SectionProduct
    bundle_item_id = Scalar(scalars.number_id, required=True)
    product_id = Scalar(scalars.product_id, required=True)
    variant_ids = _variant_ids()


class SectionSchema(FileSchema):
    makes = Section
    given_by_position = frozenset({"order"})
    id = Scalar(scalars.number_id, required=True)
    name = Scalar(scalars.short_text, load_default="")
    description = Scalar(scalars.long_text, load_default="")
    image_url = Scalar(scalars.long_text, load_default="")
    order = Scalar(scalars.whole_number(), required=True)
    auto_next_section = Scalar(scalars.flag, load_default=False)
    products = Items(Item(SectionProductSchema()))


class RequiredProductSchema(FileSchema):
    makes = RequiredProduct
    product_id = Scalar(scalars.product_id, required=True)
    variant_ids = _variant_ids()
    quantity = Scalar(scalars.whole_number(minimum=1), load_default=1)


class LimitRuleSchema(FileSchema):
    """A limit rule in a shop file. `operation` and `value` are read as strings; which values are valid depends on the rule's type
    (`bundle_checks`)."""

    makes = LimitRule
    type = Scalar(scalars.one_of(*RULE_TYPES), required=True)
    operation = Scalar(scalars.short_text, load_default=DEFAULT_OPERATION)
    value = Scalar(scalars.short_text, load_default="")
    section_id = Scalar(scalars.number_id, load_default=None)


class PersonalisationFeeSchema(FileSchema):
    makes = PersonalisationFee
    variant_id = Scalar(scalars.variant_id, required=True)
    amount = Scalar(scalars.amount, required=True)
    currency_code = Scalar(scalars.currency, required=True)


def _field(key: str, **values: Any) -> PersonalisationField:
    return PersonalisationField(**({"id": key, "label": key} | values), key=key)


class PersonalisationFieldSchema(FileSchema):
    makes = staticmethod(_field)
    id = Scalar(scalars.name)
    key = Scalar(scalars.name, required=True)
    label = Scalar(scalars.name)
    type = Scalar(scalars.one_of(*FIELD_TYPES), required=True)
    required = Scalar(scalars.flag, load_default=False)
    placeholder = Scalar(scalars.short_text, load_default="")
    character_limit = Scalar(scalars.whole_number(minimum=1), load_default=None)
    options = Items(Scalar(scalars.name))
    help_text = Scalar(scalars.long_text, load_default="")
    fee = Item(PersonalisationFeeSchema(), load_default=None)


class SubscriptionOptionSchema(FileSchema):
    makes = SubscriptionOption
    frequency = Scalar(scalars.whole_number(minimum=1), required=True)
    unit = Scalar(scalars.one_of(*SUBSCRIPTION_UNITS), required=True)
    discount = Scalar(scalars.percentage, load_default=None)


class RecurringGroupSchema(FileSchema):
    makes = RecurringGroup
    id = Scalar(scalars.number_id, required=True)
    name = Scalar(scalars.short_text, load_default="")
    options = Items(Item(SubscriptionOptionSchema()))


def _program(groups: tuple[RecurringGroup, ...], mode: str | None) -> SubscriptionProgram:
    return SubscriptionProgram(mode or (OPTIONAL if groups else DISABLED), groups)


class SubscriptionSchema(FileSchema):
    makes = staticmethod(_program)
    mode = Scalar(scalars.one_of(*SUBSCRIPTION_MODES), load_default=None)
    groups = Items(Item(RecurringGroupSchema()))


class SectionTranslationSchema(FileSchema):
    makes = SectionTranslation
    name = Scalar(scalars.short_text, load_default="")
    description = Scalar(scalars.long_text, load_default="")


class TierTranslationSchema(FileSchema):
    makes = TierTranslation
    custom_text = Scalar(scalars.long_text, load_default="")


class FieldTranslationSchema(FileSchema):
    makes = FieldTranslation
    label = Scalar(scalars.short_text, load_default="")
    placeholder = Scalar(scalars.short_text, load_default="")
    help_text = Scalar(scalars.long_text, load_default="")
    options = KeyedMapping(scalars.name, Scalar(scalars.short_text))


class GroupTranslationSchema(FileSchema):
    makes = GroupTranslation
    name = Scalar(scalars.short_text, load_default="")


class BundleTranslationSchema(FileSchema):
    makes = BundleTranslation
    name = Scalar(scalars.short_text, load_default="")
    description = Scalar(scalars.long_text, load_default="")
    sections = KeyedMapping(scalars.number_id, Item(SectionTranslationSchema()))
    tiers = KeyedMapping(scalars.whole_number(minimum=0), Item(TierTranslationSchema()))
    texts = KeyedMapping(scalars.name, Scalar(scalars.long_text))
    personalisation = KeyedMapping(scalars.product_id, KeyedMapping(scalars.name, Item(FieldTranslationSchema())))
    groups = KeyedMapping(scalars.number_id, Item(GroupTranslationSchema()))


def _bundle(sections: tuple[Section, ...], subscription: SubscriptionProgram | None, **values: Any) -> Bundle:
    """Build a bundle, with its sections sorted by `order`. Sections with the same `order` stay in the order of the file."""
    return Bundle(
        **values,
        sections=tuple(sorted(sections, key=lambda section: section.order)),
        subscription=subscription or SubscriptionProgram(),
    )


class BundleSchema(FileSchema):
    """A bundle in a shop file. An empty `template_code` is replaced with the shop's first template when the file is loaded."""

    makes = staticmethod(_bundle)
    id = Scalar(scalars.number_id, required=True)
    name = Scalar(scalars.name, required=True)
    description = Scalar(scalars.long_text, load_default="")
    image_url = Scalar(scalars.long_text, load_default="")
    type = Scalar(scalars.one_of(*BUNDLE_TYPES), required=True)
    bundling_option = Scalar(scalars.name, load_default="bundles")
    published = Scalar(scalars.flag, load_default=True)
    published_from = Scalar(scalars.local_time, load_default=None)
    published_until = Scalar(scalars.local_time, load_default=None)
    layout = Scalar(scalars.one_of(*LAYOUTS), load_default=LAYOUTS[0])
    product_id = Scalar(scalars.product_id, load_default=None)
    parent_variant_id = Scalar(scalars.variant_id, load_default=None)
    template_code = Scalar(scalars.short_text, load_default="")
    discount = Item(DiscountSchema(), load_default=None)
    sections = Items(Item(SectionSchema()))
    required_products = Items(Item(RequiredProductSchema()))
    limit_rules = Items(Item(LimitRuleSchema()))
    conditions = Items(ConditionNode())
    personalisation = KeyedMapping(scalars.product_id, Items(Item(PersonalisationFieldSchema())))
    subscription = Item(SubscriptionSchema(), load_default=None)
    translations = KeyedMapping(scalars.language_tag, Item(BundleTranslationSchema()))

    def prepared(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Set the order of each section that has none to the section's index in the file."""
        sections = raw.get("sections")
        if not isinstance(sections, list):
            return raw
        return raw | {"sections": [_ordered(section, index) for index, section in enumerate(sections)]}


def _ordered(section: Any, index: int) -> Any:
    if isinstance(section, dict) and section.get("order") is None:
        return section | {"order": str(index)}
    return section
