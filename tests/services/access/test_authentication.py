"""How authentication identifies callers by their headers: cached keys, look-ups, and the limit on guesses."""

import asyncio
from contextlib import suppress

import pytest

from bundlesvc.domain.access.key import HEADLESS, TOUCH_INTERVAL, new_key
from bundlesvc.domain.errors import (
    KeyInvalid,
    RateLimited,
    ShopNotEnabled,
    StorageUnavailable,
)
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.access.authentication import GUESSES_PER_MINUTE, Authentication, GuessLimit, LastUse
from bundlesvc.services.shops import Tenants
from tests.fakes import START, FakeClock
from tests.services.fakes import FakeAccess

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
NOW = int(START)
UNKNOWN = new_key("x" * 43, test=False)


@pytest.fixture
def stores() -> FakeAccess:
    """A fake store with one shop that has no keys."""
    return FakeAccess()


@pytest.fixture
def authentication(stores: FakeAccess, clock: FakeClock) -> Authentication:
    return Authentication(stores, Tenants(stores, clock), GuessLimit(MemoryBuckets(clock)), LastUse(stores, clock))


def bearer(key: str) -> str:
    return f"Bearer {key}"


async def guess(authentication: Authentication, times: int, address: str = HERE) -> None:
    """Try to authenticate with an unknown key several times, and check that each attempt is refused."""
    for _ in range(times):
        with pytest.raises(KeyInvalid):
            await authentication.identify(bearer(UNKNOWN), address)


async def test_a_key_in_memory_is_known_without_the_database(
    stores: FakeAccess, authentication: Authentication
) -> None:
    key = stores.add_key(7)
    await authentication.refresh()
    stores.calls.clear()

    caller = await authentication.identify(bearer(key), HERE)

    assert (caller.key.id, caller.tenant.shop.handle) == (7, "demo")
    assert authentication.cached(bearer(key)) is caller
    assert stores.calls == {}


@pytest.mark.parametrize("header", ["Bearer {}", "bearer {}", "BEARER {}", "Bearer   {}", "Bearer {} "])
async def test_header_with_a_key_is_identified(header: str, stores: FakeAccess, authentication: Authentication) -> None:
    key = stores.add_key(7)
    await authentication.refresh()
    assert (await authentication.identify(header.format(key), HERE)).key.id == 7


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "{}",
        "Basic {}",
        "Bearer: {}",
        "Bearer\t{}",
        "Bearer {}x",
        "Bearer {} {}",
        "Bearer {}, Bearer {}",
        'Bearer "{}"',
        "Bearer bnd_live_short",
        "Bearer bnd_live_" + "ä" * 43,
        "Bearer bnd_live_" + "٣" * 43,
        "Bearer bnd_live_" + "\udcff" * 43,
    ],
)
async def test_header_without_a_valid_key_is_refused_without_a_look_up(
    header: str | None, stores: FakeAccess, authentication: Authentication
) -> None:
    key = stores.add_key(7)
    await authentication.refresh()
    stores.calls.clear()
    with pytest.raises(KeyInvalid):
        await authentication.identify(None if header is None else header.replace("{}", key), HERE)
    assert stores.calls == {}, "text that cannot be a key is not looked up"


async def test_keys_and_shops_are_read_again_only_when_a_revision_changed(
    stores: FakeAccess, authentication: Authentication
) -> None:
    stores.add_key(7)
    for _ in range(5):
        await authentication.refresh()
    assert stores.calls == {"revisions": 5, "tenants": 1, "active_keys": 1}

    stores.add_key(8)
    await authentication.refresh()
    assert stores.calls == {"revisions": 6, "tenants": 2, "active_keys": 2}


async def test_a_change_of_a_shop_reads_that_shop_alone(stores: FakeAccess, authentication: Authentication) -> None:
    other, third = stores.add_shop("other"), stores.add_shop("third")
    key, changed = stores.add_key(7), stores.add_key(8, other)
    await authentication.refresh()
    before = {each: await authentication.identify(bearer(each), HERE) for each in (key, changed)}
    stores.read_shops.clear()

    stores.disable(other)
    await authentication.refresh()

    assert stores.read_shops == [{other}, {other}]
    assert await authentication.identify(bearer(key), HERE) is before[key]
    with pytest.raises(ShopNotEnabled):
        (await authentication.identify(bearer(changed), HERE)).admit(HEADLESS, None)

    del stores.shops[third]
    await authentication.refresh()
    assert authentication.tenants.get(third) is None
    assert authentication.tenants.revisions == {1: 2, other: 3}


async def test_a_revoked_key_stops_with_the_next_refresh(stores: FakeAccess, authentication: Authentication) -> None:
    key, other = stores.add_key(7), stores.add_key(8)
    await authentication.refresh()
    for each in (key, other):
        await authentication.identify(bearer(each), HERE)

    stores.revoke(7)
    await authentication.refresh()

    with pytest.raises(KeyInvalid):
        await authentication.identify(bearer(key), HERE)
    assert (await authentication.identify(bearer(other), HERE)).key.id == 8


async def test_a_new_key_works_at_once_and_is_no_guess(stores: FakeAccess, authentication: Authentication) -> None:
    await authentication.refresh()
    for number in range(GUESSES_PER_MINUTE * 2):
        key = stores.add_key(number)
        assert (await authentication.identify(bearer(key), HERE)).key.id == number


async def test_a_new_key_of_a_new_shop_works_at_once(stores: FakeAccess, authentication: Authentication) -> None:
    await authentication.refresh()
    key = stores.add_key(7, stores.add_shop("new"))
    assert (await authentication.identify(bearer(key), HERE)).tenant.shop.handle == "new"


async def test_a_new_key_works_before_the_first_refresh(stores: FakeAccess, authentication: Authentication) -> None:
    key = stores.add_key(7)
    assert (await authentication.identify(bearer(key), HERE)).key.id == 7


async def test_a_changed_shop_shows_with_the_next_refresh(stores: FakeAccess, authentication: Authentication) -> None:
    key = stores.add_key(7)
    await authentication.refresh()
    (await authentication.identify(bearer(key), HERE)).admit(HEADLESS, None)

    stores.disable(1)
    await authentication.refresh()

    with pytest.raises(ShopNotEnabled):
        (await authentication.identify(bearer(key), HERE)).admit(HEADLESS, None)


async def test_guesses_are_limited_per_address(stores: FakeAccess, authentication: Authentication) -> None:
    await authentication.refresh()
    await guess(authentication, GUESSES_PER_MINUTE)
    stores.calls.clear()

    with pytest.raises(RateLimited) as refused:
        await authentication.identify(bearer(UNKNOWN), HERE)

    assert refused.value.retry_after == 2
    assert stores.calls == {}, "a guess beyond the limit must not cost a look-up"
    await guess(authentication, 1, ELSEWHERE)


async def test_headers_without_a_key_are_guesses_too(authentication: Authentication) -> None:
    for _ in range(GUESSES_PER_MINUTE):
        with pytest.raises(KeyInvalid):
            await authentication.identify(None, HERE)
    with pytest.raises(RateLimited):
        await authentication.identify("Basic x", HERE)


async def test_guesses_are_allowed_again_after_a_while(authentication: Authentication, clock: FakeClock) -> None:
    await guess(authentication, GUESSES_PER_MINUTE)
    clock.move(60 / GUESSES_PER_MINUTE)
    await guess(authentication, 1)
    with pytest.raises(RateLimited):
        await authentication.identify(bearer(UNKNOWN), HERE)


async def test_a_known_key_is_not_refused_for_guesses_from_its_address(
    stores: FakeAccess, authentication: Authentication
) -> None:
    key = stores.add_key(7)
    await authentication.refresh()
    await guess(authentication, GUESSES_PER_MINUTE)
    with pytest.raises(RateLimited):
        await authentication.identify(bearer(UNKNOWN), HERE)
    assert (await authentication.identify(bearer(key), HERE)).key.id == 7


async def test_a_new_key_from_a_limited_address_works_after_the_next_refresh(
    stores: FakeAccess, authentication: Authentication
) -> None:
    await authentication.refresh()
    await guess(authentication, GUESSES_PER_MINUTE)
    key = stores.add_key(7)
    with pytest.raises(RateLimited):
        await authentication.identify(bearer(key), HERE)
    await authentication.refresh()
    assert (await authentication.identify(bearer(key), HERE)).key.id == 7


async def test_known_keys_work_while_the_database_is_down(stores: FakeAccess, authentication: Authentication) -> None:
    key = stores.add_key(7)
    await authentication.refresh()
    stores.down = True

    with pytest.raises(StorageUnavailable):
        await authentication.refresh()
    assert (await authentication.identify(bearer(key), HERE)).key.id == 7
    with pytest.raises(StorageUnavailable):
        await authentication.identify(bearer(UNKNOWN), HERE)


async def test_a_refresh_that_failed_half_way_is_repeated(stores: FakeAccess, authentication: Authentication) -> None:
    await authentication.refresh()
    stores.add_key(7)

    async def go_down() -> None:
        stores.down = True

    stores.meanwhile(go_down)
    with pytest.raises(StorageUnavailable):
        await authentication.refresh()
    stores.down = False
    stores.calls.clear()
    await authentication.refresh()
    assert stores.calls["active_keys"] == 1


async def test_a_key_revoked_during_its_look_up_stops_with_the_next_refresh(
    stores: FakeAccess, authentication: Authentication
) -> None:
    """A key that is revoked during its look-up stops working with the next refresh: the look-up read the key as active, but
    returns only after a poll has seen the revocation."""
    await authentication.refresh()
    key = stores.add_key(7)

    async def revoke_and_poll() -> None:
        stores.revoke(7)
        await authentication.refresh()

    stores.meanwhile(revoke_and_poll)
    with suppress(KeyInvalid):  # an immediate refusal is fine too
        await authentication.identify(bearer(key), HERE)
    await authentication.refresh()

    with pytest.raises(KeyInvalid):
        await authentication.identify(bearer(key), HERE)


async def test_simultaneous_requests_with_a_new_key_share_one_look_up(
    stores: FakeAccess, authentication: Authentication
) -> None:
    await authentication.refresh()
    key = stores.add_key(7)
    stores.calls.clear()
    callers = await asyncio.gather(*(authentication.identify(bearer(key), HERE) for _ in range(GUESSES_PER_MINUTE * 3)))
    assert {caller.key.id for caller in callers} == {7}
    assert stores.calls["active_key"] == 1


async def test_a_cancelled_request_does_not_cancel_a_shared_look_up(
    stores: FakeAccess, authentication: Authentication
) -> None:
    await authentication.refresh()
    key = stores.add_key(7)
    responding = asyncio.Event()
    stores.meanwhile(lambda: _wait_for(responding))
    first = asyncio.create_task(authentication.identify(bearer(key), HERE))
    await asyncio.sleep(0)
    second = asyncio.create_task(authentication.identify(bearer(key), HERE))
    await asyncio.sleep(0)

    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    responding.set()

    assert (await second).key.id == 7


async def _wait_for(event: asyncio.Event) -> None:
    await event.wait()


async def test_a_refresh_overtaken_by_a_newer_one_is_corrected_by_the_next(
    stores: FakeAccess, authentication: Authentication
) -> None:
    key = stores.add_key(7)

    async def revoke_and_refresh() -> None:
        stores.revoke(7)
        await authentication.refresh()

    stores.meanwhile(revoke_and_refresh)
    await authentication.refresh()
    await authentication.refresh()
    with pytest.raises(KeyInvalid):
        await authentication.identify(bearer(key), HERE)


async def test_only_one_spelling_of_a_key_is_remembered(stores: FakeAccess, authentication: Authentication) -> None:
    """Only one spelling of a key is cached. Otherwise anybody with a key could fill the memory with spellings of it."""
    key = stores.add_key(7)
    await authentication.refresh()

    for header in (f"Bearer{' ' * spaces}{key}" for spaces in range(1, 50)):
        assert (await authentication.identify(header, HERE)).key.id == 7

    assert authentication._by_header.keys() == {bearer(key)}


async def test_a_use_is_recorded_whether_the_header_is_new_or_known(
    stores: FakeAccess, authentication: Authentication, clock: FakeClock
) -> None:
    key = stores.add_key(7)
    await authentication.identify(bearer(key), HERE)
    await authentication.last_use.write()
    clock.move(TOUCH_INTERVAL)
    await authentication.identify(bearer(key), HERE)
    await authentication.last_use.write()
    assert stores.touched == [{7: NOW}, {7: NOW + TOUCH_INTERVAL}]


async def test_keys_are_read_again_when_only_the_shops_were_refreshed(
    stores: FakeAccess, authentication: Authentication
) -> None:
    """Refreshing only the shops, as the ghost-variant check does, does not keep the next refresh from rereading the keys."""
    key = stores.add_key(7)
    await authentication.refresh()
    stores.revoke(7)
    await authentication.tenants.refresh()
    await authentication.refresh()
    with pytest.raises(KeyInvalid):
        await authentication.identify(bearer(key), HERE)
