"""Access tokens of an app that was installed with the authorization code grant. One process renews a token on behalf of all
processes, with a refresh token that is replaced by each renewal."""

import asyncio

import pytest

from bundlesvc.domain.errors import PlatformNotConnected, PlatformUnavailable, StorageUnavailable
from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.client.token_renewal import PAUSE_AFTER_REFUSAL
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.conftest import TIMEOUT
from tests.platforms.shopify.fakes import DOMAIN, TENANT, FakeConnections
from tests.standin.app.apps import CLIENT_ID, REFRESH_SECONDS, REFRESHED_SECONDS
from tests.standin.app.webhooks import SECRET
from tests.standin.faults import Answered, CutAfter
from tests.standin.server import ACCESS_TOKEN, TOKEN, Standin


class Failing(FakeConnections):
    """A credential store that cannot store new tokens while `fails` is set."""

    fails = False

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        if self.fails and new.access_token != old.access_token:
            raise StorageUnavailable
        return await super().replace(tenant, old, new, now)


@pytest.fixture
def connections(standin: Standin) -> Failing:
    """The credentials of an app that is authorised in the shop but has no access token yet."""
    standin.tokens.clear()
    return Failing(
        PlatformConnection(DOMAIN, "", SECRET, ClientCredentials(CLIENT_ID, refresh_token=standin.app.authorize()))
    )


def refresh_token(connections: FakeConnections) -> str:
    assert connections.connection is not None
    assert connections.connection.grant is not None
    return connections.connection.grant.refresh_token


async def test_token_and_refresh_token_are_stored_together(
    platform: ShopifyPlatform, connections: Failing, standin: Standin, clock: FakeClock
) -> None:
    first = refresh_token(connections)
    await platform.shop(TENANT)
    assert connections.connection is not None
    grant = connections.connection.grant
    assert grant is not None
    assert grant.expires_at == clock.now() + REFRESHED_SECONDS
    assert grant.refresh_token != first
    assert grant.refresh_token not in repr(connections.connection)
    assert len(connections.stored) == 2, "the claim, and both tokens"


async def test_tokens_are_renewed_for_a_year(
    platform: ShopifyPlatform, neighbour: ShopifyPlatform, standin: Standin, clock: FakeClock
) -> None:
    """Tokens can be renewed for a year: a refresh token is valid for 90 days, and is replaced before it expires."""
    for _ in range(5):
        for process in (platform, neighbour):
            assert (await process.shop(TENANT)).currency == "EUR"
        clock.move(REFRESH_SECONDS - 60)
    assert standin.calls[ACCESS_TOKEN] == 5


@pytest.mark.usefixtures("instant_polls")
async def test_many_fetches_of_two_processes_renew_once(
    platform: ShopifyPlatform, neighbour: ShopifyPlatform, standin: Standin, clock: FakeClock
) -> None:
    for count in (1, 2):
        await asyncio.gather(*(process.shop(TENANT) for process in (platform, neighbour) * 20))
        assert standin.calls[ACCESS_TOKEN] == count
        clock.move(REFRESHED_SECONDS)


async def test_lost_response_is_requested_again_with_the_same_refresh_token(
    platform: ShopifyPlatform, connections: Failing, standin: Standin, clock: FakeClock
) -> None:
    before = refresh_token(connections)
    standin.fail_next(CutAfter(), ACCESS_TOKEN)
    with pytest.raises(PlatformUnavailable):
        await platform.shop(TENANT)
    assert refresh_token(connections) == before
    clock.move(PAUSE_AFTER_REFUSAL)
    await platform.shop(TENANT)
    assert refresh_token(connections) != before


async def test_tokens_that_could_not_be_stored_are_requested_again(
    platform: ShopifyPlatform, neighbour: ShopifyPlatform, connections: Failing, standin: Standin, clock: FakeClock
) -> None:
    """Tokens that could not be stored are requested again by another process, once the claim of the first process has expired."""
    before = refresh_token(connections)
    connections.fails = True
    with pytest.raises(StorageUnavailable):
        await platform.shop(TENANT)
    assert refresh_token(connections) == before
    connections.fails = False
    clock.move(TIMEOUT)
    await neighbour.shop(TENANT)
    assert refresh_token(connections) != before
    assert standin.calls[ACCESS_TOKEN] == 2


async def test_expired_refresh_token_says_what_to_do(
    platform: ShopifyPlatform, connections: Failing, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    clock.move(REFRESH_SECONDS)
    for _ in range(3):
        with pytest.raises(PlatformNotConnected):
            await platform.shop(TENANT)
    (line,) = caplog.messages
    assert "authorize the app in the shop again, and connect with its new refresh token (HTTP 400 invalid_grant" in line
    assert refresh_token(connections) not in caplog.text
    assert SECRET not in caplog.text


async def test_shop_that_is_connected_again_works_at_once(
    platform: ShopifyPlatform, connections: Failing, standin: Standin, clock: FakeClock
) -> None:
    clock.move(REFRESH_SECONDS)
    with pytest.raises(PlatformNotConnected):
        await platform.shop(TENANT)
    grant = ClientCredentials(CLIENT_ID, refresh_token=standin.app.authorize())
    connections.connection = PlatformConnection(DOMAIN, "", SECRET, grant)
    assert (await platform.shop(TENANT)).currency == "EUR"


async def test_response_without_lifetime_and_refresh_token(
    platform: ShopifyPlatform, connections: Failing, standin: Standin, clock: FakeClock
) -> None:
    """If the response contains no lifetime, the token is assumed to be valid for an hour; if it contains no refresh token, the
    old refresh token is kept."""
    before = refresh_token(connections)
    standin.tokens.add(TOKEN)
    standin.fail_next(Answered(200, {"access_token": TOKEN}), ACCESS_TOKEN)
    await platform.shop(TENANT)
    assert connections.connection is not None
    assert connections.connection.grant == ClientCredentials(
        CLIENT_ID, clock.now(), clock.now() + REFRESHED_SECONDS, refresh_token=before
    )
