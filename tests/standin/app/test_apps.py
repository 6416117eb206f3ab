"""The stand-in issues access tokens to its shop's app, and accepts them like any other token."""

from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.fakes import FakeClock
from tests.standin.app.apps import CLIENT_ID, TOKEN_SECONDS
from tests.standin.app.webhooks import SECRET
from tests.standin.calling import Caller
from tests.standin.server import ACCESS_TOKEN, Standin

SHOP = "query ShopName { shop { name } }"
GOOD = {"grant_type": "client_credentials", "client_id": CLIENT_ID, "client_secret": SECRET}


async def request_token(standin: Standin, form: Mapping[str, str] = GOOD) -> tuple[int, Any]:
    """Request a token, and return the status and JSON body of the response."""
    headers = {"Accept": "application/json"}
    async with (
        ClientSession() as session,
        session.post(f"{standin.url}/admin/oauth/access_token", data=form, headers=headers) as response,
    ):
        return response.status, await response.json()


async def test_token_is_valid_for_a_day(call: Caller, standin: Standin, clock: FakeClock) -> None:
    standin.tokens.clear()
    status, given = await request_token(standin)
    assert (status, given["expires_in"]) == (200, TOKEN_SECONDS)
    assert (await call.using(token=given["access_token"])(SHOP)).data == {"shop": {"name": "Stand-in"}}
    clock.move(TOKEN_SECONDS)
    assert (await call.using(token=given["access_token"])(SHOP)).status == 401
    assert standin.calls == {ACCESS_TOKEN: 1, "ShopName": 2}
    assert given["access_token"] not in repr(standin.requests)


@pytest.mark.parametrize(("outdates", "status"), [(False, 200), (True, 401)])
async def test_earlier_tokens_after_a_new_one(call: Caller, standin: Standin, outdates: bool, status: int) -> None:
    standin.app.outdates = outdates
    (_, first), (_, second) = await request_token(standin), await request_token(standin)
    assert (await call.using(token=first["access_token"])(SHOP)).status == status
    assert (await call.using(token=second["access_token"])(SHOP)).status == 200


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"client_id": "other"}, "application_cannot_be_found"),
        ({"client_secret": "other"}, "invalid_client"),
        ({"client_secret": ""}, "invalid_client"),
    ],
)
async def test_refused_token_requests(standin: Standin, changed: Mapping[str, str], code: str) -> None:
    status, refusal = await request_token(standin, {**GOOD, **changed})
    assert (status, refusal["error"]) == (400, code)


async def test_apps_without_tokens(standin: Standin) -> None:
    standin.app.same_organization = False
    assert (await request_token(standin))[1]["error"] == "shop_not_permitted"
    standin.app.installed = False
    assert (await request_token(standin))[1]["error"] == "app_not_installed"


async def test_refusal_is_an_html_page_unless_json_is_accepted(standin: Standin) -> None:
    async with ClientSession() as session, session.post(f"{standin.url}/admin/oauth/access_token") as response:
        assert (response.status, response.content_type) == (400, "text/html")
        assert "Oauth error unsupported_grant_type" in await response.text()


async def test_scopes_of_the_app(call: Caller, standin: Standin) -> None:
    standin.missing_scopes.add("read_markets")
    scopes = "query Scopes { currentAppInstallation { accessScopes { handle } } }"
    handles = {scope["handle"] for scope in (await call(scopes)).data["currentAppInstallation"]["accessScopes"]}
    assert "read_products" in handles
    assert "read_markets" not in handles


async def test_refresh_token_is_replaced_and_ends_when_its_replacement_is_used(
    call: Caller, standin: Standin, clock: FakeClock
) -> None:
    """Until the new refresh token is used, repeating the refresh request returns the same response, because the first response
    may have been lost."""

    async def refresh(token: str) -> tuple[int, Any]:
        return await request_token(standin, GOOD | {"grant_type": "refresh_token", "refresh_token": token})

    first = standin.app.authorize()
    status, given = await refresh(first)
    assert (status, given["expires_in"], given["refresh_token_expires_in"]) == (200, 3600, 7_776_000)
    assert (await call.using(token=given["access_token"])(SHOP)).status == 200
    status, again = await refresh(first)
    assert (status, again["refresh_token"]) == (200, given["refresh_token"])
    assert (await refresh(given["refresh_token"]))[0] == 200
    status, refused = await refresh(first)
    assert (status, refused["error"]) == (400, "invalid_grant")
    clock.move(7_776_000)
    assert (await refresh(given["refresh_token"]))[0] == 400


async def test_two_secrets_are_valid_while_one_is_rotated(standin: Standin) -> None:
    new = GOOD | {"client_secret": "new"}
    assert (await request_token(standin, new))[0] == 400
    standin.app.other_secret = "new"
    assert (await request_token(standin, new))[0] == 200
    assert (await request_token(standin))[0] == 200
