"""Keys and shops, which commands change and the service reads."""

from dataclasses import replace

import pytest

from bundlesvc.domain.access.key import TOUCH_INTERVAL, ApiKey, digest
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.transaction import Conflict
from bundlesvc.system import RandomIds
from tests.fakes import START, FakeClock

NOW = int(START)


async def make(keys: SqlKeyStore, tenant: Tenant, request: KeyRequest) -> ApiKey:
    """Create a key as requested, and return the key that was stored."""
    made = await create_key(keys, tenant, request, FakeClock(), RandomIds())
    found = await keys.active_key(digest(made))
    assert found is not None
    return found


async def revision(keys: SqlKeyStore) -> int:
    tenant = await keys.tenant("demo")
    assert tenant is not None
    return tenant.revision


async def last_used(keys: SqlKeyStore) -> list[int | None]:
    return [key.last_used_at for _, key in await keys.keys()]


async def test_every_field_of_a_key_is_stored(tenant: Tenant, keys: SqlKeyStore) -> None:
    request = KeyRequest(
        "web",
        test=True,
        scopes=("embed",),
        origins=("https://a.example/", "https://b.example"),
        rate_limit=7,
        visitor_limit=3,
    )
    made = await create_key(keys, tenant, request, FakeClock(), RandomIds())

    (listed,) = await keys.keys()
    assert listed == (
        "demo",
        ApiKey(
            id=1,
            shop_id=tenant.id,
            digest=digest(made),
            prefix=made[:16],
            label="web",
            test=True,
            scopes=("embed",),
            origins=("https://a.example/", "https://b.example"),
            rate_limit=7,
            active=True,
            created_at=NOW,
            last_used_at=None,
            visitor_limit=3,
        ),
    )
    for shops in (None, {tenant.id, 99}, range(1, 1000)):
        assert await keys.active_keys(shops) == [listed[1]]
    assert await keys.active_keys({99}) == []
    assert await keys.active_key(digest(made)) == listed[1]


async def test_only_the_prefix_of_a_key_is_in_the_database(tenant: Tenant, keys: SqlKeyStore) -> None:
    made = await create_key(keys, tenant, KeyRequest("web"), FakeClock(), RandomIds())
    stored = repr(await keys.keys())
    assert made[16:] not in stored
    assert made[:16] in stored


async def test_keys_are_listed_oldest_first(tenant: Tenant, keys: SqlKeyStore) -> None:
    for label in ("c", "a", "b"):
        await make(keys, tenant, KeyRequest(label))
    assert [key.label for _, key in await keys.keys()] == ["c", "a", "b"]


async def test_digests_and_prefixes_are_unique(tenant: Tenant, keys: SqlKeyStore) -> None:
    key = await make(keys, tenant, KeyRequest("web"))
    with pytest.raises(Conflict):
        await keys.add_key(replace(key, prefix="another"))
    with pytest.raises(Conflict):
        await keys.add_key(replace(key, digest="another"))
    assert len(await keys.keys()) == 1


async def test_a_revoked_key_is_listed_and_no_longer_active(tenant: Tenant, keys: SqlKeyStore) -> None:
    key = await make(keys, tenant, KeyRequest("web"))
    other = await make(keys, tenant, KeyRequest("other"))

    assert await keys.revoke_key(key.prefix)

    assert await keys.active_keys() == [other]
    assert await keys.active_key(key.digest) is None
    assert [listed.active for _, listed in await keys.keys()] == [False, True]
    assert not await keys.revoke_key(key.prefix)
    assert not await keys.set_origins(key.prefix, ["https://a.example"])


async def test_origins_are_replaced(tenant: Tenant, keys: SqlKeyStore) -> None:
    key = await make(keys, tenant, KeyRequest("web", origins=("https://a.example",)))
    assert await keys.set_origins(key.prefix, ["https://b.example", "https://c.example"])
    assert (await keys.active_keys())[0].origins == ("https://b.example", "https://c.example")
    assert await keys.set_origins(key.prefix, [])
    assert (await keys.active_keys())[0].origins == ()


async def test_limits_are_changed_independently(tenant: Tenant, keys: SqlKeyStore) -> None:
    key = await make(keys, tenant, KeyRequest("web"))
    await make(keys, tenant, KeyRequest("other"))

    async def limits() -> list[tuple[int, int | None]]:
        return [(listed.rate_limit, listed.visitor_limit) for _, listed in await keys.keys()]

    assert await limits() == [(100, None), (100, None)]
    assert await keys.set_limits(key.prefix, {"visitor_limit": 5})
    assert await limits() == [(100, 5), (100, None)]
    assert await keys.set_limits(key.prefix, {"rate_limit": 6000})
    assert await limits() == [(6000, 5), (100, None)]
    assert await keys.set_limits(key.prefix, {"rate_limit": 7, "visitor_limit": None})
    assert await limits() == [(7, None), (100, None)]


async def test_an_unknown_prefix_changes_nothing(tenant: Tenant, keys: SqlKeyStore) -> None:
    await make(keys, tenant, KeyRequest("web"))
    before = await revision(keys)
    assert not await keys.revoke_key("bnd_live_unknown")
    assert not await keys.set_origins("bnd_live_unknown", [])
    assert not await keys.set_limits("bnd_live_unknown", {"rate_limit": 7})
    assert not await keys.set_headless("unknown", enabled=False)
    assert await revision(keys) == before


async def test_a_shop_is_enabled_and_disabled(tenant: Tenant, keys: SqlKeyStore) -> None:
    assert await keys.set_headless("demo", enabled=False)
    disabled = await keys.tenant("demo")
    assert disabled is not None
    assert not disabled.shop.headless_enabled
    assert await keys.set_headless("demo", enabled=True)
    assert (await keys.tenant("demo")) == replace(tenant, revision=disabled.revision + 1)


async def test_an_unknown_shop_has_no_tenant(keys: SqlKeyStore) -> None:
    assert await keys.tenant("unknown") is None


async def test_every_change_raises_the_revision(tenant: Tenant, keys: SqlKeyStore) -> None:
    revisions = [tenant.revision]
    key = await make(keys, tenant, KeyRequest("web"))
    revisions.append(await revision(keys))
    await keys.set_origins(key.prefix, ["https://a.example"])
    revisions.append(await revision(keys))
    await keys.set_limits(key.prefix, {"visitor_limit": 5})
    revisions.append(await revision(keys))
    await keys.revoke_key(key.prefix)
    revisions.append(await revision(keys))
    await keys.set_headless("demo", enabled=False)
    revisions.append(await revision(keys))
    assert revisions == sorted(set(revisions))


async def test_using_a_key_does_not_raise_the_revision(tenant: Tenant, keys: SqlKeyStore) -> None:
    key = await make(keys, tenant, KeyRequest("web"))
    before = await revision(keys)
    await keys.touch_keys({key.id: NOW})
    assert await last_used(keys) == [NOW]
    assert await revision(keys) == before


async def test_last_used_is_written_at_most_once_in_five_minutes(tenant: Tenant, keys: SqlKeyStore) -> None:
    """The time of last use is written at most once every five minutes, however many processes are running, because the condition
    is part of the SQL statement."""
    key = await make(keys, tenant, KeyRequest("web"))
    times = [NOW, NOW + 1, NOW + TOUCH_INTERVAL - 1, NOW + TOUCH_INTERVAL, NOW + TOUCH_INTERVAL + 299]
    found = []
    for at in times:
        await keys.touch_keys({key.id: at})
        found += await last_used(keys)
    assert found == [NOW, NOW, NOW, NOW + TOUCH_INTERVAL, NOW + TOUCH_INTERVAL]


async def test_last_used_never_goes_back(tenant: Tenant, keys: SqlKeyStore) -> None:
    key = await make(keys, tenant, KeyRequest("web"))
    await keys.touch_keys({key.id: NOW})
    await keys.touch_keys({key.id: NOW - TOUCH_INTERVAL})
    await keys.touch_keys({999: NOW})
    assert await last_used(keys) == [NOW]


async def test_several_keys_are_touched_in_one_call(tenant: Tenant, keys: SqlKeyStore) -> None:
    first = await make(keys, tenant, KeyRequest("first"))
    await make(keys, tenant, KeyRequest("second"))
    third = await make(keys, tenant, KeyRequest("third"))
    await keys.touch_keys({first.id: NOW, third.id: NOW + 1})
    assert await last_used(keys) == [NOW, None, NOW + 1]
