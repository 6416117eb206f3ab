"""Ways to tamper with a configured bundle. Each either changes the response of the configure request before the bundle is added
to an order, or changes the order with mutations of the Shop API."""

import base64
import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.fernet import Fernet

from bundlesvc.token_cipher import FernetCipher, discount_cipher
from tests.process.serving import SECRET_KEY
from tests.vendure_plugin.selections import Configured, Storefront
from tests.vendure_plugin.shopper import Json, Shopper

CHEAP, DEAR, OTHER, MUG, FEE = 10021, 10013, 10111, 10311, 10411
"""Variants of the demo shop."""

YEAR = 365 * 24 * 60 * 60


@dataclass(frozen=True)
class Goods:
    """The bundles from which the attacks start: boxes with a percentage off, a box whose promise depends on the market, and a mug
    with a fee for its lettering."""

    box: Configured
    other_box: Configured
    winter_box: Configured
    winter_box_in_switzerland: Configured
    mug: Configured
    subscribed: Configured


def goods(storefront: Storefront) -> Goods:
    box = [(10011, 1001, 1)] * 2 + [(CHEAP, 1002, 1)] * 3
    winter = [(10011, 1001, 1)] * 3
    return Goods(
        storefront.configured(101, *box),
        storefront.configured(101, *box, (CHEAP, 1002, 1), (CHEAP, 1002, 1), (CHEAP, 1002, 1)),
        storefront.configured(110, *winter),
        storefront.configured(110, *winter, country="CH"),
        configured_mug(storefront),
        storefront.configured(
            101, *box, subscription={"id": 7, "frequency": 2, "unit": "week", "email": "a@shop.example"}
        ),
    )


def configured_mug(storefront: Storefront) -> Configured:
    lettering = {"lettering": "Mira", "hand": "Script"}
    return storefront.configured_items(
        109,
        {"variant": str(MUG), "product": "1031", "section": 1, "personalisation": lettering},
        {"variant": str(CHEAP), "product": "1002", "section": 2},
    )


class Tampered:
    """The response to a configure request, ready to be changed."""

    def __init__(self, configured: Configured) -> None:
        self.answer: Any = copy.deepcopy(configured.answer)
        self.id = configured.id
        self.entries: Any = json.loads(self.answer["cart"]["attributes"]["_bundles"])

    @property
    def lines(self) -> Any:
        return self.answer["cart"]["line_items"]

    @property
    def entry(self) -> Any:
        return self.entries[self.id]

    @property
    def claims(self) -> Json:
        return discount_cipher([SECRET_KEY]).unseal(self.entry["discount"])

    def mark_all(self, change: Callable[[list[str]], list[str]]) -> None:
        for line in self.lines:
            line["properties"]["_bundle_data"] = "#".join(change(line["properties"]["_bundle_data"].split("#")))

    def reseal(self, **claims: Any) -> None:
        """Change some of the claims, and encrypt them with the service's key. The service never issued these claims for this
        bundle, but another request could have produced them."""
        self.entry["discount"] = discount_cipher([SECRET_KEY]).seal({**self.claims, **claims}, 1)

    def written(self) -> Any:
        if self.entries is not None:
            self.answer["cart"]["attributes"]["_bundles"] = json.dumps(self.entries)
        return self.answer


def _flip(text: str, place: int) -> str:
    token = bytearray(base64.urlsafe_b64decode(text))
    token[place] ^= 1
    return base64.urlsafe_b64encode(token).decode()


def _line_quantity(quantity: Any) -> Callable[[Tampered, Goods], None]:
    def change(one: Tampered, _: Goods) -> None:
        one.lines[0]["quantity"] = quantity

    return change


def _entry(value: Any) -> Callable[[Tampered, Goods], None]:
    def change(one: Tampered, _: Goods) -> None:
        one.entries[one.id] = value

    return change


def _attribute(value: Any) -> Callable[[Tampered, Goods], None]:
    def change(one: Tampered, _: Goods) -> None:
        one.entries = None
        one.answer["cart"]["attributes"]["_bundles"] = value

    return change


def _discount(make: Callable[[str], Any]) -> Callable[[Tampered, Goods], None]:
    def change(one: Tampered, _: Goods) -> None:
        one.entry["discount"] = make(one.entry["discount"])

    return change


def _claims(**claims: Any) -> Callable[[Tampered, Goods], None]:
    return lambda one, _: one.reseal(**claims)


def _mark(change: Callable[[list[str]], list[str]]) -> Callable[[Tampered, Goods], None]:
    return lambda one, _: one.mark_all(change)


def _replace_variant(old: int, new: int) -> Callable[[Tampered, Goods], None]:
    def change(one: Tampered, _: Goods) -> None:
        for line in one.lines:
            line["id"] = new if line["id"] == old else line["id"]

    return change


def _as_fee(one: Tampered, _: Goods) -> None:
    one.lines[0]["properties"]["_bundle_fee"] = "1"


def _dear_fee(one: Tampered, goods: Goods) -> None:
    _replace_variant(10011, DEAR)(one, goods)
    _as_fee(one, goods)


def _extra_line(variant: int) -> Callable[[Tampered, Goods], None]:
    return lambda one, _: one.lines.append({**copy.deepcopy(one.lines[0]), "id": variant})


def _better(one: Tampered, goods: Goods) -> None:
    one.entry["discount"] = Tampered(goods.other_box).entry["discount"]


def _better_with_its_marks(one: Tampered, goods: Goods) -> None:
    other = Tampered(goods.other_box)
    mark = other.lines[0]["properties"]["_bundle_data"]
    one.mark_all(lambda _: mark.split("#"))
    one.entries = other.entries


def _own_key(one: Tampered, _: Goods) -> None:
    one.entry["discount"] = FernetCipher([Fernet.generate_key().decode()]).seal(one.claims, 1)


def _secret_itself(one: Tampered, _: Goods) -> None:
    one.entry["discount"] = FernetCipher([SECRET_KEY]).seal(one.claims, 1)


def _free_claims_in_clear(one: Tampered, _: Goods) -> None:
    one.entry["discount"] = base64.urlsafe_b64encode(json.dumps({**one.claims, "discounted": "0.00"}).encode()).decode()


_RESPONSES: Mapping[str, Callable[[Tampered, Goods], None]] = {
    "one unit more": _line_quantity(3),
    "one unit less": _line_quantity(1),
    "no unit": _line_quantity(0),
    "fewer units than none": _line_quantity(-2),
    "half a unit": _line_quantity(0.5),
    "a quantity that is a text": _line_quantity("2"),
    "more units than an integer has": _line_quantity(2**40),
    "a line left out": lambda one, _: one.lines.pop(),
    "the same line twice": lambda one, _: one.lines.append(one.lines[0]),
    "a dear variant in the place of a cheap one": _replace_variant(CHEAP, DEAR),
    "a variant that does not exist": _replace_variant(CHEAP, 99_999_999),
    "a line more": _extra_line(OTHER),
    "a dear unit as a fee": _dear_fee,
    "a unit as a fee": _as_fee,
    "no lines": lambda one, _: one.lines.clear(),
    "hundreds of lines": lambda one, _: one.lines.extend(one.lines * 150),
    "another unique id": _mark(lambda parts: [*parts[:2], "f" * 32]),
    "another parent": _mark(lambda parts: [parts[0], "10011", parts[2]]),
    "another configured bundle, which has no entry": _mark(lambda parts: ["7001", *parts[1:]]),
    "marks that cannot be read": _mark(lambda parts: parts[:2]),
    "the mark of an object's prototype": _mark(lambda parts: ["__proto__", *parts[1:]]),
    "another unique id on one line": lambda one, _: one.lines[0]["properties"].update(
        _bundle_data=f"{one.id}#21011#{'f' * 32}"
    ),
    "the discount of a larger box": _better,
    "the discount and the marks of a larger box": _better_with_its_marks,
    "a discount string that was cut": _discount(lambda token: token[:-4]),
    "a changed signature": _discount(lambda token: _flip(token, -1)),
    "a changed content": _discount(lambda token: _flip(token, 40)),
    "a changed vector": _discount(lambda token: _flip(token, 12)),
    "an empty discount string": _discount(lambda _: ""),
    "a discount string that is an object": _discount(lambda _: {"percentage": "99.00"}),
    "a discount string of many kilobytes": _discount(lambda token: token * 80),
    "claims in clear": _free_claims_in_clear,
    "claims of an own key": _own_key,
    "claims of the secret itself": _secret_itself,
    "no entry": _entry(None),
    "an entry that is a list": _entry([]),
    "no attribute": _attribute(None),
    "an attribute that is not JSON": _attribute("{"),
    "an attribute that is a list": _attribute("[]"),
    "an attribute of NaN": _attribute('{"7001": NaN}'),
    "another bundle's number": lambda one, _: one.entry.update(id=110),
    "another shop": _claims(shop="other"),
    "a test key": _claims(test=True),
    "older than thirty days": lambda one, _: one.reseal(iat=one.claims["iat"] - YEAR),
    "the first version": _claims(v=1),
    "the second version": _claims(v=2),
    "a version to come": _claims(v=4),
    "a subscription's percentage": _claims(
        subscription={"group": 7, "frequency": 2, "unit": "week", "percentage": "50.00"}
    ),
    "a discount for other units": _claims(variants={"10011": 2, "10021": 2}),
    "a digest of other units": _claims(variants=f"sha256:{'0' * 64}"),
    "more than everything off": _claims(value="250.00"),
}
"""Changes to the response for the box, by purpose."""


@dataclass(frozen=True)
class Attack:
    """A way to tamper with a configured bundle. After `act`, the shopper's order contains a bundle or is empty."""

    name: str
    act: Callable[[Shopper, Goods], object]


def _changed_response(change: Callable[[Tampered, Goods], None]) -> Callable[[Shopper, Goods], object]:
    def act(shopper: Shopper, goods: Goods) -> object:
        one = Tampered(goods.box)
        change(one, goods)
        return shopper.try_to_add(one.written())

    return act


def _line(shopper: Shopper, goods: Goods, place: int = 0) -> Json:
    order = shopper.add(goods.box.answer)
    line: Json = order["lines"][place]
    return line


def _lines_of_two_orders(shopper: Shopper, goods: Goods) -> None:
    """Add one half of a bundle to the order of another session, and the other half to the order of this shopper."""
    first, second = Tampered(goods.box), Tampered(goods.box)
    del first.lines[1:]
    del second.lines[:1]
    shopper.again().add(second.written())
    shopper.add(first.written())


def _paid_before(shopper: Shopper, goods: Goods) -> None:
    """Move an order to the payment state and back, and then remove a line."""
    line = _line(shopper, goods)
    shopper.send('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }')
    shopper.send('mutation { transitionOrderToState(state: "AddingItems") { __typename } }')
    shopper.remove(line)


def _free_of_fee(shopper: Shopper, goods: Goods) -> None:
    order = shopper.add(goods.mug.answer)
    (fee,) = [line for line in order["lines"] if line["bundle"]["isFee"]]
    shopper.remove(fee)


def _cheaper_fee(shopper: Shopper, goods: Goods) -> None:
    one = Tampered(goods.mug)
    for line in one.lines:
        if line["id"] == FEE:
            line["id"] = OTHER
    shopper.try_to_add(one.written())


_ADD_WITH_FIELDS = """mutation ($mark: String!, $discount: String!) {
  addItemToOrder(productVariantId: "10011", quantity: 2, customFields: {bundleData: $mark, bundleDiscount: $discount}) {
    __typename
  }
}"""
_ADJUST_FIELDS = """mutation ($line: ID!) {
  adjustOrderLine(orderLineId: $line, quantity: 2, customFields: {bundleFee: "1"}) { __typename }
}"""


def _own_fields(shopper: Shopper, goods: Goods) -> None:
    one = Tampered(goods.box)
    mark = one.lines[0]["properties"]["_bundle_data"]
    assert shopper.send(_ADD_WITH_FIELDS, mark=mark, discount=one.entry["discount"])["errors"]


def _changed_fields(shopper: Shopper, goods: Goods) -> None:
    line = _line(shopper, goods)
    assert shopper.send(_ADJUST_FIELDS, line=line["id"])["errors"]
    shopper.adjust(line, 1)


def _swapped(shopper: Shopper, goods: Goods) -> None:
    """Remove a unit from the bundle, and add a unit of the same variant outside the bundle."""
    shopper.adjust(_line(shopper, goods), 1)
    shopper.add_units(10011, 1)


def _two_thirds(shopper: Shopper, goods: Goods) -> None:
    """Add two configured bundles, and remove a line from each."""
    order = shopper.add(goods.box.answer)
    shopper.remove(order["lines"][0])
    order = shopper.add(goods.other_box.answer)
    shopper.remove(order["lines"][-1])


ATTACKS = [
    *(Attack(f"response: {name}", _changed_response(change)) for name, change in _RESPONSES.items()),
    Attack("response: not of a configure request", lambda shopper, _: shopper.try_to_add({"cart": {"line_items": 7}})),
    Attack("response: a list", lambda shopper, _: shopper.try_to_add([])),
    Attack("response: nothing", lambda shopper, _: shopper.try_to_add({})),
    Attack("response: a subscription with a percentage", lambda shopper, goods: shopper.add(goods.subscribed.answer)),
    Attack(
        "response: made for another country", lambda shopper, goods: shopper.add(goods.winter_box_in_switzerland.answer)
    ),
    Attack("response: a fee left out", _free_of_fee),
    Attack("response: a cheaper fee", _cheaper_fee),
    Attack("order: a quantity raised", lambda shopper, goods: shopper.adjust(_line(shopper, goods), 3)),
    Attack("order: a quantity lowered", lambda shopper, goods: shopper.adjust(_line(shopper, goods), 1)),
    Attack("order: a quantity set to none", lambda shopper, goods: shopper.adjust(_line(shopper, goods), 0)),
    Attack("order: the first line removed", lambda shopper, goods: shopper.remove(_line(shopper, goods))),
    Attack("order: the last line removed", lambda shopper, goods: shopper.remove(_line(shopper, goods, -1))),
    Attack("order: a line removed before the payment", _paid_before),
    Attack("order: a unit of the bundle for a loose one", _swapped),
    Attack("order: two bundles that lack a line each", _two_thirds),
    Attack("order: lines of one bundle in two orders", _lines_of_two_orders),
    Attack("order: custom fields given", _own_fields),
    Attack("order: custom fields changed", _changed_fields),
]
