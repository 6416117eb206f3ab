"""Finds faults in the plugin's webhooks, and in the service's access to the orders that they refer to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.domain.live_platform.connection import ConnectionFault, PlatformConnection
from bundlesvc.domain.shop import PlatformLink
from bundlesvc.platforms.calls.call_errors import Denied
from bundlesvc.platforms.calls.concurrent_calls import gather_all
from bundlesvc.platforms.vendure.orders import order_channels
from bundlesvc.platforms.vendure.replies import NO_CHANNEL, QueryRefused
from bundlesvc.platforms.vendure.session import READ_ORDERS, Session

CODE = "webhooks"
LATE = 60
"""Seconds after which an undelivered webhook counts as a fault."""

_OPTION = "Give the plugin the `webhooks` option, and start Vendure again."
_ADD = "Give the plugin what this prints, and start Vendure again: bundlesvc platform secret add --shop {handle}"


@dataclass(frozen=True, slots=True)
class QueuedWebhooks:
    """The state of the webhook queue: the number of waiting webhooks, the time of the oldest (seconds since 1970), why the last
    attempt failed, and when a webhook was last delivered."""

    waiting: int
    waiting_since: float | None
    failure: str | None
    delivered_at: str | None

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> Self:
        since = node["waitingSince"]
        waiting_since = None if since is None else datetime.fromisoformat(since).timestamp()
        return cls(int(node["waiting"]), waiting_since, node["failure"], node["deliveredAt"])


@dataclass(frozen=True, slots=True)
class PluginWebhooks:
    """The address to which the plugin sends webhooks, and the short name of the secret with which it signs them. `queue` is None
    when the plugin does not report its queue."""

    url: str
    secret_name: str
    queue: QueuedWebhooks | None


def webhooks_of(node: Mapping[str, Any]) -> PluginWebhooks:
    queue = node["queue"]
    return PluginWebhooks(str(node["url"]), str(node["secret"]), None if queue is None else QueuedWebhooks.of(queue))


def webhook_sentence(webhooks: PluginWebhooks | None) -> str:
    """Describe where webhooks are sent, and when the last one was delivered."""
    if webhooks is None:
        return ""
    delivered = webhooks.queue.delivered_at if webhooks.queue else None
    return f"webhooks are sent to {webhooks.url}; last delivered: {delivered or 'none'}"


def webhook_faults(
    webhooks: PluginWebhooks | None, path: str, connection: PlatformConnection, now: float
) -> Iterator[ConnectionFault]:
    """Check the address, the secret and the queue of the plugin's webhooks, and yield the faults. The address must end with this
    path, and the secret must be the connection's."""
    handle = path.rpartition("/")[2]
    for sentence, remedy in _sentences(webhooks, path, connection, now):
        yield ConnectionFault(CODE, sentence, remedy.format(handle=handle))


def _sentences(
    webhooks: PluginWebhooks | None, path: str, connection: PlatformConnection, now: float
) -> Iterator[tuple[str, str]]:
    if webhooks is None:
        yield "the plugin sends no webhooks: changes show late, and orders do not come in.", _OPTION
        return
    if not webhooks.url.endswith(path):
        yield f"the plugin's webhooks go to {webhooks.url}, which is another shop's address.", _OPTION
    yield from _secret_sentences(webhooks.secret_name, connection)
    if webhooks.queue:
        yield from _queue_sentences(webhooks.queue, now)


def _secret_sentences(signed_with: str, connection: PlatformConnection) -> Iterator[tuple[str, str]]:
    if not connection.webhook_secret:
        yield "this service has no secret for webhooks, so it refuses them.", _ADD
    elif connection.previous_secret and signed_with == key_name(connection.previous_secret):
        yield "the plugin signs webhooks with the old secret.", "Give it the new one, and start Vendure again."
    elif signed_with != key_name(connection.webhook_secret):
        yield "the plugin signs webhooks with another secret, so they are refused.", _ADD


def _queue_sentences(queue: QueuedWebhooks, now: float) -> Iterator[tuple[str, str]]:
    if not queue.waiting or queue.waiting_since is None or now - queue.waiting_since < LATE:
        return
    since = datetime.fromtimestamp(queue.waiting_since, UTC).isoformat(timespec="seconds")
    named = f"webhooks have not been delivered since {since}; waiting: {queue.waiting}"
    if queue.failure:
        yield f"{named}: {queue.failure}.", "Correct this: the plugin tries again by itself."
    else:
        yield f"{named}.", "Start Vendure's worker, which sends them."


async def order_faults(session: Session, link: PlatformLink) -> Sequence[ConnectionFault]:
    """Return a fault for each channel in which the shop's key is not allowed to read orders."""
    tokens = order_channels(link)
    may_read = await gather_all(_may_read_orders(session.in_channel(token)) for token in tokens)
    remedy = "Add it to the role of the key's user, in this channel."
    return [
        ConnectionFault(
            CODE,
            f"the key lacks the permission {READ_ORDERS} in {f'the channel {token}' if token else 'the default channel'}: "
            "orders do not come in.",
            remedy,
        )
        for token, may in zip(tokens, may_read, strict=True)
        if not may
    ]


async def _may_read_orders(session: Session) -> bool:
    """Find out whether the key may read orders, by reading one. Returns True when the channel does not exist, because a missing
    channel is reported as a different fault."""
    try:
        await session.attempt("order", explained=NO_CHANNEL, id="0")
    except Denied:
        return False
    except QueryRefused:
        return True
    return True
