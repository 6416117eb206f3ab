"""The receipt of a cart: what the checkout charges, line by line, after the cart-transform step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce

from bundlesvc.domain.checkout.cart import CartLine
from bundlesvc.domain.checkout.cart_bundles import Refusal
from bundlesvc.domain.checkout.cart_transform import Merge, TransformResult
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.money import HUNDRED, ZERO, round_amount, round_presentment

BUNDLE, ITEM, FEE, GHOST = "bundle", "item", "fee", "ghost"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in the shop's currency, and the same amount in the currency of the shopper's market."""

    shop: Decimal
    market: Decimal

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.shop + other.shop, self.market + other.market)

    def times(self, count: int) -> "Amount":
        return Amount(self.shop * count, self.market * count)


@dataclass(frozen=True, slots=True)
class Currencies:
    """The currencies of a receipt, as ISO 4217 codes. `market` is the shop's currency when the shopper has no market."""

    shop: str
    market: str

    def less(self, amount: Amount, percentage: Decimal) -> Amount:
        """Return the amount with a percentage taken off, rounded in each currency."""
        left = (HUNDRED - percentage) / HUNDRED
        return Amount(round_amount(amount.shop * left, self.shop), round_presentment(amount.market * left, self.market))


@dataclass(frozen=True, slots=True)
class Goods:
    """A variant's titles, image and price in the shopper's market. `contents` has one line per item of the bundle that a ghost
    variant stands for. `variant_title` is empty for a product's only variant."""

    title: str
    variant_title: str
    image: str
    price: Amount
    contents: Sequence[str] = ()
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """A cart line that was merged into a bundle, at its full price."""

    line: CartLine
    goods: Goods


@dataclass(frozen=True, slots=True)
class Charge:
    """A line of the receipt, which combines the cart lines `line_ids`. `original` is the price before the percentage discount,
    `amount` the price after it."""

    kind: str
    configured_id: int | None
    line_ids: tuple[str, ...]
    title: str
    variant_title: str
    image: str
    quantity: int
    original: Amount
    amount: Amount
    percentage: Decimal = ZERO
    components: tuple[Component, ...] = ()
    contents: Sequence[str] = ()
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The charges for a cart, and the reasons why discounts were refused."""

    currencies: Currencies
    charges: tuple[Charge, ...]
    refusals: tuple[Refusal, ...]

    @property
    def total(self) -> Amount:
        return reduce(Amount.__add__, (charge.amount for charge in self.charges), Amount(ZERO, ZERO))


def receipt(
    lines: Sequence[CartLine], transformed: TransformResult, goods: Mapping[int, Goods], currencies: Currencies
) -> Receipt:
    """Compute the receipt for a cart, in the order of the cart's lines. `goods` contains the variant of every line, by variant
    id."""
    merges = [merge for merge in transformed.merges if merge.parent_variant_id in goods]
    by_line = {line.id: merge for merge in merges for line in merge.lines}
    first_lines = {merge.lines[0].id for merge in merges}
    charges = [
        _merged(by_line[line.id], goods, currencies) if line.id in by_line else _unmerged(line, goods)
        for line in lines
        if line.id not in by_line or line.id in first_lines
    ]
    return Receipt(currencies, tuple(charges), (*transformed.refusals, *_without_parent(transformed, goods)))


def _without_parent(transformed: TransformResult, goods: Mapping[int, Goods]) -> list[Refusal]:
    """Return a refusal for each merge whose parent variant does not exist on the platform."""
    return [
        Refusal.of(NoDiscount("parent_unknown"), merge.configured_id, [line.id for line in merge.lines])
        for merge in transformed.merges
        if merge.parent_variant_id not in goods
    ]


def _merged(merge: Merge, goods: Mapping[int, Goods], currencies: Currencies) -> Charge:
    components = tuple(Component(line, goods[line.variant_id]) for line in merge.lines)
    prices = [component.goods.price.times(component.line.quantity) for component in components]
    original = reduce(Amount.__add__, prices)
    parent = goods[merge.parent_variant_id]
    return Charge(
        BUNDLE,
        merge.configured_id,
        tuple(line.id for line in merge.lines),
        merge.title or parent.title,
        "",
        merge.image or parent.image,
        1,
        original,
        currencies.less(original, merge.percentage),
        merge.percentage,
        components,
    )


def _unmerged(line: CartLine, goods: Mapping[int, Goods]) -> Charge:
    sold = goods[line.variant_id]
    amount = sold.price.times(line.quantity)
    mark = line.bundle_data
    return Charge(
        FEE if line.is_fee else GHOST if sold.ghost else ITEM,
        mark.configured_id if mark else None,
        (line.id,),
        sold.title,
        sold.variant_title,
        sold.image,
        line.quantity,
        amount,
        amount,
        contents=sold.contents,
        properties=line.properties,
    )
