"""Identifies the caller of a request by its Authorization header (docs/contract.md#shops-and-keys)."""

from collections.abc import Collection, Iterable, Mapping

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import TOUCH_INTERVAL, ApiKey, digest, is_key
from bundlesvc.domain.errors import KeyInvalid, RateLimited
from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ports import Buckets, Clock, KeyStore
from bundlesvc.services.shops import Tenants, changed_shops
from bundlesvc.single_flight import SingleFlight, result

GUESSES_PER_MINUTE = 30
"""The maximum number of unknown keys and wrong unique ids that one address may send per minute."""


class GuessLimit:
    """Limits attempts with unknown keys or wrong unique ids, per client address."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    async def take(self, address: str) -> None:
        """Count an attempt from this client address to guess a key or a unique id. Raises RateLimited."""
        (state,) = await self._buckets.take([_guesses(address)])
        if not state.allowed:
            raise RateLimited(state.retry_after, state.kind)

    async def give_back(self, address: str) -> None:
        """Give back the rate limit token that an attempt from this address used, because the key was valid."""
        await self._buckets.give_back([_guesses(address)])


class LastUse:
    """Records when each key was last used in this process, by key id. Times are collected in memory and written in batches."""

    def __init__(self, keys: KeyStore, clock: Clock) -> None:
        self._keys = keys
        self._now = clock.now
        self._used: dict[int, float] = {}
        self._written: dict[int, float] = {}

    def record(self, key_id: int) -> float:
        """Record that a key is being used, and return the time."""
        now = self._used[key_id] = self._now()
        return now

    async def write(self) -> None:
        """Write the last-used times of keys whose stored time is out of date. Raises StorageUnavailable; the next call then
        retries."""
        due = {key: at for key, at in self._used.items() if at - self._written.get(key, 0) >= TOUCH_INTERVAL}
        if not due:
            return
        await self._keys.touch_keys({key: int(at) for key, at in due.items()})
        self._written.update(due)


class Authentication:
    """Identifies callers by the active keys, which are cached in memory. Call `refresh` once a second."""

    def __init__(self, keys: KeyStore, tenants: Tenants, guesses: GuessLimit, last_use: LastUse) -> None:
        self._keys = keys
        self._guesses = guesses
        self._revisions: Mapping[int, int] = {}
        self._by_digest: dict[str, Caller] = {}
        self._by_header: dict[str, Caller] = {}
        self._generation = 0
        self._fetching: SingleFlight[str, ApiKey | None] = SingleFlight()
        self.tenants = tenants
        self.last_use = last_use
        self._record_use = last_use.record

    async def refresh(self) -> None:
        """Reload the shops whose revision has changed, with their keys. Raises StorageUnavailable."""
        await self.tenants.refresh()
        revisions = self.tenants.revisions
        changed = changed_shops(self._revisions, revisions)
        if not changed:
            return
        keys = await self._keys.active_keys(changed)
        self._revisions = revisions
        self._use(keys, changed)

    def cached(self, authorization: str | None) -> Caller | None:
        """Return the caller cached for exactly this `Authorization` header. Returns None when there is none, or when the cached
        tenant belongs to a publication phase that has ended."""
        caller = self._by_header.get(authorization or "")
        if caller is None or caller.tenant.phase.contains(self._record_use(caller.key.id)):
            return caller
        return None  # the cached tenant's phase has ended

    async def identify(self, authorization: str | None, address: str) -> Caller:
        """Identify the caller from an `Authorization` header that is not cached. A key that is not in memory is looked up in the
        database; if it is not found there, the attempt counts as a guess from this address. Raises KeyInvalid, RateLimited,
        StorageUnavailable."""
        key = _bearer_key(authorization)
        found = self._by_digest.get(digest(key)) if key else None
        generation = self._generation
        if found is None:
            found = await self._look_up(key, address)
        caller = found.at(self._record_use(found.key.id))
        # If the key is missing from a refresh during the look-up, the key may have been revoked: do not cache it.
        current = generation == self._generation or self._by_digest.get(found.key.digest) is found
        # Cache only one spelling of each header: extra spaces and differences in case would allow endless variants.
        if current and authorization == f"Bearer {key}":
            self._by_header[authorization] = caller
        return caller

    async def _look_up(self, key: str | None, address: str) -> Caller:
        """Look up a key in the database. Simultaneous requests with the same new key share one look-up, which counts as at most
        one guess."""
        found = None
        if key is not None and (running := self._fetching.running(key)):
            found = await result(running)
        if found is None:
            found = await self._guess(key, address)
        if self.tenants.get(found.shop_id) is None:
            await self.refresh()
        return self._by_digest.get(found.digest) or self._caller(found)

    async def _guess(self, key: str | None, address: str) -> ApiKey:
        """Look up a key; the attempt counts as a guess unless the key is found. Raises RateLimited, KeyInvalid."""
        await self._guesses.take(address)
        if key is None:
            raise KeyInvalid
        found = await self._fetching.join(key, lambda: self._keys.active_key(digest(key)))
        if found is None:
            raise KeyInvalid
        await self._guesses.give_back(address)
        return found

    def _use(self, keys: Iterable[ApiKey], shop_ids: Collection[int]) -> None:
        """Replace the cached callers of these shops."""
        others = {key: caller for key, caller in self._by_digest.items() if caller.tenant.id not in shop_ids}
        self._by_digest = others | {key.digest: self._caller(key) for key in keys if self.tenants.get(key.shop_id)}
        self._by_header = {key: caller for key, caller in self._by_header.items() if caller.tenant.id not in shop_ids}
        self._generation += 1

    def _caller(self, key: ApiKey) -> Caller:
        tenant = self.tenants.get(key.shop_id)
        if tenant is None:  # the shop was deleted after the key was read
            raise KeyInvalid
        return Caller(key, tenant)


def _guesses(address: str) -> Bucket:
    return Bucket("guesses", f"{{guesses:{address}}}", GUESSES_PER_MINUTE)


def _bearer_key(authorization: str | None) -> str | None:
    """Return the key of `Authorization: Bearer <key>`, or None for any other header."""
    scheme, _, key = (authorization or "").partition(" ")
    key = key.strip(" ")
    return key if scheme.lower() == "bearer" and is_key(key) else None
