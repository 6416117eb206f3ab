"""The running service removes a ghost variant that an operator retires, and creates a new one when the selection is configured
again."""

from bundlesvc.api.app_keys import GHOST_UPKEEP
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.administration import RetirementFilter, SqlGhostAdmin
from tests.api.conftest import Api
from tests.api.selection import configure_body
from tests.fakes import START

SEVERAL = 30


async def configure(api: Api) -> int:
    body = configure_body("1001@1", "1002@1", type="multiple-products")
    return int((await api.post(f"/bundles/{SEVERAL}/configure", body)).held().json["variant_id"])


async def test_ghost_that_an_operator_retires_is_removed_without_a_grace(api: Api, database: Database) -> None:
    first = await configure(api)
    admin = SqlGhostAdmin(database)
    assert await admin.retire("demo", RetirementFilter([first]), int(START)) == 1
    await api.client.app[GHOST_UPKEEP].run()
    (ghost,) = await admin.all()
    assert (ghost.state, ghost.gone_at) == ("retired", int(START))
    assert await configure(api) != first


async def test_ghost_requested_before_its_removal_is_live_again(api: Api, database: Database) -> None:
    first = await configure(api)
    admin = SqlGhostAdmin(database)
    await admin.retire("demo", RetirementFilter(state="live"), int(START))
    assert await configure(api) == first
    await api.client.app[GHOST_UPKEEP].run()
    (ghost,) = await admin.all()
    assert ghost.state == "live"


async def test_ghosts_of_other_shops_stay(api: Api, database: Database) -> None:
    await configure(api)
    assert await SqlGhostAdmin(database).retire("other", RetirementFilter(state="live"), int(START)) == 0
