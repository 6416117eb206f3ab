"""When a platform refuses the calls for a shop, the service pauses these calls, and resumes them as soon as the shop is connected
again (docs/contract.md#live-data)."""

from pathlib import Path

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_cipher
from tests.failures.service import Setup, started
from tests.failures.shopping import seconds_until
from tests.failures.shops import LiveShop
from tests.process.serving import SECRET_KEY, in_database
from tests.standin.faults import refused

HANDLE, NEW_TOKEN = "refused", "another token"
ROUNDS = 10
WITHIN = 2.0


def connect_again(setup: Setup, shop: LiveShop) -> None:
    async def work(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant(shop.handle)
        assert tenant is not None
        connection = PlatformConnection(shop.domain, NEW_TOKEN, "secret")
        await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(
            tenant, connection, int(SystemClock().now())
        )

    in_database(setup.address, work)


@pytest.mark.parametrize("status", [401, 402])
def test_refused_shop_recovers_with_a_new_token(status: int, tmp_path: Path) -> None:
    setup = Setup.prepared([HANDLE], tmp_path)
    with started(setup) as service:
        platform, shopper, shop = service.platform, service.shopper(HANDLE), setup.shops[HANDLE]
        platform.change(lambda: platform.standin.tokens.add(NEW_TOKEN))
        platform.fail({shop.token: refused(status)})
        for _ in range(ROUNDS):
            assert {observed.status for observed in shopper.do_all().values()} == {503}
        calls = sum(platform.calls.values())
        assert calls <= 5, "the first calls, and one in five seconds"
        connect_again(setup, shop)
        assert seconds_until(lambda: all(observed.ok for observed in shopper.do_all().values()), 10) < WITHIN
        assert [line.level for line in service.end()] == ["warning", "info"]
