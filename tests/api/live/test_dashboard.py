"""The Grafana dashboard and the Prometheus alerts, checked against a real scrape of a service with a shop on a live platform."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from prometheus_client import generate_latest
from sqlalchemy import insert

from bundlesvc.api.app_keys import GHOST_UPKEEP, STATISTICS
from bundlesvc.api.manage.orders.app_keys import INTAKE
from bundlesvc.services.ghosts.variants import CROWDED
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.health.replica_health import ReplicaHealth
from bundlesvc.storage.database.health.replica_lag import Lag
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_variants
from bundlesvc.storage.maintenance.backups import ScheduledBackups
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements
from bundlesvc.system import SystemClock
from tests.api.conftest import Api, Serve
from tests.api.live.conftest import Deliver
from tests.api.live.drawing import OF_PROMETHEUS, alerts, drawn, panels, queries, unknown
from tests.api.live.test_ghost_upkeep import MUG_VARIANT, SHIRT_S, WITH_PAIR, configure
from tests.cli.live_shop import BOX
from tests.conftest import LoadShop, MakeKey
from tests.fakes import START
from tests.scrape import Samples, samples
from tests.servers.promtool import promtool, run_promtool
from tests.standin.app.webhooks import Webhook
from tests.standin.faults import server_error
from tests.standin.server import Standin

__all__ = ["promtool"]

NO_REDIS = "redis://127.0.0.1:1/0"
"""An address at which no Redis server listens."""


class Scrapes(NamedTuple):
    """The metrics page before and after requests of all kinds."""

    before: Samples
    after: Samples


@pytest.fixture
async def api(live_settings: Settings, load_shop: LoadShop, serve: Serve, make_key: MakeKey) -> Api:
    """The service with all optional metrics enabled."""
    await load_shop(WITH_PAIR)
    settings = replace(live_settings, metrics_shops=True, redis_url=NO_REDIS)
    api = Api(await serve(settings=settings), await make_key("live", rate_limit=12))
    await api.refresh()
    return api


@pytest.fixture
async def scrapes(
    api: Api, standin: Standin, database: Database, deliver: Deliver, settings: Settings, tmp_path: Path
) -> Scrapes:
    before = await api.metrics()
    for path in ("/bundles", "/bundles/42", "/bundles/42", "/bundles/42", "/bundles/42/products?countryCode=US"):
        (await api.get(path)).held()
    await configure(api, SHIRT_S, MUG_VARIANT)
    assert await deliver(api, Webhook("products/update", {"id": 1})) == 200
    standin.fail_next(server_error(), times=None)
    (await api.get("/bundles/42/products?countryCode=JP")).held(502)
    while (await api.get("/settings")).status != 429:
        pass
    crowd = [
        {"shop_id": 1, "identity": f"{number}", "product_id": BOX, "variant_id": number, "last_used_at": int(START)}
        for number in range(CROWDED)
    ]
    await database.write(lambda connection: connection.execute(insert(ghost_variants), crowd))
    await api.client.app[GHOST_UPKEEP].count()
    api.client.app[STATISTICS].closed["crowded"] += 1
    api.client.app[INTAKE].results["stored", "demo"] += 1
    api.client.app[INTAKE].verdicts["equal", "demo"] += 1
    api.client.app[INTAKE].verdicts["expired", "demo"] += 1
    replica, measurements = ReplicaHealth(), DatabaseMeasurements(database)
    await measurements.measure_sizes()
    assert measurements.sizes is not None
    measurements.sizes = measurements.sizes._replace(bytes={"shops": 16_384})  # only PostgreSQL reports it
    replica.lag, measurements.standbys = Lag(0.2, 16), {"second": Lag(0.2, 16)}
    of_replica = samples(generate_latest(replica).decode())
    measured = samples(generate_latest(measurements).decode())
    backups = ScheduledBackups(Path(settings.database), tmp_path / "backups", 3600, 3, SystemClock())
    await backups.run()
    of_backups = samples(generate_latest(backups).decode())
    return Scrapes(before, {**await api.metrics(), **of_replica, **measured, **of_backups})


@pytest.mark.process
async def test_every_query_is_about_what_a_scrape_has_and_every_panel_shows_something(
    scrapes: Scrapes, promtool: str, tmp_path: Path
) -> None:
    """Every query uses metrics that a scrape contains, and every panel shows a value when Prometheus evaluates its queries over
    two scrapes."""
    assert {query.owner: unknown(query, scrapes.after) for query in queries()} == {
        query.owner: set() for query in queries()
    }
    file = tmp_path / "panels.json"  # JSON is YAML
    file.write_text(json.dumps(drawn(*scrapes)), "utf-8")
    run_promtool(promtool, "test", "rules", str(file))


async def test_legends_name_labels_of_their_query() -> None:
    for panel in panels():
        for target in panel["targets"]:
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            grouped = set(re.findall(r"\w+", " ".join(re.findall(r"\b(?:by|group_left) \(([^)]*)\)", target["expr"]))))
            assert named <= grouped | OF_PROMETHEUS, panel["title"]


async def test_panels_have_titles_and_places_of_their_own() -> None:
    titles = [panel["title"] for panel in panels()]
    assert len(set(titles)) == len(titles)
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken
        assert at["x"] + at["w"] <= 24
        taken |= cells


async def test_alerts_are_named_once() -> None:
    names = [rule["alert"] for rule in alerts()]
    assert len(set(names)) == len(names)
