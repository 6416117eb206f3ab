"""Generates random orders, and compares their verdicts with the expected ones."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.order_checks import check_order
from bundlesvc.domain.orders.proving.proof import prove
from bundlesvc.domain.orders.proving.shop_checkout import ShopCheckout
from bundlesvc.domain.orders.refusals import OrderInvalid
from bundlesvc.domain.orders.revenue import line_revenue
from bundlesvc.domain.orders.verdict import Verdict
from tests.orders.accidents import AFTER, BEFORE, Purchase, befall, placed
from tests.orders.checkout import check_out, due, expected_of_refused, promised
from tests.orders.ghosts import GhostSale, expected_of_ghost, random_ghost
from tests.orders.records import order_of, promises_of, stored_promise
from tests.orders.sales import DECIMALS, Item, Sale, half_up, random_sale

COUNTRIES = (None, "DE", "CH", "JP", "KW")


@dataclass
class Tally:
    """The verdicts of many orders, by currency, and the faults found in them."""

    orders: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def judge(seed: int, tally: Tally) -> None:
    """Generate one random order, and compare its verdicts with the expected ones."""
    purchase = random_purchase(Random(seed))
    order = order_of(purchase)
    opened = {sale.token: sale.claims for sale in purchase.sales}
    checkout = ShopCheckout("demo", purchase.home, lambda token: opened.get(token) if "token" in token else None)
    found = prove(order, promises_of(purchase), checkout)
    verdicts = {verdict.configured_id: verdict for verdict in found}
    tally.orders += 1
    if len(found) != len(purchase.sales) + len(purchase.ghosts):
        tally.faults.append(f"seed {seed}: {len(found)} verdicts")
        return
    for verdict in found:
        tally.verdicts[purchase.currency, verdict.cause or verdict.outcome] += 1
    faults = [
        *(_fault(sale, purchase, verdicts[sale.id]) for sale in purchase.sales),
        *(_ghost_fault(sale, purchase, verdicts.get(sale.id)) for sale in purchase.ghosts),
        _unsound(order, purchase, found),
    ]
    tally.faults += [f"seed {seed}: {fault}: {found}" for fault in faults if fault]


def _unsound(order: Order, purchase: Purchase, verdicts: tuple[Verdict, ...]) -> str | None:
    """Return why an order would be rejected, or why its revenue does not add up; None if it is sound."""
    try:
        check_order(order, purchase.home)
    except OrderInvalid as refused:
        return f"refused: {refused.faults}"
    revenue = line_revenue(JudgedOrder(order, verdicts))
    for verdict in verdicts:
        if sum(revenue[line] for line in verdict.line_ids) != verdict.charged:
            return "the revenue of the components does not add up to the charge"
    return None


def _ghost_fault(sale: GhostSale, purchase: Purchase, verdict: Verdict | None) -> str | None:
    """Return what is wrong with the verdict on a ghost variant, or None."""
    if verdict is None:
        return "another promise was compared"
    market, edited = purchase.market, purchase.edited(sale.items)
    promised = half_up(market.price(sale.promises[0])) * sale.item.quantity
    if (verdict.charged, verdict.promised) != (sale.item.charged + edited, promised):
        return f"charged {sale.item.charged + edited}, promised {promised}"
    expected = expected_of_ghost(sale, market, edited)
    return None if (verdict.cause or verdict.outcome) == expected else f"expected {expected}"


def random_purchase(random: Random) -> Purchase:
    """Generate a cart and its charge, with random accidents (such as edits or refunds) before and after the charge."""
    home = random.choice(sorted(DECIMALS))
    country = random.choice(COUNTRIES)
    currency = home if country is None else random.choice([home, *DECIMALS])
    rate = Fraction(1) if currency == home else Fraction(random.randrange(1, 900), 100)
    count = random.choice([1, 1, 1, 2, 2, 3, 4]) if random.random() < 0.98 else 12
    sales = [random_sale(random, id_ + 1, country, currency, home) for id_ in range(count)]
    purchase = Purchase(sales, country, currency, home, rate, placed(random))
    if random.random() < 0.3:
        plan = random.random() < 0.2
        purchase.neighbours.append(Item("beside", 5, random.randrange(1, 4), random.randrange(900), plan=plan))
    befall(random, purchase, BEFORE, 2)
    if random.random() < 0.3:
        purchase.ghosts += [
            random_ghost(random, 20 + index, purchase.market) for index in range(random.choice([1, 1, 2]))
        ]
    if count == 12 and random.random() < 0.5:
        sales[-1].squeezed = due(sales[0]) > 0 and sales[0].refused is None
    check_out(purchase)
    befall(random, purchase, AFTER, 2)
    return purchase


def _fault(sale: Sale, purchase: Purchase, verdict: Verdict) -> str | None:
    """Return what is wrong with a verdict, or None."""
    charged = _purchase(sale) + purchase.edited(sale.items)
    if verdict.charged != charged:
        return f"charged {charged}"
    known = sale.token and sale.token.startswith("token") and "v" in sale.claims and sale.claims["v"] == 3
    lost = not known or sale.claims["shop"] != "demo"
    if lost and not sale.is_stored:
        return None if verdict.outcome == "promise_unknown" else "the promise is not known any more"
    price = _stored_price(sale, purchase) if lost else _price(sale, purchase)
    if verdict.promised != price:
        return f"promised {price}"
    expected = _expected(sale, purchase, price, lost)
    return None if (verdict.cause or verdict.outcome) == expected else f"expected {expected}"


def _price(sale: Sale, purchase: Purchase) -> int:
    return expected_of_refused(sale, purchase) if sale.refusal else promised(sale)


def _stored_price(sale: Sale, purchase: Purchase) -> int:
    stored = stored_promise(sale, purchase)
    if sale.bought_units == sale.units:
        return half_up(Fraction(stored.discounted) * purchase.rate * 10 ** DECIMALS[purchase.currency])
    if not stored.original:
        return 0
    return half_up(sale.listed * Fraction(stored.discounted) / Fraction(stored.original))


def _expected(sale: Sale, purchase: Purchase, price: int, lost: bool) -> str:
    """Derive the expected verdict from what is known to have happened."""
    paid = _purchase(sale)
    if paid + purchase.edited(sale.items) == price:
        return "equal"
    if paid == price:
        return "edited"
    if lost and abs(paid - price) <= _hidden(sale, purchase):
        return "rounding"
    if sale.refusal:
        return sale.refusal
    return _of_accepted(sale, purchase)


def _of_accepted(sale: Sale, purchase: Purchase) -> str:
    others = any(item.other for item in sale.items)
    if others and purchase.planned:
        return "other_discount"
    if due(sale) and not any(item.own for item in sale.items):
        alone = not any(item.own for other in purchase.sales for item in other.items)
        return "function_inactive" if alone else "discount_refused"
    if others:
        return "other_discount"
    return "rounding" if sale.cut else "subscription_rounding"


def _hidden(sale: Sale, purchase: Purchase) -> Fraction:
    """Return the largest possible error of a stored promise, caused by the digits that the API does not output and by the
    currency conversion."""
    written = min(DECIMALS[purchase.home], 2)
    unit = purchase.rate * Fraction(10 ** DECIMALS[purchase.currency], 10**written)
    if purchase.currency == purchase.home:
        return unit if DECIMALS[purchase.home] > written else Fraction(0)
    return (sum(sale.bought_units.values()) + 1) * unit + 2


def _purchase(sale: Sale) -> int:
    return sum(item.charged for item in sale.items)
