"""An attacker knows or guesses the id of a configured bundle, and wants to read the selection of another shopper.

Reading it requires the unique id found in the bundle's cart lines. Without that, the response is the same 404 as for an unknown
id, and costs the service the same work. The text version of the contents, which `POST /content` returns for an id alone, contains
only variant names."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from bundlesvc.domain.shop import Tenant
from bundlesvc.services.access.authentication import GUESSES_PER_MINUTE
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from tests.api.conftest import Api, MakeApi, Response
from tests.api.selection import configure_body
from tests.attacks.visitors import ORIGIN, Visitor, page_key
from tests.conftest import MakeKey

WRONG = "0" * 32
EMAIL = "mira@mail.example"
SUBSCRIPTION = {"id": 7, "frequency": 1, "unit": "month", "email": EMAIL}


class Victim(NamedTuple):
    """A bundle that a shopper has configured."""

    id: int
    unique: str

    def path(self, **changes: object) -> str:
        known = {"id": self.id, "unique": self.unique, **changes}
        return f"/configured-bundles/{known['id']}?unique={known['unique']}"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, trusted_proxies=1)


@pytest.fixture
async def victim(api: Api) -> Victim:
    body = configure_body("1001@1*2", "2001@2", subscription=SUBSCRIPTION)
    made = (await api.post("/bundles/50/configure", body)).held().json
    return Victim(made["configured_bundle_id"], made["cart"]["line_items"][0]["properties"]["_bundle_data"][-32:])


def alike(responses: Sequence[Response]) -> bool:
    """Whether responses differ only in the request id, the date and the rate limits."""
    own = ("X-Request-Id", "Date", "Ratelimit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
    headers = [
        {name: value for name, value in each.headers.items() if name.lower() not in map(str.lower, own)}
        for each in responses
    ]
    bodies = [{**each.json, "requestId": ""} for each in responses]
    return all(each == headers[0] for each in headers) and all(each == bodies[0] for each in bodies)


async def test_every_wrong_request_gets_the_same_404(api: Api, other_api: Api, victim: Victim) -> None:
    unknown = await api.get(victim.path(id=victim.id - 1))
    refused = [
        await api.get(victim.path(unique=WRONG)),
        await api.get(victim.path(unique=victim.unique.upper())),
        await api.get(victim.path(unique=victim.unique[:-1])),
        await api.get(victim.path(unique=victim.unique + "0")),
        await api.get(victim.path(unique="")),
        await api.get(victim.path(unique="-" * 32)),
        await api.get(victim.path(unique="%C3%A9" * 16)),
        await api.get(victim.path(unique="%00" * 32)),
        await api.get(victim.path(unique="%ED%A0%80" * 32)),
        await api.get(victim.path(unique="%FF" * 32)),
        await api.get(f"/configured-bundles/{victim.id}"),
        await api.get(victim.path(id="0")),
        await api.get(victim.path(id="1'--")),
        await api.get(victim.path(id="9" * 40)),
        await api.get(victim.path(id=f"0{victim.id}")),
        await other_api.get(victim.path()),
    ]

    assert [each.status for each in refused] == [404] * len(refused)
    assert alike([unknown, *refused])
    assert (await api.get(victim.path())).status == 200


async def test_right_unique_id_of_another_bundle_reveals_nothing(api: Api, victim: Victim) -> None:
    made = (await api.post("/bundles/50/configure", configure_body("1001@1", subscription=SUBSCRIPTION))).held().json
    own = Victim(made["configured_bundle_id"], made["cart"]["line_items"][0]["properties"]["_bundle_data"][-32:])

    assert (await api.get(own.path())).status == 200
    assert (await api.get(victim.path(unique=own.unique))).status == 404


async def test_unknown_and_wrong_take_the_same_way(api: Api, victim: Victim, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong unique id causes the same calls to the store as an unknown id, so timing reveals nothing."""
    calls: list[str] = []
    for name in ("unique_id", "selection"):
        monkeypatch.setattr(SqlConfiguredStore, name, counted(name, calls))

    async def way(path: str) -> list[str]:
        calls.clear()
        await api.get(path)
        return [*calls]

    paths = (victim.path(unique=WRONG), victim.path(id=1), victim.path(id="x"), victim.path(unique=""))
    assert [await way(path) for path in paths] == [["unique_id"]] * len(paths)
    assert await way(victim.path()) == ["unique_id", "selection"]


def counted(name: str, calls: list[str]) -> Any:
    """Wrap a method of the store to record its calls."""
    method = getattr(SqlConfiguredStore, name)

    async def call(store: SqlConfiguredStore, tenant: Tenant, configured_bundle_id: int) -> Any:
        calls.append(name)
        return await method(store, tenant, configured_bundle_id)

    return call


async def test_the_subscribers_address_is_not_in_the_response(api: Api, victim: Victim) -> None:
    response = (await api.get(victim.path())).held()

    assert response.json["selection"]["subscription"] == {"id": 7, "frequency": 1, "unit": "month"}
    assert b"@" not in response.body


async def test_guesses_are_limited_by_address_and_the_right_one_is_not(
    make_api: MakeApi, make_key: MakeKey, victim: Victim, api: Api
) -> None:
    page = api.with_key(await page_key(make_key))
    attacker, shopper = Visitor(page, "203.0.113.7"), Visitor(page, "203.0.113.8")

    guesses = [await attacker.get(victim.path(unique=f"{number:032x}")) for number in range(GUESSES_PER_MINUTE + 5)]

    assert [each.status for each in guesses] == [404] * GUESSES_PER_MINUTE + [429] * 5
    assert "Retry-After" in guesses[-1].headers
    assert (await shopper.get(victim.path(unique=WRONG))).status == 404
    assert (await attacker.get(victim.path())).status == 200  # whoever knows the address need not guess


async def test_a_key_needs_a_scope_and_the_pages_origin(api: Api, make_key: MakeKey, victim: Victim) -> None:
    page = api.with_key(await page_key(make_key))

    assert (await page.get(victim.path(), {"Origin": ORIGIN})).status == 200
    assert (await page.get(victim.path(), {"Origin": "https://evil.example"})).code == "origin_not_allowed"
    assert (await api.with_key(None).get(victim.path())).code == "key_invalid"


async def test_a_page_key_opens_no_other_path_of_the_main_api(api: Api, make_key: MakeKey, victim: Victim) -> None:
    page = api.with_key(await page_key(make_key))
    for path in ("/bundles", "/settings", "/configured-bundles/../bundles", f"/configured-bundlesx/{victim.id}"):
        assert (await page.get(path, {"Origin": ORIGIN})).code in ("key_scope", "not_found")
    assert (await page.get("/bundles", {"Origin": ORIGIN})).code == "key_scope"
