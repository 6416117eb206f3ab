"""Events from the running service reach a receiver, even after the receiver has failed, hung or been down for a while."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import orjson
import pytest

from bundlesvc.domain.events.event import TYPES, Endpoint
from bundlesvc.domain.events.signature import secret_text
from bundlesvc.domain.revisions.revision import Act, Actor
from bundlesvc.event_delivery import http_sender
from bundlesvc.settings.environment import Settings
from bundlesvc.shop_file.contents import describe
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.events.endpoints import SqlWebhookEndpoints
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal
from bundlesvc.token_cipher import credentials_cipher
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.manage.conftest import Manage, order_of
from tests.api.selection import configure_body
from tests.conftest import SECRET_KEY, MakeKey
from tests.event_delivery.receiver import Receiver, receiving
from tests.fakes import START, FakeClock
from tests.shop_file.shop_files import load

SECRET = secret_text(b"s" * 24)
PATIENCE = 20.0
BUNDLE = 20
SELECTION = ("1001@1*2", "2001@2")

pytestmark = pytest.mark.usefixtures("quick_polls")


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        receiver.secret = SECRET
        yield receiver


@pytest.fixture
async def api(make_api: MakeApi, settings: Settings, database: Database, receiver: Receiver) -> Api:
    """The service with a webhook endpoint for all events of the shop."""
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    endpoints = SqlWebhookEndpoints(database, credentials_cipher([SECRET_KEY]))
    await endpoints.add(tenant.id, Endpoint("we_1", "demo", receiver.url, TYPES, int(START)), SECRET)
    api = await make_api(settings=replace(settings, webhooks_private=True))
    await asyncio.sleep(0.2)  # two polls: the process then knows the endpoint
    return api


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the change happens in other tasks of the service
            await asyncio.sleep(0.02)


async def later(clock: FakeClock, condition: Callable[[], object]) -> None:
    """Advance the clock until the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            clock.move(10)
            await asyncio.sleep(0.1)


async def configure(api: Api) -> dict[str, object]:
    return dict((await api.post(f"/bundles/{BUNDLE}/configure", configure_body(*SELECTION))).held().json)


async def test_configured_bundle_is_reported_without_what_the_shopper_wrote(api: Api, receiver: Receiver) -> None:
    made = await configure(api)
    await until(lambda: receiver.got)
    ((_, event),) = receiver.got
    data = event["data"]
    assert isinstance(data, dict)
    assert (event["type"], event["shop"], event["test"]) == ("bundle.configured", "demo", False)
    assert (data["configuredBundleId"], data["pricing"]) == (made["configured_bundle_id"], made["pricing"])
    assert [item["platformVariantId"] for item in data["items"]] == ["1001", "2001"]
    assert [item["quantity"] for item in data["items"]] == [2, 1]
    assert b"gAAAA" not in orjson.dumps(event), "the discount is for the cart"


async def test_refused_selection_is_no_event(api: Api, receiver: Receiver) -> None:
    (await api.post(f"/bundles/{BUNDLE}/configure", configure_body("9999@1"))).held(400)
    await configure(api)
    await until(lambda: receiver.got)
    assert len(receiver.got) == 1


async def test_replayed_configure_is_reported_once(api: Api, receiver: Receiver) -> None:
    for _ in range(2):
        body = configure_body(*SELECTION)
        (await api.post(f"/bundles/{BUNDLE}/configure", body, {"Idempotency-Key": "one"})).held()
    await configure(api)
    await until(lambda: len(receiver.got) == 2)
    await asyncio.sleep(0.3)
    assert len(receiver.got) == 2


async def test_order_is_reported_with_its_verdicts(api: Api, receiver: Receiver, make_key: MakeKey) -> None:
    made = await configure(api)
    manage = Manage(api.client, await make_key(scopes=("orders",)))
    (await manage.send(order_of(made))).held()
    await until(lambda: "order.proven" in receiver.types)
    (event,) = [event for _, event in receiver.got if event["type"] == "order.proven"]
    data = event["data"]
    assert isinstance(data, dict)
    assert (data["orderId"], data["version"]) == ("1001", 1)
    assert [(each["verdict"], each["promised"], each["charged"]) for each in data["bundles"]] == [
        ("equal", "43.18", "43.18")
    ]
    (await manage.send(order_of(made))).held()  # the same version changes nothing
    await asyncio.sleep(0.3)
    assert receiver.types.count("order.proven") == 1


async def test_published_change_is_reported_for_its_bundles(api: Api, receiver: Receiver, database: Database) -> None:
    changed = SHOP_TEXT.replace("name: Several,", "name: Many,").replace("name: Strict", "name: Stricter")
    act = Act(Actor("test", "here", "file:shop.yaml"), int(START))
    journal = RevisionJournal(Publication(act, "load"), describe)
    await SqlShopFileStore(database, journal).replace(load(changed))
    await until(lambda: len(receiver.got) == 2)
    assert [event["data"] for _, event in receiver.got] == [
        {"bundleId": 30, "revision": 2},
        {"bundleId": 40, "revision": 2},
    ]


async def test_receiver_that_fails_and_comes_back_misses_nothing(
    api: Api, receiver: Receiver, clock: FakeClock
) -> None:
    receiver.status = 503
    made = [await configure(api) for _ in range(5)]
    await until(lambda: receiver.attempts >= 5)
    await later(clock, lambda: receiver.attempts >= 10)
    receiver.status = 200
    await later(clock, lambda: len(receiver.got) == 5)
    assert sorted(id_ for id_, _ in receiver.got) == sorted({id_ for id_, _ in receiver.got}), "each came once"
    ids = {event["data"]["configuredBundleId"] for _, event in receiver.got}  # type: ignore[index]
    assert ids == {one["configured_bundle_id"] for one in made}


async def test_receiver_that_hangs_holds_up_no_request(
    make_api: MakeApi, api: Api, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_sender, "TIMEOUT", 30.0)
    receiver.hangs = True
    await configure(api)
    await until(lambda: receiver.attempts)
    async with asyncio.timeout(PATIENCE):
        await configure(api)
    assert receiver.got == []


async def test_metrics_count_attempts(api: Api, receiver: Receiver) -> None:
    receiver.status = 500
    await configure(api)
    await until(lambda: receiver.attempts)
    await asyncio.sleep(0.3)
    metrics = await api.metrics()
    assert metrics['bundlesvc_webhook_deliveries_total{result="failed"}'] == 1
    assert metrics["bundlesvc_webhook_deliveries_waiting"] == 1
