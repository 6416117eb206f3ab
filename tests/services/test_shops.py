"""The shops in memory can be found by id, handle and domain, always in their latest revision."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import cast

import pytest

from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.ports import ShopStore
from bundlesvc.services.shops import Tenants
from tests.fakes import FakeClock

SHOP = Shop("demo", "Demo", "", "en", True, (), PlatformLink(), (), None)


class Stored:
    """The shops in the database."""

    def __init__(self, *tenants: Tenant) -> None:
        self.tenants_by_id = {tenant.id: tenant for tenant in tenants}

    def store(self, tenant: Tenant) -> None:
        self.tenants_by_id[tenant.id] = tenant

    async def revisions(self) -> Mapping[int, int]:
        return {tenant.id: tenant.revision for tenant in self.tenants_by_id.values()}

    async def tenants(self, shop_ids: Collection[int] | None = None) -> Sequence[Tenant]:
        return list(self.tenants_by_id.values())


def shop(id_: int, handle: str, domain: str | None = None, revision: int = 1) -> Tenant:
    link = PlatformLink() if domain is None else PlatformLink("shopify", domain)
    return Tenant(id_, revision, replace(SHOP, handle=handle, platform=link))


@pytest.fixture
def stored() -> Stored:
    return Stored(shop(1, "a", "One.example"), shop(2, "b", "one.example"), shop(3, "c"))


@pytest.fixture
def tenants(stored: Stored) -> Tenants:
    return Tenants(cast("ShopStore", stored), FakeClock())


def ids(found: Sequence[Tenant]) -> list[int]:
    return sorted(tenant.id for tenant in found)


async def test_shops_with_the_same_domain_are_found_whatever_its_case(tenants: Tenants) -> None:
    await tenants.refresh()
    assert ids(tenants.on_platform("shopify", "ONE.example")) == [1, 2]
    assert ids(tenants.on_platform("shopify", "two.example")) == []
    assert ids(tenants.on_platform("other", "one.example")) == []


async def test_a_shop_with_a_new_domain_is_found_by_that_only(tenants: Tenants, stored: Stored) -> None:
    await tenants.refresh()
    stored.store(shop(1, "a", "two.example", revision=2))
    await tenants.refresh()
    assert ids(tenants.on_platform("shopify", "one.example")) == [2]
    assert ids(tenants.on_platform("shopify", "two.example")) == [1]


async def test_a_shop_that_is_gone_is_not_found(tenants: Tenants, stored: Stored) -> None:
    await tenants.refresh()
    del stored.tenants_by_id[1]
    await tenants.refresh()
    assert tenants.get(1) is tenants.with_handle("a") is None
    assert ids(tenants.on_platform("shopify", "one.example")) == [2]


async def test_a_handle_is_that_of_the_newest_shop(tenants: Tenants, stored: Stored) -> None:
    """A handle belongs to the newest shop that has it, even if a shop is deleted and created again, whether or not a refresh
    takes place in between."""
    await tenants.refresh()
    del stored.tenants_by_id[3]
    stored.store(shop(4, "c"))
    await tenants.refresh()
    assert tenants.with_handle("c") == shop(4, "c")
    stored.store(shop(5, "c"))
    await tenants.refresh()
    del stored.tenants_by_id[4]
    await tenants.refresh()
    assert tenants.with_handle("c") == shop(5, "c")


async def test_a_webhook_does_not_look_at_every_shop(tenants: Tenants, stored: Stored) -> None:
    """A webhook does not cause a scan of all shops, because anybody can send webhooks."""
    await tenants.refresh()
    looked: list[int] = []

    class Watched(dict[int, Tenant]):
        def values(self) -> object:  # type: ignore[override]
            looked.append(len(self))
            return super().values()

    tenants._by_id = Watched(tenants._by_id)
    assert tenants.with_handle("b") is not None
    assert tenants.on_platform("shopify", "one.example")
    assert looked == []
