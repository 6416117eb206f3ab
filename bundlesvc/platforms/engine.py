"""What the service needs from a live platform: products, webhooks, and the resources that must stay open while the service
runs."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.ports import AppInspection, AppInstallation, Clock, CredentialStore, OwnUpdates, Platform, WebhookReader
from bundlesvc.ports.platform_bundles import PlatformBundles
from bundlesvc.ports.product_search import ProductSearch


class LivePlatform(Platform, AppInstallation, Protocol):
    """The adapter of one live platform, for all shops on it."""

    def client_states(self) -> Iterator[ClientState]:
        """Yield the client state of each shop whose platform has been called, for the metrics."""

    async def aclose(self) -> None:
        """Cancel the calls to the platform that are in progress."""


@dataclass(frozen=True, slots=True)
class Engine:
    """What the service needs from a live platform. `kind` is the platform's name in shop files; `webhooks` reads the webhooks
    that it sends. `opened` returns a context manager; the platform's API can be called only inside it. `inspection` creates the
    checks for `doctor`. `orders` creates the reader of the platform's orders, and `refunds` the client that requests the refunds
    that the platform suggests; they are typed as Any here, because only the orders capability uses their types (`PlatformOrders`,
    `RefundSuggestions` in `ports/orders.py`). `search` creates the product search of the management API, and `bundles` the reader
    of the platform's own bundles. `orders`, `refunds` and `bundles` are None when the platform does not support them."""

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
    """The parts of the service from which every live platform is built. `timeout` is the number of seconds that one session with
    a shop may take. `endpoint` is the address of a stand-in that serves all shops; None in production. `addresses` contains the
    addresses of platforms that serve all shops at one address instead of at the shops' own domains, by kind."""

    connections: CredentialStore
    own_updates: OwnUpdates | None
    clock: Clock
    timeout: float
    endpoint: str | None
    addresses: Mapping[str, str] = field(default_factory=dict)
    statistics: CallStatistics = field(default_factory=CallStatistics)
