"""Sends an event to an endpoint: one POST, signed, without redirects."""

from aiohttp import ClientConnectorError, ClientError, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

from bundlesvc import __version__
from bundlesvc.domain.events.signature import signature
from bundlesvc.domain.events.url import is_address, is_public
from bundlesvc.event_delivery.public_addresses import PrivateAddress, PublicResolver
from bundlesvc.ports.events import AttemptResult, DueDelivery

TIMEOUT = 10.0
"""Timeout of the whole request, in seconds."""

PER_HOST = 4
"""The maximum number of connections to one host."""

LONGEST_FAILURE = 200

NO_SECRET = "no key in BUNDLESVC_SECRET_KEYS decrypts the secret of this endpoint"  # noqa: S105 - a message, not a secret


class HttpSender:
    """Implements the `WebhookSender` port over HTTP. It connects to private addresses only if that is allowed."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._session: ClientSession | None = None

    async def open(self) -> None:
        resolver = None if self._allow_private else PublicResolver()
        self._session = ClientSession(
            connector=TCPConnector(limit_per_host=PER_HOST, resolver=resolver),
            timeout=ClientTimeout(TIMEOUT),
            headers={"User-Agent": f"bundlesvc/{__version__}", "Content-Type": "application/json"},
            trust_env=False,
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(self, delivery: DueDelivery, now: int) -> AttemptResult:
        """Send a delivery, and return the result. Never raises, whatever the endpoint does."""
        if delivery.secret is None:
            return AttemptResult(None, NO_SECRET)
        url = URL(delivery.url)
        if not self._allow_private and is_address(url.host or "") and not is_public(url.host or ""):
            return AttemptResult(None, f"{url.host} is in a private network")
        headers = {
            "webhook-id": delivery.event_id,
            "webhook-timestamp": str(now),
            "webhook-signature": signature(delivery.secret, delivery.event_id, now, delivery.body),
        }
        return await self._post(url, delivery.body, headers)

    async def _post(self, url: URL, body: bytes, headers: dict[str, str]) -> AttemptResult:
        if self._session is None:
            return AttemptResult(None, "the service is stopping")
        try:
            async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as response:
                return AttemptResult(response.status)
        except TimeoutError:
            return AttemptResult(None, f"no response within {TIMEOUT:g} seconds")
        except ClientConnectorError as error:
            refused = isinstance(error.os_error, PrivateAddress)
            return AttemptResult(
                None, str(error.os_error) if refused else f"{type(error).__name__}: {error}"[:LONGEST_FAILURE]
            )
        except (ClientError, OSError, ValueError) as error:
            return AttemptResult(None, f"{type(error).__name__}: {error}"[:LONGEST_FAILURE])
