"""Selections that can be bought now for little money: guessed, then proved by the very rules that the service configures by."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from bundlesvc.domain.conditions import Facts, Outcome
from bundlesvc.domain.configure_rules import check_rules
from bundlesvc.domain.limit_rules import Scope
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing import Priced, price_selection
from bundlesvc.domain.product import unit_price
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.domain.subscription import requires_subscription
from bundlesvc.shop_file.lint.picking import Picked, pick
from bundlesvc.shop_file.lint.subject import Subject

_MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Witness:
    """A selection that configure accepts, without a country: what conditions make of it, and its price when bought once."""

    outcome: Outcome
    priced: Priced


def cheap_selections(subject: Subject, most: int) -> Iterator[Witness]:
    """Selections that can be bought, few items first, as long as they may cost no more than `most` minor units."""
    settings = subject.shop.settings
    if settings is None or subject.catalogue.live:
        return
    reach = subject.in_stock
    counts = (count for count in reach.whole.counts if reach.amounts_of([count]).least <= most)
    for count in islice(counts, _MOST_TRIES):
        for spread in (False, True):
            picked = pick(subject, count, spread=spread)
            witness = _proved(subject, settings, picked) if picked else None
            if witness:
                yield witness


def _proved(subject: Subject, settings: ShopSettings, picked: Picked) -> Witness | None:
    """The selection, when every rule is met."""
    bundle, shop = subject.bundle, subject.shop
    lines = tuple(_lines(subject, settings.currency, picked))
    facts = Facts(settings.weight_unit, subscribed=requires_subscription(shop, bundle))
    outcome = subject.graph.evaluate(lines, facts)
    percentage = _first_percentage(subject) if facts.subscribed else None
    scope = Scope(price_selection(bundle, outcome, settings.currency, percentage), settings.weight_unit)
    if any(line.product.id in subject.unanswerable for line in lines):
        return None
    if check_rules(bundle, bundle.type, lines, outcome, scope, {}):
        return None
    return Witness(outcome, price_selection(bundle, outcome, settings.currency))


def _lines(subject: Subject, currency: str, picked: Picked) -> Iterator[Line]:
    first = 0
    for (section_id, choice), count in picked.items():
        product, variant = subject.catalogue.product_of(choice), subject.catalogue.variant_of(choice)
        if product and variant:
            yield Line(product, variant, section_id, count, unit_price(variant, None, currency), first)
            first += count


def _first_percentage(subject: Subject) -> Decimal | None:
    options = [option for group in subject.bundle.subscription.groups for option in group.options]
    return options[0].discount if options else None
