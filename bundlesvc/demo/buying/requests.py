"""The request that the demo's page sends to buy the contents of a cart."""

from typing import Any, NamedTuple

from marshmallow import post_load

from bundlesvc.api.requests.fields import Uuid
from bundlesvc.demo.requests import CartSchema
from bundlesvc.demo.simulate_checkout import Cart


class Purchase(NamedTuple):
    """A cart to buy, and the visitor of an A/B test who buys it."""

    cart: Cart
    visitor_id: str | None


class PurchaseSchema(CartSchema):
    """A cart to buy."""

    visitorId = Uuid(allow_none=True)

    @post_load
    def build(self, data: dict[str, Any], **options: Any) -> Any:
        visitor_id = data.pop("visitorId", None)
        return Purchase(super().build(data, **options), visitor_id)
