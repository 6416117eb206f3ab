"""When a read replica is down, the service works, is ready, and reports the outage in its metrics."""

from dataclasses import replace

from bundlesvc.settings.environment import Settings
from tests.api.conftest import MakeApi
from tests.api.selection import configure_body


async def test_without_its_replica_the_service_is_ready(
    make_api: MakeApi, settings: Settings, unused_tcp_port: int
) -> None:
    away = f"postgresql://postgres@127.0.0.1:{unused_tcp_port}/shop"
    api = await make_api(settings=replace(settings, database_read=away))
    (await api.get("/bundles/20/products")).held()
    (await api.post("/bundles/20/configure", configure_body("1001@1"))).held()
    async with api.client.get("/readyz") as ready, api.client.get("/metrics") as metrics:
        assert ready.status == 200
        lines = (await metrics.text()).splitlines()
    assert "bundlesvc_replica_up 0.0" in lines
    assert 'bundlesvc_shop_reads_total{server="replica"} 0.0' in lines
    assert 'bundlesvc_shop_reads_total{server="primary"} 0.0' not in lines
