"""The functions of the shop's app, and the objects that make the platform run them: cart transforms and automatic discounts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

APP = "app--1"
"""The id of the app. The platform replaces `$app` in a namespace with this id, and only the app may write to that namespace."""
RESERVED = "app--"

CART_TRANSFORM, DISCOUNT = "cart_transform", "discount"
"""The API types of functions."""

_ids: Iterator[int] = count(1)


@dataclass(frozen=True)
class Target:
    """A point at which the platform calls a function: the name of the target, the export of the module, and the input query."""

    name: str
    export: str
    input_query: str = ""


@dataclass(frozen=True)
class Function:
    """A deployed function. Deploying it again replaces its module and keeps its id."""

    id: str
    handle: str
    title: str
    description: str
    api_version: str
    targets: tuple[Target, ...]
    module: bytes = b""

    @property
    def api_type(self) -> str:
        return CART_TRANSFORM if self.target("cart.transform.run") else DISCOUNT

    def target(self, name: str) -> Target | None:
        return next((target for target in self.targets if target.name == name), None)


@dataclass(frozen=True)
class Metafield:
    type: str
    value: str
    id: int = field(default_factory=lambda: next(_ids))


Metafields = dict[tuple[str, str], Metafield]
"""Metafields by namespace (with the app's id in place of `$app`) and key."""


@dataclass(eq=False)
class CartTransform:
    id: int
    function_id: str
    block_on_failure: bool = False
    metafields: Metafields = field(default_factory=dict)


@dataclass(eq=False)
class AutomaticDiscount:
    """An automatic discount that belongs to the app. `combines_with` lists the discount classes with which it can be combined."""

    id: int
    function_id: str
    title: str
    starts_at: str
    ends_at: str | None = None
    classes: tuple[str, ...] = ("PRODUCT",)
    combines_with: frozenset[str] = frozenset()
    one_time: bool = True
    subscription: bool = True
    cycle_limit: int = 1
    metafields: Metafields = field(default_factory=dict)

    @property
    def status(self) -> str:
        """The status of the discount. Here, a discount with an end date counts as expired, and one that starts in a later century
        counts as scheduled."""
        if self.ends_at:
            return "EXPIRED"
        return "SCHEDULED" if self.starts_at >= "2100" else "ACTIVE"


@dataclass
class Functions:
    """All functions of the app, with its cart transforms and discounts. `eligible`: whether the shop's plan allows functions of
    custom apps."""

    deployed: list[Function] = field(default_factory=list)
    cart_transforms: list[CartTransform] = field(default_factory=list)
    discounts: list[AutomaticDiscount] = field(default_factory=list)
    eligible: bool = True

    def deploy(self, function: Function) -> None:
        """Add a function, or replace the function with the same id."""
        self.deployed = [*(other for other in self.deployed if other.id != function.id), function]

    def function(self, handle: str | None = None, id_: str | None = None) -> Function | None:
        """Find a function by handle or id."""
        return next((one for one in self.deployed if one.handle == handle or one.id == id_), None)


def namespace_of(written: str | None) -> str:
    """Return the namespace in its stored form. None means the app's own namespace."""
    name, _, rest = (written or "$app").partition(":")
    if name != "$app":
        return written or APP
    return f"{APP}--{rest}" if rest else APP
