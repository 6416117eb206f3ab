"""Ghost variants that the previous release created: after the upgrade, a product change marks the affected variants for a check,
and the background task checks them."""

from sqlalchemy import Connection, MetaData, insert

from bundlesvc.domain.ghosts.variant import LIVE, MARKED, RETIRED, Claim
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.administration import SqlGhostAdmin
from bundlesvc.storage.ghosts.upkeep import SqlGhostStore
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.migrations.schema import downgrade, upgrade
from tests.fakes import delivery
from tests.process.shop import MUG, PAIR, PAIR_PRODUCT, SHIRT
from tests.storage.configured_bundles import DAY, NOW

SHIRT_GHOST, MUG_GHOST, RETIRED_GHOST, PRUNED_GHOST = 5, 6, 7, 8


async def test_ghosts_of_the_previous_version_are_marked_and_checked(tenant: Tenant, database: Database) -> None:
    await database.write(lambda connection: downgrade(connection, "0004"))
    await database.write(lambda connection: _write_as_before(connection, tenant.id))

    await database.write(upgrade)

    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(PRODUCT, SHIRT)]), NOW)
    found = {ghost.variant_id: (ghost.state, ghost.bundle_id) for ghost in await SqlGhostAdmin(database).all()}
    assert found == {
        SHIRT_GHOST: (MARKED, PAIR),
        MUG_GHOST: (LIVE, PAIR),
        RETIRED_GHOST: (RETIRED, PAIR),
        PRUNED_GHOST: (LIVE, None),
    }
    claim = await SqlGhostStore(database).claim_due(NOW, 10)
    assert variants(claim) == {SHIRT_GHOST, MUG_GHOST, PRUNED_GHOST}, "none was checked yet; the retired one is omitted"
    assert {one.ghost.variant_id for one in claim.ghosts if one.promise is None} == {PRUNED_GHOST}


def variants(claim: Claim) -> set[int]:
    return {claimed.ghost.variant_id for claimed in claim.ghosts}


def _write_as_before(connection: Connection, shop_id: int) -> None:
    """Insert four ghost variants, and configured bundles for three of them, in the columns of the previous schema version."""
    before = MetaData()
    before.reflect(connection, only=["ghost_variants", "configured_bundles"])
    for variant in (SHIRT_GHOST, MUG_GHOST, RETIRED_GHOST, PRUNED_GHOST):
        ghost = {"shop_id": shop_id, "identity": f"{variant}", "product_id": PAIR_PRODUCT, "variant_id": variant}
        retired_at = NOW - DAY if variant == RETIRED_GHOST else None
        connection.execute(
            insert(before.tables["ghost_variants"]).values(**ghost, retired_at=retired_at, last_used_at=NOW)
        )
    made = before.tables["configured_bundles"]
    for number, (variant, product) in enumerate(
        ((SHIRT_GHOST, MUG), (SHIRT_GHOST, SHIRT), (MUG_GHOST, MUG), (RETIRED_GHOST, MUG)), start=1
    ):
        connection.execute(insert(made).values(**_bundle(shop_id, number, variant, product)))


def _bundle(shop_id: int, number: int, variant: int, product: int) -> dict[str, object]:
    item = f'{{"variant_id":1,"product_id":{product},"section_id":1,"count":1,"title":"","variant_title":"","unit_price":"1"}}'
    return {
        "number": number,
        "id": number,
        "shop_id": shop_id,
        "bundle_id": PAIR,
        "bundle_type": "multiple-products",
        "title": "",
        "product_id": PAIR_PRODUCT,
        "variant_id": variant,
        "test": False,
        "unique_id": "",
        "original": "1",
        "discounted": "1",
        "discount_type": "none",
        "discount_value": "0",
        "currency": "EUR",
        "items": f"[{item}]",
        "configured_at": NOW,
    }
