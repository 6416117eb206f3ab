"""Metrics of ghost variants: counts by state, retirements by reason, and products that have nearly reached their limit of
variants."""

import pytest
from sqlalchemy import insert, update

from bundlesvc.api.app_keys import GHOST_UPKEEP
from bundlesvc.services.ghosts.variants import CROWDED
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_variants
from tests.api.conftest import Api
from tests.api.selection import configure_body
from tests.fakes import START, FakeClock

SEVERAL, SET = 30, 910


async def metrics(api: Api) -> dict[str, float]:
    """Count the ghost variants, and fetch their metrics."""
    await api.client.app[GHOST_UPKEEP].count()
    async with api.client.get("/metrics") as response:
        lines = (await response.text()).splitlines()
    found = [line.rpartition(" ") for line in lines if line.startswith("bundlesvc_ghost")]
    return {name: float(value) for name, _, value in found}


@pytest.fixture
async def with_ghost(api: Api) -> Api:
    body = configure_body("1001@1", "1002@1", type="multiple-products")
    (await api.post(f"/bundles/{SEVERAL}/configure", body)).held()
    return api


async def test_ghost_variants_are_counted_by_state(with_ghost: Api) -> None:
    found = await metrics(with_ghost)
    assert found == {
        'bundlesvc_ghost_variants{state="live"}': 1,
        'bundlesvc_ghost_variants{state="marked"}': 0,
        'bundlesvc_ghost_variants{state="retired"}': 0,
        'bundlesvc_ghost_variants_retired_total{reason="promise_broken"}': 0,
        'bundlesvc_ghost_variants_retired_total{reason="product_full"}': 0,
    }


async def test_retirements_are_counted(with_ghost: Api, database: Database, clock: FakeClock) -> None:
    other = update(ghost_variants).values(identity="of another price", check_at=0)
    await database.write(lambda connection: connection.execute(other))
    clock.move(24 * 60 * 60)
    await with_ghost.client.app[GHOST_UPKEEP].run()
    found = await metrics(with_ghost)
    assert found['bundlesvc_ghost_variants{state="retired"}'] == 1
    assert found['bundlesvc_ghost_variants_retired_total{reason="promise_broken"}'] == 1


@pytest.mark.parametrize("more", [-1, 0])
async def test_product_that_is_nearly_full_is_named(more: int, api: Api, database: Database) -> None:
    count = CROWDED + more
    rows = [
        {"shop_id": 1, "identity": f"{number}", "product_id": SET, "variant_id": number, "last_used_at": int(START)}
        for number in range(count)
    ]
    await database.write(lambda connection: connection.execute(insert(ghost_variants), rows))
    name = f'bundlesvc_ghost_product_variants{{product="{SET}",shop="demo"}}'
    assert (await metrics(api)).get(name) == (count if more == 0 else None)
