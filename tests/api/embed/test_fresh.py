"""GET /bundle with `fresh`, which bypasses every stored copy (docs/contract.md#http-caching)."""

from dataclasses import replace

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, MakeApi
from tests.conftest import MakeKey

BUNDLE = "/embed/api/v1/bundle?id=10"
FRESH = f"{BUNDLE}&fresh=k3v9x1"


@pytest.fixture(params=[True, False], ids=["edge", "application"])
async def api(request: pytest.FixtureRequest, settings: Settings, make_api: MakeApi) -> Api:
    return await make_api(settings=replace(settings, shared_caching=True, edge=request.param))


async def test_fresh_bundle_is_the_bundle(api: Api) -> None:
    usual, fresh = (await api.get(BUNDLE)).held(), (await api.get(FRESH)).held()
    assert fresh.json == usual.json
    for name in ("ETag", "Vary", "Content-Language"):
        assert fresh.headers[name] == usual.headers[name]


async def test_nobody_stores_a_fresh_bundle(api: Api) -> None:
    """A bundle that is requested with `fresh` is cached neither by a CDN nor by the edge, the service's own cache of repeated
    responses."""
    for _ in range(3):
        fresh = (await api.get(FRESH)).held()
        assert fresh.headers["Cache-Control"] == "no-store"
        assert "Surrogate-Key" not in fresh.headers
        assert fresh.headers["X-Request-Id"]
    assert "public" in (await api.get(BUNDLE)).headers["Cache-Control"]


async def test_fresh_bundles_cost_a_token_each(api: Api, make_key: MakeKey) -> None:
    limited = api.with_key(await make_key(rate_limit=2))
    statuses = [(await limited.get(f"{BUNDLE}&fresh={number}")).status for number in range(4)]
    assert statuses == [200, 200, 429, 429]


async def test_fresh_bundle_of_a_wrong_request_is_refused(api: Api) -> None:
    assert (await api.get("/embed/api/v1/bundle?fresh=k3v9x1")).held(400).paths == ["id"]
    assert (await api.get("/embed/api/v1/bundle?id=99&fresh=k3v9x1")).status == 404
