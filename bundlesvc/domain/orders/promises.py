"""The promises that an order is checked against, as they are stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class StoredPromise:
    """The promise of a configured bundle: the prices of the selection in the shop's currency, less any saving from a
    subscription. `units` maps each variant id to its number of units."""

    configured_id: int
    bundle_id: int
    country: str | None
    original: Decimal
    discounted: Decimal
    units: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Promises:
    """The promises that an order may refer to, by configured bundle and by ghost variant. Several shoppers can share a ghost
    variant, and a selling plan changes the variant's price. Each key of `ghosts` is therefore a pair: the variant, and whether it
    is sold with a selling plan.

    `foreign` contains the configured bundles of other shops, whose promises are not disclosed. `first_orders` contains the stored
    first orders of subscriptions, by configured bundle, each as a pair of its time and its id. `contracts` maps each subscription
    contract to its configured bundle; for native bundles, `marks` maps each contract to the `_bundle_data` property."""

    configured: Mapping[int, StoredPromise] = field(default_factory=dict)
    ghosts: Mapping[tuple[int, bool], Sequence[StoredPromise]] = field(default_factory=dict)
    foreign: frozenset[int] = frozenset()
    first_orders: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    contracts: Mapping[str, int] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
