"""Which numbers the measures of conditions can have: for anything that a shopper may put together, or for what can be bought."""

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.shop import Shop
from bundlesvc.domain.subscription import offers_subscription, requires_subscription
from bundlesvc.shop_file.lint.catalogue import Choice
from bundlesvc.shop_file.lint.logic import (
    AMOUNT,
    COUNT,
    COUNTRY,
    PRODUCT,
    SUBSCRIBED,
    VARIANT,
    WEIGHT,
    YES,
    Measure,
    Universe,
)
from bundlesvc.shop_file.lint.offers import Offers
from bundlesvc.shop_file.lint.ranges import ANY_NUMBER, ITEMS, ZERO_ONLY, Numbers
from bundlesvc.shop_file.lint.reach import Reach

_COUNTRIES = Numbers.between(0, 0xFFFF)
_ANY_CHOICE = Numbers.between(0, 1)


def anything(shop: Shop, bundle: Bundle, offers: Offers) -> Universe:
    """What conditions may see while a shopper chooses: no rule is met yet, and maybe nothing chosen."""

    def numbers(measure: Measure) -> Numbers:
        kind, subject, section_id = measure
        if kind == COUNTRY:
            return _COUNTRIES
        if kind == SUBSCRIBED:
            return _ANY_CHOICE if offers_subscription(shop, bundle) else ZERO_ONLY
        if not any(_is_about(kind, subject, choice) for choice in offers.within(section_id)):
            return ZERO_ONLY
        return ANY_NUMBER if kind in (AMOUNT, WEIGHT) else ITEMS

    return numbers


def purchases(shop: Shop, bundle: Bundle, offers: Offers, reach: Reach, *, all_seen: bool) -> Universe:
    """What conditions see of selections that can be bought. Not `all_seen`: free items may be set aside before they look."""
    loose = anything(shop, bundle, offers)

    def numbers(measure: Measure) -> Numbers:
        if measure[0] == SUBSCRIBED and requires_subscription(shop, bundle):
            return YES
        possible = _possible(reach, measure)
        return loose(measure) & (possible if all_seen else Numbers.between(0, possible.most))

    return numbers


def _possible(reach: Reach, measure: Measure) -> Numbers:
    """What selections that can be bought leave of a measure; any number where that is not reasoned about."""
    kind, subject, section_id = measure
    if kind == COUNT:
        return reach.counts_in(section_id)
    if kind == AMOUNT:
        return reach.amounts_in(section_id)
    if kind == WEIGHT:
        return reach.weights_in(section_id)
    if kind == PRODUCT and subject is not None:
        return _units_of(reach, subject, section_id)
    return ANY_NUMBER


def _units_of(reach: Reach, product_id: int, section_id: int | None) -> Numbers:
    """How many units of a product there may be: in a section at most as many as in all, and maybe none."""
    if reach.has_unknown_products:
        return ANY_NUMBER
    counts = reach.products_with_required.get(product_id, ZERO_ONLY)
    return counts if section_id is None else Numbers.between(0, counts.most)


def _is_about(kind: str, subject: int | None, choice: Choice) -> bool:
    """Whether a unit of this choice may count in the measure."""
    if kind == PRODUCT:
        return choice.product_id == subject or choice.product_id < 0
    if kind == VARIANT:
        return choice.variant_id in (subject, None)
    return True
