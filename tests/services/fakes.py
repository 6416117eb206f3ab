"""Fake stores for the use cases, without a database. Tests set their content; calls are counted."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from bundlesvc.domain.access.key import HEADLESS, ApiKey, digest, new_key
from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant

T = TypeVar("T")


class FakeAccess:
    """Implements the `ShopStore` and `KeyStore` ports in memory, with methods for the changes that commands in other processes
    would make."""

    def __init__(self, *handles: str) -> None:
        self.shops: dict[int, Tenant] = {}
        self.stored: dict[int, ApiKey] = {}
        self.calls: Counter[str] = Counter()
        self.read_shops: list[set[int]] = []
        self.touched: list[dict[int, int]] = []
        self.down = False
        self._meanwhile: list[Callable[[], Awaitable[None]]] = []
        for handle in handles or ("demo",):
            self.add_shop(handle)

    def add_shop(self, handle: str) -> int:
        shop_id = len(self.shops) + 1
        shop = Shop(handle, handle, "", "en", True, (), PlatformLink(), (), None)
        self.shops[shop_id] = Tenant(shop_id, 1, shop)
        return shop_id

    def add_key(self, number: int, shop_id: int = 1, *, origins: tuple[str, ...] = ()) -> str:
        """Add a new key that ends in this number, and return it."""
        key = new_key(f"{number:043d}", test=False)
        self.stored[number] = ApiKey(
            number, shop_id, digest(key), f"prefix-{number}", "", False, (HEADLESS,), origins, 100, True, 0
        )
        self._raise_revision(shop_id)
        return key

    def revoke(self, number: int) -> None:
        self.stored[number] = replace(self.stored[number], active=False)
        self._raise_revision(self.stored[number].shop_id)

    def disable(self, shop_id: int) -> None:
        tenant = self.shops[shop_id]
        self.shops[shop_id] = replace(tenant, shop=replace(tenant.shop, headless_enabled=False))
        self._raise_revision(shop_id)

    def _raise_revision(self, shop_id: int) -> None:
        tenant = self.shops[shop_id]
        self.shops[shop_id] = replace(tenant, revision=tenant.revision + 1)

    def meanwhile(self, happens: Callable[[], Awaitable[None]]) -> None:
        """Call `happens` once, after the next result has been read and before it is returned."""
        self._meanwhile.append(happens)

    async def _answer(self, name: str, value: T) -> T:
        self.calls[name] += 1
        if self.down:
            raise StorageUnavailable
        while self._meanwhile:
            await self._meanwhile.pop()()
        return value

    async def tenants(self, shop_ids: Collection[int] | None = None) -> Sequence[Tenant]:
        self.read_shops.append(set(shop_ids or ()))
        wanted = [tenant for tenant in self.shops.values() if shop_ids is None or tenant.id in shop_ids]
        return await self._answer("tenants", wanted)

    async def revisions(self) -> Mapping[int, int]:
        return await self._answer("revisions", {key: tenant.revision for key, tenant in self.shops.items()})

    def known_bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None:
        return None

    async def bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None:
        return None

    async def published_bundles(self, tenant: Tenant, limit: int) -> Sequence[Bundle]:
        return []

    async def published_ids(self, tenant: Tenant, product_id: int | None = None) -> Sequence[int]:
        return []

    async def bundles(self, tenant: Tenant, bundle_ids: Sequence[int]) -> Sequence[Bundle]:
        return []

    async def bundle_of_product(self, tenant: Tenant, product_id: int) -> Bundle | None:
        return None

    async def is_item(self, tenant: Tenant, product_id: int) -> bool:
        return False

    async def experiments(self, tenant: Tenant) -> Sequence[Experiment]:
        return []

    async def ping(self) -> None:
        await self._answer("ping", None)

    async def active_keys(self, shop_ids: Collection[int] | None = None) -> Sequence[ApiKey]:
        self.read_shops.append(set(shop_ids or ()))
        wanted = [key for key in self.stored.values() if shop_ids is None or key.shop_id in shop_ids]
        return await self._answer("active_keys", [key for key in wanted if key.active])

    async def active_key(self, digest: str) -> ApiKey | None:
        found = next((key for key in self.stored.values() if key.active and key.digest == digest), None)
        return await self._answer("active_key", found)

    async def touch_keys(self, last_used: Mapping[int, int]) -> None:
        self.touched.append(dict(last_used))
        await self._answer("touch_keys", None)


class LoggedBefore:
    """A fake of `LoggedWarnings` that contains warnings from the start."""

    def __init__(self, *warnings: str) -> None:
        self._warnings = [*warnings]

    def take(self) -> list[str]:
        taken, self._warnings = self._warnings, []
        return taken
