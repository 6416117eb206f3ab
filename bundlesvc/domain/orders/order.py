"""The record of an order (docs/orders.md). It does not contain the shopper's name, address or e-mail.

All amounts are whole minor units of the order's currency (ISO 4217): 1999 is 19.99 EUR, 1999 JPY, or 1.999 KWD.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BUNDLE_FEE, BundleData, CartLine
from bundlesvc.domain.money import from_presentment_units, presentment_exponent

BUNDLE_DISCOUNT = "bundle"
"""The kind of the discount that the checkout function (or the checkout of another shop) took off for a bundle of this service."""


@dataclass(frozen=True, slots=True)
class LineDiscount:
    """A discount that the checkout applied to a line. `kind` is `bundle` for the bundle's own discount; for any other discount,
    `kind` is the checkout's own term ("code", "automatic", "manual")."""

    kind: str
    title: str
    amount: int


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line as it was bought. `unit_price` is the price before all discounts; with a selling plan, it is the plan's price. `tax`
    is the tax on the whole line. Lines that the checkout merged into one share a `group`. A line that was added after the
    purchase has quantity 0 and an edit. `contract` is the subscription contract that the line belongs to. `net` means that the
    checkout merged the line, and that only the line's price after the bundle's discount is known."""

    id: str
    variant_id: int
    quantity: int
    unit_price: int
    tax: int = 0
    discounts: tuple[LineDiscount, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    group: str | None = None
    selling_plan: str | None = None
    contract: str | None = None
    net: bool = False

    @property
    def listed(self) -> int:
        """The price of the line before all discounts."""
        return self.unit_price * self.quantity

    @property
    def own_discount(self) -> int:
        """The amount of the bundle's own discount on the line."""
        return sum(each.amount for each in self.discounts if each.kind == BUNDLE_DISCOUNT)

    @property
    def other_discounts(self) -> int:
        """The amount of all other discounts on the line."""
        return sum(each.amount for each in self.discounts if each.kind != BUNDLE_DISCOUNT)

    @property
    def charged(self) -> int:
        """The charge for the line at the time of purchase."""
        return self.listed - self.own_discount - self.other_discounts

    @property
    def bundle_data(self) -> BundleData | None:
        """The configured bundle that the line belongs to; None for a fee, and for a line without a bundle."""
        return None if BUNDLE_FEE in self.properties else BundleData.read(self.properties.get(BUNDLE_DATA, ""))

    def as_cart_line(self, currency: str) -> CartLine:
        """Return the line as the checkout function saw it in the cart."""
        price = from_presentment_units(self.unit_price, currency)
        return CartLine(
            self.id, self.variant_id, self.quantity, price, self.properties, selling_plan=self.selling_plan is not None
        )


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a line after the purchase. `quantity`, `amount` and `tax` are differences, such as -1 unit and -999 minor
    units."""

    line_id: str
    quantity: int
    amount: int
    tax: int = 0


@dataclass(frozen=True, slots=True)
class Refund:
    """Units of a line that were returned, and the amount refunded for them. `quantity` may be 0 for a refund without returned
    goods."""

    line_id: str
    quantity: int
    amount: int
    tax: int = 0
    restocked: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """One version of an order; a higher `version` replaces a lower one. `placed_at` is in seconds since 1970, UTC. `rate` is the
    amount of the order's currency per unit of shop currency; it is 1 when the two currencies are the same. `bundles` is the value
    of the `_bundles` cart attribute."""

    id: str
    version: int
    name: str
    placed_at: int
    currency: str
    lines: tuple[OrderLine, ...]
    country: str | None = None
    rate: Decimal = Decimal(1)
    test: bool = False
    cancelled: bool = False
    visitor_id: str | None = None
    bundles: str | None = None
    edits: tuple[Edit, ...] = ()
    refunds: tuple[Refund, ...] = ()

    @property
    def exponent(self) -> int:
        """The number of decimal places of the order's amounts."""
        return presentment_exponent(self.currency)

    def edited(self, line_ids: Iterable[str]) -> int:
        """Return the amount by which edits changed the charge for these lines."""
        wanted = set(line_ids)
        return sum(edit.amount for edit in self.edits if edit.line_id in wanted)
