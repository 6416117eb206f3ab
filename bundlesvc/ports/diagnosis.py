"""Ports for diagnosis only."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.shop import Tenant


class AppInspection(Protocol):
    """The app that connects a shop with this service, as its platform sees it. Raises as a Platform does."""

    async def renew_token(self, tenant: Tenant) -> None:
        """Request a new token, which shows whether the shop still gives tokens to its app. A fixed token stays."""

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        """The permissions of the app, compared with those that these bundles need."""

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        """The webhooks that go to an address with this path."""

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        """Whether the shop's checkout takes off the discounts of native bundles encrypted with these keys."""


class RedisServer(Protocol):
    """A connection to Redis."""

    @property
    def name(self) -> str:
        """A name for messages: what it is, and where."""

    @property
    def up(self) -> bool:
        """Whether Redis responded last time."""

    async def start(self) -> None:
        """Try the connection. A failure is logged, and not raised."""

    async def aclose(self) -> None: ...


class TestedDatabase(Protocol):
    """The database, which a test write tries."""

    async def try_writing(self) -> None:
        """Make a test write. Raises StorageUnavailable; a logged warning gives the reason."""


class LoggedWarnings(Protocol):
    """The warnings that the service logs."""

    def take(self) -> Sequence[str]:
        """The warnings since the last call, each one sentence without its full stop."""
