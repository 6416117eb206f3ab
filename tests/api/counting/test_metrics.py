"""The metrics page: what the service counts, and with which labels."""

from dataclasses import replace

from bundlesvc.services.access.authentication import GUESSES_PER_MINUTE
from bundlesvc.settings.environment import Settings
from tests.api.conftest import BASE, Api, Client, MakeApi, Serve
from tests.api.selection import configure_body, price_body
from tests.api.test_webhooks import deliver
from tests.attacks.visitors import EMBED_API, Visitor, page_key
from tests.conftest import MakeKey
from tests.scrape import samples

REFUSALS = "bundlesvc_refusals_total"
RATE_LIMITED = f'{REFUSALS}{{code="rate_limited",limit='


async def test_latency_is_a_histogram_by_route(api: Api) -> None:
    for bundle in (10, 20):
        (await api.get(f"/bundles/{bundle}")).held()
    found, labels = await api.metrics(), f'method="GET",route="{BASE}/bundles/{{id}}"'
    name = "bundlesvc_request_duration_seconds"
    limits = ["0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0"]
    counts = [found[f'{name}_bucket{{le="{limit}",{labels}}}'] for limit in [*limits, "+Inf"]]
    assert counts == sorted(counts)
    assert counts[-1] == found[f"{name}_count{{{labels}}}"] == 2
    assert 0 < found[f"{name}_sum{{{labels}}}"] < 60


async def test_the_scrape_itself_is_in_flight(api: Api) -> None:
    assert (await api.metrics())["bundlesvc_requests_in_flight"] == 1


async def test_methods_that_http_does_not_define_share_a_label(api: Api) -> None:
    for method in ("PROPFIND", "SEARCH"):
        async with api.client.request(method, "/nowhere") as response:
            assert response.status == 404
    assert (await api.metrics())['bundlesvc_requests_total{method="other",route="unmatched",status="404"}'] == 2


async def test_refusals_are_counted_by_code(api: Api) -> None:
    (await api.get("/bundles/999999")).held(404)
    (await api.post("/bundles/10/price", b"{")).held(400)
    found = await api.metrics()
    assert found[f'{REFUSALS}{{code="not_found"}}'] == 1
    assert found[f'{REFUSALS}{{code="invalid_json"}}'] == 1


async def test_bugs_are_counted_from_zero(api: Api) -> None:
    """The counter of bugs exists with value 0 from the start, because Prometheus cannot see an increase in a series that did not
    exist before."""
    assert (await api.metrics())[f'{REFUSALS}{{code="internal_error"}}'] == 0


async def test_refusals_by_the_limit_of_a_key(api: Api, make_key: MakeKey) -> None:
    limited = api.with_key(await make_key(rate_limit=1))
    assert [(await limited.get("/settings")).status for _ in range(3)] == [200, 429, 429]
    assert (await api.metrics())[f'{RATE_LIMITED}"key"}}'] == 2


async def test_refusals_by_the_limit_on_guesses(api: Api) -> None:
    stranger = api.with_key("bnd_live_" + "x" * 43)
    for _ in range(GUESSES_PER_MINUTE + 2):
        await stranger.get("/settings")
    found = await api.metrics()
    assert found[f'{RATE_LIMITED}"guesses"}}'] == 2
    assert found[f'{REFUSALS}{{code="key_invalid"}}'] == GUESSES_PER_MINUTE


async def test_refusals_by_the_limits_of_a_visitor(make_api: MakeApi, make_key: MakeKey, settings: Settings) -> None:
    api = await make_api(settings=replace(settings, trusted_proxies=1, visitor_ghost_variants=1))
    own = api.with_key(await page_key(make_key, visitor_limit=5))
    visitor = Visitor(own, "203.0.113.7")
    for count in (1, 2):
        await visitor.post(
            f"{EMBED_API}/bundle/30/product", configure_body(f"1001@1*{count}", type="multiple-products")
        )
    for _ in range(4):
        await visitor.get()
    found = await api.metrics()
    assert found[f'{RATE_LIMITED}"ghost_variants"}}'] == 1
    assert found[f'{RATE_LIMITED}"visitor"}}'] == 1


async def test_configured_bundles_are_counted_by_type(api: Api) -> None:
    body = configure_body("1001@1", "1002@1", type="multiple-products")
    for _ in range(2):  # the second is a replay
        (await api.post("/bundles/30/configure", body, {"Idempotency-Key": "order-1"})).held()
    (await api.post("/bundles/30/configure", body)).held()
    found = await api.metrics()
    assert found['bundlesvc_configured_bundles_total{type="multiple-products"}'] == 2
    assert found["bundlesvc_group_commit_writes_sum"] >= found["bundlesvc_group_commit_duration_seconds_count"] >= 2


async def test_caches_are_counted_by_tier_and_kind(api: Api) -> None:
    for _ in range(4):
        (await api.get("/bundles/10")).held()
    (await api.post("/bundles/10/price", price_body("1001@1"))).held()
    found, name = await api.metrics(), "bundlesvc_cache_reads_total"
    assert found[f'{name}{{kind="bundle",result="miss",tier="rendered"}}'] == 1
    assert found[f'{name}{{kind="response",result="hit",tier="ready"}}'] == 3
    assert found[f'{name}{{kind="response",result="miss",tier="ready"}}'] == 1
    assert found[f'{name}{{kind="bundle",result="hit",tier="objects"}}'] >= 1
    assert found['bundlesvc_cache_bytes{tier="ready"}'] > 1000
    assert found['bundlesvc_cache_bytes{tier="rendered"}'] > 1000


async def test_webhooks_are_counted_by_topic_and_outcome(live_client: Client) -> None:
    await deliver(live_client)
    await deliver(live_client)
    await deliver(live_client, Topic="themes/publish", Webhook_Id="another")
    await deliver(live_client, Hmac_Sha256="AAAA")
    async with live_client.get("/metrics") as sent:
        found = samples(await sent.text())
    assert {name: value for name, value in found.items() if "webhooks_total" in name} == {
        'bundlesvc_webhooks_total{outcome="new",topic="products/update"}': 1,
        'bundlesvc_webhooks_total{outcome="repeated",topic="products/update"}': 1,
        'bundlesvc_webhooks_total{outcome="new",topic="other"}': 1,
    }
    assert found[f'{REFUSALS}{{code="signature_invalid"}}'] == 1


async def test_shops_are_a_label_on_request(make_api: MakeApi, settings: Settings) -> None:
    api = await make_api(settings=replace(settings, metrics_shops=True))
    for _ in range(3):  # fast path too
        (await api.get("/bundles/10")).held()
    (await api.get("/bundles/999999")).held(404)
    found, route = await api.metrics(), f'method="GET",route="{BASE}/bundles/{{id}}"'
    assert found[f'bundlesvc_requests_total{{{route},shop="demo",status="200"}}'] == 3
    assert found[f'{REFUSALS}{{code="not_found",shop="demo"}}'] == 1
    assert found[f"bundlesvc_request_duration_seconds_count{{{route}}}"] == 4
    assert not [name for name in await (await make_api()).metrics() if 'shop="' in name]


async def test_metrics_with_a_port_of_their_own_are_not_on_the_other(serve: Serve, settings: Settings) -> None:
    client = await serve(settings=replace(settings, metrics_port=9100))
    async with client.get("/metrics") as response:
        assert response.status == 404
