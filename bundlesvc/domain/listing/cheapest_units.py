"""The cheapest selection for each possible number of units in a bundle, before discounts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bundlesvc.domain.line import Line
from bundlesvc.domain.listing.unit_pools import Pool, Unit, UnitPools
from bundlesvc.domain.money import from_minor_units
from bundlesvc.domain.selection import MAX_ITEMS, NO_SECTION

MAX_STEPS = 50_000
"""The maximum number of combinations of section counts to compare. It limits the time that the comparison takes."""

_Choice = tuple[int, int]
"""A choice for one pool: the number of units taken from it, and the number of required units placed in its section."""


@dataclass(frozen=True, slots=True)
class CheapestSelection:
    """The cheapest selection of `units` units. `amount` is its price before discounts, in minor units of the currency."""

    units: int
    amount: int
    pools: Sequence[Pool]
    choices: Sequence[_Choice]
    required: Sequence[Unit]

    def lines(self, currency: str) -> tuple[Line, ...]:
        placed: list[tuple[int, Unit]] = []
        placed_before = 0
        for pool, (own, moved) in zip(self.pools, self.choices, strict=True):
            here = *pool.units[:own], *self.required[placed_before : placed_before + moved]
            placed += ((pool.section_id, unit) for unit in here)
            placed_before += moved
        placed += ((NO_SECTION, unit) for unit in self.required[placed_before:])
        counts = Counter((section_id, unit.variant.id) for section_id, unit in placed)
        units = {(section_id, unit.variant.id): unit for section_id, unit in placed}
        return tuple(
            Line(unit.product, unit.variant, key[0], counts[key], from_minor_units(unit.price, currency), 0)
            for key, unit in units.items()
        )


class _Spread(NamedTuple):
    """The cheapest way to fill the pools processed so far, with the choice made for each pool."""

    amount: int
    choices: tuple[_Choice, ...]


def cheapest_by_count(pools: UnitPools) -> list[CheapestSelection]:
    """Return the cheapest selection for each allowed number of units. The list is empty when no number is allowed, when required
    products overlap or are not available, or when the comparison would take too long."""
    required = pools.required()
    sections = pools.sections()
    if required is None or _steps(sections, pools.most, len(required)) > MAX_STEPS:
        return []
    found: dict[int, CheapestSelection] = {}
    for (inside, moved), spread in _spread(sections, len(required)).items():
        units = inside + len(required) - moved
        amount = spread.amount + sum(unit.price for unit in required)
        if pools.allows(units) and (units not in found or amount < found[units].amount):
            found[units] = CheapestSelection(units, amount, sections, spread.choices, required)
    return [found[units] for units in sorted(found)]


def _steps(pools: Sequence[Pool], most: int, required: int) -> int:
    return len(pools) * (most + 1) * (required + 1) ** 2 * min(len(pools) * most, MAX_ITEMS)


def _spread(pools: Sequence[Pool], required: int) -> Mapping[tuple[int, int], _Spread]:
    """For each possible pair of counts, return the cheapest choice of units from all pools. A pair contains the total number of
    chosen units and the number of required units among them."""
    best = {(0, 0): _Spread(0, ())}
    for pool in pools:
        following: dict[tuple[int, int], _Spread] = {}
        for (count, moved_before), spread in best.items():
            left = 0 if pool.section_id == NO_SECTION else required - moved_before
            for own, moved in pool.choices(left):
                key = count + own + moved, moved_before + moved
                amount = spread.amount + pool.amounts[own]
                if key[0] <= MAX_ITEMS and (key not in following or amount < following[key].amount):
                    following[key] = _Spread(amount, (*spread.choices, (own, moved)))
        best = following
    return best
