"""Every request with a valid key is counted once, by its kind, whichever path through the service it takes."""

from dataclasses import replace

import pytest

from bundlesvc.api.counting import statistics
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.usage import SqlUsageStore
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api, Serve
from tests.api.loaded import Keys
from tests.api.selection import configure_body, price_body
from tests.conftest import MakeKey

NAME = "bundlesvc_key_requests_total"
EMBED = "/embed/api/v1"

REQUESTS = {"reads": 5, "prices": 3, "configures": 2, "others": 1, "refused": 2}


async def shop_for_a_while(api: Api) -> None:
    """Send the requests whose expected counts are in `REQUESTS`."""
    for _ in range(3):
        (await api.get("/bundles/10")).held()
    etag = (await api.get("/settings")).held().headers["ETag"]
    (await api.get("/settings", {"If-None-Match": etag})).held(304)
    for _ in range(3):
        (await api.post("/bundles/20/price", price_body("1001@1"))).held()
    for path in ("/bundles/20/configure", f"{EMBED}/bundle/20/product"):
        (await api.post(path, configure_body("1001@1"))).held()
    (await api.post(f"{EMBED}/content", {"bundles": []})).held()
    (await api.get("/bundles/999999")).held(404)
    (await api.post("/bundles/20/price", b"{")).held(400)


@pytest.mark.parametrize("edge", [True, False])
async def test_requests_are_counted_by_kind(serve: Serve, settings: Settings, keys: Keys, edge: bool) -> None:
    api = Api(await serve(settings=replace(settings, edge=edge)), keys.live)
    await shop_for_a_while(api)
    found = await api.metrics()
    counted = {kind: found[f'{NAME}{{kind="{kind}"}}'] for kind in (*REQUESTS, "failed")}
    assert counted == {**REQUESTS, "failed": 0}


async def test_only_valid_keys_are_counted(api: Api) -> None:
    """Requests without a key or with an unknown key are not counted in the usage metrics."""
    for key in (None, f"bnd_live_{'x' * 43}"):
        (await api.with_key(key).get("/bundles")).held(403)
    async with api.client.get("/healthz"):
        pass
    found = await api.metrics()
    assert {value for name, value in found.items() if name.startswith(NAME)} == {0}


async def test_with_labels_of_shops_each_key_has_its_own(
    serve: Serve, settings: Settings, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "MAX_KEYS", 2)
    api = Api(await serve(settings=replace(settings, metrics_shops=True)), keys.live)
    for key in (keys.live, keys.test, keys.other):
        (await api.with_key(key).get("/bundles")).held()
    found = await api.metrics()
    reads = {name: value for name, value in found.items() if 'kind="reads"' in name and name.startswith(NAME)}
    names = [("demo", keys.live[:16]), ("demo", keys.test[:16]), ("other", "other")]
    assert reads == {f'{NAME}{{key="{key}",kind="reads",shop="{shop}"}}': 1 for shop, key in names}


async def test_usage_is_stored_when_the_service_stops(serve: Serve, database: Database, keys: Keys) -> None:
    client = await serve()
    api = Api(client, keys.live)
    await shop_for_a_while(api)
    assert await SqlUsageStore(database).usage(None, None, None) == []
    await client.close()  # type: ignore[union-attr]
    (stored,) = await SqlUsageStore(database).usage(None, None, None)
    assert (stored.shop, stored.key, stored.requests) == ("demo", keys.live[:16], (*REQUESTS.values(), 0))


async def test_requests_over_the_limit_are_refused(serve: Serve, make_key: MakeKey) -> None:
    api = Api(await serve(), await make_key(rate_limit=1))
    assert [(await api.get("/settings")).status for _ in range(3)] == [200, 429, 429]
    found = await api.metrics()
    assert (found[f'{NAME}{{kind="reads"}}'], found[f'{NAME}{{kind="refused"}}']) == (1, 2)
