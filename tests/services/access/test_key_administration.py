"""Creating keys: a key is shown once, and stored as a digest (docs/contract.md#shops-and-keys)."""

import re

import pytest

from bundlesvc.domain.access.key import SCOPES, ApiKey, digest, is_key
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import RandomIds
from tests.conftest import LoadShop
from tests.fakes import START, FakeClock
from tests.process.shop import SHOP


@pytest.fixture
async def tenant(load_shop: LoadShop, database: Database) -> Tenant:
    await load_shop(SHOP)
    found = await SqlKeyStore(database).tenant("demo")
    assert found is not None
    return found


@pytest.mark.parametrize(("test", "form"), [(False, r"bnd_live_[\w-]{43}"), (True, r"bnd_test_[\w-]{43}")])
async def test_created_key_has_the_documented_form(test: bool, form: str, tenant: Tenant, database: Database) -> None:
    store = SqlKeyStore(database)
    made = {await create_key(store, tenant, KeyRequest("l", test=test), FakeClock(), RandomIds()) for _ in range(20)}
    assert len(made) == 20
    assert all(re.fullmatch(form, key, re.ASCII) and is_key(key) for key in made)


async def test_a_created_key_has_the_defaults(tenant: Tenant, database: Database) -> None:
    store = SqlKeyStore(database)
    key = await create_key(store, tenant, KeyRequest("web"), FakeClock(), RandomIds())
    assert await store.active_key(digest(key)) == ApiKey(
        id=1,
        shop_id=tenant.id,
        digest=digest(key),
        prefix=key[:16],
        label="web",
        test=False,
        scopes=SCOPES,
        origins=(),
        rate_limit=100,
        active=True,
        created_at=int(START),
    )
