"""A live platform as the service mounts it: products, webhooks, and the resources that must be open while it serves."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.ports import AppInspection, AppInstallation, Clock, CredentialStore, OwnUpdates, Platform, WebhookReader
from bundlesvc.ports.platform_bundles import PlatformBundles
from bundlesvc.ports.product_search import ProductSearch


class LivePlatform(Platform, AppInstallation, Protocol):
    """The shops of one live platform."""

    def client_states(self) -> Iterator[ClientState]:
        """The state of the client of each shop that was called, for the metrics."""

    async def aclose(self) -> None:
        """Cancel calls in progress."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A live platform. `kind` is its name in shop files; `webhooks` the format of its webhooks;
    `opened` returns the context in which its shops can be called, and `inspection` the checks for `doctor`. `orders` makes what
    reads the platform's orders, and `refunds` what asks it for the refund that it would suggest, of types that only the
    capability for orders knows (`PlatformOrders`, `RefundSuggestions` in `ports/orders.py`); None when it has none.
    `search` makes what finds its products, for the management API, and `bundles` what reads its own bundles; None when it has
    none."""

    kind: str
    platform: LivePlatform
    webhooks: WebhookReader
    opened: Callable[[], AbstractAsyncContextManager[None]]
    inspection: Callable[[], AppInspection]
    search: Callable[[], ProductSearch]
    orders: Callable[[], Any] | None = None
    refunds: Callable[[], Any] | None = None
    bundles: Callable[[], PlatformBundles] | None = None


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The parts of the service that every live platform is built from. `timeout`: seconds that one session with a shop may
    take. `endpoint`: the address of a stand-in that serves all shops; None in production. `addresses`: by kind, the address of
    a platform that serves all its shops at one address instead of at their domains."""

    connections: CredentialStore
    own_updates: OwnUpdates | None
    clock: Clock
    timeout: float
    endpoint: str | None
    addresses: Mapping[str, str] = field(default_factory=dict)
    statistics: CallStatistics = field(default_factory=CallStatistics)
