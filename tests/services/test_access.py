"""Who is asking: keys held in the process, guesses, last-used times (design 3 and 5)."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import (
    KeyInvalid,
    KeyScope,
    OriginNotAllowed,
    RateLimited,
    ShopNotEnabled,
    StorageUnavailable,
)
from bundlesvc.domain.key import EMBED, HEADLESS, TOUCH_INTERVAL, new_key
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.access import GUESSES_PER_MINUTE, Caller, Directory
from tests.fakes import START, FakeClock
from tests.services.fakes import FakeAccess

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
NOW = int(START)
UNKNOWN = new_key("x" * 43, test=False)


@pytest.fixture
def stores() -> FakeAccess:
    """One shop, without keys."""
    return FakeAccess()


@pytest.fixture
def directory(stores: FakeAccess, clock: FakeClock) -> Directory:
    return Directory(stores, stores, MemoryBuckets(clock), clock)


def bearer(key: str) -> str:
    return f"Bearer {key}"


async def guess(directory: Directory, times: int, address: str = HERE) -> None:
    """So many keys that are none."""
    for _ in range(times):
        with pytest.raises(KeyInvalid):
            await directory.identify(bearer(UNKNOWN), address)


async def test_a_held_key_is_known_without_asking_the_database(stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    stores.asked.clear()

    caller = await directory.identify(bearer(key), HERE)

    assert (caller.key.id, caller.tenant.shop.handle) == (7, "demo")
    assert directory.known(bearer(key)) is caller
    assert stores.asked == {}


async def test_nobody_is_known_before_being_identified(stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    assert directory.known(bearer(key)) is None
    assert directory.known(None) is None
    assert directory.known("") is None


@pytest.mark.parametrize("header", ["Bearer {}", "bearer {}", "BEARER {}", "Bearer   {}", "Bearer {} "])
async def test_headers_that_carry_a_key(header: str, stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    assert (await directory.identify(header.format(key), HERE)).key.id == 7


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
async def test_headers_that_carry_none(header: str | None, stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    stores.asked.clear()
    with pytest.raises(KeyInvalid):
        await directory.identify(None if header is None else header.replace("{}", key), HERE)
    assert stores.asked == {}, "what cannot be a key is not looked up"


async def test_keys_and_shops_are_read_again_only_when_a_revision_changed(
    stores: FakeAccess, directory: Directory
) -> None:
    stores.add_key(7)
    for _ in range(5):
        await directory.refresh()
    assert stores.asked == {"revisions": 5, "tenants": 1, "active_keys": 1}

    stores.add_key(8)
    await directory.refresh()
    assert stores.asked == {"revisions": 6, "tenants": 2, "active_keys": 2}


async def test_a_revoked_key_stops_with_the_next_refresh(stores: FakeAccess, directory: Directory) -> None:
    key, other = stores.add_key(7), stores.add_key(8)
    await directory.refresh()
    for each in (key, other):
        await directory.identify(bearer(each), HERE)

    stores.revoke(7)
    await directory.refresh()

    assert directory.known(bearer(key)) is None
    with pytest.raises(KeyInvalid):
        await directory.identify(bearer(key), HERE)
    assert (await directory.identify(bearer(other), HERE)).key.id == 8


async def test_a_new_key_works_at_once_and_is_no_guess(stores: FakeAccess, directory: Directory) -> None:
    await directory.refresh()
    for number in range(GUESSES_PER_MINUTE * 2):
        key = stores.add_key(number)
        assert (await directory.identify(bearer(key), HERE)).key.id == number
        assert directory.known(bearer(key)) is not None


async def test_a_new_key_of_a_new_shop_works_at_once(stores: FakeAccess, directory: Directory) -> None:
    await directory.refresh()
    key = stores.add_key(7, stores.add_shop("new"))
    assert (await directory.identify(bearer(key), HERE)).tenant.shop.handle == "new"


async def test_a_new_key_works_before_the_first_refresh(stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    assert (await directory.identify(bearer(key), HERE)).key.id == 7


async def test_a_changed_shop_shows_with_the_next_refresh(stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    (await directory.identify(bearer(key), HERE)).admit(HEADLESS, None)

    stores.disable(1)
    await directory.refresh()

    with pytest.raises(ShopNotEnabled):
        (await directory.identify(bearer(key), HERE)).admit(HEADLESS, None)


async def test_guesses_are_limited_per_address(stores: FakeAccess, directory: Directory) -> None:
    await directory.refresh()
    await guess(directory, GUESSES_PER_MINUTE)
    stores.asked.clear()

    with pytest.raises(RateLimited) as refused:
        await directory.identify(bearer(UNKNOWN), HERE)

    assert refused.value.retry_after == 2
    assert stores.asked == {}, "a guess beyond the limit must not cost a look-up"
    await guess(directory, 1, ELSEWHERE)


async def test_headers_without_a_key_are_guesses_too(directory: Directory) -> None:
    for _ in range(GUESSES_PER_MINUTE):
        with pytest.raises(KeyInvalid):
            await directory.identify(None, HERE)
    with pytest.raises(RateLimited):
        await directory.identify("Basic x", HERE)


async def test_who_waits_may_guess_again(directory: Directory, clock: FakeClock) -> None:
    await guess(directory, GUESSES_PER_MINUTE)
    clock.move(60 / GUESSES_PER_MINUTE)
    await guess(directory, 1)
    with pytest.raises(RateLimited):
        await directory.identify(bearer(UNKNOWN), HERE)


async def test_a_held_key_is_never_refused_for_its_neighbour_s_guesses(
    stores: FakeAccess, directory: Directory
) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    await guess(directory, GUESSES_PER_MINUTE)
    with pytest.raises(RateLimited):
        await directory.identify(bearer(UNKNOWN), HERE)
    assert (await directory.identify(bearer(key), HERE)).key.id == 7


async def test_a_new_key_behind_a_guessing_address_works_from_the_next_refresh_on(
    stores: FakeAccess, directory: Directory
) -> None:
    await directory.refresh()
    await guess(directory, GUESSES_PER_MINUTE)
    key = stores.add_key(7)
    with pytest.raises(RateLimited):
        await directory.identify(bearer(key), HERE)
    await directory.refresh()
    assert (await directory.identify(bearer(key), HERE)).key.id == 7


async def test_without_a_database_held_keys_go_on(stores: FakeAccess, directory: Directory) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    stores.down = True

    with pytest.raises(StorageUnavailable):
        await directory.refresh()
    assert (await directory.identify(bearer(key), HERE)).key.id == 7
    with pytest.raises(StorageUnavailable):
        await directory.identify(bearer(UNKNOWN), HERE)


async def test_a_refresh_that_fails_half_way_is_done_again(stores: FakeAccess, directory: Directory) -> None:
    await directory.refresh()
    stores.add_key(7)

    async def go_down() -> None:
        stores.down = True

    stores.meanwhile(go_down)
    with pytest.raises(StorageUnavailable):
        await directory.refresh()
    stores.down = False
    stores.asked.clear()
    await directory.refresh()
    assert stores.asked["active_keys"] == 1


async def test_a_key_that_is_revoked_while_it_is_looked_up_stops_with_the_next_refresh(
    stores: FakeAccess, directory: Directory
) -> None:
    """The look-up read "active", the key was revoked, the poll saw that: the answer that arrives only now is too old."""
    await directory.refresh()
    key = stores.add_key(7)

    async def revoke_and_poll() -> None:
        stores.revoke(7)
        await directory.refresh()

    stores.meanwhile(revoke_and_poll)
    with suppress(KeyInvalid):  # refusing it at once is as good
        await directory.identify(bearer(key), HERE)
    await directory.refresh()

    assert directory.known(bearer(key)) is None
    with pytest.raises(KeyInvalid):
        await directory.identify(bearer(key), HERE)


async def test_a_new_key_s_first_requests_share_one_look_up(stores: FakeAccess, directory: Directory) -> None:
    await directory.refresh()
    key = stores.add_key(7)
    stores.asked.clear()
    callers = await asyncio.gather(*(directory.identify(bearer(key), HERE) for _ in range(GUESSES_PER_MINUTE * 3)))
    assert {caller.key.id for caller in callers} == {7}
    assert stores.asked["active_key"] == 1


async def test_who_shares_a_look_up_is_not_cancelled_with_who_began_it(
    stores: FakeAccess, directory: Directory
) -> None:
    await directory.refresh()
    key = stores.add_key(7)
    answering = asyncio.Event()
    stores.meanwhile(lambda: _wait_for(answering))
    first = asyncio.create_task(directory.identify(bearer(key), HERE))
    await asyncio.sleep(0)
    second = asyncio.create_task(directory.identify(bearer(key), HERE))
    await asyncio.sleep(0)

    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    answering.set()

    assert (await second).key.id == 7


async def _wait_for(event: asyncio.Event) -> None:
    await event.wait()


async def test_a_slow_refresh_that_ends_after_a_newer_one_is_mended_by_the_next(
    stores: FakeAccess, directory: Directory
) -> None:
    key = stores.add_key(7)

    async def revoke_and_refresh() -> None:
        stores.revoke(7)
        await directory.refresh()

    stores.meanwhile(revoke_and_refresh)
    await directory.refresh()
    await directory.refresh()
    with pytest.raises(KeyInvalid):
        await directory.identify(bearer(key), HERE)


async def test_one_spelling_of_a_key_is_remembered(stores: FakeAccess, directory: Directory) -> None:
    """Whoever knows a key could fill the memory with its others."""
    key = stores.add_key(7)
    await directory.refresh()

    for header in (f"Bearer{' ' * spaces}{key}" for spaces in range(1, 50)):
        assert (await directory.identify(header, HERE)).key.id == 7

    assert directory._by_header.keys() == {bearer(key)}


def test_the_order_of_refusals(stores: FakeAccess) -> None:
    """Scope, shop, origin (design 4)."""
    stores.add_key(7, origins=("https://a.example",))
    enabled = Caller(stores.stored[7], stores.shops[1])
    stores.disable(1)
    disabled = replace(enabled, tenant=stores.shops[1])

    enabled.admit(HEADLESS, None)
    enabled.admit(HEADLESS, "https://a.example")
    enabled.admit(HEADLESS, "https://a.example/")
    with pytest.raises(KeyScope):
        disabled.admit(EMBED, "https://b.example")
    with pytest.raises(ShopNotEnabled):
        disabled.admit(HEADLESS, "https://b.example")
    for origin in ("https://b.example", "http://a.example", "https://a.example:443", "null", ""):
        with pytest.raises(OriginNotAllowed):
            enabled.admit(HEADLESS, origin)


def test_a_key_without_origins_may_be_used_from_any_page(stores: FakeAccess) -> None:
    stores.add_key(7)
    Caller(stores.stored[7], stores.shops[1]).admit(HEADLESS, "https://anywhere.example")


async def test_requests_write_nothing(stores: FakeAccess, directory: Directory, clock: FakeClock) -> None:
    key = stores.add_key(7)
    await directory.identify(bearer(key), HERE)
    for _ in range(100):
        clock.move(TOUCH_INTERVAL)
        assert directory.known(bearer(key)) is not None
    assert stores.touched == []


async def test_last_used_is_written_at_most_once_in_five_minutes(
    stores: FakeAccess, directory: Directory, clock: FakeClock
) -> None:
    key = stores.add_key(7)
    await directory.refresh()
    await directory.write_last_used()
    assert stores.touched == [], "an unused key has no last use"

    await directory.identify(bearer(key), HERE)
    for _ in range(120):
        directory.known(bearer(key))
        await directory.write_last_used()
        clock.move(10)

    assert stores.touched == [{7: NOW + seconds} for seconds in (0, 300, 600, 900)]
    assert TOUCH_INTERVAL == 300


async def test_the_time_written_is_that_of_the_use(stores: FakeAccess, directory: Directory, clock: FakeClock) -> None:
    first, second = stores.add_key(7), stores.add_key(8)
    await directory.refresh()
    await directory.identify(bearer(first), HERE)
    clock.move(10)
    await directory.identify(bearer(second), HERE)
    clock.move(10)
    await directory.write_last_used()
    await directory.write_last_used()
    assert stores.touched == [{7: NOW, 8: NOW + 10}]


async def test_a_last_use_that_could_not_be_written_is_written_later(
    stores: FakeAccess, directory: Directory, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever has it written says so, once until it works."""
    key = stores.add_key(7)
    await directory.identify(bearer(key), HERE)
    stores.down = True
    for _ in range(2):
        with pytest.raises(StorageUnavailable):
            await directory.write_last_used()
    assert caplog.messages == []
    stores.down = False
    stores.touched.clear()
    clock.move(30)
    await directory.write_last_used()
    assert stores.touched == [{7: NOW}]
