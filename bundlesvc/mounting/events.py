"""Mounts outgoing webhooks."""

from collections.abc import AsyncIterator

from aiohttp import web

from bundlesvc.api import app_keys
from bundlesvc.event_delivery.http_sender import HttpSender
from bundlesvc.event_delivery.statistics import EventStatistics
from bundlesvc.lifecycle import CleanupContext, polling
from bundlesvc.mounting.service import Service
from bundlesvc.services.events.delivery import EventDelivery
from bundlesvc.storage.events.deliveries import SqlEventStore
from bundlesvc.storage.events.outbox import Outbox
from bundlesvc.token_cipher import credentials_cipher

OUTBOX = web.AppKey("outbox", Outbox)


def mount_events(service: Service) -> None:
    app, settings, adapters = service.app, service.settings, service.adapters
    cipher = credentials_cipher(settings.secret_keys)
    sender = HttpSender(allow_private=settings.webhooks_private)
    delivery = EventDelivery(SqlEventStore(adapters.database, cipher), sender, adapters.clock)
    outbox = app[OUTBOX] = Outbox(lambda: delivery.with_endpoints, adapters.clock)
    adapters.configured.also_inserted = outbox.configured
    app[app_keys.COLLECTORS].append(EventStatistics(delivery, adapters.shop_labels))
    app[app_keys.BACKGROUND] += [_opened(sender), polling("the delivery of events", delivery.run)]


def _opened(sender: HttpSender) -> CleanupContext:
    async def context(_: web.Application) -> AsyncIterator[None]:
        await sender.open()
        yield
        await sender.close()

    return context
