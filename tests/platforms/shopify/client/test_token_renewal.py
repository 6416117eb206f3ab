"""Access tokens of an app with a client ID: fetched when needed, and renewed before they expire, with one request for all
callers."""

import asyncio
import logging
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    StorageUnavailable,
    Unavailable,
)
from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.client.token_renewal import PAUSE, PAUSE_AFTER_REFUSAL, PAUSE_WHILE_GOOD
from bundlesvc.platforms.shopify.client.transport import HttpTransport
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.conftest import TIMEOUT
from tests.platforms.shopify.fakes import DOMAIN, TENANT, FakeConnections, FakeSleep
from tests.standin.app.apps import CLIENT_ID, TOKEN_SECONDS
from tests.standin.app.webhooks import SECRET
from tests.standin.faults import Answered, CutBefore, Fault, Held, refused, server_error
from tests.standin.server import ACCESS_TOKEN, TOKEN, Standin

NEVER_ASKED = PlatformConnection(DOMAIN, "", SECRET, ClientCredentials(CLIENT_ID))


def grant_of(connections: FakeConnections) -> ClientCredentials:
    assert connections.connection is not None
    assert connections.connection.grant is not None
    return connections.connection.grant


class Watched(FakeConnections):
    """A credential store whose changes can be awaited."""

    def __init__(self, connection: PlatformConnection) -> None:
        super().__init__(connection)
        self._changed = asyncio.Event()

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        replaced = await super().replace(tenant, old, new, now)
        self._changed.set()
        return replaced

    async def settled(self) -> None:
        """Wait until no token is being fetched."""
        async with asyncio.timeout(5):
            while grant_of(self).renewing_until:
                self._changed.clear()
                await self._changed.wait()


@pytest.fixture
def connections() -> Watched:
    return Watched(NEVER_ASKED)


def token_requests(standin: Standin) -> int:
    return standin.calls[ACCESS_TOKEN]


async def test_first_fetch_requests_a_token_and_stores_it(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin, clock: FakeClock
) -> None:
    standin.tokens.clear()
    assert (await platform.shop(TENANT)).currency == "EUR"
    granted = ClientCredentials(CLIENT_ID, clock.now(), clock.now() + TOKEN_SECONDS)
    assert connections.connection == PlatformConnection(DOMAIN, "standin-token-1", SECRET, granted)
    for _ in range(3):
        await platform.shop(TENANT)
    assert token_requests(standin) == 1
    assert len(connections.stored) == 2, "the claim, and the token"


@pytest.mark.usefixtures("instant_polls")
async def test_many_fetches_at_once_request_one_token(
    platform: ShopifyPlatform, neighbour: ShopifyPlatform, standin: Standin
) -> None:
    """Many concurrent calls request a single token, even across processes."""
    await asyncio.gather(*(process.shop(TENANT) for process in (platform, neighbour) * 50))
    assert token_requests(standin) == 1


async def test_token_is_renewed_early_and_nobody_waits(
    platform: ShopifyPlatform, connections: Watched, standin: Standin, clock: FakeClock
) -> None:
    await platform.shop(TENANT)
    clock.move(TOKEN_SECONDS * 0.74)
    await platform.shop(TENANT)
    assert token_requests(standin) == 1
    clock.move(TOKEN_SECONDS * 0.02)
    standin.fail_next(held := Held(), ACCESS_TOKEN)
    for _ in range(3):
        await platform.shop(TENANT)
    held.release()
    await standin.arrived(2, ACCESS_TOKEN)
    await connections.settled()
    assert token_requests(standin) == 2
    assert grant_of(connections).obtained_at == clock.now()


async def test_expired_token_is_replaced_by_the_next_fetch(
    platform: ShopifyPlatform, standin: Standin, clock: FakeClock
) -> None:
    for _ in range(3):
        assert (await platform.shop(TENANT)).currency == "EUR"
        clock.move(TOKEN_SECONDS - 10)
    assert token_requests(standin) == 3
    assert standin.calls["ShopSettings"] == 3, "no token that was about to expire was sent"


@pytest.mark.parametrize("seconds", [2, 40, 3600])
async def test_tokens_with_other_lifetimes(
    platform: ShopifyPlatform, standin: Standin, clock: FakeClock, seconds: int
) -> None:
    standin.app.token_seconds = seconds
    for _ in range(3):
        await platform.shop(TENANT)
    assert token_requests(standin) == 1
    clock.move(seconds)
    await platform.shop(TENANT)
    assert token_requests(standin) == 2


@pytest.mark.parametrize("lives", [None, "soon", 0, -5])
async def test_token_without_lifetime_is_valid_for_a_day(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin, clock: FakeClock, lives: object
) -> None:
    response = {"access_token": TOKEN} | ({"expires_in": lives} if lives is not None else {})
    standin.fail_next(Answered(200, response), ACCESS_TOKEN)
    await platform.shop(TENANT)
    assert grant_of(connections).expires_at == clock.now() + 86_400


class TestRefused:
    """The shop revoked the token before it expired."""

    async def test_new_token_is_requested_at_once(
        self, platform: ShopifyPlatform, standin: Standin, clock: FakeClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        await platform.shop(TENANT)
        clock.move(100)
        standin.app.withdraw_tokens()
        assert (await platform.shop(TENANT)).currency == "EUR"
        assert token_requests(standin) == 2
        assert standin.calls["ShopSettings"] == 3
        assert caplog.messages == [], "no need to log it"

    @pytest.mark.usefixtures("instant_polls")
    async def test_many_fetches_at_once_request_one_new_token(
        self, platform: ShopifyPlatform, neighbour: ShopifyPlatform, standin: Standin, clock: FakeClock
    ) -> None:
        await platform.shop(TENANT)
        clock.move(100)
        standin.app.withdraw_tokens()
        await asyncio.gather(*(process.shop(TENANT) for process in (platform, neighbour) * 20))
        assert token_requests(standin) == 2

    async def test_new_token_of_another_process_is_used(
        self, platform: ShopifyPlatform, neighbour: ShopifyPlatform, standin: Standin, clock: FakeClock
    ) -> None:
        """A new token that another process fetched is used, even if each new token invalidates all earlier tokens."""
        standin.app.outdates = True
        inquiry = await platform.sessions.open(TENANT)
        clock.move(PAUSE_AFTER_REFUSAL)
        await neighbour.sessions.renew_token(TENANT)
        assert (await inquiry.run("shop_settings"))["shop"]
        assert token_requests(standin) == 2

    async def test_failed_renewal_is_retried_soon(
        self, platform: ShopifyPlatform, standin: Standin, clock: FakeClock
    ) -> None:
        """A failed renewal is retried soon, although the refused token would not expire for hours."""
        await platform.shop(TENANT)
        clock.move(100)
        standin.app.withdraw_tokens()
        standin.fail_next(server_error(503), ACCESS_TOKEN)
        with pytest.raises(PlatformUnavailable):
            await platform.shop(TENANT)
        clock.move(PAUSE_AFTER_REFUSAL)
        assert (await platform.shop(TENANT)).currency == "EUR"

    async def test_shop_that_refuses_every_token_gets_few_requests(
        self, platform: ShopifyPlatform, standin: Standin, clock: FakeClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        await platform.shop(TENANT)
        clock.move(100)
        standin.fail_next(refused(401), "ShopSettings", times=None)
        for _ in range(20):
            with pytest.raises(PlatformNotConnected):
                await platform.shop(TENANT)
        assert token_requests(standin) == 2
        assert len(caplog.messages) == 1
        assert "the access token is refused: connect the shop again (HTTP 401 [API] Invalid" in caplog.messages[0]
        standin.heal()
        clock.move(PAUSE_AFTER_REFUSAL)
        assert (await platform.shop(TENANT)).currency == "EUR"

    async def test_fixed_token_stays_refused(
        self, platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
    ) -> None:
        connections.connection = PlatformConnection(DOMAIN, "withdrawn", SECRET)
        with pytest.raises(PlatformNotConnected):
            await platform.shop(TENANT)
        assert (token_requests(standin), standin.calls["ShopSettings"]) == (0, 1)

    async def test_fixed_token_that_was_replaced_meanwhile_is_used(
        self, platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
    ) -> None:
        connections.connection = PlatformConnection(DOMAIN, "withdrawn", SECRET)
        inquiry = await platform.sessions.open(TENANT)
        connections.connection = PlatformConnection(DOMAIN, TOKEN, SECRET)
        assert (await inquiry.run("shop_settings"))["shop"]


class TestARefusedApp:
    @pytest.mark.parametrize(
        ("changes", "logged"),
        [
            ({"client_id": "other"}, "the platform does not know an app with this client ID"),
            ({"client_secret": "other"}, "the client ID or the client secret is refused"),
            ({"installed": False}, "the app is not installed in this shop: install it there"),
            ({"same_organization": False}, "app and shop belong to different organizations"),
        ],
    )
    async def test_refusal_is_logged_once_with_the_fix(
        self,
        platform: ShopifyPlatform,
        connections: FakeConnections,
        standin: Standin,
        caplog: pytest.LogCaptureFixture,
        changes: dict[str, object],
        logged: str,
    ) -> None:
        caplog.set_level(logging.DEBUG, "bundlesvc")
        standin.app = replace(standin.app, **changes)  # type: ignore[arg-type]
        for _ in range(5):
            with pytest.raises(PlatformNotConnected) as raised:
                await platform.shop(TENANT)
            assert raised.value.retry_after == 5
        (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("bundlesvc")]
        assert line.startswith(f"{DOMAIN}: {logged}")
        assert "(HTTP 400 " in line
        assert SECRET not in line
        assert token_requests(standin) == 1, "no second request at once"
        assert standin.calls["ShopSettings"] == 0
        assert grant_of(connections).renewing_until == 0

    async def test_token_is_requested_again_after_a_pause(
        self, platform: ShopifyPlatform, standin: Standin, clock: FakeClock
    ) -> None:
        standin.app.installed = False
        for _ in range(3):
            with pytest.raises(PlatformNotConnected):
                await platform.shop(TENANT)
            clock.move(PAUSE_AFTER_REFUSAL)
        assert token_requests(standin) == 3
        standin.app.installed = True
        assert (await platform.shop(TENANT)).currency == "EUR"

    async def test_connecting_again_takes_effect_at_once(
        self, platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
    ) -> None:
        connections.connection = PlatformConnection(DOMAIN, "", "wrong-secret", ClientCredentials(CLIENT_ID))
        with pytest.raises(PlatformNotConnected):
            await platform.shop(TENANT)
        connections.connection = NEVER_ASKED
        assert (await platform.shop(TENANT)).currency == "EUR"

    async def test_connecting_again_during_a_token_request(
        self, platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
    ) -> None:
        standin.fail_next(held := Held(), ACCESS_TOKEN)
        early = asyncio.create_task(platform.shop(TENANT))
        await standin.arrived(1, ACCESS_TOKEN)
        connections.connection = PlatformConnection(DOMAIN, TOKEN, "newer-secret")
        assert (await platform.shop(TENANT)).currency == "EUR"
        held.release()
        assert (await early).currency == "EUR"
        assert connections.connection == PlatformConnection(DOMAIN, TOKEN, "newer-secret"), (
            "the new connection is not overwritten"
        )

    async def test_html_page_instead_of_json(
        self, platform: ShopifyPlatform, standin: Standin, caplog: pytest.LogCaptureFixture
    ) -> None:
        page = b"<html><title>400 - Oauth error app_not_installed</title>"
        standin.fail_next(Answered(400, page, {"Content-Type": "text/html"}), ACCESS_TOKEN)
        with pytest.raises(PlatformNotConnected):
            await platform.shop(TENANT)
        assert "the app is not installed in this shop" in caplog.messages[0]
        assert "(HTTP 400 app_not_installed)" in caplog.messages[0]


@pytest.mark.parametrize(
    ("fault", "raised", "logged"),
    [
        (server_error(500), PlatformFailed, "fetching an access token fails"),
        (server_error(503), PlatformUnavailable, "fetching an access token fails"),
        (server_error(504), PlatformTimeout, "fetching an access token fails"),
        (CutBefore(), PlatformUnavailable, "fetching an access token fails"),
        (Answered(429, b"", {"Retry-After": "7"}), PlatformUnavailable, ""),
        (refused(402), PlatformUnavailable, "the shop is frozen"),
        (refused(404), PlatformFailed, "there is no shop"),
        (Answered(200, {"access_token": ""}), PlatformFailed, "contains no token"),
        (Answered(200, {"access_token": "two\nlines"}), PlatformFailed, "contains no token"),
        (Answered(200, {"access_token": 7}), PlatformFailed, "contains no token"),
        (Answered(200, b"<html>"), PlatformFailed, "contains no token"),
        (Answered(302, b"", {"Location": "https://evil.example"}), PlatformFailed, "unexpected response"),
    ],
)
async def test_token_endpoint_that_fails_and_recovers(
    platform: ShopifyPlatform,
    standin: Standin,
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
    fault: Fault,
    raised: type[Unavailable],
    logged: str,
) -> None:
    standin.fail_next(fault, ACCESS_TOKEN)
    with pytest.raises(raised):
        await platform.shop(TENANT)
    with pytest.raises(raised):
        await platform.shop(TENANT)
    assert token_requests(standin) == 1
    assert [logged in message for message in caplog.messages] == ([True] if logged else [])
    clock.move(PAUSE)
    assert (await platform.shop(TENANT)).currency == "EUR"


async def test_failed_renewal_is_not_noticed_while_the_old_token_is_valid(
    platform: ShopifyPlatform,
    connections: Watched,
    standin: Standin,
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "bundlesvc")
    await platform.shop(TENANT)
    clock.move(TOKEN_SECONDS * 0.8)
    standin.fail_next(server_error(503), ACCESS_TOKEN, times=None)
    for minute in range(3):
        for _ in range(5):
            await platform.shop(TENANT)
            await standin.arrived(2 + minute, ACCESS_TOKEN)
            await connections.settled()
        clock.move(PAUSE_WHILE_GOOD)
    assert token_requests(standin) == 4
    assert len(caplog.messages) == 1
    standin.heal()
    await platform.shop(TENANT)
    await standin.arrived(5, ACCESS_TOKEN)
    await connections.settled()
    assert caplog.messages[1:] == [f"{DOMAIN}: the platform responds again."]


async def test_process_that_dies_during_a_renewal_does_not_fail_others(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin, clock: FakeClock, sleep: FakeSleep
) -> None:
    connections.connection = replace(
        NEVER_ASKED, grant=ClientCredentials(CLIENT_ID, renewing_until=clock.now() + TIMEOUT / 2)
    )
    assert (await platform.shop(TENANT)).currency == "EUR"
    assert sum(sleep.waits) == pytest.approx(TIMEOUT / 2, abs=0.2)
    assert token_requests(standin) == 1


async def test_process_with_a_wrong_clock_blocks_nobody(
    platform: ShopifyPlatform, connections: FakeConnections, clock: FakeClock, sleep: FakeSleep
) -> None:
    connections.connection = replace(NEVER_ASKED, grant=ClientCredentials(CLIENT_ID, renewing_until=clock.now() + 3600))
    assert (await platform.shop(TENANT)).currency == "EUR"
    assert sleep.waits == []


async def test_token_endpoint_that_hangs_times_out(
    transport: HttpTransport, connections: FakeConnections, standin: Standin, clock: FakeClock, sleep: FakeSleep
) -> None:
    platform = ShopifyPlatform(AdminSessions(transport, connections, RetryPolicy(clock, sleep), 0.05), sleep)
    standin.fail_next(Held(), ACCESS_TOKEN, times=None)
    with pytest.raises(PlatformTimeout):
        await platform.shop(TENANT)


async def test_cancelled_client_does_not_cancel_the_token_request(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.fail_next(held := Held(), ACCESS_TOKEN)
    first, second = (asyncio.create_task(platform.shop(TENANT)) for _ in range(2))
    await standin.arrived(1, ACCESS_TOKEN)
    first.cancel()
    held.release()
    assert (await second).currency == "EUR"
    assert token_requests(standin) == 1


async def test_shutdown_cancels_renewals_in_progress(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
) -> None:
    standin.fail_next(Held(), ACCESS_TOKEN)
    fetching = asyncio.create_task(platform.shop(TENANT))
    await standin.arrived(1, ACCESS_TOKEN)
    await platform.aclose()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert grant_of(connections).renewing_until == 0, "another process need not wait"


class TestRenewing:
    """A token is renewed on request, as by `doctor`, which checks that a new token can be fetched, and not only that the current
    token is accepted."""

    async def test_valid_token_is_replaced(self, platform: ShopifyPlatform, standin: Standin) -> None:
        await platform.shop(TENANT)
        await platform.sessions.renew_token(TENANT)
        assert token_requests(standin) == 2

    async def test_revoked_secret_is_reported(
        self, platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
    ) -> None:
        await platform.shop(TENANT)
        standin.app.client_secret = "rotated"
        with pytest.raises(PlatformNotConnected):
            await platform.sessions.renew_token(TENANT)
        assert (await platform.shop(TENANT)).currency == "EUR", "the old token is still valid"

    async def test_fixed_token_stays(
        self, platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
    ) -> None:
        connections.connection = PlatformConnection(DOMAIN, TOKEN, SECRET)
        await platform.sessions.renew_token(TENANT)
        assert standin.requests == []


class Unwritable(FakeConnections):
    """A credential store in a read-only database."""

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        raise StorageUnavailable


async def test_read_only_database(
    transport: HttpTransport, standin: Standin, clock: FakeClock, sleep: FakeSleep
) -> None:
    """With a read-only database, no token is requested, because it could not be stored, and a valid token stays in use."""
    connections = Unwritable(NEVER_ASKED)
    platform = ShopifyPlatform(AdminSessions(transport, connections, RetryPolicy(clock, sleep), TIMEOUT), sleep)
    with pytest.raises(StorageUnavailable):
        await platform.shop(TENANT)
    assert standin.requests == []
    connections.connection = PlatformConnection(
        DOMAIN, TOKEN, SECRET, ClientCredentials(CLIENT_ID, clock.now() - 80, clock.now() + 20)
    )
    assert (await platform.shop(TENANT)).currency == "EUR"
    await platform.aclose()
