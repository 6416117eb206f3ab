"""Retention periods for shoppers' data, key usage and the audit log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retention:
    """The number of seconds for which each kind of data is stored after its creation; None means until it is deleted manually.
    `answers` are the answers in configured bundles; when they are deleted, the bundles remain."""

    reminders: int | None = None
    pending_subscriptions: int | None = None
    cancelled_subscriptions: int | None = None
    answers: int | None = None
    configured_bundles: int | None = None
    usage: int | None = None
    orders: int | None = None
    audit: int | None = None
    events: int | None = None
