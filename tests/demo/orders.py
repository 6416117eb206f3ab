"""Orders for every published bundle of the demo shop, with every kind of discount."""

from dataclasses import dataclass

import pytest

from tests.api.selection import Json, items

NATIVE, SEVERAL, SINGLE = "native", "multiple-products", "single-product"
FORTNIGHT = {"frequency": 2, "unit": "week", "email": "mira@mail.example"}
MONTH = {"frequency": 1, "unit": "month", "email": "mira@mail.example"}
QUARTER = {"frequency": 3, "unit": "month", "email": "mira@mail.example"}


@dataclass(frozen=True)
class Order:
    """A selection to configure. `lettered` is the number of lettered mugs, each of which has a fee."""

    bundle: int
    body: Json
    lettered: int = 0


def order(bundle: int, type_: str, *chosen: str, **more: object) -> Order:
    return Order(bundle, {"type": type_, "products": items(*chosen), **more})


def mugs(*words: str) -> Order:
    """An order for one coffee and, for each word, a mug lettered with that word. An empty word stands for a mug without
    lettering."""
    chosen = [
        mug | {"personalisation": {"lettering": word, "hand": "Script"}} if word else mug
        for mug, word in zip(items(f"10311@1*{len(words)}"), words, strict=True)
    ]
    return Order(109, {"type": NATIVE, "products": [*chosen, *items("10021@2")]}, sum(map(bool, words)))


BREAKFAST = order(101, NATIVE, "10011@1", "10021@1", "10161@2")
FLIGHT = order(102, SEVERAL, "10011@1", "10041@1", "10071@1")
LETTERED = mugs("Mira")

ORDERS = {
    "first tier": BREAKFAST,
    "second tier": order(101, NATIVE, "10011@1*3", "10131@2*2"),
    "third tier": order(101, NATIVE, "10011@1*3", "10012@1*2", "10161@2*3"),
    "optional subscription": order(101, NATIVE, "10011@1*2", "10161@2", subscription={"id": 7, **FORTNIGHT}),
    "subscription that saves nothing": order(101, NATIVE, "10011@1*3", subscription={"id": 7, **MONTH}),
    "price for the whole": FLIGHT,
    "required products, a fixed amount off": order(103, SINGLE, "10211@0", "10261@0", "10221@1"),
    "below the minimum": order(103, SINGLE, "10212@0", "10261@0"),
    "six bags": order(104, SEVERAL, "10011@1*6"),
    "a whole case": order(104, SEVERAL, "10022@1*24"),
    "no discount yet": order(105, NATIVE, "10102@1*5"),
    "tiers that add up": order(105, NATIVE, "10101@1*10", "10103@1*10"),
    "by weight": order(106, NATIVE, "10013@1", "10021@1"),
    "by weight, the best tier": order(106, NATIVE, "10013@1", "10023@1"),
    "fixed amounts that add up": order(107, SEVERAL, "10311@1*2", "10321@1", "10341@2"),
    "by subscription": order(108, NATIVE, "10011@1", "10042@1*2", subscription={"id": 1, **FORTNIGHT}),
    "now and then": order(108, NATIVE, "10011@1*2", subscription={"id": 2, **QUARTER}),
    "lettered mug": LETTERED,
    "mugs lettered differently": mugs("Mira", "Jan", "", "Mira"),
    "plain mug": mugs(""),
    "card for free": order(110, NATIVE, "10013@1", "10111@2", "10121@2", "10131@2", "10351@3"),
    "conditions' discount and one of two cards": order(110, NATIVE, "10013@1", "10111@2*4", "10351@3*2"),
    "conditions that do not fire": order(110, NATIVE, "10071@1*2", "10161@2"),
    "flat percentage": order(111, NATIVE, "10011@1*2", "10141@1"),
}

EACH_ORDER = pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
