"""Ghost variants as the service records them, and the results of checking their promises (docs/contract.md#ghost-variants)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.live_platform.platform_change import Change
from bundlesvc.domain.subscription import SubscriptionChoice

LIVE, MARKED, RETIRED = GHOST_STATES = ("live", "marked", "retired")
"""The states of a ghost variant. Live: as far as we know, its promise is valid. Marked: something that the promise depends on has
changed. Retired: it is no longer for sale, or is about to be removed from the platform."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """A ghost variant in our records: the identity of what it sells, the platform's id, and when the platform last confirmed
    it (seconds since 1970). `subjects`: what its promise depends on, given when the ghost variant is recorded."""

    identity: str
    product_id: int
    variant_id: int
    confirmed_at: int
    subjects: frozenset[Change] = frozenset()


@dataclass(frozen=True, slots=True)
class Promise:
    """The selection of the newest configured bundle behind a ghost variant."""

    bundle_id: int
    items: tuple[ConfiguredItem, ...]
    country: str | None
    subscription: SubscriptionChoice | None


@dataclass(frozen=True, slots=True)
class ClaimedGhost:
    """A ghost variant that this process works on; `promise` is None when its configured bundles were pruned."""

    id: int
    shop_id: int
    ghost: Ghost
    retired: bool
    promise: Promise | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Ghost variants that no other process works on for some minutes. A change that arrives in the meantime ends the claim on the
    ghost variants it concerns."""

    token: str
    ghosts: tuple[ClaimedGhost, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """The ghost variants that were retired to make room on a product. On a product that stays full, `free_at` is when the
    first one may be retired."""

    claim: Claim
    free_at: int | None = None


@dataclass(frozen=True, slots=True)
class PromiseChecks:
    """The result of checking claimed ghost variants, by row id: the promise is valid, it is broken, it is broken in another
    market than its own, or nobody knows yet."""

    held: Sequence[int] = ()
    broken: Sequence[int] = ()
    broken_in_a_market: Sequence[int] = ()
    unknown: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class GhostCounts:
    """The number of ghost variants in each state, and the number on each product, by shop handle and product id; only products
    with at least `crowded` of them."""

    states: Mapping[str, int]
    crowded: Mapping[tuple[str, int], int]
