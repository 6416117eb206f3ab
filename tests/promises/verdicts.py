"""Finds errors in the charges for a purchase by comparing them with the amounts that the oracle calculated."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.promises.amounts import DECIMALS, WRITTEN, minor_unit
from tests.promises.carts import Cart
from tests.promises.changes import HARMLESS, REASONS
from tests.promises.checkout import Charge, charges
from tests.promises.claims import rounded_away
from tests.promises.purchases import Plan, Purchase, honest
from tests.promises.shoppers import Bought
from tests.promises.shops import ANYWHERE, PLANS


@dataclass(frozen=True)
class Fault:
    """A fault in what was charged for a bundle. `bundle` is the bundle's kind."""

    what: str
    bundle: str
    details: str


@dataclass(frozen=True)
class Outcome:
    """The outcome of a purchase. `bundles` contains, for each bundle, the kind and the reason why the discount was refused (empty
    if it was not)."""

    bundles: Sequence[tuple[str, str]]
    faults: Sequence[Fault]


def judge_honest(purchase: Purchase) -> Outcome:
    """Judge a purchase of unchanged bundles in the market for which they were configured: every bundle must cost what was
    promised."""
    return _judged(purchase, None)


def judge_changed(purchase: Purchase, names: Sequence[str]) -> Outcome:
    """Judge a purchase that was changed after its bundles were configured: no bundle may cost less than the price that
    `configure` would now promise for it in the buyer's country."""
    return _judged(purchase, names)


def _judged(purchase: Purchase, names: Sequence[str] | None) -> Outcome:
    cart = purchase.cart()
    found = charges(cart)
    faults: list[Fault] = []
    for one in purchase.bought:
        for charge in found:
            checks = (
                _honest(purchase, one, cart, charge) if names is None else _changed(purchase, one, cart, charge, names)
            )
            faults += [Fault(what, one.wish.kind, f"{details}\n{described(one, cart)}") for what, details in checks]
    others = sum((line.amount for line in cart.lines if line.configured is None), Fraction(0))
    if any(charge.others != others for charge in found):
        faults.append(Fault("other lines changed", "", "\n".join(described(one, cart) for one in purchase.bought)))
    reasons = found[0].reasons
    return Outcome([(one.wish.kind, reasons.get(one.id, "")) for one in purchase.bought], faults)


def _honest(purchase: Purchase, one: Bought, cart: Cart, charge: Charge) -> Iterator[tuple[str, str]]:
    """Find faults in a bundle that was bought as configured: the charge must equal the promise. If a plan's rounding makes the
    total of the lines lower, the charge must equal that total, which is lower by at most half a minor unit of the currency for
    each item."""
    if one.id in charge.reasons:
        yield "refused", charge.reasons[one.id]
    lines, promised, paid = _cost(cart, one), one.promise.subscribed, charge.bundles[one.id]
    if paid != min(lines, promised):
        yield "paid less" if paid < promised else "paid more", f"{float(paid)} of {float(lines)} for {float(promised)}"
    if abs(promised - one.promise.shown.discounted) > _hidden(one, cart.currency):
        yield "not as shown", f"{float(promised)} for {float(one.promise.shown.discounted)}"
    if promised - lines > _rounding(cart, one):
        yield "paid less", f"the lines cost {float(lines)}"


def _changed(
    purchase: Purchase, one: Bought, cart: Cart, charge: Charge, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    lines, paid, reason = _cost(cart, one), charge.bundles[one.id], charge.reasons.get(one.id)
    least = min(lines, _least(purchase, one, cart))
    hidden = _hidden(one, cart.currency) + 2 * _rounding(cart, one)
    there = purchase.promise(one)
    if one.wish.kind in ANYWHERE and there and there.applied[0] == "none":
        hidden += rounded_away(purchase.file, one.wish.counts, purchase.country) + minor_unit(cart.currency) / 2
    if paid < least - hidden:
        yield "paid less", f"{names}: {float(paid)} of {float(lines)}, at least {float(least)}"
    lost = paid - least > minor_unit(cart.currency) + _rounding(cart, one)
    if reason is None and lost and paid != one.promise.market.discounted:
        yield "no reason", f"{names}: {float(paid)} although {float(least)} is promised"
    if reason is not None and reason not in set().union(*(REASONS[name] for name in names)):
        yield "another reason", f"{names}: {reason}"
    if _is_valid(purchase, one, names) and lost:
        yield "discount lost", f"{names}: {float(paid)} of {float(lines)} for {float(least)}, {reason}"


def _hidden(one: Bought, currency: str) -> Fraction:
    """Return an upper bound on the rounding error in a promised price that results from decimal places that the API leaves out:
    half a unit of the last place that the API includes, once for the discount and once for a subscription (docs/checkout.md)."""
    own = currency == one.file["shop"]["currency"] and DECIMALS[currency] > WRITTEN
    return Fraction(1 + bool(one.wish.months), 2 * 10**WRITTEN) if own else Fraction(0)


def _least(purchase: Purchase, one: Bought, cart: Cart) -> Fraction:
    """Return the lowest acceptable charge for a bundle: the promise that configure would make now in the buyer's country, or the
    original promise if the cost of the lines is unchanged, or the full cost of the lines if configure would refuse the selection.
    With a selling plan, the promise is a subscriber's price under the configured plan, unless the lines indicate another plan."""
    full, plan = _cost(cart, one), _whole_plan(purchase, one, cart)
    as_configured = plan and abs(_with_own_plan(purchase, one) - full) <= 2 * _rounding(cart, one)
    percentage = one.wish.percentage if plan and as_configured else plan.percentage if plan else Fraction(0)
    if _is_there(one, cart) and full == one.promise.market.original and not as_configured:
        return one.promise.market.discounted
    if _is_there(one, cart) and _is_unchanged(purchase, one, cart) and (plan is None or as_configured):
        return one.promise.subscribed if as_configured or not one.wish.months else one.promise.market.discounted
    if percentage not in map(Fraction, PLANS.values()):
        return full
    promise = purchase.promise(one, percentage)
    return full if promise is None else promise.subscribed


def _is_there(one: Bought, cart: Cart) -> bool:
    """Whether the cart's country and currency are those for which the bundle was configured."""
    there = honest(one.file, one.country, [one], {}).country
    return (cart.country, cart.currency) == (there, one.promise.market.currency)


def _is_unchanged(purchase: Purchase, one: Bought, cart: Cart) -> bool:
    """Whether the units still cost the same, as far as a selling plan's rounding allows this to be determined. A promise holds as
    long as the prices are unchanged, even if a new exchange rate would now lead to another promise."""
    moved = _cost(replace(purchase, plans={}).cart(), one) - one.promise.market.original
    return abs(moved) <= 2 * _rounding(cart, one)


def _whole_plan(purchase: Purchase, one: Bought, cart: Cart) -> Plan | None:
    """Return the selling plan of a bundle, or None unless all of its lines have it."""
    whole = all(line.plan for line in cart.lines if line.configured == one.id)
    return purchase.plans.get(one.id) if whole else None


def _with_own_plan(purchase: Purchase, one: Bought) -> Fraction:
    """Return what the bundle's lines would cost with the selling plan that the shopper chose when configuring it."""
    return _cost(replace(purchase, plans={**purchase.plans, one.id: Plan(one.wish.percentage)}).cart(), one)


def _is_valid(purchase: Purchase, one: Bought, names: Sequence[str]) -> bool:
    """Whether the bundle has a percentage discount that remains valid after the changes to the purchase; `names` are the names of
    the changes."""
    now = purchase.promise(one)
    if one.wish.kind not in ANYWHERE or now is None or now.applied != one.promise.applied or now.applied[0] == "none":
        return False
    return one.id not in purchase.plans and set(names) <= HARMLESS


def described(one: Bought, cart: Cart) -> str:
    """Describe a bundle and its lines for whoever investigates a fault."""
    lines = [
        f"{line.quantity} x {line.variant} at {float(line.unit_price)}{' with a plan' if line.plan else ''}"
        for line in cart.lines
        if line.configured == one.id
    ]
    bundle = {name: one.wish.bundle[name] for name in ("discount", "conditions", "limitRules")}
    return (
        f"{bundle}\nconfigured for {one.country}, subscription {one.wish.months}: {one.promise}\n"
        f"bought in {cart.country}, {cart.currency}: {', '.join(lines)}"
    )


def _cost(cart: Cart, one: Bought) -> Fraction:
    return sum((line.amount for line in cart.lines if line.configured == one.id), Fraction(0))


def _rounding(cart: Cart, one: Bought) -> Fraction:
    """Return the largest possible rounding error in the price of the bundle's lines: half a minor currency unit for each item
    with a selling plan, because the platform rounds the price of each such item."""
    units = sum(line.quantity for line in cart.lines if line.configured == one.id and line.plan)
    return units * minor_unit(cart.currency) / 2
