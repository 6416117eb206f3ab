"""Stock reminders, which tell shoppers when a variant is back in stock (docs/contract.md#stock-reminders)."""

from dataclasses import dataclass

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.rate_limit import REMINDERS
from bundlesvc.domain.shop import STOCK_REMINDERS, Tenant
from bundlesvc.ports import Clock, Platform, ReminderStore
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.access.rate_limits import CostlyResults

SUCCESS, ALREADY_REGISTERED, IN_STOCK = "success", "already_registered", "in_stock"
MESSAGE_CODES = (SUCCESS, ALREADY_REGISTERED, IN_STOCK)


@dataclass(frozen=True, slots=True)
class ReminderRequest:
    """A request for a reminder: the variant, the email address to notify, and the name of the bundle in which the variant was
    seen."""

    variant_id: int
    email: str
    bundle_name: str


class StockReminders:
    """Registers the email addresses of shoppers who want a reminder when a variant is back in stock."""

    def __init__(self, platform: Platform, store: ReminderStore, costly: CostlyResults, clock: Clock) -> None:
        self._platform = platform
        self._store = store
        self._costly = costly
        self._clock = clock

    def check_offered(self, tenant: Tenant) -> None:
        """Check that the shop offers stock reminders. Raises NotFound."""
        if not tenant.shop.has(STOCK_REMINDERS):
            raise NotFound

    async def register(self, caller: Caller, request: ReminderRequest, deadline: RequestDeadline) -> str:
        """Store a reminder once per variant and address, unless the variant is in stock. Returns one of `MESSAGE_CODES`. Raises
        NotFound for an unknown variant or a shop without the feature, and RateLimited."""
        tenant = caller.tenant
        self.check_offered(tenant)
        variant = await self._platform.variant(tenant, request.variant_id, deadline)
        if variant is None:
            raise NotFound
        if variant.available:
            return IN_STOCK
        now = int(self._clock.now())
        async with self._costly.charge(caller, REMINDERS) as payment:
            await payment.pay()
            added = await self._store.add_reminder(tenant, request.variant_id, request.email, request.bundle_name, now)
        return SUCCESS if added else ALREADY_REGISTERED
