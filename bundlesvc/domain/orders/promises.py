"""The promises that an order is checked against, as they are stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class StoredPromise:
    """The promise of a configured bundle: the prices of its selection in the shop's currency, less the saving from its
    subscription, if any. `units` maps each variant id to its number of units."""

    configured_id: int
    bundle_id: int
    country: str | None
    original: Decimal
    discounted: Decimal
    units: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Promises:
    """The promises that an order may refer to, by configured bundle and by ghost variant. Because several shoppers can share a
    ghost variant, and a selling plan changes its price, the keys of `ghosts` are pairs of the variant and whether it has a plan.

    `foreign` contains the configured bundles of other shops, whose promises are not disclosed. `first_orders` contains the stored
    first orders of subscriptions, by configured bundle, each given as its time and id. `contracts` maps each subscription
    contract to its configured bundle; for native bundles, `marks` maps each contract to the `_bundle_data` property."""

    configured: Mapping[int, StoredPromise] = field(default_factory=dict)
    ghosts: Mapping[tuple[int, bool], Sequence[StoredPromise]] = field(default_factory=dict)
    foreign: frozenset[int] = frozenset()
    first_orders: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    contracts: Mapping[str, int] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
