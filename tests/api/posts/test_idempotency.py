"""Idempotency-Key: a retry gets the stored response and creates nothing (docs/contract.md#idempotency)."""

import asyncio
from collections.abc import Mapping

import pytest
from aiohttp.test_utils import TestClient

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, idempotency_keys, subscriptions
from tests.api.conftest import BASE, SHOP_TEXT, Api, Response, Serve
from tests.api.selection import Json, configure_body
from tests.api.stored import rows
from tests.conftest import LoadShop, MakeKey
from tests.fakes import FakeClock

DAY = 24 * 60 * 60
KEY = {"Idempotency-Key": "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c"}
BODY = configure_body("1001@1")
OTHER_BODY = configure_body("1002@1")
BUNDLE_LINE = "  - {id: 20, name: A tenth off, "
CHANGES = {
    "unpublished": SHOP_TEXT.replace(BUNDLE_LINE, f"{BUNDLE_LINE}published: false, "),
    "gone": SHOP_TEXT.replace(BUNDLE_LINE, "  - {id: 19, name: Other, "),
    "dearer": SHOP_TEXT.replace('title: S, price: "19.99"', 'title: S, price: "29.99"'),
}
"""Shop files in which the bundle has changed."""
MONTHLY = {"id": 7, "email": "mira@mail.example", "frequency": 1, "unit": "month"}


async def configure(
    api: Api, body: object = BODY, key: Mapping[str, str] = KEY, path: str = "/bundles/20/configure"
) -> Response:
    return await api.post(path, body, key)


def is_replay(response: Response) -> bool:
    return response.headers.get("Idempotent-Replayed") == "true"


async def configured_count(database: Database) -> int:
    return len(await rows(database, configured_bundles))


async def test_retry_gets_the_stored_response_byte_for_byte(api: Api, database: Database) -> None:
    first = (await configure(api)).held()
    again = [(await configure(api)).held() for _ in range(3)]

    assert "Idempotent-Replayed" not in first.headers
    assert [response.headers.get("Idempotent-Replayed") for response in again] == ["true"] * 3
    assert {response.body for response in again} == {first.body}
    assert {response.headers["Content-Type"] for response in again} == {first.headers["Content-Type"]}
    assert {response.headers["Cache-Control"] for response in again} == {"no-store"}
    assert await configured_count(database) == 1


async def test_without_a_key_every_call_creates(api: Api, database: Database) -> None:
    responses = [(await configure(api, key={})).held().body for _ in range(2)]

    assert responses[0] != responses[1]
    assert await configured_count(database) == 2


async def test_subscription_is_created_once(api: Api, database: Database) -> None:
    body = configure_body("1001@1", subscription=MONTHLY)

    responses = [(await configure(api, body, path="/bundles/50/configure")).held() for _ in range(2)]

    assert responses[0].body == responses[1].body
    assert len(await rows(database, subscriptions)) == 1


async def test_stored_responses_survive_a_restart_and_serve_every_process(api: Api, serve: Serve) -> None:
    assert isinstance(api.client, TestClient)
    first = (await configure(api)).held()
    await api.client.close()

    again = (await configure(Api(await serve(), api.key))).held()

    assert is_replay(again)
    assert again.body == first.body


@pytest.mark.parametrize("change", CHANGES)
async def test_stored_response_outlives_the_bundle(api: Api, load_shop: LoadShop, change: str) -> None:
    first = (await configure(api)).held()
    await load_shop(CHANGES[change])
    await api.refresh()

    again = (await configure(api)).held()
    fresh = await configure(api, key={"Idempotency-Key": "another"})

    assert is_replay(again)
    assert again.body == first.body
    assert fresh.status == (200 if change == "dearer" else 404)


async def test_another_body_under_the_same_key_is_refused(api: Api, database: Database) -> None:
    first = (await configure(api)).held()

    reused = (await configure(api, OTHER_BODY)).held(400)
    again = (await configure(api)).held()

    assert reused.code == "idempotency_key_reused"
    assert again.body == first.body
    assert await configured_count(database) == 1


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"type": "native", "products": [{"variant": "1001", "product": "100", "section": 1}]}', id="spaces"),
        pytest.param(b"{", id="no JSON"),
        pytest.param(b"", id="nothing"),
        pytest.param(b" " * (1024 * 1024 + 1), id="too large"),
    ],
)  # fmt: skip
async def test_bodies_are_compared_byte_by_byte(api: Api, body: bytes) -> None:
    (await configure(api)).held()

    assert (await configure(api, body)).held(400).code == "idempotency_key_reused"


@pytest.mark.parametrize("key", ["k", "k" * 255, "with spaces", "!~/+=:;,.\"'\\"])
async def test_valid_keys(api: Api, key: str) -> None:
    first, again = [(await configure(api, key={"Idempotency-Key": key})).held() for _ in range(2)]

    assert [is_replay(response) for response in (first, again)] == [False, True]


@pytest.mark.parametrize("key", ["", "k" * 256, "a\tb", "schlüssel", "\N{KEY}"])
async def test_invalid_keys_are_refused(api: Api, database: Database, key: str) -> None:
    response = (await configure(api, key={"Idempotency-Key": key})).held(400)

    assert response.code == "idempotency_key_invalid"
    assert await configured_count(database) == 0


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        pytest.param(b"{", "invalid_json", id="no JSON"),
        pytest.param({"products": []}, "invalid_request", id="shape"),
        pytest.param(configure_body(), "selection_invalid", id="selection"),
        pytest.param(configure_body("5001@3"), "rules_not_met", id="rules"),
        pytest.param(configure_body("1001@1", subscription=MONTHLY), "subscription_invalid", id="subscription"),
        pytest.param(b" " * (1024 * 1024 + 1), "body_too_large", id="too large"),
    ],
)  # fmt: skip
async def test_only_successes_are_stored(api: Api, database: Database, refused: object, code: str) -> None:
    failures = [await configure(api, refused) for _ in range(2)]

    response = (await configure(api)).held()

    assert [failure.code for failure in failures] == [code] * 2
    assert not any(is_replay(each) for each in (*failures, response))
    assert await configured_count(database) == 1


async def test_404_of_a_bundle_is_not_stored(api: Api, load_shop: LoadShop) -> None:
    missing = await configure(api, path="/bundles/70/configure")
    await load_shop(SHOP_TEXT.replace("type: native, published: false,", "type: native, published: true,"))
    await api.refresh()

    found = await configure(api, path="/bundles/70/configure")

    assert (missing.status, found.status, is_replay(found)) == (404, 200, False)


async def test_shops_do_not_share_keys(api: Api, other_api: Api, database: Database) -> None:
    mine = (await configure(api, path="/bundles/10/configure", body=configure_body("1002@1", "6001@0"))).held()
    foreign = (await configure(other_api, path="/bundles/10/configure")).held()

    assert not is_replay(foreign)
    assert foreign.json["pricing"]["currency"] == "JPY"
    assert foreign.body != mine.body
    assert await configured_count(database) == 2


async def test_live_and_test_keys_do_not_share_keys(api: Api, api_with_test_key: Api) -> None:
    live, test = (await configure(api)).held(), (await configure(api_with_test_key)).held()

    assert not is_replay(test)
    assert test.body != live.body


async def test_all_live_keys_of_a_shop_share_keys(api: Api, make_key: MakeKey) -> None:
    first = (await configure(api)).held()

    again = (await configure(api.with_key(await make_key()))).held()

    assert is_replay(again)
    assert again.body == first.body


async def test_paths_do_not_share_keys(api: Api) -> None:
    one, other = [(await configure(api, path=f"/bundles/{bundle}/configure")).held() for bundle in (20, 21)]

    assert not is_replay(other)
    assert other.json["configured_bundle_id"] != one.json["configured_bundle_id"]


@pytest.mark.parametrize(("seconds", "replayed"), [(DAY - 1, True), (DAY + 1, False)])
async def test_responses_are_stored_for_a_day(
    api: Api, clock: FakeClock, database: Database, seconds: int, replayed: bool
) -> None:
    first = (await configure(api)).held()
    clock.move(seconds)

    again = (await configure(api)).held()

    assert is_replay(again) is replayed
    assert (again.body == first.body) is replayed
    assert await configured_count(database) == (1 if replayed else 2)
    assert len(await rows(database, idempotency_keys)) == 1


async def test_key_can_be_used_with_another_body_after_a_day(api: Api, clock: FakeClock) -> None:
    (await configure(api)).held()
    clock.move(DAY + 1)

    assert not is_replay((await configure(api, OTHER_BODY)).held())
    assert (await configure(api)).held(400).code == "idempotency_key_reused"


@pytest.mark.parametrize(("bundle", "type_"), [(20, "native"), (30, "multiple-products")])
async def test_one_of_fifty_simultaneous_requests_creates(
    api: Api, database: Database, bundle: int, type_: str
) -> None:
    body, path = configure_body("1001@1", type=type_), f"/bundles/{bundle}/configure"

    responses = await asyncio.gather(*(configure(api, body, path=path) for _ in range(50)))

    assert {response.status for response in responses} == {200}
    assert len({response.body for response in responses}) == 1
    assert sum(not is_replay(response) for response in responses) == 1
    assert await configured_count(database) == 1


async def test_one_of_fifty_simultaneous_requests_in_two_processes_creates(
    api: Api, serve: Serve, database: Database
) -> None:
    apis = [api, Api(await serve(), api.key)]

    responses = await asyncio.gather(*(configure(each) for each in apis * 25))

    assert {response.status for response in responses} == {200}
    assert len({response.body for response in responses}) == 1
    assert await configured_count(database) == 1


async def test_one_of_two_simultaneous_bodies_under_one_key_is_refused(api: Api, database: Database) -> None:
    responses = await asyncio.gather(*(configure(api, body) for body in [BODY, OTHER_BODY] * 10))

    created = {response.body for response in responses if response.status == 200}
    refused = {response.code for response in responses if response.status != 200}
    assert (len(created), refused) == (1, {"idempotency_key_reused"})
    assert sum(response.status == 200 for response in responses) == 10
    assert await configured_count(database) == 1


# The order of errors (docs/contract.md#order-of-checks): id, Idempotency-Key, bundle, body, rules.

TOO_LARGE = b'{"x": "' + b"x" * (1024 * 1024) + b'"}'


@pytest.mark.parametrize("action", ["configure", "price"])
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        pytest.param(b"{", {}, id="no JSON"),
        pytest.param(b"\xff", {}, id="no UTF-8"),
        pytest.param(TOO_LARGE, {}, id="too large"),
        pytest.param({"products": []}, {}, id="shape"),
        pytest.param(configure_body("5001@3"), {}, id="rules"),
    ],
)
async def test_unknown_bundle_is_reported_before_the_body(
    api: Api, action: str, body: object, headers: Mapping[str, str]
) -> None:
    assert (await api.post(f"/bundles/98/{action}", body, headers)).held(404).code == "not_found"


@pytest.mark.parametrize(
    ("path", "body", "key", "status", "code"),
    [
        pytest.param("0", b"{", "", 400, "invalid_request", id="id before Idempotency-Key"),
        pytest.param("98", b"{", "", 400, "idempotency_key_invalid", id="invalid key before bundle"),
        pytest.param("20", TOO_LARGE, "", 400, "idempotency_key_invalid", id="invalid key before body"),
        pytest.param("98", b"{", "fresh", 404, "not_found", id="bundle before body"),
        pytest.param("98", TOO_LARGE, "fresh", 404, "not_found", id="bundle before a large body"),
        pytest.param("20", TOO_LARGE, "fresh", 413, "body_too_large", id="large body before its shape"),
        pytest.param("20", b"{", "fresh", 400, "invalid_json", id="JSON before shape"),
        pytest.param("40", configure_body("1001@9", type="x"), "fresh", 400, "invalid_request", id="shape before selection"),
    ],
)  # fmt: skip
async def test_order_of_errors(api: Api, path: str, body: object, key: str, status: int, code: str) -> None:
    response = await configure(api, body, {"Idempotency-Key": key}, f"/bundles/{path}/configure")

    assert response.held(status).code == code


async def test_reused_key_is_reported_before_an_unknown_bundle(api: Api, load_shop: LoadShop) -> None:
    (await configure(api)).held()
    await load_shop(CHANGES["gone"])
    await api.refresh()

    assert (await configure(api, OTHER_BODY)).held(400).code == "idempotency_key_reused"
    assert is_replay((await configure(api)).held())


async def test_shop_and_key_are_checked_before_the_stored_response(api: Api, make_key: MakeKey) -> None:
    (await configure(api)).held()
    embed_only = api.with_key(await make_key(scopes=("embed",)))

    assert (await configure(embed_only)).held(403).code == "key_scope"
    assert (await configure(api.with_key(None))).held(403).code == "key_invalid"


async def test_gets_ignore_idempotency_keys(api: Api) -> None:
    for _ in range(2):
        response = (await api.get("/settings", {"Idempotency-Key": ""})).held()
        assert "Idempotent-Replayed" not in response.headers


async def test_percent_encoded_path_is_the_same_path(api: Api) -> None:
    """A percent-encoded path is equivalent to the decoded path: %32%30 is 20 (RFC 3986, 6.2.2.2)."""
    first = (await configure(api)).held()

    async with api.client.post(
        f"{BASE}/bundles/%32%30/configure", json=BODY, headers={"Authorization": f"Bearer {api.key}", **KEY}
    ) as sent:
        assert sent.status in (200, 400)
        body: Json = await sent.json()

    assert body == first.json or body["code"] in ("invalid_request", "idempotency_key_reused")
