"""Ports for diagnosis only."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.shop import Tenant


class AppInspection(Protocol):
    """Inspects the app that connects a shop to this service, as the shop's platform sees it. Raises the same errors as
    `Platform`."""

    async def renew_token(self, tenant: Tenant) -> None:
        """Request a new token, to check that the shop still issues tokens to its app. A fixed token is left unchanged."""

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        """Compare the permissions of the app with those that these bundles need."""

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        """Return the state of the webhooks whose address has this path."""

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        """Check whether the shop's checkout applies native-bundle discounts that are encrypted with these keys."""


class RedisServer(Protocol):
    """A connection to Redis."""

    @property
    def name(self) -> str:
        """The name of the server in messages: its kind and location."""

    @property
    def up(self) -> bool:
        """Whether the last command to Redis got a response."""

    async def start(self) -> None:
        """Try to connect. A failure is logged, not raised."""

    async def aclose(self) -> None: ...


class TestedDatabase(Protocol):
    """The database, which can be checked with a test write."""

    async def try_writing(self) -> None:
        """Try a test write. Raises StorageUnavailable, and logs the reason as a warning."""


class LoggedWarnings(Protocol):
    """Collects the warnings that the service logs."""

    def take(self) -> Sequence[str]:
        """Return the warnings logged since the last call, each as one sentence without its full stop."""
