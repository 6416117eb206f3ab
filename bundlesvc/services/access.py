"""Who calls: API keys against what this process holds of them, guesses, and what a key opens."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bundlesvc.domain.errors import KeyInvalid, KeyScope, OriginNotAllowed, RateLimited, ShopNotEnabled
from bundlesvc.domain.key import TOUCH_INTERVAL, ApiKey, digest, is_key
from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Buckets, Clock, KeyStore, ShopStore
from bundlesvc.single_flight import SingleFlight, result

GUESSES_PER_MINUTE = 30
"""How many bad keys a minute may come from one address."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A known key and its shop as of the revision that this process has seen."""

    key: ApiKey
    tenant: Tenant
    visitor: str | None = None
    """Where the request comes from, if the key has a limit for each visitor."""
    buckets: tuple[Bucket, ...] = field(init=False, repr=False, compare=False)
    """What a request takes a token of."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "buckets", request_buckets(self.key, self.visitor))

    def coming_from(self, visitor: str) -> "Caller":
        """The caller as this visitor."""
        return Caller(self.key, self.tenant, visitor)

    def admit(self, scope: str, origin: str | None) -> None:
        """Check the key's scope, its shop and the page's origin, in this order. Raises KeyScope, ShopNotEnabled,
        OriginNotAllowed."""
        if scope not in self.key.scopes:
            raise KeyScope
        if not self.tenant.shop.headless_enabled:
            raise ShopNotEnabled
        if origin is not None and not self.key.allows_origin(origin):
            raise OriginNotAllowed


class Directory:
    """The shops and active keys of the database, held in the process: `refresh()` once a second keeps them true."""

    def __init__(self, shops: ShopStore, keys: KeyStore, guesses: Buckets, clock: Clock) -> None:
        self._shops = shops
        self._keys = keys
        self._guesses = guesses
        self._clock = clock
        self._revisions: dict[int, int] = {}
        self._tenants: dict[int, Tenant] = {}
        self._by_digest: dict[str, Caller] = {}
        self._by_header: dict[str, Caller] = {}
        self._generation = 0
        self._looking_up: SingleFlight[str, ApiKey | None] = SingleFlight()
        self._used: dict[int, float] = {}
        self._written: dict[int, float] = {}

    async def refresh(self) -> None:
        """Read shops and keys again when any revision changed. Raises StorageUnavailable."""
        revisions = dict(await self._shops.revisions())
        if revisions == self._revisions:
            return
        tenants = await self._shops.tenants()
        keys = await self._keys.active_keys()
        self._tenants = {tenant.id: tenant for tenant in tenants}
        self._revisions = {tenant.id: tenant.revision for tenant in tenants}
        self._hold(keys)

    def tenant(self, shop_id: int) -> Tenant | None:
        """The shop of a row id, if this process has seen it."""
        return self._tenants.get(shop_id)

    def tenant_of(self, handle: str) -> Tenant | None:
        return next((tenant for tenant in self._tenants.values() if tenant.shop.handle == handle), None)

    def known(self, authorization: str | None) -> Caller | None:
        """The caller of a header that was seen before: the whole header value is the key, so this costs one look-up."""
        caller = self._by_header.get(authorization or "")
        if caller is not None:
            self._used[caller.key.id] = self._clock.now()
        return caller

    async def identify(self, authorization: str | None, address: str) -> Caller:
        """The caller of any header. A key that this process does not hold is looked up in the database, and counts as a
        guess of its address until it is found. Raises KeyInvalid, RateLimited, StorageUnavailable."""
        key = _bearer_key(authorization)
        caller = self._by_digest.get(digest(key)) if key else None
        generation = self._generation
        if caller is None:
            caller = await self._look_up(key, address)
        self._used[caller.key.id] = self._clock.now()
        # A key that was found before a refresh, and is not in it, may be revoked by now: it is not held.
        current = generation == self._generation or self._by_digest.get(caller.key.digest) is caller
        # One spelling of each key is held: there are as many as one likes, with more spaces, in other cases.
        if current and authorization == f"Bearer {key}":
            self._by_header[authorization] = caller
        return caller

    async def write_last_used(self) -> None:
        """Write the last-used times of the keys whose written ones are old. Raises StorageUnavailable; then they are written
        the next time."""
        due = {key: at for key, at in self._used.items() if at - self._written.get(key, 0) >= TOUCH_INTERVAL}
        if not due:
            return
        await self._keys.touch_keys({key: int(at) for key, at in due.items()})
        self._written.update(due)

    async def _look_up(self, key: str | None, address: str) -> Caller:
        """Look for a key in the database. Many requests at once with one new key share one look-up, and one guess."""
        found = None
        if key is not None and (running := self._looking_up.running(key)):
            found = await result(running)
        if found is None:
            found = await self._guess(key, address)
        if found.shop_id not in self._tenants:
            await self.refresh()
        return self._by_digest.get(found.digest) or self._caller(found)

    async def _guess(self, key: str | None, address: str) -> ApiKey:
        """The key, at the cost of a guess unless it is found. Raises RateLimited, KeyInvalid."""
        bucket = Bucket("guesses", f"{{guesses:{address}}}", GUESSES_PER_MINUTE)
        (state,) = await self._guesses.take([bucket])
        if not state.allowed:
            raise RateLimited(state.retry_after)
        if key is None:
            raise KeyInvalid
        found = await self._looking_up.join(key, lambda: self._keys.active_key(digest(key)))
        if found is None:
            raise KeyInvalid
        await self._guesses.give_back([bucket])
        return found

    def _hold(self, keys: Iterable[ApiKey]) -> None:
        self._by_digest = {key.digest: self._caller(key) for key in keys if key.shop_id in self._tenants}
        self._by_header = {}
        self._generation += 1

    def _caller(self, key: ApiKey) -> Caller:
        return Caller(key, self._tenants[key.shop_id])


def request_buckets(key: ApiKey, visitor: str | None) -> tuple[Bucket, ...]:
    """The bucket that all who call with the key share, and that of the visitor."""
    shared = Bucket("key", f"{{key:{key.id}}}", key.rate_limit)
    if visitor is None or key.visitor_limit is None:
        return (shared,)
    return shared, Bucket("visitor", f"{shared.name}:visitor:{visitor}", key.visitor_limit)


def _bearer_key(authorization: str | None) -> str | None:
    """The key of `Authorization: Bearer <key>`; None for anything else."""
    scheme, _, key = (authorization or "").partition(" ")
    key = key.strip(" ")
    return key if scheme.lower() == "bearer" and is_key(key) else None
