"""The diagnosis of shops, with a code and a remedy for each problem. tests/cli/doctor/test_doctor.py runs it against every
failure."""

import pytest

from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports import AppInspection
from bundlesvc.services.diagnosis.check_result import FAULT, OK, CheckResult
from bundlesvc.services.diagnosis.shops import SecretKeys, ShopDiagnosis
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.upkeep import SqlGhostStore
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.conftest import SECRET_KEY, LoadShop
from tests.process.shop import SHOP
from tests.services.fakes import LoggedBefore


class NoApp(AppInspection):
    """The inspection of an embedded shop, which has no app. No method may be called."""


@pytest.fixture
def diagnosis(database: Database) -> ShopDiagnosis:
    cache = RevisionCache()
    return ShopDiagnosis(
        SqlShopStore(database, cache),
        SqlShopFileStore(database),
        SqlGhostStore(database),
        EmbeddedPlatform(database, cache),
        NoApp(),  # type: ignore[abstract]
        LoggedBefore(),
        SecretKeys((), SqlCredentialStore(database, credentials_cipher([SECRET_KEY]))),
    )


async def results(diagnosis: ShopDiagnosis) -> list[CheckResult]:
    return [result async for result in diagnosis.results()]


async def test_without_shops_the_remedy_is_to_load_one(diagnosis: ShopDiagnosis) -> None:
    assert await results(diagnosis) == [
        CheckResult(FAULT, "shops", "There is no shop yet.", "Load one: bundlesvc load FILE")
    ]


async def test_a_disabled_shop_is_a_fault_of_that_shop(
    diagnosis: ShopDiagnosis, database: Database, load_shop: LoadShop
) -> None:
    await load_shop(SHOP)
    await SqlKeyStore(database).set_headless("demo", enabled=False)
    assert [(result.status, result.code, result.shop) for result in await results(diagnosis)] == [
        (FAULT, "shop", "demo"),
        (OK, "shop", "demo"),
    ]
