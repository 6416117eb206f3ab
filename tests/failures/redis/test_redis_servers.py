"""The service with Redis Cluster and with Redis Sentinel (docs/scaling.md#sentinel-and-cluster)."""

from functools import partial
from pathlib import Path

from tests.failures.service import WITH_LONG_REDIS_TIMEOUT, Service, Setup, started
from tests.failures.shopping import ACTIONS, seconds_until
from tests.servers.redis_groups import Cluster, watched_primary

SHOPS = ("one", "two")
DEADLINE = 120.0


def shop_everywhere(service: Service) -> None:
    for shopper in service.shoppers.values():
        assert {action: response.status for action, response in shopper.do_all().items()} == dict.fromkeys(ACTIONS, 200)


def test_processes_share_limits_and_cached_data_in_a_cluster(tmp_path: Path, cluster: Cluster) -> None:
    setup = Setup.prepared(SHOPS, tmp_path)
    settings = {"REDIS_URL": cluster.url, "BUNDLESVC_CACHE_PRODUCTS_TTL": "86400"}
    with started(setup, settings, WITH_LONG_REDIS_TIMEOUT, servers=2) as service:
        shop_everywhere(service)
        service.platform.forget()
        shop_everywhere(Service(setup, service.platform, service.servers[::-1]))
        assert service.platform.calls.get("ProductsById", 0) == 0, "the first process has fetched them"
        for shop in setup.shops.values():
            assert cluster.keys(f"bundlesvc:*:{{shop:{shop.id}}}:*:product:*")
        assert len(cluster.keys("bundlesvc:bucket:{key:*}")) >= len(SHOPS)
        assert service.end() == []


def test_clients_notice_nothing_when_sentinels_replace_the_primary_server(tmp_path: Path) -> None:
    setup = Setup.prepared(SHOPS, tmp_path)
    with (
        watched_primary() as watched,
        started(setup, {"REDIS_URL": watched.url()}, WITH_LONG_REDIS_TIMEOUT) as service,
    ):
        shop_everywhere(service)
        old = watched.primary
        old.kill()
        shop_everywhere(service)
        watched.until_promoted(old)
        seconds_until(partial(_is_up, service), DEADLINE)
        shop_everywhere(service)
        assert watched.primary.keys("bundlesvc:bucket:*") != []
        gone, back = (line.event for line in service.end())
    assert "cannot be used" in gone
    assert "can be used again" in back


def _is_up(service: Service) -> bool:
    return service.metrics()["bundlesvc_redis_up"] == 1
