"""The sale of bundles begins and ends exactly on time, in every response (docs/contract.md#publication)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bundlesvc.api.app_keys import AUTHENTICATION, GHOST_UPKEEP
from bundlesvc.domain.publication import CLOSING_SECONDS
from bundlesvc.services.bundle_times import BundleTimesFollower
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.bundle_times import SqlBundleTimes
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.administration import SqlGhostAdmin
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.loaded import Keys
from tests.api.selection import configure_body, price_body
from tests.conftest import replace_shop
from tests.fakes import START, FakeClock

TIMED = 30
BEGINS, ENDS = START + 3600, START + 7200
TIMES = 3
"""How many times each request is sent: the last response comes from the edge, if it is enabled."""
SELECTION = ("1001@1", "1002@1")


def with_times(begins: float | None = None, ends: float | None = None) -> str:
    """Return the shop file with bundle 30 on sale between the given times."""
    keys = {"publishedFrom": begins, "publishedUntil": ends}
    written = [
        f"{key}: {datetime.fromtimestamp(time, UTC):%Y-%m-%dT%H:%M:%S}, "
        for key, time in keys.items()
        if time is not None
    ]
    return SHOP_TEXT.replace(f"{{id: {TIMED}, name: Several, ", f"{{id: {TIMED}, name: Several, {''.join(written)}")


async def statuses(api: Api) -> set[int]:
    """Request the bundle from every endpoint that reads or prices it, with cold and warm caches, and return the statuses of the
    responses."""
    found = set()
    for path in (f"/bundles/{TIMED}", f"/bundles/{TIMED}/products", f"/embed/api/v1/bundle?id={TIMED}"):
        found |= {(await api.get(path)).status for _ in range(TIMES)}
    found.add((await api.post(f"/bundles/{TIMED}/price", price_body(*SELECTION))).status)
    return found


async def listed(api: Api) -> bool:
    """Return whether the bundle appears in the lists, and check that all lists agree."""
    found = set()
    for path in ("/bundles", "/bundles?include=offer", "/bundles?limit=100"):
        for _ in range(TIMES):
            found.add(TIMED in [bundle["id"] for bundle in (await api.get(path)).held().json])
    (answer,) = found
    return answer


async def test_bundle_is_for_sale_from_its_beginning_until_its_end(make_api: MakeApi, clock: FakeClock) -> None:
    """A bundle is available for sale from its start time (inclusive) until its end time (exclusive), even if the database is not
    polled in between."""
    api = await make_api(with_times(BEGINS, ENDS))
    for now, for_sale in ((BEGINS - 0.001, False), (BEGINS, True), (ENDS - 0.001, True), (ENDS, False)):
        clock.time = now
        assert await statuses(api) == ({200} if for_sale else {404})
        assert await listed(api) == for_sale


async def test_ended_bundle_is_not_configured(make_api: MakeApi, clock: FakeClock) -> None:
    api = await make_api(with_times(ends=ENDS))
    body = configure_body(*SELECTION, type="multiple-products")
    (await api.post(f"/bundles/{TIMED}/configure", body)).held()
    clock.time = ENDS
    (await api.post(f"/bundles/{TIMED}/configure", body)).held(404)


async def test_clock_that_is_set_back_brings_back_what_was_then(make_api: MakeApi, clock: FakeClock) -> None:
    api = await make_api(with_times(BEGINS))
    for now, status in ((BEGINS, {200}), (BEGINS - 1, {404}), (BEGINS + 1, {200})):
        clock.time = now
        assert await statuses(api) == status


@pytest.mark.parametrize("time", ["begins", "ends"])
@pytest.mark.parametrize("path", ["/bundles", f"/bundles/{TIMED - 10}", "/embed/api/v1/bundle?id=20"])
async def test_nobody_shows_a_response_after_the_time_without_asking(
    path: str, time: str, make_api: MakeApi, clock: FakeClock
) -> None:
    """Shortly before the sale of a bundle begins or ends, responses must be revalidated, even those about other bundles, because
    lists and pages show every bundle."""
    api = await make_api(with_times(**{time: BEGINS}))
    seen = {}
    for now in (BEGINS - CLOSING_SECONDS - 1, BEGINS - CLOSING_SECONDS, BEGINS - 1, BEGINS):
        clock.time = now
        seen[now] = {(await api.get(path)).headers["Cache-Control"] for _ in range(TIMES)}
    usual = seen[BEGINS]
    assert all("max-age" in header for header in usual)
    assert [*seen.values()] == [usual, {"private, no-cache"}, {"private, no-cache"}, usual]


async def test_cdn_validates_each_use_before_the_time(make_api: MakeApi, settings: Settings, clock: FakeClock) -> None:
    api = await make_api(with_times(ends=ENDS), settings=replace(settings, shared_caching=True))
    clock.time = ENDS - 1
    for _ in range(TIMES):
        response = (await api.get(f"/embed/api/v1/bundle?id={TIMED}")).held()
        assert response.headers["Cache-Control"] == "public, no-cache"


async def test_response_of_the_old_list_is_not_confirmed(make_api: MakeApi, clock: FakeClock) -> None:
    api = await make_api(with_times(ends=ENDS))
    tag = (await api.get("/bundles")).headers["ETag"]
    clock.time = ENDS - 1
    (await api.get("/bundles", {"If-None-Match": tag})).held(304)
    clock.time = ENDS
    (await api.get("/bundles", {"If-None-Match": tag})).held(200)


async def test_test_key_reads_the_bundle_before_it_begins(make_api: MakeApi, keys: Keys) -> None:
    api = (await make_api(with_times(BEGINS))).with_key(keys.test)
    assert (await api.get(f"/bundles/{TIMED}")).held().json["published"] is False


async def test_new_time_holds_at_once(make_api: MakeApi, database: Database, clock: FakeClock) -> None:
    api = await make_api(with_times(ends=ENDS))
    await replace_shop(database, with_times(ends=ENDS + 60))
    await api.refresh()
    clock.time = ENDS
    assert await statuses(api) == {200}
    clock.time = ENDS + 60
    assert await statuses(api) == {404}


async def test_ghost_variants_of_an_ended_bundle_are_checked(
    make_api: MakeApi, database: Database, clock: FakeClock
) -> None:
    """Ghost variants are still sold for a day after the sale of their bundle ends, and are then retired."""
    api = await make_api(with_times(ends=ENDS))
    (await api.post(f"/bundles/{TIMED}/configure", configure_body(*SELECTION, type="multiple-products"))).held()
    app, admin = api.client.app, SqlGhostAdmin(database)
    states = []
    for now in (ENDS - 1, ENDS, ENDS + 25 * 3600):
        clock.time = now
        await api.refresh()
        await BundleTimesFollower(app[AUTHENTICATION].tenants, SqlBundleTimes(database)).run()
        await app[GHOST_UPKEEP].run()
        states += [ghost.state for ghost in await admin.all()]
    assert states == ["live", "marked", "retired"]
