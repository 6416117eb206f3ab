"""A shop's bundle: sections, discount, limit rules, required products, subscription (docs/contract.md#resources).

Numbers that the API sends as strings ("3", "3.00") are stored as written; `Decimal` properties return them as numbers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from bundlesvc.domain.conditions.graph import Graph
from bundlesvc.domain.publication import Phase, utc_seconds

NATIVE = "native"
BUNDLE_TYPES = (NATIVE, "multiple-products", "single-product")
LAYOUTS = ("single-page", "multiple-sections")

FLAT, TIERED = "flat", "tiered"
PERCENTAGE, FIXED, PRICE = "percentage", "fixed", "price"
DISCOUNT_TYPES = (PERCENTAGE, FIXED, PRICE)
MAX, CUMULATIVE = "max", "cumulative"
TIER_TYPES = ("total_products", "bulk_buy", "total_price")

SUBSCRIPTION_UNITS = ("day", "week", "month", "year")
OPTIONAL, REQUIRED, DISABLED = "optional", "required", "disabled"
SUBSCRIPTION_MODES = (OPTIONAL, REQUIRED, DISABLED)


@dataclass(frozen=True)
class Tier:
    """One step of a tiered discount. It applies when the selection meets the comparison that `type`, `operation` and `value`
    define. `discount` is a percentage or an amount, depending on the type of the bundle's discount."""

    type: str
    operation: str
    value: str
    discount: Decimal
    custom_text: str | None = None

    @cached_property
    def threshold(self) -> Decimal:
        return Decimal(self.value)


@dataclass(frozen=True, slots=True)
class Discount:
    """A bundle's own discount. `value` is in percent or in shop currency, depending on `type`; `minimum` is in shop currency."""

    type: str
    value: Decimal
    flat_or_tiered: str
    minimum: Decimal | None = None
    operator: str | None = None
    tiers: tuple[Tier, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionProduct:
    """A product offered in a section. Empty `variant_ids` means all variants."""

    bundle_item_id: int
    product_id: int
    variant_ids: tuple[int, ...] = ()

    def allows(self, variant_id: int) -> bool:
        return not self.variant_ids or variant_id in self.variant_ids


@dataclass(frozen=True, slots=True)
class Section:
    id: int
    name: str
    description: str
    image_url: str
    order: int
    auto_next_section: bool
    products: tuple[SectionProduct, ...]


@dataclass(frozen=True, slots=True)
class RequiredProduct:
    """A product that every selection must contain. Any of `variant_ids` counts; when the list is empty, every variant does."""

    product_id: int
    variant_ids: tuple[int, ...]
    quantity: int

    def accepts(self, product_id: int, variant_id: int) -> bool:
        return product_id == self.product_id and (not self.variant_ids or variant_id in self.variant_ids)


@dataclass(frozen=True)
class LimitRule:
    """A limit on a measure of the selection, or of one section when `section_id` is set (docs/contract.md#limit-rules)."""

    type: str
    operation: str
    value: str
    section_id: int | None = None

    @cached_property
    def limit(self) -> Decimal:
        """The value as a number. An empty value is 0; for `multiples-of` that means no limit."""
        return Decimal(self.value or "0")


@dataclass(frozen=True, slots=True)
class SubscriptionOption:
    """A delivery interval of `frequency` times `unit`. `discount` is in percent; None means no discount."""

    frequency: int
    unit: str
    discount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class RecurringGroup:
    id: int
    name: str
    options: tuple[SubscriptionOption, ...]


@dataclass(frozen=True, slots=True)
class SubscriptionProgram:
    """The subscriptions that a bundle offers."""

    mode: str = DISABLED
    groups: tuple[RecurringGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonalisationFee:
    """A fee for a personalised item. It is a separate cart line that is never discounted and not part of the price calculation
    (docs/contract.md#features)."""

    variant_id: int
    amount: Decimal
    currency_code: str


@dataclass(frozen=True, slots=True)
class PersonalisationField:
    """A field that shoppers fill in for a product. If the field has `options`, the stored answer is one of them, in every
    language. Shoppers see the translated `option_labels` instead, where these exist."""

    id: str
    key: str
    label: str
    type: str
    required: bool = False
    placeholder: str = ""
    character_limit: int | None = None
    options: tuple[str, ...] = ()
    help_text: str = ""
    fee: PersonalisationFee | None = None
    option_labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SectionTranslation:
    name: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class TierTranslation:
    custom_text: str = ""


@dataclass(frozen=True, slots=True)
class FieldTranslation:
    """A personalisation field's texts in one language. `options` maps each option to its label."""

    label: str = ""
    placeholder: str = ""
    help_text: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupTranslation:
    name: str = ""


@dataclass(frozen=True, slots=True)
class BundleTranslation:
    """A bundle's texts in one language. Where a text is missing, the text in the shop's language is used. `sections` is keyed by
    section id, `tiers` by index, `texts` by the id of the condition action, `personalisation` by product id and then field key,
    and `groups` by the id of the subscription group."""

    name: str = ""
    description: str = ""
    sections: Mapping[int, SectionTranslation] = field(default_factory=dict)
    tiers: Mapping[int, TierTranslation] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    personalisation: Mapping[int, Mapping[str, FieldTranslation]] = field(default_factory=dict)
    groups: Mapping[int, GroupTranslation] = field(default_factory=dict)


@dataclass(frozen=True)
class Bundle:
    """One bundle of a shop. `conditions` are the nodes of the graph as the API sends them (docs/contract.md#conditions).
    `published_from` and `published_until`, where set, are local times in the shop's `timezone`."""

    id: int
    name: str
    description: str
    image_url: str
    type: str
    bundling_option: str
    published: bool
    layout: str
    product_id: int | None
    parent_variant_id: int | None
    template_code: str
    discount: Discount | None
    sections: tuple[Section, ...]
    required_products: tuple[RequiredProduct, ...]
    limit_rules: tuple[LimitRule, ...]
    conditions: tuple[Mapping[str, Any], ...] = ()
    personalisation: Mapping[int, tuple[PersonalisationField, ...]] = field(default_factory=dict)
    subscription: SubscriptionProgram = SubscriptionProgram()
    translations: Mapping[str, BundleTranslation] = field(default_factory=dict)
    published_from: str | None = None
    published_until: str | None = None
    timezone: str = "UTC"

    @cached_property
    def begins_at(self) -> int | None:
        """The time at which the bundle is published, in seconds since 1970, UTC; None when it has no start."""
        return None if self.published_from is None else utc_seconds(self.published_from, self.timezone)

    @cached_property
    def ends_at(self) -> int | None:
        """The first second at which the bundle is no longer published, in seconds since 1970, UTC; None when it has no end."""
        return None if self.published_until is None else utc_seconds(self.published_until, self.timezone)

    def is_published_in(self, phase: Phase) -> bool:
        """Whether the bundle is published during a phase of its shop."""
        begun = self.begins_at is None or self.begins_at <= phase.start
        return self.published and begun and (self.ends_at is None or phase.start < self.ends_at)

    @cached_property
    def cart_variant_id(self) -> int | None:
        """The variant that the shopper is charged for in the cart; None when each selection needs a ghost variant."""
        return self.parent_variant_id if self.type == NATIVE else None

    @cached_property
    def graph(self) -> Graph:
        """The graph of those condition nodes that this service can evaluate."""
        return Graph.of(self.conditions)

    @cached_property
    def rule_types(self) -> frozenset[str]:
        return frozenset(rule.type for rule in self.limit_rules)

    @cached_property
    def sections_by_id(self) -> Mapping[int, Section]:
        return {section.id: section for section in self.sections}

    @cached_property
    def product_ids(self) -> tuple[int, ...]:
        """The ids of all products in sections and required products, in order of first use."""
        return tuple(dict.fromkeys(self._named_products()))

    def _named_products(self) -> Iterator[int]:
        for section in self.sections:
            for offered in section.products:
                yield offered.product_id
        for required in self.required_products:
            yield required.product_id


@dataclass(frozen=True, slots=True)
class Arm:
    bundle_id: int
    weight: Decimal


@dataclass(frozen=True, slots=True)
class Experiment:
    """An A/B test: visitors who request `bundle_id` get the bundle of one of the arms instead (docs/contract.md#ab-tests)."""

    id: str
    bundle_id: int
    arms: tuple[Arm, ...]
