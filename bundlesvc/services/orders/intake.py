"""Receives orders: checks them, compares them with the promises made for their bundles, and stores them (docs/orders.md)."""

from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BUNDLE_FEE
from bundlesvc.domain.orders.judged import STORED, UNCHANGED, JudgedOrder
from bundlesvc.domain.orders.order import Order, OrderLine
from bundlesvc.domain.orders.order_checks import check_order, lines_of_other_shops, missing_rate
from bundlesvc.domain.orders.promises import Promises
from bundlesvc.domain.orders.proving.deliveries import with_marks
from bundlesvc.domain.orders.proving.proof import prove
from bundlesvc.domain.orders.proving.shop_checkout import ShopCheckout
from bundlesvc.domain.orders.proving.unknown_country import with_promised_country
from bundlesvc.domain.orders.refusals import OrderVersionReused
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import TokenCipher, TokenInvalid
from bundlesvc.ports.orders import OrderStore, ShopSettingsReader
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline

OWN_PROPERTIES = frozenset((BUNDLE_DATA, BUNDLE_FEE))
"""The line properties that are stored. Others may contain text written by shoppers."""


@dataclass(frozen=True, slots=True)
class IntakeResult:
    """The outcome of receiving an order: one of `RESULTS`, and the verdicts on the version of the order that was sent."""

    result: str
    judged: JudgedOrder


class OrderIntake:
    """Receives orders. `results` counts the orders by result and shop; `verdicts` counts the bundles of stored orders by verdict
    and shop."""

    def __init__(self, store: OrderStore, platform: ShopSettingsReader, discounts: TokenCipher) -> None:
        self._store = store
        self._platform = platform
        self._discounts = discounts
        self.results: Counter[tuple[str, str]] = Counter()
        self.verdicts: Counter[tuple[str, str]] = Counter()

    async def take(self, caller: Caller, sent: Order, rate: Decimal | None, deadline: RequestDeadline) -> IntakeResult:
        """Judge and store an order; for an order without a bundle, only the total is stored. An order sent with a test key is a
        test order. Raises OrderInvalid with every fault, OrderVersionReused, and what `Platform` and `OrderStore` raise."""
        tenant = caller.tenant
        currency = (await self._platform.shop(tenant, deadline)).currency
        order = replace(sent, rate=rate or Decimal(1), test=sent.test or caller.key.test)
        promises = await self._promises(tenant, order)
        without_rate = missing_rate(sent.currency, currency) if rate is None else ()
        check_order(order, currency, [*without_rate, *lines_of_other_shops(order, promises.foreign)])
        return await self._judge(tenant, order, promises, self._checkout(tenant, currency))

    async def take_read(self, tenant: Tenant, order: Order) -> IntakeResult:
        """Judge and store an order that was read from the shop's platform, including its exchange rate. The stored order is
        left unchanged if it already has this version, even if it came through the API, or if the new version changes nothing
        that is stored. An order without a country is judged as if it had been placed in the country of its promise. Shoppers
        can put the id of any configured bundle on an order line, so a configured bundle of another shop counts as an unknown
        promise. Raises what `take` raises, except OrderVersionReused."""
        checkout = self._checkout(tenant, (await self._platform.shop(tenant, NO_DEADLINE)).currency)
        placed = with_promised_country(order, checkout)
        if await self._says_the_same(tenant, placed):
            return self._unchanged(tenant, placed)
        check_order(placed, checkout.currency)
        try:
            return await self._judge(tenant, placed, await self._promises(tenant, placed), checkout)
        except OrderVersionReused:
            return self._unchanged(tenant, placed)

    async def _says_the_same(self, tenant: Tenant, order: Order) -> bool:
        """Whether the stored order equals this one, apart from its version number. If so, the platform has changed only data that
        is not stored."""
        stored = await self._store.order(tenant, order.id)
        return stored is not None and replace(stripped(order), version=stored.order.version) == stored.order

    def _unchanged(self, tenant: Tenant, order: Order) -> IntakeResult:
        self.results[UNCHANGED, tenant.shop.handle] += 1
        return IntakeResult(UNCHANGED, JudgedOrder(stripped(order), ()))

    async def _judge(self, tenant: Tenant, order: Order, promises: Promises, checkout: ShopCheckout) -> IntakeResult:
        order = with_marks(order, promises.marks)
        judged = JudgedOrder(stripped(order), prove(order, promises, checkout))
        result = await self._store.record(tenant, judged, order.bundles)
        self._count(tenant, result, judged)
        return IntakeResult(result, judged)

    async def _promises(self, tenant: Tenant, order: Order) -> Promises:
        marks = [(line, line.bundle_data) for line in order.lines]
        configured = {mark.configured_id for _, mark in marks if mark is not None}
        others = {line.variant_id for line, mark in marks if mark is None}
        contracts = {line.contract for line in order.lines if line.contract is not None}
        return await self._store.promises(tenant, configured, others, contracts)

    def _checkout(self, tenant: Tenant, currency: str) -> ShopCheckout:
        return ShopCheckout(tenant.shop.handle, currency, self._open)

    def _open(self, discount: str) -> dict[str, object] | None:
        try:
            return dict(self._discounts.unseal(discount))
        except TokenInvalid:
            return None

    def _count(self, tenant: Tenant, result: str, judged: JudgedOrder) -> None:
        handle = tenant.shop.handle
        self.results[result, handle] += 1
        if result == STORED:
            self.verdicts.update((verdict.cause or verdict.outcome, handle) for verdict in judged.verdicts)


def stripped(order: Order) -> Order:
    """Return the order as it is stored: without the `_bundles` attribute, and without the properties that other apps set."""
    return replace(order, bundles=None, lines=tuple(map(_stripped_line, order.lines)))


def _stripped_line(line: OrderLine) -> OrderLine:
    return replace(line, properties={name: text for name, text in line.properties.items() if name in OWN_PROPERTIES})
