"""Subscriptions: the option that a shopper chooses (docs/contract.md#subscriptions)."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from bundlesvc.domain.bundle import DISABLED, REQUIRED, Bundle, RecurringGroup, SubscriptionOption
from bundlesvc.domain.errors import Fault, SubscriptionInvalid
from bundlesvc.domain.shop import SUBSCRIPTIONS, Shop

MAX_EMAIL_LENGTH = 254
PENDING, ACTIVE, CANCELLED, EXPIRED = "pending", "active", "cancelled", "expired"
"""The states of a subscription: chosen but not ordered yet; ordered; cancelled by the shopper, the operator or the platform, or
together with its order; ended as planned, or never ordered."""

# One @, at least one character before it, a name with a dot after it, and no white space, control characters or direction marks.
# A mail server checks the rest.
_HIDDEN = r"\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
EMAIL = re.compile(rf"[^@{_HIDDEN}]{{1,64}}@[^@.{_HIDDEN}]+(\.[^@.{_HIDDEN}]+)+\Z")


@dataclass(frozen=True, slots=True)
class SubscriptionChoice:
    """The subscription option named in a request. `email` is None in a price request."""

    group_id: int
    frequency: int
    unit: str
    email: str | None = None


@dataclass(frozen=True, slots=True)
class ChosenSubscription:
    """The subscription option that the shopper chose from the bundle's program."""

    group: RecurringGroup
    option: SubscriptionOption
    email: str | None


def is_email(text: str) -> bool:
    return len(text) <= MAX_EMAIL_LENGTH and bool(EMAIL.match(text))


def offers_subscription(shop: Shop, bundle: Bundle) -> bool:
    """Whether shoppers can subscribe to this bundle."""
    program = bundle.subscription
    return shop.has(SUBSCRIPTIONS) and program.mode != DISABLED and bool(program.groups)


def requires_subscription(shop: Shop, bundle: Bundle) -> bool:
    return offers_subscription(shop, bundle) and bundle.subscription.mode == REQUIRED


def choose_subscription(shop: Shop, bundle: Bundle, choice: SubscriptionChoice) -> ChosenSubscription:
    """Return the subscription option that a shopper has chosen. Raises SubscriptionInvalid with every fault."""
    if not offers_subscription(shop, bundle):
        raise SubscriptionInvalid([Fault("subscription", "not_offered", "This bundle offers no subscription.")])
    faults = []
    if choice.email is not None and not is_email(choice.email):
        faults.append(Fault("subscription.email", "invalid_email", "This is not an e-mail address."))
    group = next((group for group in bundle.subscription.groups if group.id == choice.group_id), None)
    option = _option(group, choice) if group else None
    if group is None:
        message = f"This bundle has no recurring group {choice.group_id}."
        faults.append(Fault("subscription.id", "unknown_group", message))
    elif option is None:
        message = f"{group.name} does not offer a delivery {cadence(choice.frequency, choice.unit)}."
        faults.append(Fault("subscription.frequency", "unknown_option", message))
    if faults or group is None or option is None:
        raise SubscriptionInvalid(faults)
    return ChosenSubscription(group, option, choice.email)


def subscription_missing() -> SubscriptionInvalid:
    """Return the error for a one-time purchase of a bundle that requires a subscription."""
    message = "This bundle is sold by subscription only: choose one of its options."
    return SubscriptionInvalid([Fault("subscription", "required", message)])


def _option(group: RecurringGroup, choice: SubscriptionChoice) -> SubscriptionOption | None:
    wanted = (choice.frequency, choice.unit)
    return next((option for option in group.options if (option.frequency, option.unit) == wanted), None)


def next_date(start: date, frequency: int, unit: str) -> date | None:
    """Return the date of the next delivery. When the target month is too short for the day of `start`, the result is the last day
    of that month. None after the year 9999."""
    try:
        if unit in ("day", "week"):
            return start + timedelta(days=frequency * (7 if unit == "week" else 1))
        months = start.month - 1 + frequency * (12 if unit == "year" else 1)
        year, month = start.year + months // 12, months % 12 + 1
        return date(year, month, min(start.day, monthrange(year, month)[1]))
    except (OverflowError, ValueError):
        return None


def cadence(frequency: int, unit: str) -> str:
    """Return the delivery interval for error messages, such as "every month" or "every 2 weeks"."""
    return f"every {unit}" if frequency == 1 else f"every {frequency} {unit}s"
