"""Events, and the endpoints that receive them (docs/webhooks.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

BUNDLE_CHANGED, BUNDLE_CONFIGURED, ORDER_PROVEN = "bundle.changed", "bundle.configured", "order.proven"
TYPES = (BUNDLE_CHANGED, BUNDLE_CONFIGURED, ORDER_PROVEN)

WAITING, DELIVERED, GIVEN_UP = "waiting", "delivered", "given_up"
STATES = (WAITING, DELIVERED, GIVEN_UP)
"""The states of a delivery: waiting for its first or next attempt; accepted by the endpoint; given up, because all attempts have
failed or the endpoint is gone."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event to deliver. Events with the same `subject` are delivered in order. `at` is in seconds since 1970, UTC."""

    id: str
    type: str
    subject: str
    at: int
    test: bool
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that receives a shop's events of certain types (`types`). An endpoint becomes `disabled` when it responds that
    it is gone."""

    id: str
    shop: str
    url: str
    types: tuple[str, ...]
    created_at: int
    disabled: bool = False


def new_event_id() -> str:
    """Generate a random event id. Receivers drop events whose id they have already seen."""
    return f"evt_{uuid4().hex}"
