"""Calculates what is charged for a cart: first its prices, then the app's cart transforms, then the app's discounts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from graphql import GraphQLError, coerce_input_value

from bundlesvc.domain.money import ZERO
from tests.platform_schema import schema
from tests.standin.data.carts import Cart
from tests.standin.data.functions import Function, Metafields
from tests.standin.data.gids import gid
from tests.standin.data.shop import Shop
from tests.standin.storefront.inputs import InputCart, InputLine, function_schema, input_of
from tests.standin.storefront.operations import Charge, ResultRefused, discounted, merged
from tests.standin.storefront.prices import currency_of, priced_lines
from tests.standin.storefront.running import Run, run_module

TRANSFORM = ("cart.transform.run", "CartTransformRunResult")
DISCOUNT = ("cart.lines.discounts.generate.run", "CartLinesDiscountsGenerateRunResult")


@dataclass(frozen=True)
class Checkout:
    """The charges of a checkout. `blocked` says whether a function that blocks the checkout on failure has failed."""

    currency: str
    charges: Sequence[Charge]
    runs: Sequence[Run] = ()
    blocked: bool = False

    @property
    def total(self) -> Decimal:
        return sum((charge.amount for charge in self.charges), ZERO)


def check_out(shop: Shop, cart: Cart, now: float) -> Checkout:
    """Check out a cart with all active cart transforms and discounts of the shop's app."""
    return _Run(shop, cart, now).checkout()


@dataclass
class _Run:
    shop: Shop
    cart: Cart
    now: float
    runs: list[Run] = field(default_factory=list)
    blocked: bool = False

    def checkout(self) -> Checkout:
        charges = [
            Charge(line, line.product.title, line.amount)
            for line in (
                InputLine(
                    gid("CartLine", one.line.number),
                    one.line.quantity,
                    one.line.attributes,
                    one.product,
                    one.variant,
                    one.unit_price,
                    one.compare_at,
                    one.plan,
                )
                for one in priced_lines(self.shop, self.cart)
            )
        ]
        for transform in self.shop.functions.cart_transforms:
            charges = self._apply(transform.function_id, transform.metafields, charges, TRANSFORM)
            self.blocked = self.blocked or (transform.block_on_failure and bool(self.runs and self.runs[-1].error))
        for discount in self.shop.functions.discounts:
            if discount.status == "ACTIVE" and "PRODUCT" in discount.classes:
                charges = self._apply(discount.function_id, discount.metafields, charges, DISCOUNT)
        return Checkout(self.currency, charges, self.runs, self.blocked)

    @property
    def currency(self) -> str:
        return currency_of(self.shop, self.cart)

    def _apply(
        self, function_id: str, metafields: Metafields, charges: list[Charge], called: tuple[str, str]
    ) -> list[Charge]:
        """Run a function, and return the resulting charges. Returns the charges unchanged if the run fails."""
        function = self.shop.functions.function(id_=function_id)
        run = function and self._run(function, metafields, charges, called[0])
        if not function or not run:
            return charges
        if not run.error:
            try:
                charges = self._changed(function, charges, called, run.output)
            except ResultRefused as reason:
                run = replace(run, error=str(reason))
        self.runs.append(run)
        return charges

    def _changed(self, function: Function, charges: list[Charge], called: tuple[str, str], output: Any) -> list[Charge]:
        """Apply the result of a function to the charges. Raises ResultRefused."""
        operations = checked_result(function, called[1], output)["operations"]
        if called == TRANSFORM:
            return merged(self.shop, charges, operations, self.currency)
        return discounted(charges, operations, self.currency)

    def _run(self, function: Function, metafields: Metafields, charges: Sequence[Charge], name: str) -> Run | None:
        target = function.target(name)
        if target is None:
            return None
        market = self.shop.market_of(self.cart.country)
        lines = [charge.line for charge in charges]
        rate = market.rate if market else Decimal(1)
        country = self.cart.country or "DE"
        cart = InputCart(lines, self.cart.attributes, self.currency, rate, self.now, country)
        given = input_of(function, target, cart, metafields)
        return run_module(function.module, target.export, name, given, len(lines))


def checked_result(function: Function, kind: str, output: Any) -> Any:
    """Check a result against the schema, and fill in the schema's defaults. Raises ResultRefused when it does not match."""
    expected = schema(function_schema(function)).get_type(kind)
    try:
        return coerce_input_value(output, expected)  # type: ignore[arg-type]  # it is an input type
    except GraphQLError as error:
        raise ResultRefused(error.message) from error
