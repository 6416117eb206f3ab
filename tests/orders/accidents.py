"""What can happen to a cart between the configure call and the charge, and to an order after the charge."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from tests.orders.ghosts import GhostSale, Market
from tests.orders.sales import DAY, DECIMALS, MADE_AT, Item, Sale


@dataclass(frozen=True)
class Change:
    """An edit or a refund of a line. For an edit, `quantity` and `amount` are differences; for a refund, they are the returned
    units and the refunded amount."""

    line: str
    quantity: int
    amount: int


@dataclass
class Purchase:
    """A cart with several bundles, the circumstances of its purchase, and what happened to the order later. `attribute`: the
    value of the `_bundles` cart attribute if it was tampered with; `active`: whether a checkout function runs."""

    sales: list[Sale]
    country: str | None
    currency: str
    home: str
    rate: Fraction
    placed_at: int
    neighbours: list[Item] = field(default_factory=list)
    attribute: str | None = None
    is_attribute_lost: bool = False
    active: bool = True
    ghosts: list[GhostSale] = field(default_factory=list)
    edits: list[Change] = field(default_factory=list)
    refunds: list[Change] = field(default_factory=list)

    @property
    def planned(self) -> bool:
        return any(item.plan for item in self.items)

    @property
    def all_sales(self) -> list[Sale | GhostSale]:
        return [*self.sales, *self.ghosts]

    @property
    def items(self) -> list[Item]:
        """Return all lines of the order."""
        return [*(item for sale in self.all_sales for item in sale.items), *self.neighbours]

    @property
    def market(self) -> Market:
        return Market(self.country, self.currency, self.home, self.rate)

    def edited(self, items: list[Item]) -> int:
        """Return the amount by which edits changed the charge for these lines."""
        wanted = {item.id for item in items}
        return sum(edit.amount for edit in self.edits if edit.line in wanted)

    def units(self, item: Item) -> int:
        """Return the number of units of a line after its edits."""
        return item.quantity + sum(edit.quantity for edit in self.edits if edit.line == item.id)


Accident = Callable[[Random, Purchase], None]


def _attribute_lost(random: Random, purchase: Purchase) -> None:
    purchase.is_attribute_lost = True
    purchase.attribute = random.choice([None, "", "{", "[]", "{}", '{"1":5}'])
    for sale in purchase.sales:
        sale.refused = "attributes_lost"
        sale.token = None


def _entry_lost(random: Random, purchase: Purchase) -> None:
    sale = random.choice(purchase.sales)
    sale.refused, sale.token = "attributes_lost", None


def _forged(random: Random, purchase: Purchase) -> None:
    sale = random.choice(purchase.sales)
    if sale.refused:
        return
    name, value = random.choice([("test", True), ("unique", "other"), ("parent", 9002), ("v", 1), ("shop", "other")])
    sale.claims[name] = value
    sale.refused = "discount_refused"


def _broken(random: Random, purchase: Purchase) -> None:
    sale = random.choice(purchase.sales)
    if not sale.refused:
        sale.token = "not one of ours"
        sale.refused = "discount_refused"


def _expired(random: Random, purchase: Purchase) -> None:
    sale = random.choice(purchase.sales)
    if not sale.refused:
        sale.claims["iat"] = sale.made_at = purchase.placed_at - random.randrange(33, 400) * DAY
        sale.refused = "expired"


def _nearly_expired(random: Random, purchase: Purchase) -> None:
    """Make a discount about as old as its maximum age. The checkout function sees only the date, so whether it still accepts the
    discount depends on the shop's time zone."""
    sale = random.choice(purchase.sales)
    if not sale.refused:
        age = random.randrange(29 * DAY + DAY // 2 + 1, 31 * DAY + DAY // 2)
        sale.claims["iat"] = sale.made_at = purchase.placed_at - age
        sale.nearly_expired = True
        sale.squeezed = random.random() < 0.5


def _other_country(random: Random, purchase: Purchase) -> None:
    purchase.country = random.choice([each for each in ("DE", "CH", "US", "JP") if each != purchase.country])
    for sale in purchase.sales:
        if sale.country is not None and not _is_valid_anywhere(sale):
            sale.refused = sale.refused or "market_changed"


def _other_currency(random: Random, purchase: Purchase) -> None:
    """Let the buyer pay in another currency, at other prices."""
    purchase.currency = random.choice([each for each in DECIMALS if each != purchase.currency])
    purchase.rate = Fraction(1) if purchase.currency == purchase.home else Fraction(random.randrange(1, 900), 100)
    for sale in purchase.sales:
        for item in sale.items:
            item.price = random.randrange(1, 5000)
        if not _is_valid_anywhere(sale):
            sale.refused = sale.refused or "market_changed"


def _prices(random: Random, purchase: Purchase) -> None:
    sale = random.choice(purchase.sales)
    for item in sale.items:
        item.price = item.price * 2 + 50
    if not _is_valid_anywhere(sale):
        sale.refused = sale.refused or "price_changed"


def _quantity(random: Random, purchase: Purchase) -> None:
    sale = random.choice(purchase.sales)
    if sale.refused not in (None, "market_changed", "price_changed"):
        return
    item = random.choice(sale.items)
    if random.random() < 0.5 and len(sale.items) > 1:
        sale.items.remove(item)
    else:
        item.quantity += random.choice([1, 2, 40])
    sale.refused = "quantity_changed"


def _no_function(random: Random, purchase: Purchase) -> None:
    purchase.active = False


def _forgotten(random: Random, purchase: Purchase) -> None:
    """Delete the purchase's configured bundles from the service."""
    for sale in purchase.sales:
        sale.is_stored = False


def _is_valid_anywhere(sale: Sale) -> bool:
    return sale.anywhere is not None and not sale.planned


BEFORE: tuple[Accident, ...] = (
    _attribute_lost,
    _entry_lost,
    _forged,
    _broken,
    _expired,
    _nearly_expired,
    _other_country,
    _other_currency,
    _prices,
    _quantity,
    _no_function,
    _forgotten,
)
"""Accidents before the charge. A later accident does not change the reason for a refusal, except that `_quantity` replaces
`market_changed` and `price_changed`, because the function checks the units first."""


def _other_discount(random: Random, purchase: Purchase) -> None:
    for item in random.choice(purchase.all_sales).items:
        item.other = random.randrange(item.listed - item.own + 1)


def _edit(random: Random, purchase: Purchase) -> None:
    """Edit the order: make lines cheaper or more expensive, remove units, or add a line."""
    for _ in range(random.choice([1, 1, 2, 4])):
        item = random.choice(purchase.items)
        units, charged = purchase.units(item), item.charged + purchase.edited([item])
        if units > 1 and random.random() < 0.3:
            purchase.edits.append(Change(item.id, -1, -(charged // units)))
        elif units == 1 and random.random() < 0.2:
            purchase.edits.append(Change(item.id, -1, -charged))
        elif units:
            purchase.edits.append(Change(item.id, 0, random.randrange(-charged, 500)))
    if random.random() < 0.3:
        purchase.neighbours.append(Item("added", 6, 0, 500))
        purchase.edits.append(Change("added", 2, 1000))


def _cut(random: Random, purchase: Purchase) -> None:
    """Make the platform round a percentage discount down instead of to the nearest minor unit."""
    sale = random.choice(purchase.sales)
    first = next((item for item in sale.items if item.own > 1), None)
    if first is not None and not purchase.planned:
        first.own -= 1
        sale.cut = True


def _refund(random: Random, purchase: Purchase) -> None:
    """Refund some lines, fully or in part, or refund money without returned goods."""
    for item in random.sample(purchase.items, random.randrange(1, len(purchase.items) + 1)):
        units, charged = purchase.units(item), item.charged + purchase.edited([item])
        purchase.refunds.append(Change(item.id, random.randrange(units + 1), random.randrange(charged + 1)))


AFTER: tuple[Accident, ...] = (_cut, _other_discount, _edit, _refund)


def befall(random: Random, purchase: Purchase, accidents: tuple[Accident, ...], most: int) -> None:
    """Let up to `most` of these accidents, chosen at random, happen to a purchase, in the order in which they are listed."""
    chosen = random.sample(range(len(accidents)), random.choice([0, 0, *range(1, most + 1)]))
    for place in sorted(chosen):
        accidents[place](random, purchase)


def placed(random: Random) -> int:
    """Return a random time of purchase at which the discounts are still valid."""
    return MADE_AT + random.randrange(29 * DAY)
