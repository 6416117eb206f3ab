"""A retry that reaches another process gets the stored response, although the idempotency key is new to that process
(docs/contract.md#idempotency)."""

import asyncio
from dataclasses import replace

import pytest

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import SHOP_TEXT, Api, Serve
from tests.api.posts.test_idempotency import CHANGES, KEY, MONTHLY, OTHER_BODY, configure, is_replay
from tests.api.selection import configure_body
from tests.api.stored import rows
from tests.conftest import LoadShop, MakeKey


@pytest.fixture
async def processes(serve: Serve, make_key: MakeKey) -> tuple[Api, Api]:
    """Clients for two processes of the service that use the same database."""
    key = await make_key()
    return Api(await serve(), key), Api(await serve(), key)


@pytest.mark.parametrize("changed", [SHOP_TEXT, *CHANGES.values()], ids=["unchanged", *CHANGES])
async def test_retry_gets_the_stored_response(
    processes: tuple[Api, Api], load_shop: LoadShop, database: Database, changed: str
) -> None:
    one, other = processes
    first = (await configure(one)).held()
    await load_shop(changed)
    await other.refresh()

    again = (await configure(other)).held()

    assert (is_replay(again), again.body) == (True, first.body)
    assert len(await rows(database, configured_bundles)) == 1


@pytest.mark.parametrize(
    "body", [b"{", b"", configure_body("1001@9"), OTHER_BODY], ids=["not JSON", "empty", "invalid", "valid"]
)
async def test_another_body_is_refused(processes: tuple[Api, Api], database: Database, body: object) -> None:
    one, other = processes
    (await configure(one)).held()

    assert (await configure(other, body)).held(400).code == "idempotency_key_reused"
    assert len(await rows(database, configured_bundles)) == 1


async def test_retry_with_a_subscription_gets_the_stored_response(
    processes: tuple[Api, Api], database: Database
) -> None:
    one, other = processes
    body = configure_body("1001@1", subscription=MONTHLY)
    first = (await configure(one, body, path="/bundles/50/configure")).held()

    again = (await configure(other, body, path="/bundles/50/configure")).held()

    assert (is_replay(again), again.body) == (True, first.body)
    assert len(await rows(database, configured_bundles)) == 1


async def test_retries_among_new_requests_disturb_none_of_them(processes: tuple[Api, Api], database: Database) -> None:
    """Retries do not affect the new requests among which they are sent, although all requests share groups of insertions, and a
    key that is already stored makes its whole group fail."""
    one, other = processes
    firsts = [(await configure(one, key={"Idempotency-Key": f"old-{number}"})).held() for number in range(5)]

    names = [f"{kind}-{number}" for number in range(5) for kind in ("old", "new", "newer")]
    responses = await asyncio.gather(*(configure(other, key={"Idempotency-Key": name}) for name in names))

    found = {name: response.held() for name, response in zip(names, responses, strict=True)}
    assert [found[f"old-{number}"].body for number in range(5)] == [first.body for first in firsts]
    assert {name for name in names if is_replay(found[name])} == {f"old-{number}" for number in range(5)}
    assert len({response.body for response in found.values()}) == len(names)
    assert len(await rows(database, configured_bundles)) == len(names)


async def test_retry_takes_no_token_from_the_visitor(serve: Serve, make_key: MakeKey, settings: Settings) -> None:
    key, tight = await make_key(visitor_limit=1000), replace(settings, visitor_configured_bundles=2)
    one, other = Api(await serve(settings=tight), key), Api(await serve(settings=tight), key)
    first = (await configure(one)).held()

    again = [await configure(other, key=KEY) for _ in range(3)]
    fresh = [await configure(other, key={"Idempotency-Key": f"new-{number}"}) for number in range(3)]
    afterwards = (await configure(other)).held()

    assert {response.held().body for response in again} == {first.body}
    assert [response.status for response in fresh] == [200, 200, 429]
    assert (is_replay(afterwards), afterwards.body) == (True, first.body)


async def test_retry_without_tokens_gets_the_stored_response(
    serve: Serve, make_key: MakeKey, settings: Settings
) -> None:
    key, tight = await make_key(visitor_limit=1000), replace(settings, visitor_configured_bundles=1)
    one, other = Api(await serve(settings=tight), key), Api(await serve(settings=tight), key)
    first = (await configure(one)).held()
    (await configure(other, key={"Idempotency-Key": "new"})).held()

    again = (await configure(other)).held()

    assert (is_replay(again), again.body) == (True, first.body)
