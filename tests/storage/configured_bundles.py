"""Configured bundles, idempotency keys and ghost variants for tests of `ConfiguredStore`."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem, PendingSubscription, RecordedIds
from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from tests.fakes import START
from tests.process.shop import BOX, BOX_VARIANT, GIFT_BOX, PAIR_PRODUCT, PLAIN_MUG, SHIRT, SHIRT_M

NOW = int(START)
DAY = 24 * 60 * 60
ONE_TIME = Pricing(Decimal("47.98"), Decimal("43.18"), "percentage", Decimal("10.00"), "EUR")
MONTHLY = PendingSubscription(7, 1, "month", "mira@mail.example", date(2026, 12, 21), Decimal(5))

_CONFIGURED = ConfiguredBundle(
    id=1,
    bundle_id=BOX,
    bundle_type="native",
    title="Box",
    product_id=GIFT_BOX,
    country=None,
    test=False,
    unique_id="0" * 32,
    pricing=ONE_TIME,
    items=(
        ConfiguredItem(SHIRT_M, SHIRT, 1, 2, "Shirt", "M", Decimal("19.99")),
        ConfiguredItem(PLAIN_MUG, 222, 2, 1, "Mug", "Default Title", Decimal("8.00")),
    ),
    configured_at=NOW,
)


def configured(number: int = 1, **changes: Any) -> ConfiguredBundle:
    """Build a configured bundle whose id is `number`: two shirts and a mug, with the given fields changed."""
    return replace(_CONFIGURED, id=number, unique_id=f"{number:032x}", **changes)


def idempotency_key(key: str = "order-1", *, body: str = "body", **changes: Any) -> IdempotencyKey:
    return replace(IdempotencyKey(False, "POST", f"/bundles/{BOX}/configure", key, body), **changes)


def ghost(identity: str, variant_id: int, product_id: int = PAIR_PRODUCT) -> Ghost:
    return Ghost(identity, product_id, variant_id, confirmed_at=0)


def render_response(recorded: RecordedIds) -> bytes:
    """Render a response body with the ids that were recorded."""
    return f"variant {recorded.variant_id}, subscription {recorded.subscription_id}".encode()


CART_VARIANT = BOX_VARIANT


async def retire(
    store: SqlConfiguredStore, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int
) -> list[Ghost]:
    """Make room on a product by retiring ghost variants, and immediately confirm that they have been removed."""
    room = await store.make_room(tenant, product_id, limit, unused_since, now)
    await store.removed(room.claim, now)
    return [claimed.ghost for claimed in room.claim.ghosts]
