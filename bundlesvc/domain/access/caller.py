"""The sender of a request, identified by its API key, and the shop of that key."""

from dataclasses import dataclass, field

from bundlesvc.domain.access.key import ApiKey
from bundlesvc.domain.errors import KeyScope, OriginNotAllowed, ShopNotEnabled
from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.domain.shop import Tenant


@dataclass(frozen=True, slots=True)
class Caller:
    """A known API key and its shop, as of the revision that this process has loaded."""

    key: ApiKey
    tenant: Tenant
    visitor: str | None = None
    """The visitor who sent the request, if the key has a limit per visitor."""
    buckets: tuple[Bucket, ...] = field(init=False, repr=False, compare=False)
    """The buckets from which each request takes a token."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "buckets", request_buckets(self.key, self.visitor))

    def coming_from(self, visitor: str) -> "Caller":
        """Return the caller with this visitor. The visitor's own rate limit then applies too."""
        return Caller(self.key, self.tenant, visitor)

    def at(self, now: float) -> "Caller":
        """Return the caller with its shop in the publication phase that contains the time `now`."""
        return self if self.tenant.phase.contains(now) else Caller(self.key, self.tenant.at(now), self.visitor)

    def admit(self, scope: str, origin: str | None) -> None:
        """Check the key's scope, the shop and the page's origin, in this order (docs/contract.md#order-of-checks). Raises
        KeyScope, ShopNotEnabled or OriginNotAllowed."""
        if scope not in self.key.scopes:
            raise KeyScope
        if not self.tenant.shop.headless_enabled:
            raise ShopNotEnabled
        if origin is not None and not self.key.allows_origin(origin):
            raise OriginNotAllowed


def request_buckets(key: ApiKey, visitor: str | None) -> tuple[Bucket, ...]:
    """Return the rate-limit buckets of a request: the bucket that all requests with the key share, and the visitor's own, if the
    key limits visitors."""
    shared = Bucket("key", f"{{key:{key.id}}}", key.rate_limit)
    if visitor is None or key.visitor_limit is None:
        return (shared,)
    return shared, Bucket("visitor", f"{shared.name}:visitor:{visitor}", key.visitor_limit)
