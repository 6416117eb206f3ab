"""Configured bundles, as they are stored and as look-up endpoints return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from bundlesvc.domain.assignment import Assignment
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.line import Answers, Line
from bundlesvc.domain.personalisation import personalised
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.product import DEFAULT_TITLE
from bundlesvc.domain.selection import SelectedItem
from bundlesvc.domain.subscription import SubscriptionChoice
from bundlesvc.immutable import immutable


@dataclass  # without slots: orjson serialises `__dict__` three times as fast; not frozen: see `immutable`
class ConfiguredItem:
    """Identical units as they were configured, with the titles and the unit price at that time. `properties` contains the
    answers to personalisation fields, by label. `fee_variant_ids` are the variants of the fees charged per unit. `answer_keys`
    lists the keys of the answered fields, in the order of `properties`; it is empty for items stored by an older version of
    the service."""

    variant_id: int
    product_id: int
    section_id: int
    count: int
    title: str
    variant_title: str
    unit_price: Decimal
    properties: Mapping[str, str] = field(default_factory=dict)
    fee_variant_ids: tuple[int, ...] = ()
    answer_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingSubscription:
    """A subscription that a shopper chose. Its initial status is pending (docs/contract.md#subscriptions). `next_date` is the day
    of the next delivery, UTC; `percentage` is the discount of its selling plan."""

    group_id: int
    frequency: int
    unit: str
    email: str
    next_date: date | None
    percentage: Decimal


@immutable
class ConfiguredBundle:
    """One configured bundle as it is stored. `configured_at` is in seconds since 1970, UTC. `assignment` is set when the bundle
    is the visitor's arm of an A/B test."""

    id: int
    bundle_id: int
    bundle_type: str
    title: str
    product_id: int
    country: str | None
    test: bool
    unique_id: str
    pricing: Pricing
    items: tuple[ConfiguredItem, ...]
    configured_at: int
    subscription: PendingSubscription | None = None
    visitor_id: str | None = None
    assignment: Assignment | None = None


@immutable
class RecordedIds:
    """The ids that are known only in the transaction that stores a configured bundle: those of the cart's variant and of the
    pending subscription."""

    variant_id: int
    subscription_id: int | None


@dataclass(frozen=True, slots=True)
class BundleRef:
    """A reference to a configured bundle: its id or, without an id, a ghost variant, which refers to the newest configured bundle
    that uses it."""

    configured_bundle_id: int | None
    variant_id: int | None


@dataclass(frozen=True, slots=True)
class StoredBundle:
    """A configured bundle as a look-up endpoint returns it. `variant_id` is the variant from the configure response."""

    id: int
    bundle_id: int
    variant_id: int
    items: tuple[ConfiguredItem, ...]


@dataclass(frozen=True, slots=True)
class StoredSelection:
    """A configured selection read from storage, with its price and the time at which it was configured (seconds since 1970,
    UTC). `subscription` contains no e-mail address."""

    id: int
    bundle_id: int
    bundle_type: str
    country: str | None
    items: tuple[ConfiguredItem, ...]
    subscription: SubscriptionChoice | None
    pricing: Pricing
    configured_at: int

    def selected(self, bundle: Bundle | None) -> list[SelectedItem]:
        """Return the units one by one, in the form that the configure endpoint accepts. `bundle` is the current bundle; it
        provides the field keys for answers that an older release of the service stored by label."""
        return [
            SelectedItem(item.variant_id, item.product_id, item.section_id, _answers(item, bundle))
            for item in self.items
            for _ in range(item.count)
        ]


def _answers(item: ConfiguredItem, bundle: Bundle | None) -> Answers:
    if item.answer_keys or bundle is None:
        return tuple(sorted(zip(item.answer_keys, item.properties.values(), strict=False)))
    fields = bundle.personalisation.get(item.product_id, ())
    return tuple(
        sorted((field.key, item.properties[field.label]) for field in fields if field.label in item.properties)
    )


def configured_items(bundle: Bundle, lines: Sequence[Line]) -> tuple[ConfiguredItem, ...]:
    return tuple(
        ConfiguredItem(
            line.variant.id,
            line.product.id,
            line.section_id,
            line.count,
            line.product.title,
            line.variant.title,
            line.unit_price,
            *personalised(bundle, line),
        )
        for line in lines
    )


def variant_counts(items: Sequence[ConfiguredItem]) -> dict[int, int]:
    """Count the units of each variant across all sections, in the order of the selection."""
    counts: dict[int, int] = {}
    for item in items:
        counts[item.variant_id] = counts.get(item.variant_id, 0) + item.count
    return counts


def fee_counts(items: Sequence[ConfiguredItem]) -> dict[int, int]:
    """Count the units of each fee variant that the personalisation of the items requires."""
    counts: dict[int, int] = {}
    for item in items:
        for fee_variant in item.fee_variant_ids:
            counts[fee_variant] = counts.get(fee_variant, 0) + item.count
    return counts


def content_text(items: Sequence[ConfiguredItem]) -> str:
    """Describe the content in plain text (docs/contract.md#look-ups), with one line per variant in the order of the selection,
    such as "2 x Shirt - S". For a variant without a name, the " - …" part is omitted."""
    names: dict[int, str] = {}
    for item in items:
        unnamed = item.variant_title == DEFAULT_TITLE
        names.setdefault(item.variant_id, item.title if unnamed else f"{item.title} - {item.variant_title}")
    return "\n".join(f"{count} x {names[variant]}" for variant, count in variant_counts(items).items())
