"""If the process is killed at any point during a publication, either the old revision or the new one is live, and that revision
is complete."""

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bundlesvc.domain.revisions.revision import LIVE, PUBLISHED, RevisionFilter
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.opening import open_database
from tests.servers.postgres_server import PostgresServer
from tests.storage.prepared import make_database, make_postgresql
from tests.storage.revisions.revising import THE_BOX, THE_PAIR, Revising

ROUNDS = 4
NAMED = (THE_BOX, THE_PAIR)

_PUBLISH = """
import asyncio, sys
from bundlesvc.storage.catalogue import shop_differences
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.access.keys import SqlKeyStore
from tests.storage.revisions.revising import THE_BOX, THE_MUG, THE_PAIR, Revising, act

shop_differences.SMALL_ROWS = int(sys.argv[2])

async def publish_on():
    async with open_database(sys.argv[1]) as database:
        tenant = await SqlKeyStore(database).tenant("demo")
        shop = Revising(database, tenant)
        while True:
            draft = await shop.drafts.create(tenant, act(), "")
            for item in (THE_BOX, THE_PAIR):
                draft = await shop.patch(draft, item, {"name": f"v{draft.number}"})
            draft = await shop.patch(draft, THE_MUG, {"title": f"v{draft.number}"})
            await shop.publishing.publish(tenant, act(), draft.number, frozenset((draft.tag,)), f"v{draft.number}")
            print(draft.number, flush=True)

asyncio.run(publish_on())
"""


def publish_until_killed(address: str, small_rows: int, seconds: float) -> int:
    """Publish one revision after another in a process, and kill the process `seconds` after the first publication. Returns the
    last revision number that the process confirmed."""
    with subprocess.Popen(
        [sys.executable, "-c", _PUBLISH, address, str(small_rows)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        confirmed = [int(process.stdout.readline())]
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        confirmed += map(int, process.stdout.read().splitlines())
    assert process.returncode == -9
    return confirmed[-1]


async def check(address: str, confirmed: int) -> int:
    """Check that every published revision is complete. Returns the number of the live revision."""
    async with open_database(address) as database:
        tenant = await SqlKeyStore(database).tenant("demo")
        assert tenant is not None
        shop = Revising(database, tenant)
        published = await shop.reading.list(tenant, RevisionFilter(PUBLISHED))
        (live,) = [each for each in published if each.state == LIVE]
        assert live.number >= confirmed
        assert len(published) == live.number or published[-1].number == 1
        for each in [revision for revision in published if revision.message]:
            content: Any = await shop.content(each.number)
            names = {bundle["name"] for bundle in content["bundles"] if bundle["id"] in (42, 43)}
            title = next(product["title"] for product in content["products"] if product["id"] == 222)
            assert {*names, title} == {each.message}, each
        return live.number


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with the test shop."""
    if request.param == "postgresql":
        postgres: PostgresServer = request.getfixturevalue("postgres")
        return postgres.url(make_postgresql(postgres, loaded=True))
    path = tmp_path / "shop.db"
    make_database(path, loaded=True)
    return str(path)


@pytest.mark.process
@pytest.mark.parametrize("small_rows", [0, 2_000], ids=["in generations", "in one transaction"])
def test_killed_publication_leaves_one_whole_revision(small_rows: int, address: str) -> None:
    random = Random(small_rows)
    live = 0
    for _ in range(ROUNDS):
        confirmed = publish_until_killed(address, small_rows, random.uniform(0, 0.5))
        found = asyncio.run(check(address, confirmed))
        assert found > live
        live = found
