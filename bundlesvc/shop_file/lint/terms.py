"""What a bundle offers and demands, as far as its selections are concerned."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bundlesvc.domain.bundle import Bundle
from bundlesvc.shop_file.lint.catalogue import Catalogue, Choice
from bundlesvc.shop_file.lint.effects import Effects
from bundlesvc.shop_file.lint.limits import Limits
from bundlesvc.shop_file.lint.offers import Offers


@dataclass(frozen=True, slots=True)
class Requirement:
    """So many units of a product's variants must be there; `place` is that of the required product in the bundle's list."""

    place: int
    product_id: int
    quantity: int
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Sections that are always hidden are left out, with their rules; those that may be hidden owe nothing then.

    `requirements` has one for each product, the largest: a unit may count towards several required products.
    """

    offers: Offers
    limits: Limits
    requirements: tuple[Requirement, ...]
    hideable: frozenset[int]
    effects: Effects


def requirements_of(bundle: Bundle, catalogue: Catalogue) -> Iterator[Requirement]:
    """Every required product of a bundle."""
    for place, required in enumerate(bundle.required_products):
        choices = catalogue.choices(required.product_id, required.variant_ids)
        yield Requirement(place, required.product_id, required.quantity, choices)


def largest_of_each(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The largest requirement of each product."""
    by_size = sorted(requirements, key=lambda need: need.quantity)
    largest = {need.product_id: need for need in by_size}
    return tuple(sorted(largest.values(), key=lambda need: need.place))
