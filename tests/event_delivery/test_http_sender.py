"""Each event is sent as one signed request, and never to a forbidden address."""

from collections.abc import AsyncIterator

import pytest

from bundlesvc.domain.events.signature import secret_text
from bundlesvc.domain.events.url import is_public
from bundlesvc.event_delivery import http_sender
from bundlesvc.event_delivery.http_sender import NO_SECRET, HttpSender
from bundlesvc.ports.events import AttemptResult, DueDelivery
from tests.event_delivery.receiver import Receiver, receiving

SECRET = secret_text(b"s" * 24)
NOW = 1_800_000_000


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        receiver.secret = SECRET
        yield receiver


@pytest.fixture
async def sender() -> AsyncIterator[HttpSender]:
    """A sender that may connect to private addresses, such as those of this machine."""
    sender = HttpSender(allow_private=True)
    await sender.open()
    yield sender
    await sender.close()


@pytest.fixture
async def public_sender() -> AsyncIterator[HttpSender]:
    sender = HttpSender(allow_private=False)
    await sender.open()
    yield sender
    await sender.close()


def delivery(url: str, secret: str | None = SECRET) -> DueDelivery:
    return DueDelivery(1, "evt_1", "demo", url, secret, b'{"type":"bundle.changed"}', 0)


async def test_request_is_signed(sender: HttpSender, receiver: Receiver) -> None:
    assert await sender.send(delivery(receiver.url), NOW) == AttemptResult(200)
    assert receiver.got == [("evt_1", {"type": "bundle.changed"})]


@pytest.mark.parametrize("status", [204, 302, 400, 410, 500])
async def test_status_is_reported_and_no_redirect_followed(sender: HttpSender, receiver: Receiver, status: int) -> None:
    receiver.status = status
    assert await sender.send(delivery(receiver.url), NOW) == AttemptResult(status)
    assert receiver.attempts == 1


async def test_endpoint_that_hangs_is_left(
    sender: HttpSender, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_sender, "TIMEOUT", 0.2)
    hasty = HttpSender(allow_private=True)
    await hasty.open()
    receiver.hangs = True
    sent = await hasty.send(delivery(receiver.url), NOW)
    await hasty.close()
    assert sent == AttemptResult(None, "no response within 0.2 seconds")


async def test_endpoint_that_is_away_is_reported(sender: HttpSender) -> None:
    sent = await sender.send(delivery("http://127.0.0.1:1/hooks"), NOW)
    assert sent.status is None
    assert "Connect" in (sent.failure or "")


async def test_nothing_is_sent_without_the_secret(sender: HttpSender, receiver: Receiver) -> None:
    assert await sender.send(delivery(receiver.url, None), NOW) == AttemptResult(None, NO_SECRET)
    assert receiver.attempts == 0


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.7", "169.254.169.254", "[::ffff:127.0.0.1]"]
)
async def test_private_addresses_are_refused(public_sender: HttpSender, receiver: Receiver, host: str) -> None:
    """Private addresses are refused even when they are behind a host name, or are IPv4 addresses written as IPv6 addresses."""
    sent = await public_sender.send(delivery(receiver.url.replace("127.0.0.1", host)), NOW)
    assert sent.status is None
    assert "private network" in (sent.failure or ""), sent
    assert receiver.attempts == 0


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("192.168.1.1", False),
        ("172.16.0.1", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) == public


async def test_sender_that_is_closed_sends_nothing() -> None:
    assert await HttpSender(allow_private=True).send(delivery("http://127.0.0.1:1/"), NOW) == AttemptResult(
        None, "the service is stopping"
    )
