"""Diagnosing reports results with a code and a remedy; tests/cli/test_doctor.py runs it against every failure."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import AppInspection, ShopStore
from bundlesvc.services.diagnosis import (
    FAULT,
    NOTE,
    OK,
    CheckResult,
    SecretKeys,
    ShopDiagnosis,
    check_redis,
    check_replica,
)
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.credentials import SqlCredentialStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.ghost_upkeep import SqlGhostStore
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shop_files import SqlShopFileStore
from bundlesvc.storage.shops import SqlShopStore
from bundlesvc.token_cipher import credentials_cipher
from tests.conftest import SECRET_KEY, LoadShop
from tests.process.shop import SHOP
from tests.storage.prepared import the_shop


class NoApp(AppInspection):
    """An embedded shop has no app: nothing may be called."""


class Logged:
    """Warnings that were logged."""

    def __init__(self, *warnings: str) -> None:
        self._warnings = [*warnings]

    def take(self) -> list[str]:
        taken, self._warnings = self._warnings, []
        return taken


class FakeRedis:
    name = "Redis at redis.example:6379"

    def __init__(self, *, up: bool) -> None:
        self.up = up
        self.closed = False

    async def start(self) -> None:
        pass

    async def aclose(self) -> None:
        self.closed = True


@pytest.fixture
def diagnosis(database: Database) -> ShopDiagnosis:
    cache = RevisionCache()
    return ShopDiagnosis(
        SqlShopStore(database, cache),
        SqlShopFileStore(database),
        SqlGhostStore(database),
        EmbeddedPlatform(database, cache),
        NoApp(),  # type: ignore[abstract]
        Logged(),
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


@pytest.mark.parametrize("up", [True, False])
async def test_redis_is_ok_or_its_warnings_are_faults(*, up: bool) -> None:
    redis, warnings = FakeRedis(up=up), Logged(*([] if up else ["Redis at redis.example:6379 cannot be used"]))
    [result] = [result async for result in check_redis(redis, warnings)]
    assert (result.status, result.code) == (OK if up else FAULT, "redis")
    assert redis.name in result.sentence
    assert redis.closed


class Copy(ShopStore):
    """The shops of a server, or of none that responds."""

    def __init__(self, *revisions: int | None, handle: str = "shop") -> None:
        self._revisions, self._handle = revisions, handle

    async def tenants(self, shop_ids: Collection[int] | None = None) -> list[Tenant]:
        if None in self._revisions:
            raise StorageUnavailable
        shop = the_shop().shop
        return [
            Tenant(number, revision or 0, replace(shop, handle=f"{self._handle}-{number}"))
            for number, revision in enumerate(self._revisions)
        ]


def copy(*revisions: int | None, handle: str = "shop") -> ShopStore:
    return Copy(*revisions, handle=handle)  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("replica", "status", "words"),
    [
        (copy(5, 7), OK, "every shop as it is"),
        (copy(6, 7), OK, "every shop as it is"),
        (copy(5, 6), NOTE, "old data of shop-1, "),
        (copy(5), NOTE, "old data of shop-1, "),
        (copy(), NOTE, "old data of shop-0, shop-1, "),
        (copy(None), NOTE, "fails: connection refused. Shop files are read at the primary server meanwhile"),
        (copy(5, 7, handle="other"), FAULT, "other shops than the database"),
    ],
)
async def test_a_replica_without_which_the_service_works_is_noted(replica: ShopStore, status: str, words: str) -> None:
    result = await check_replica(copy(5, 7), replica, lambda _: "connection refused")
    assert (result.status, result.code) == (status, "replica")
    assert words in result.sentence
    assert bool(result.remedy) == (status == FAULT)
