"""Ghost variants as the service stores them, and the results of checking their promises (docs/contract.md#ghost-variants)."""

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
    """A ghost variant as the service stores it: the identity of its selection, the platform's ids, and when the platform last
    confirmed it (seconds since 1970). `subjects` are the platform data that its promise depends on; they are set when the ghost
    variant is recorded."""

    identity: str
    product_id: int
    variant_id: int
    confirmed_at: int
    subjects: frozenset[Change] = frozenset()


@dataclass(frozen=True, slots=True)
class Promise:
    """The selection of the newest configured bundle that uses a ghost variant."""

    bundle_id: int
    items: tuple[ConfiguredItem, ...]
    country: str | None
    subscription: SubscriptionChoice | None


@dataclass(frozen=True, slots=True)
class ClaimedGhost:
    """A ghost variant that this process has claimed. `promise` is None when the bundles configured with it have been pruned."""

    id: int
    shop_id: int
    ghost: Ghost
    retired: bool
    promise: Promise | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim on ghost variants, which prevents other processes from working on them for a few minutes. If a change is reported
    in the meantime, the claim on the affected ghost variants ends."""

    token: str
    ghosts: tuple[ClaimedGhost, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """The ghost variants of a product that were retired to make room for new ones. If the product is still full, `free_at` is the
    time when the first ghost variant may be retired."""

    claim: Claim
    free_at: int | None = None


@dataclass(frozen=True, slots=True)
class PromiseChecks:
    """The results of checking claimed ghost variants, as row ids: variants whose promise is valid, broken, or broken only in a
    market other than the promise's own, and variants that could not be checked yet."""

    held: Sequence[int] = ()
    broken: Sequence[int] = ()
    broken_in_a_market: Sequence[int] = ()
    unknown: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class GhostCounts:
    """The number of ghost variants in each state, and the number on each product that has at least `crowded` of them, by shop
    handle and product id."""

    states: Mapping[str, int]
    crowded: Mapping[tuple[str, int], int]
