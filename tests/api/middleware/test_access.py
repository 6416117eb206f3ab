"""Keys, scopes, shops, origins, and the limit on guesses (docs/contract.md#keys)."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.domain.access.key import digest
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import api_keys
from tests.api.conftest import BASE, SHOP_TEXT, Api, MakeApi, Response
from tests.api.logs import logs
from tests.api.raw import raw_exchange
from tests.api.selection import configure_body
from tests.api.stored import rows
from tests.conftest import LoadShop, MakeKey
from tests.fakes import START, FakeClock

TIMEOUT = 30.0
"""Seconds after which an expected change counts as lost; `quick_polls` makes processes poll twenty times a second."""

UNKNOWN_KEY = f"bnd_live_{'x' * 43}"
EVERY_PATH = [
    "",
    "/",
    "/bundles",
    "/bundles/10",
    "/bundles/10/products",
    "/bundles/98",
    "/bundles/0",
    "/settings",
    "/nothing",
    "/settings/",
    "//settings",
    "/embed/api/v1/settings",
    "/embed/api/v1/nothing",
]


async def sent(api: Api, authorization: str | None, path: str = "/settings", **headers: str) -> Response:
    own = {} if authorization is None else {"Authorization": authorization}
    return await api.with_key(None).get(path, {**own, **headers})


async def test_key_of_the_shop_passes(shared_api: Api) -> None:
    assert (await sent(shared_api, f"Bearer {shared_api.key}")).status == 200


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "bEaReR"])
async def test_scheme_may_be_in_any_case(shared_api: Api, scheme: str) -> None:
    assert (await sent(shared_api, f"{scheme} {shared_api.key}")).status == 200


@pytest.mark.parametrize(
    "authorization",
    [
        pytest.param(None, id="missing"),
        pytest.param("", id="empty"),
        pytest.param("Bearer", id="no key"),
        pytest.param("Bearer ", id="empty key"),
        pytest.param("{key}", id="no scheme"),
        pytest.param("Basic {key}", id="another scheme"),
        pytest.param("Bearer{key}", id="no space"),
        pytest.param("Bearer\t{key}", id="a tab"),
        pytest.param("Bearer {key} more", id="more"),
        pytest.param("Bearer {key},{key}", id="two"),
        pytest.param('Bearer "{key}"', id="quotes"),
        pytest.param("Bearer {key}x", id="a character more"),
        pytest.param("Bearer {short}", id="a character less"),
        pytest.param("Bearer {upper}", id="another case"),
        pytest.param(f"Bearer {UNKNOWN_KEY}", id="unknown"),
        pytest.param("Bearer {prefix}", id="the stored prefix"),
        pytest.param("Bearer {digest}", id="the stored digest"),
        pytest.param("Bearer bnd_live_\N{LATIN SMALL LETTER U WITH DIAERESIS}", id="no ASCII"),
    ],
)
async def test_request_without_a_known_key_is_refused(shared_api: Api, authorization: str | None) -> None:
    key = str(shared_api.key)
    filled = authorization and authorization.format(
        key=key, short=key[:-1], upper=key.upper(), prefix=key[:16], digest=digest(key)
    )

    response = (await sent(shared_api, filled)).held(403)

    assert response.code == "key_invalid"
    assert "RateLimit" not in response.headers


@pytest.mark.parametrize("path", EVERY_PATH)
async def test_every_path_below_the_base_is_refused_without_a_key(shared_api: Api, path: str) -> None:
    for method in ("GET", "POST", "HEAD", "DELETE", "OPTIONS"):
        response = (await shared_api.with_key(None).request(method, path)).held(403)

        assert method == "HEAD" or response.code == "key_invalid"
        assert "Allow" not in response.headers


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/bundles", {"GET", "HEAD"}),
        ("PUT", "/bundles/10", {"GET", "HEAD"}),
        ("DELETE", "/bundles/10/products", {"GET", "HEAD"}),
        ("PATCH", "/settings", {"GET", "HEAD"}),
        ("GET", "/bundles/10/price", {"POST"}),
        ("HEAD", "/bundles/10/configure", {"POST"}),
        ("PUT", "/bundles/10/configure", {"POST"}),
        ("OPTIONS", "/bundles/10", {"GET", "HEAD"}),
        ("OPTIONS", "/bundles/10/price", {"POST"}),
    ],
)
async def test_405_names_the_methods_of_the_path(shared_api: Api, method: str, path: str, allowed: set[str]) -> None:
    response = (await shared_api.request(method, path)).held(405)

    named = {name.strip() for name in response.headers["Allow"].split(",")}
    assert allowed <= named <= allowed | {"OPTIONS"}
    assert method == "HEAD" or response.code == "method_not_allowed"


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "DELETE", "OPTIONS"])
async def test_unknown_path_is_not_found_for_any_method(shared_api: Api, method: str) -> None:
    response = (await shared_api.request(method, "/nothing")).held(404)

    assert "Allow" not in response.headers


@pytest.mark.parametrize(
    "target",
    [
        "/api/headless/v1/settings",
        "//api/headless/v1/settings",
        "/api//headless/v1/settings",
        "/api/headless/v1/./settings",
        "/x/../api/headless/v1/settings",
        "/docs/../api/headless/v1/settings",
        "/%61pi/headless/v1/settings",
        "/api%2Fheadless%2Fv1%2Fsettings",
        "/api/headless/v1/%73ettings",
        "/API/headless/v1/settings",
        "/api/headless/v1;x=1/settings",
        "/api/headless/v1/settings?x=/docs",
        "http://elsewhere.example/api/headless/v1/settings",
        "/openapi.json/../api/headless/v1/settings",
        "/storefront/../api/headless/v1/settings",
    ],
)
async def test_no_spelling_of_a_path_bypasses_the_key(shared_api: Api, target: str) -> None:
    status, _, body = await raw_exchange(
        shared_api.client, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )

    assert status in (400, 403, 404)
    assert b"moneyFormat" not in body


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"])
async def test_paths_outside_the_base_need_no_key(shared_api: Api, path: str) -> None:
    for authorization in ({}, {"Authorization": "Bearer wrong"}):
        async with shared_api.client.get(path, headers=authorization) as response:
            assert response.status == 200
            assert "RateLimit" not in response.headers


async def test_unknown_path_outside_the_base_is_a_json_404(shared_api: Api) -> None:
    async with shared_api.client.get("/nothing") as response:
        assert response.status == 404
        assert (await response.json())["code"] == "not_found"


# What a key gives access to.


@pytest.mark.parametrize(
    ("scopes", "headless", "embed"),
    [
        pytest.param(("headless", "embed"), "not_found", "not_found", id="both"),
        pytest.param(("headless",), "not_found", "key_scope", id="headless"),
        pytest.param(("embed",), "key_scope", "not_found", id="embed"),
        pytest.param((), "key_scope", "key_scope", id="none"),
    ],
)
async def test_scope_opens_its_api(
    api: Api, make_key: MakeKey, scopes: tuple[str, ...], headless: str, embed: str
) -> None:
    scoped = api.with_key(await make_key(scopes=scopes))

    responses = [await scoped.get(path) for path in ("/nothing", "/embed/api/v1/nothing")]

    assert [response.code for response in responses] == [headless, embed]
    assert [response.status for response in responses] == [
        404 if code == "not_found" else 403 for code in (headless, embed)
    ]
    assert all("RateLimit" in response.headers for response in responses)


async def test_keys_have_both_scopes_by_default(api: Api, make_key: MakeKey) -> None:
    assert (await api.with_key(await make_key()).get("/settings")).status == 200


DISABLED = SHOP_TEXT.replace("headlessEnabled: true", "headlessEnabled: false")


async def test_shop_that_is_not_enabled_is_refused(api: Api, load_shop: LoadShop, make_key: MakeKey) -> None:
    await load_shop(DISABLED)
    new_key = await make_key()  # disabled shops can still get keys
    await api.refresh()

    for key in (api.key, new_key):
        response = (await api.with_key(key).get("/settings")).held(403)
        assert response.code == "shop_not_enabled"


async def test_shop_is_enabled_and_disabled_while_the_service_runs(
    api: Api, other_api: Api, database: Database
) -> None:
    store = SqlKeyStore(database)
    await store.set_headless("demo", enabled=False)
    await api.refresh()
    assert (await api.get("/bundles/10")).held(403).code == "shop_not_enabled"
    assert (await other_api.get("/bundles/10")).status == 200

    await store.set_headless("demo", enabled=True)
    await api.refresh()
    assert (await api.get("/bundles/10")).status == 200


ORIGINS = ("https://shop.example", "https://www.shop.example/", "http://localhost:3000")


@pytest.mark.parametrize(
    ("origin", "passes"),
    [
        pytest.param(None, True, id="none sent"),
        pytest.param("https://shop.example", True, id="listed"),
        pytest.param("https://shop.example/", True, id="a slash more"),
        pytest.param("https://www.shop.example", True, id="a slash less"),
        pytest.param("http://localhost:3000", True, id="port"),
        pytest.param("http://localhost", False, id="another port"),
        pytest.param("http://shop.example", False, id="another scheme"),
        pytest.param("https://shop.example:443", False, id="the port written out"),
        pytest.param("https://evil.example", False, id="another host"),
        pytest.param("https://shop.example.evil.example", False, id="as a beginning"),
        pytest.param("https://evilshop.example", False, id="as an end"),
        pytest.param("https://a.shop.example", False, id="a subdomain"),
        pytest.param("https://shop.example//", False, id="two slashes"),
        pytest.param("null", False, id="null"),
        pytest.param("", False, id="empty"),
    ],
)
async def test_only_listed_origins_pass(api: Api, make_key: MakeKey, origin: str | None, passes: bool) -> None:
    bound = api.with_key(await make_key(origins=ORIGINS))

    response = await bound.get("/settings", {} if origin is None else {"Origin": origin})

    assert response.status == (200 if passes else 403)
    assert passes or response.code == "origin_not_allowed"


async def test_every_origin_passes_without_a_list(shared_api: Api) -> None:
    for origin in ("https://anything.example", "null"):
        assert (await shared_api.get("/settings", {"Origin": origin})).status == 200


async def test_list_of_origins_can_be_edited(api: Api, make_key: MakeKey, database: Database) -> None:
    bound = api.with_key(await make_key(origins=ORIGINS))
    other = {"Origin": "https://new.example"}
    assert (await bound.get("/settings", other)).status == 403

    assert await SqlKeyStore(database).set_origins(str(bound.key)[:16], ["https://new.example"])
    await api.refresh()

    assert (await bound.get("/settings", other)).status == 200
    assert (await bound.get("/settings", {"Origin": ORIGINS[0]})).status == 403


async def test_first_of_several_reasons_is_reported(api: Api, make_key: MakeKey, load_shop: LoadShop) -> None:
    """The first of several reasons is reported: scope, then shop, then origin, then the id in the path."""
    foreign = {"Origin": "https://evil.example"}
    no_scope = api.with_key(await make_key(scopes=("embed",), origins=ORIGINS))
    scoped = api.with_key(await make_key(origins=ORIGINS))
    assert (await scoped.get("/bundles/0", foreign)).code == "origin_not_allowed"
    await load_shop(DISABLED)
    await api.refresh()

    assert (await no_scope.get("/bundles/0", foreign)).code == "key_scope"
    assert (await scoped.get("/bundles/0", foreign)).code == "shop_not_enabled"


# New and revoked keys.


async def test_new_key_works_at_once(api: Api, make_key: MakeKey) -> None:
    assert (await api.with_key(await make_key()).get("/settings")).status == 200


async def test_new_key_of_a_new_shop_works_at_once(api: Api, load_shop: LoadShop, make_key: MakeKey) -> None:
    await load_shop(SHOP_TEXT.replace("handle: demo", "handle: third"))

    assert (await api.with_key(await make_key("third")).get("/bundles/10")).held().json["name"] == "Everything"


async def test_new_key_works_at_once_for_simultaneous_requests(api: Api, make_key: MakeKey) -> None:
    """A new key works immediately for simultaneous requests, because only an invalid key counts as a guess."""
    fresh = api.with_key(await make_key())

    responses = await asyncio.gather(*(fresh.get("/settings") for _ in range(50)))

    assert {response.status for response in responses} == {200}


async def test_revoked_key_stops_with_the_next_poll(quick_polls: None, api: Api, database: Database) -> None:
    """A revoked key stops working at the next poll, without a refresh by the test."""
    await SqlKeyStore(database).revoke_key(str(api.key)[:16])

    async with asyncio.timeout(TIMEOUT):
        while (response := await api.get("/settings")).status == 200:  # noqa: ASYNC110 - the change shows only in responses
            await asyncio.sleep(0.02)

    assert response.held(403).code == "key_invalid"
    assert (await api.get("/settings")).status == 403


async def test_new_data_shows_with_the_next_poll(quick_polls: None, api: Api, load_shop: LoadShop) -> None:
    assert (await api.get("/settings")).held().json["weightUnit"] == "kg"
    await load_shop(SHOP_TEXT.replace("weightUnit: kg", "weightUnit: lb"))

    async with asyncio.timeout(TIMEOUT):
        while (await api.get("/settings")).json["weightUnit"] == "kg":  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_revoking_a_key_leaves_others_active(api: Api, make_key: MakeKey, database: Database) -> None:
    other = api.with_key(await make_key())
    assert (await other.get("/settings")).status == 200

    await SqlKeyStore(database).revoke_key(str(other.key)[:16])
    await api.refresh()

    assert [(await each.get("/settings")).status for each in (other, api)] == [403, 200]


async def test_stored_fields_of_a_key(make_key: MakeKey, database: Database) -> None:
    key = await make_key(test=True, scopes=("embed",), origins=("https://shop.example",), rate_limit=7)

    row = (await rows(database, api_keys))[-1]
    row.pop("id"), row.pop("shop_id")
    assert row == {
        "digest": digest(key),
        "prefix": key[:16],
        "label": "test",
        "test": True,
        "scopes": '["embed"]',
        "origins": '["https://shop.example"]',
        "rate_limit": 7,
        "visitor_limit": None,
        "demo": False,
        "active": True,
        "created_at": int(START),
        "last_used_at": None,
    }
    assert not any(key in str(value) for value in row.values())


async def test_time_of_last_use_is_written_at_most_once_in_five_minutes(
    api: Api, database: Database, clock: FakeClock
) -> None:
    async def last_used() -> object:
        await api.client.app[AUTHENTICATION].last_use.write()
        return (await rows(database, api_keys))[0]["last_used_at"]

    assert await last_used() is None
    written = []
    for seconds in (0, 299, 1, 100, 250):
        clock.move(seconds)
        await api.get("/settings")
        written.append(await last_used())

    start = int(START)
    assert written == [start, start, start + 300, start + 300, start + 650]


# Guesses.


async def guess(api: Api, times: int, headers: Mapping[str, str] | None = None) -> list[int]:
    bad = [f"bnd_live_{number:043d}" for number in range(times)]
    return [(await api.with_key(key).get("/settings", headers)).status for key in bad]


async def test_thirty_guesses_per_minute_are_allowed(api: Api) -> None:
    assert await guess(api, 30) == [403] * 30

    refused = (await api.with_key(UNKNOWN_KEY).get("/settings")).held(429)

    assert refused.code == "rate_limited"
    assert 1 <= int(refused.headers["Retry-After"]) <= 2
    assert "RateLimit" not in refused.headers


async def test_missing_and_malformed_keys_count_as_guesses(api: Api) -> None:
    statuses = [(await sent(api, authorization)).status for authorization in [None, "Basic x", "Bearer x"] * 11]

    assert statuses == [403] * 30 + [429] * 3


async def test_simultaneous_guesses_are_counted(api: Api) -> None:
    responses = await asyncio.gather(*(guess(api, 1) for _ in range(100)))

    assert sorted(responses) == [[403]] * 30 + [[429]] * 70


async def test_guesses_refill_with_time(api: Api, clock: FakeClock) -> None:
    await guess(api, 31)

    clock.move(2.1)
    assert await guess(api, 2) == [403, 429]
    clock.move(60)
    assert await guess(api, 31) == [403] * 30 + [429]


async def test_known_key_is_not_refused_for_its_neighbours_guesses(api: Api) -> None:
    await guess(api, 31)

    assert (await api.get("/settings")).status == 200
    assert (await sent(api, f"bearer {api.key}")).status == 200  # a new spelling of the header, but not a guess


async def test_only_invalid_keys_count_as_guesses(api: Api, make_key: MakeKey) -> None:
    """Only invalid keys count as guesses: neither forty requests refused for other reasons nor forty new keys do."""
    embed_only = api.with_key(await make_key(scopes=("embed",)))
    bound = api.with_key(await make_key(origins=ORIGINS))
    for _ in range(20):
        assert (await embed_only.get("/settings")).status == 403
        assert (await bound.get("/settings", {"Origin": "https://evil.example"})).status == 403
    for _ in range(40):
        assert (await api.with_key(await make_key()).get("/settings")).status == 200

    assert await guess(api, 31) == [403] * 30 + [429]


async def test_address_that_guesses_too_much_cannot_try_new_keys(api: Api, make_key: MakeKey) -> None:
    """A client address that has guessed keys too often can use a new key only after the process has loaded the key from the
    database, at most two seconds after the key was created."""
    await guess(api, 30)
    fresh = api.with_key(await make_key())
    assert (await fresh.get("/settings")).status == 429

    await api.refresh()

    assert (await fresh.get("/settings")).status == 200


async def test_revoked_key_counts_as_a_guess(api: Api, database: Database) -> None:
    await SqlKeyStore(database).revoke_key(str(api.key)[:16])
    await api.refresh()

    assert [(await api.get("/settings")).status for _ in range(31)] == [403] * 30 + [429]


async def test_preflights_do_not_count_as_guesses(api: Api) -> None:
    asked = {"Origin": "https://shop.example", "Access-Control-Request-Method": "GET"}
    for _ in range(40):
        async with api.client.options(f"{BASE}/settings", headers=asked) as response:
            assert response.status == 200

    assert await guess(api, 31) == [403] * 30 + [429]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "same"),
    [
        pytest.param(0, ["1.1.1.1", "2.2.2.2"], True, id="no proxy: what is said is not heard"),
        pytest.param(1, ["1.1.1.1", "2.2.2.2"], False, id="one proxy: two clients"),
        pytest.param(1, ["9.9.9.9, 1.1.1.1", "8.8.8.8, 1.1.1.1"], True, id="one proxy: the rightmost counts"),
        pytest.param(1, ["1.1.1.1, 9.9.9.9", "1.1.1.1, 8.8.8.8"], False, id="one proxy: what stands left does not"),
        pytest.param(2, ["1.1.1.1, 9.9.9.9", "1.1.1.1, 8.8.8.8"], True, id="two proxies: the second from the right"),
        pytest.param(2, ["7.7.7.7, 1.1.1.1, 9.9.9.9", "6.6.6.6, 2.2.2.2, 9.9.9.9"], False, id="two proxies: two clients"),
        pytest.param(1, ["", " , "], True, id="nothing said: the peer"),
    ],
)  # fmt: skip
async def test_guesses_are_counted_by_client_address(
    make_api: MakeApi, settings: Settings, proxies: int, forwarded: list[str], same: bool
) -> None:
    api = await make_api(settings=replace(settings, trusted_proxies=proxies))
    first, second = ({"X-Forwarded-For": addresses} for addresses in forwarded)

    assert await guess(api, 31, first) == [403] * 30 + [429]
    assert await guess(api, 1, second) == [429 if same else 403]


# What is written to logs and disk.


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_key_is_never_logged_or_written(api: Api, tmp_path: Path) -> None:
    with logs() as written:
        await api.get("/settings")
        await sent(api, f"Bearer {api.key}x")
        await api.get("/bundles/0")
        (await api.post("/bundles/20/configure", configure_body("1001@1"))).held()

    key = str(api.key)
    lines = [line for line in written.lines if line["path"].startswith(BASE)]
    assert [line["key"] for line in lines] == [key[:16], None, key[:16], key[:16]]
    assert key[16:] not in str(lines)
    assert key[16:].encode() not in everything_in(tmp_path)
