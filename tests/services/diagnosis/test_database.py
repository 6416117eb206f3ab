"""The diagnosis of a read replica. tests/cli/doctor/test_doctor.py runs it against every failure."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ShopStore
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK
from bundlesvc.services.diagnosis.database import check_replica
from tests.storage.prepared import the_shop


class Copy(ShopStore):
    """The shops as one server returns them. The revision None represents a server that does not respond."""

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
        (copy(None), NOTE, "fails: connection refused. Shop files are read from the primary server meanwhile"),
        (copy(5, 7, handle="other"), FAULT, "other shops than the database"),
    ],
)
async def test_a_replica_without_which_the_service_works_is_noted(replica: ShopStore, status: str, words: str) -> None:
    result = await check_replica(copy(5, 7), replica, lambda _: "connection refused")
    assert (result.status, result.code) == (status, "replica")
    assert words in result.sentence
    assert bool(result.remedy) == (status == FAULT)
