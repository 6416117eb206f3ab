"""The platform's requests about shoppers' data are stored before the response is sent, and carried out by background jobs."""

import asyncio
import logging
from dataclasses import replace

import pytest
from aiohttp import ClientSession
from sqlalchemy import update

from bundlesvc.api.app_keys import SHOPPER_REQUESTS
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import GRACE, Shopper
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue import shop_deletion
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from tests.api.conftest import Api
from tests.api.live.conftest import Connect, Deliver
from tests.cli.live_shop import DOMAIN, SHOP_FILE
from tests.conftest import LoadShop
from tests.fakes import FakeClock
from tests.standin.app.webhooks import Webhook, customer_redact, data_request, shop_redact
from tests.standin.faults import server_error
from tests.standin.server import Standin
from tests.storage.shoppers.two_shoppers import ALF, MIRA, fill


@pytest.fixture(autouse=True)
def no_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete shops without waiting for other processes to notice the deletion."""
    monkeypatch.setattr(shop_deletion, "NOTICE_SECONDS", 0)


@pytest.fixture
async def tenant(apis: list[Api], database: Database) -> Tenant:
    """The shop "live", with stored data about two shoppers."""
    found = await live_shop(database)
    assert found
    await fill(database, found)
    return found


async def live_shop(database: Database, handle: str = "live") -> Tenant | None:
    return await SqlKeyStore(database).tenant(handle)


async def count(database: Database, email: str) -> int:
    """Count the rows about a shopper."""
    return sum((await SqlShoppers(database).find(Shopper(email))).counts.values())


async def act(api: Api) -> None:
    """Carry out open requests, as a process does every minute."""
    await api.client.app[SHOPPER_REQUESTS].run()


async def test_a_customer_is_erased(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A customer's data is erased: the request is on disk before the response, another process may carry it out, and the log does
    not name the shopper."""
    caplog.set_level(logging.INFO)
    assert await deliver(apis[0], customer_redact(MIRA.upper())) == 200
    assert len(await SqlShopperRequests(database).open()) == 1
    assert await count(database, MIRA) > 0

    await act(apis[1])

    assert await count(database, MIRA) == 0
    assert await count(database, ALF) == 3
    assert await SqlShopperRequests(database).all() == []
    [message] = [message for message in caplog.messages if "erased" in message]
    assert message == (
        "live: a shopper's data was erased, as the platform requested; "
        "stock reminders: 2, subscriptions: 1, configured bundles: 2"
    )
    assert MIRA not in caplog.text.lower()


async def test_a_repeated_delivery_changes_nothing(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database
) -> None:
    webhook = customer_redact(MIRA)
    for sent in (webhook, webhook, replace(webhook, id="another")):
        assert await deliver(apis[0], sent) == 200
        await act(apis[0])
    assert await count(database, ALF) == 3
    assert await SqlShopperRequests(database).all() == []


async def test_a_customer_can_be_erased_again(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database
) -> None:
    """The data of a customer who has come back can be erased again, by a request with the same body and therefore the same
    signature."""
    for number in range(2):
        assert await deliver(apis[0], replace(customer_redact(MIRA), id=f"d-{number}")) == 200
        await act(apis[0])
        assert await count(database, MIRA) == 0
        await SqlReminders(database).add_reminder(tenant, 1001, MIRA, "Box", 1)


async def test_a_request_for_data_waits_for_the_operator(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database
) -> None:
    """A request for data waits for the operator. A repeated delivery is not stored again, even after the request has been
    completed."""
    requests = SqlShopperRequests(database)
    assert await deliver(apis[0], data_request(MIRA)) == 200
    assert await deliver(apis[0], data_request(MIRA)) == 200
    await act(apis[0])
    assert [(one.shop, one.request.subject) for one in await requests.open()] == [("live", MIRA)]

    assert await requests.complete_exports(MIRA, None, 1) == 1
    assert await deliver(apis[0], data_request(MIRA)) == 200
    assert await requests.open() == []
    assert await count(database, MIRA) > 0


@pytest.mark.parametrize("email", [None, "nobody@mail.example"])
async def test_a_customer_of_whom_nothing_is_stored(
    email: str | None, apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database
) -> None:
    assert await deliver(apis[0], customer_redact(email)) == 200
    await act(apis[0])
    assert await SqlShopperRequests(database).all() == []
    assert await count(database, MIRA) > 0


async def test_a_shop_is_deleted_after_the_grace(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database, standin: Standin, clock: FakeClock
) -> None:
    assert await deliver(apis[0], shop_redact()) == 200
    standin.tokens.clear()  # the app was uninstalled
    clock.move(GRACE - 1)
    await act(apis[0])
    assert await live_shop(database)

    clock.move(1)
    await act(apis[0])
    assert await live_shop(database) is None
    assert await count(database, MIRA) == 0
    await apis[0].refresh()
    assert await deliver(apis[0], shop_redact()) == 403


async def test_a_shop_whose_app_is_installed_again_is_not_deleted(
    apis: list[Api],
    tenant: Tenant,
    deliver: Deliver,
    database: Database,
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert await deliver(apis[0], shop_redact()) == 200
    clock.move(GRACE)
    await act(apis[0])
    assert await live_shop(database)
    assert await SqlShopperRequests(database).all() == []
    assert "live: not deleted, although the platform requested it: its app is installed again." in caplog.messages


async def test_a_shop_is_not_deleted_while_the_platform_fails(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database, standin: Standin, clock: FakeClock
) -> None:
    assert await deliver(apis[0], shop_redact()) == 200
    clock.move(GRACE)
    standin.fail_next(server_error(), times=None)
    await act(apis[0])
    assert await live_shop(database)
    assert len(await SqlShopperRequests(database).open()) == 1


async def test_a_shop_is_not_deleted_while_its_credentials_cannot_be_decrypted(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database, standin: Standin, clock: FakeClock
) -> None:
    """A shop is not deleted while its credentials cannot be decrypted: the service may have been started with other secret
    keys."""
    assert await deliver(apis[0], shop_redact()) == 200
    standin.tokens.clear()
    clock.move(GRACE)
    unreadable = update(platform_connections).values(sealed="x")
    await database.write(lambda connection: connection.execute(unreadable))
    await act(apis[0])
    assert await live_shop(database)
    assert len(await SqlShopperRequests(database).open()) == 1


async def test_a_shop_that_has_moved_to_another_domain_is_not_deleted(
    apis: list[Api], tenant: Tenant, deliver: Deliver, database: Database, load_shop: LoadShop, clock: FakeClock
) -> None:
    assert await deliver(apis[0], shop_redact()) == 200
    await load_shop(SHOP_FILE.replace(DOMAIN, "new.myshopify.com"))
    await apis[0].refresh()
    clock.move(GRACE)
    await act(apis[0])
    assert await live_shop(database)
    assert await SqlShopperRequests(database).all() == []


async def test_an_interrupted_deletion_is_finished(
    apis: list[Api],
    tenant: Tenant,
    deliver: Deliver,
    database: Database,
    standin: Standin,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def interrupted(*_: object) -> int:
        raise asyncio.CancelledError

    assert await deliver(apis[0], shop_redact()) == 200
    standin.tokens.clear()
    clock.move(GRACE)
    with monkeypatch.context() as patched:
        patched.setattr(shop_deletion, "delete_all", interrupted)
        with pytest.raises(asyncio.CancelledError):
            await act(apis[0])
    assert await live_shop(database)
    await act(apis[1])
    assert await live_shop(database) is None


async def test_the_address_of_an_app_finds_the_shop_by_its_domain(
    apis: list[Api], tenant: Tenant, database: Database
) -> None:
    url = str(apis[0].client.make_url("/webhooks/platform"))
    async with ClientSession() as session:
        assert await customer_redact(MIRA).send(session, url) == 200
        assert await customer_redact(MIRA, "other.myshopify.com").send(session, url) == 403
        assert await replace(customer_redact(MIRA), secret="another").send(session, url) == 403
        assert await Webhook("customers/redact", {}, "").send(session, url) == 403
    assert len(await SqlShopperRequests(database).open()) == 1


async def test_a_customer_is_erased_from_every_shop_with_the_domain(
    apis: list[Api],
    tenant: Tenant,
    deliver: Deliver,
    database: Database,
    load_shop: LoadShop,
) -> None:
    await load_shop(SHOP_FILE.replace("handle: live", "handle: twin"))
    await apis[0].refresh()
    twin = await live_shop(database, "twin")
    assert twin
    await SqlReminders(database).add_reminder(twin, 1001, MIRA, "Box", 1)
    assert await deliver(apis[0], customer_redact(MIRA)) == 200
    await act(apis[0])
    assert await count(database, MIRA) == 0


@pytest.fixture
async def twins(apis: list[Api], tenant: Tenant, load_shop: LoadShop, connect: Connect) -> str:
    """Create three more shops with the same domain as "live", and return the URL of the app's webhook endpoint.

    "twin" is connected by the same app, "other" by another app, and "loose" is not connected."""
    for handle in ("loose", "other", "twin"):
        await load_shop(SHOP_FILE.replace("handle: live", f"handle: {handle}"))
    await connect(DOMAIN, "twin")
    await connect(DOMAIN, "other", secret="of another app")
    await apis[0].refresh()
    return str(apis[0].client.make_url("/webhooks/platform"))


@pytest.mark.parametrize("webhook", [shop_redact(), customer_redact(MIRA), data_request(MIRA)], ids=lambda w: w.topic)
async def test_a_request_to_the_address_of_an_app_reaches_every_shop_of_the_domain(
    webhook: Webhook, twins: str, database: Database
) -> None:
    async with ClientSession() as session:
        for _ in range(2):
            assert await webhook.send(session, twins) == 200
        assert await replace(webhook, secret="of another app").send(session, twins) == 200
        assert await replace(webhook, secret="of no app").send(session, twins) == 403
    assert sorted(one.shop for one in await SqlShopperRequests(database).open()) == ["live", "other", "twin"]


async def test_every_shop_of_a_domain_is_deleted(
    apis: list[Api], twins: str, database: Database, standin: Standin, clock: FakeClock
) -> None:
    async with ClientSession() as session:
        assert await shop_redact().send(session, twins) == 200
    standin.tokens.clear()
    clock.move(GRACE)
    await act(apis[0])
    left = [handle for handle in ("live", "loose", "other", "twin") if await live_shop(database, handle)]
    assert left == ["loose", "other"]


async def test_a_change_reported_to_the_address_of_an_app_reaches_every_shop_of_the_domain(
    twins: str, tenant: Tenant, database: Database
) -> None:
    twin = await live_shop(database, "twin")
    assert twin
    async with ClientSession() as session:
        assert await Webhook("products/update", {"id": 7}).send(session, twins) == 200
    assert {one.shop_id for one in await SqlChangeLog(database).after(0)} == {tenant.id, twin.id}
