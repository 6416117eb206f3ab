"""Creates API keys. A key is shown once, and only its digest is stored."""

from dataclasses import dataclass

from bundlesvc.domain.access.key import DEFAULT_RATE_LIMIT, EMBED, PREFIX_LENGTH, SCOPES, ApiKey, digest, new_key
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, Ids, KeyAdmin


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """The properties of a new key. Rate limits are in requests per minute; empty `origins` allow every origin."""

    label: str
    test: bool = False
    scopes: tuple[str, ...] = SCOPES
    origins: tuple[str, ...] = ()
    rate_limit: int = DEFAULT_RATE_LIMIT
    visitor_limit: int | None = None
    demo: bool = False

    @property
    def lets_a_visitor_use_it_up(self) -> bool:
        """Whether the key is for use in pages, and its limits would let one visitor use up all its requests."""
        return EMBED in self.scopes and bool(self.origins) and self.visitor_limit is None


async def create_key(keys: KeyAdmin, tenant: Tenant, request: KeyRequest, clock: Clock, ids: Ids) -> str:
    """Create a key for a shop and return it. The shop may be disabled. Raises StorageUnavailable."""
    key = new_key(ids.key_secret(), test=request.test)
    await register_key(keys, tenant, key, request, clock)
    return key


async def register_key(keys: KeyAdmin, tenant: Tenant, key: str, request: KeyRequest, clock: Clock) -> None:
    """Store a key that was generated earlier."""
    await keys.add_key(
        ApiKey(
            id=0,  # the database assigns it
            shop_id=tenant.id,
            digest=digest(key),
            prefix=key[:PREFIX_LENGTH],
            label=request.label,
            test=request.test,
            scopes=request.scopes,
            origins=request.origins,
            rate_limit=request.rate_limit,
            active=True,
            created_at=int(clock.now()),
            visitor_limit=request.visitor_limit,
            demo=request.demo,
        )
    )
