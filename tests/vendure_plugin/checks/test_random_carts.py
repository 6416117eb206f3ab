"""The plugin's checks and the simulator agree on random carts: with bundles as they were configured, and after any change to the
cart."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BundlesAttribute, CartLine
from bundlesvc.domain.checkout.cart_bundles import CartBundle, CartCurrency, Step, cart_bundles, promise
from bundlesvc.domain.checkout.cart_prices import promised_amount
from bundlesvc.domain.checkout.no_discount import NoDiscount
from tests.cart_transform.carts import Cart
from tests.cart_transform.random_bundles import KEYS
from tests.cart_transform.random_carts import random_cart
from tests.cart_transform.tokens import keys_of, open_token
from tests.vendure_plugin.checks import judging
from tests.vendure_plugin.checks.judging import Judge

CARTS = 400
DECIMALS = 6
KNOWN = KEYS[:2]
OTHER_BUNDLE = -1
"""Stands for the bundle of an entry whose bundle id is not a whole number."""


def _opened(token: str) -> Mapping[str, Any] | None:
    return open_token(token, keys_of(KNOWN))


def _lines(cart: Cart) -> list[CartLine]:
    """Convert the lines of a cart. This platform has no selling plans, and no products that are created for a single cart."""
    return [
        CartLine(line.id, line.variant, line.quantity, Decimal(line.unit_price), line.properties)
        for line in cart.lines
        if line.variant is not None
    ]


def _step(cart: Cart) -> Step:
    now = int(datetime.fromisoformat(cart.date).replace(tzinfo=UTC).timestamp())
    currency = CartCurrency(cart.currency, Decimal(cart.rate))
    return Step("demo", _opened, now, country=cart.country, currency=currency)


def _expected(bundle: CartBundle, attribute: BundlesAttribute, step: Step) -> Decimal | str:
    """Return the expected discount, or the reason why there is none."""
    try:
        entry = attribute.entry(bundle.configured_id)
    except NoDiscount:
        return "entry_missing"
    if (_opened(entry.discount) or {}).get("v") == 2:
        return "discount_unreadable"
    try:
        _, claims = promise(bundle, attribute, step)
        return "subscription" if claims.subscription else bundle.amount - promised_amount(claims, bundle, step)
    except NoDiscount as reason:
        return reason.code


def _line(line: CartLine, attribute: BundlesAttribute) -> judging.Line:
    mark = line.bundle_data
    try:
        entry = attribute.entry(mark.configured_id) if mark else None
    except NoDiscount:
        entry = None
    number = None if entry is None else entry.bundle_id
    return judging.Line(
        line.id,
        line.variant_id,
        line.quantity,
        f"{line.unit_price:f}",
        line.properties.get(BUNDLE_DATA),
        line.is_fee,
        None if entry is None else entry.discount,
        number if number is None or type(number) is int else OTHER_BUNDLE,
    )


@pytest.mark.parametrize("first", range(0, 2 * CARTS, CARTS))
def test_random_carts_have_the_result_of_the_simulator(first: int, judge: Judge) -> None:
    agreed: list[str] = []
    for seed in range(first, first + CARTS):
        cart, found = random_cart(Random(seed)), {}
        lines, attribute, step = _lines(cart), BundlesAttribute.read(cart.bundles), _step(cart)
        given = judging.Cart(
            [_line(line, attribute) for line in lines],
            KNOWN,
            cart.currency,
            now=step.now,
            decimals=DECIMALS,
            channels={cart.country: "here"},
        )
        for outcome in judge(given):
            if outcome.configured is not None:
                found[outcome.configured] = outcome.reason or sum(outcome.off.values(), Decimal(0))
        wanted = {bundle.configured_id: _expected(bundle, attribute, step) for bundle in cart_bundles(lines)}
        assert found == wanted, f"seed {seed}"
        agreed += [one if isinstance(one, str) else "discount" for one in wanted.values()]
    assert agreed.count("discount") > CARTS / 8
    assert len(set(agreed)) > 12
