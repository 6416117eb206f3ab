"""Mounts order events, which need both orders and outgoing webhooks."""

from bundlesvc.mounting.events import OUTBOX
from bundlesvc.mounting.orders import ORDER_STORE
from bundlesvc.mounting.service import Service
from bundlesvc.storage.events.orders import proven_recorder


def mount_order_events(service: Service) -> None:
    service.app[ORDER_STORE].also_recorded = proven_recorder(service.app[OUTBOX])
