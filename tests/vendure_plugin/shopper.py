"""A shopper who uses the engine's Shop API, from configured bundle to placed order."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.request import Request, urlopen

Json = dict[str, Any]

TIMEOUT = 120.0

ORDER = """fragment ShownOrder on Order {
  id code state currencyCode subTotal subTotalWithTax totalWithTax couponCodes
  discounts { amount amountWithTax description }
  lines {
    id quantity linePrice linePriceWithTax discountedLinePrice discountedLinePriceWithTax proratedLinePrice
    proratedLinePriceWithTax productVariant { id }
    bundle { configured bundle title mark isFee answers isIntact reason message }
  }
}"""
_ADD = (
    """mutation ($configured: JSON!) { addBundleToOrder(configured: $configured) {
  __typename ...ShownOrder ... on ErrorResult { errorCode message }
  ... on InsufficientStockError { quantityAvailable order { ...ShownOrder } }
} }"""
    + ORDER
)
_ADD_UNIT = (
    """mutation ($variant: ID!, $quantity: Int!) {
  addItemToOrder(productVariantId: $variant, quantity: $quantity) { ...ShownOrder ... on ErrorResult { errorCode message } }
}"""
    + ORDER
)
_ADJUST = (
    """mutation ($line: ID!, $quantity: Int!) {
  adjustOrderLine(orderLineId: $line, quantity: $quantity) { ...ShownOrder ... on ErrorResult { errorCode message } }
}"""
    + ORDER
)
_REMOVE = (
    """mutation ($line: ID!) {
  removeOrderLine(orderLineId: $line) { ...ShownOrder ... on ErrorResult { errorCode message } }
}"""
    + ORDER
)
_COUPON = (
    """mutation ($code: String!) {
  applyCouponCode(couponCode: $code) { ...ShownOrder ... on ErrorResult { errorCode message } }
}"""
    + ORDER
)
_CUSTOMER = """mutation {
  setCustomerForOrder(input: {firstName: "Ada", lastName: "Shopper", emailAddress: "ada@shop.example"}) { __typename }
  setOrderShippingAddress(input: {streetLine1: "1 High Street", city: "Town", postalCode: "1", countryCode: "DE"}) { __typename }
}"""
_MOVE = """mutation ($shipping: [ID!]!, $state: String!) {
  setOrderShippingMethod(shippingMethodId: $shipping) { __typename }
  transitionOrderToState(state: $state) { __typename ... on ErrorResult { errorCode message } }
}"""
_PAY = (
    """mutation ($payment: String!) {
  addPaymentToOrder(input: {method: $payment, metadata: {}}) { ...ShownOrder ... on ErrorResult { errorCode message } }
}"""
    + ORDER
)


class Shopper:
    """A session with the Shop API in a channel."""

    def __init__(self, address: str, channel: str) -> None:
        self._engine = address
        self._channel = channel
        self._address = f"{address}/shop-api"
        self._headers = {"Content-Type": "application/json", "vendure-token": channel}

    def again(self) -> Self:
        """Return another session in the same channel."""
        return type(self)(self._engine, self._channel)

    def move(self, address: str) -> None:
        """Continue the session with the engine at another address."""
        self._engine, self._address = address, f"{address}/shop-api"

    def send(self, document: str, **variables: Any) -> Json:
        """Send a document, and return the whole response."""
        body = json.dumps({"query": document, "variables": variables}).encode()
        with urlopen(Request(self._address, body, self._headers), timeout=TIMEOUT) as response:
            if token := response.headers["vendure-auth-token"]:
                self._headers["Authorization"] = f"Bearer {token}"
            answer: Json = json.load(response)
        return answer

    def run(self, document: str, **variables: Any) -> Json:
        """Send a GraphQL document, which must succeed, and return its data."""
        answer = self.send(document, **variables)
        assert not answer.get("errors"), answer
        data: Json = answer["data"]
        return data

    def try_to_add(self, configured: object) -> Json:
        """Try to add a configured bundle to the order. Returns the order, or the error that explains why it was not added."""
        answer: Json = self.run(_ADD, configured=configured)["addBundleToOrder"]
        return answer

    def add(self, configured: object) -> Json:
        return _order(self.try_to_add(configured))

    def add_units(self, variant: int, quantity: int) -> Json:
        return _order(self.run(_ADD_UNIT, variant=str(variant), quantity=quantity)["addItemToOrder"])

    def adjust(self, line: Mapping[str, Any], quantity: int) -> Json:
        return _order(self.run(_ADJUST, line=line["id"], quantity=quantity)["adjustOrderLine"])

    def remove(self, line: Mapping[str, Any]) -> Json:
        return _order(self.run(_REMOVE, line=line["id"])["removeOrderLine"])

    def apply_coupon(self, code: str) -> Json:
        return _order(self.run(_COUPON, code=code)["applyCouponCode"])

    def order(self) -> Json:
        order: Json = self.run("{ activeOrder { ...ShownOrder } }" + ORDER)["activeOrder"]
        return order

    def place_in(self, state: str) -> None:
        """Move the order to one of the states before payment."""
        self.run(_CUSTOMER)
        shipping = [self.run("{ eligibleShippingMethods { id } }")["eligibleShippingMethods"][0]["id"]]
        moved = self.run(_MOVE, shipping=shipping, state=state)["transitionOrderToState"]
        assert moved == {"__typename": "Order"}, moved

    def place(self) -> Json:
        """Pay for the order in full, and return the placed order."""
        self.place_in("ArrangingPayment")
        (payment,) = self.run("{ eligiblePaymentMethods { code } }")["eligiblePaymentMethods"]
        order = _order(self.run(_PAY, payment=payment["code"])["addPaymentToOrder"])
        assert order["state"] == "PaymentSettled", order
        return order


def lines_of(order: Mapping[str, Any], configured: object) -> Sequence[Json]:
    """Return an order's lines that belong to a configured bundle, without the bundle's fees."""
    return [
        line
        for line in order["lines"]
        if line["bundle"] and line["bundle"]["configured"] == str(configured) and not line["bundle"]["isFee"]
    ]


def _order(answer: Json) -> Json:
    assert "errorCode" not in answer, answer
    return answer
