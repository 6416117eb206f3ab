"""Events, and the endpoints that receive them (docs/webhooks.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

BUNDLE_CHANGED, BUNDLE_CONFIGURED, ORDER_PROVEN = "bundle.changed", "bundle.configured", "order.proven"
TYPES = (BUNDLE_CHANGED, BUNDLE_CONFIGURED, ORDER_PROVEN)

WAITING, DELIVERED, GIVEN_UP = "waiting", "delivered", "given_up"
STATES = (WAITING, DELIVERED, GIVEN_UP)
"""The states of a delivery: to be tried, or tried again; accepted by the endpoint; refused for a day."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Events with the same `subject` are delivered in their order. `at` in seconds since 1970, UTC."""

    id: str
    type: str
    subject: str
    at: int
    test: bool
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that receives the events of a shop of these types. A `disabled` one answered that it is gone."""

    id: str
    shop: str
    url: str
    types: tuple[str, ...]
    created_at: int
    disabled: bool = False


def new_event_id() -> str:
    """A random id of an event. Receivers drop an event whose id they know."""
    return f"evt_{uuid4().hex}"
