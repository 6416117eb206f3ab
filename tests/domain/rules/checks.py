"""Checks lines against limit rules."""

from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.bundle import Discount, LimitRule
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import price_selection
from bundlesvc.domain.rules.limit_rules import Scope, check_limit_rules
from tests.domain.builders import EUR, bundle

PRICE, BEFORE = "bundle-price", "bundle-price-before-discount"
ITEMS, DIFFERENT, MULTIPLES = "total-number-of-products", "number-of-different-products", "multiples-of"
ONE_PRODUCT, ONE_VARIANT = "amount-of-one-product", "amount-of-one-variant"
WEIGHT = "amount-of-weight"


def check(
    rules: Sequence[LimitRule],
    lines: Sequence[Line],
    *,
    discount: Discount | None = None,
    subscription: str | None = None,
    granted: Sequence[Line] = (),
    unit: str = "kg",
    currency: str = EUR,
    void: frozenset[int] = frozenset(),
) -> list[Fault]:
    percentage = None if subscription is None else Decimal(subscription)
    outcome = Outcome(tuple(lines), tuple(granted))
    priced = price_selection(bundle(discount=discount), outcome, currency, percentage)
    return check_limit_rules(rules, Scope(priced, unit), void)


def texts(fault: Fault) -> tuple[str, str, str]:
    """The limit, the actual value and the shortfall reported by a fault, as strings."""
    return fault.extra["limit"], fault.extra["actual"], fault.extra["missing"]


def failed(faults: Sequence[Fault]) -> list[str]:
    return [fault.path for fault in faults]
