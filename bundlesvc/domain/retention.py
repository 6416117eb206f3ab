"""Retention periods of shoppers' data, of the usage of keys, and of the audit log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retention:
    """Seconds for which each kind is stored after it was made; None: until somebody deletes it. `answers` are those in configured
    bundles, which stay without them."""

    reminders: int | None = None
    pending_subscriptions: int | None = None
    cancelled_subscriptions: int | None = None
    answers: int | None = None
    configured_bundles: int | None = None
    usage: int | None = None
    orders: int | None = None
    audit: int | None = None
    events: int | None = None
