"""Mounts the endpoints for orders, verdicts and refund quotes, together with the background tasks that orders need."""

from aiohttp import web

from bundlesvc.api import app_keys
from bundlesvc.api.manage.orders.routes import OrderServices, add_orders
from bundlesvc.lifecycle import polling, repeating
from bundlesvc.mounting.service import Service
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.platform_orders import PlatformOrderIntake
from bundlesvc.services.orders.reading import Orders
from bundlesvc.services.orders.refunds import RefundQuotes
from bundlesvc.services.orders.subscriptions import SubscriptionEnds
from bundlesvc.serving.background import EXPIRY_SECONDS, GHOST_COUNT_SECONDS
from bundlesvc.storage.orders.deliveries import SqlSubscriptionStates
from bundlesvc.storage.orders.inbox import SqlOrderInbox, record_notices
from bundlesvc.storage.orders.orders import SqlOrderStore

ORDER_STORE = web.AppKey("order_store", SqlOrderStore)


def mount_orders(service: Service) -> None:
    app, settings, adapters, core = service.app, service.settings, service.adapters, service.core
    store = app[ORDER_STORE] = SqlOrderStore(adapters.database)
    inbox, states = SqlOrderInbox(adapters.database), SqlSubscriptionStates(adapters.database)
    ends = SubscriptionEnds(states, adapters.clock, settings.subscription_days)
    intake = OrderIntake(store, adapters.platform, service.discounts)
    adapters.changes.record_notices = record_notices
    services = OrderServices(
        intake,
        Orders(store),
        RefundQuotes(store, adapters.configured, adapters.shops, core.price_selection),
        PlatformOrderIntake(inbox, adapters.live.order_readers, core.tenants, intake, states, adapters.clock),
    )
    add_orders(app, service.manage, services, adapters.shop_labels)
    app[app_keys.BACKGROUND] += [
        polling("reading the orders of platforms", services.platform_orders.run),
        repeating("the count of orders to read", GHOST_COUNT_SECONDS, services.platform_orders.count),
        repeating("the end of subscriptions without an order", EXPIRY_SECONDS, ends.run),
    ]
