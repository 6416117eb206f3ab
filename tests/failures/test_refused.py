"""A shop whose platform refuses every call is left alone, and is well again as soon as it is connected anew (design 13)."""

from pathlib import Path

import pytest

from bundlesvc.domain.connection import Connection
from bundlesvc.storage.credentials import SqlCredentialStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_cipher
from tests.failures.shopping import seconds_until
from tests.failures.shops import LiveShop
from tests.failures.stage import Ground, staged
from tests.process.serving import SECRET_KEY, in_database
from tests.standin.faults import refused

HANDLE, NEW_TOKEN = "refused", "another token"
ROUNDS = 10
WITHIN = 2.0


def connect_anew(ground: Ground, shop: LiveShop) -> None:
    async def work(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant(shop.handle)
        assert tenant is not None
        connection = Connection(shop.domain, NEW_TOKEN, "secret")
        await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(
            tenant, connection, int(SystemClock().now())
        )

    in_database(ground.address, work)


@pytest.mark.parametrize("status", [401, 402])
def test_a_refused_shop_and_a_new_token(status: int, tmp_path: Path) -> None:
    ground = Ground.laid_out([HANDLE], tmp_path)
    with staged(ground) as stage:
        platform, shopper, shop = stage.platform, stage.shopper(HANDLE), ground.shops[HANDLE]
        platform.change(lambda: platform.standin.tokens.add(NEW_TOKEN))
        platform.fail({shop.token: refused(status)})
        for _ in range(ROUNDS):
            assert {told.status for told in shopper.do_all().values()} == {503}
        asked = sum(platform.asked.values())
        assert asked <= 5, "those of the first moment, and one in five seconds"
        connect_anew(ground, shop)
        assert seconds_until(lambda: all(told.ok for told in shopper.do_all().values()), 10) < WITHIN
        assert [line.level for line in stage.end()] == ["warning", "info"]
