"""Events about bundles. They contain neither text written by shoppers nor addresses."""

from collections.abc import Iterable

from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.events.event import BUNDLE_CHANGED, BUNDLE_CONFIGURED, Event, new_event_id


def configured_event(configured: ConfiguredBundle, recorded: RecordedIds) -> Event:
    """Create the event reporting that a bundle was configured."""
    pricing, texts = configured.pricing, configured.pricing.texts
    data = {
        "configuredBundleId": configured.id,
        "bundleId": configured.bundle_id,
        "type": configured.bundle_type,
        "variantId": str(recorded.variant_id),
        "subscriptionId": recorded.subscription_id,
        "countryCode": configured.country,
        "pricing": {
            "originalPrice": texts.original,
            "discountedPrice": texts.discounted,
            "discountType": pricing.discount_type,
            "discountValue": texts.discount_value,
            "currency": pricing.currency,
        },
        "items": [
            {
                "platformVariantId": str(item.variant_id),
                "platformProductId": str(item.product_id),
                "sectionId": item.section_id,
                "quantity": item.count,
            }
            for item in configured.items
        ],
    }
    subject, at = f"configured-bundle:{configured.id}", configured.configured_at
    return Event(new_event_id(), BUNDLE_CONFIGURED, subject, at, configured.test, data)


def changed_events(revision: int, at: int, bundle_ids: Iterable[int]) -> list[Event]:
    """Create an event for each bundle that a published revision changed, added or removed."""
    return [
        Event(
            new_event_id(),
            BUNDLE_CHANGED,
            f"bundle:{bundle_id}",
            at,
            test=False,
            data={"bundleId": bundle_id, "revision": revision},
        )
        for bundle_id in dict.fromkeys(bundle_ids)
    ]
