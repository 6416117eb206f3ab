"""Random orders with the verdicts that they should get, compared with those that they do get."""

import json
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from random import Random

from bundlesvc.domain.orders.order import Edit, LineDiscount, Order, OrderLine, Refund
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from bundlesvc.domain.orders.proof import prove
from bundlesvc.domain.orders.shop_checkout import ShopCheckout
from bundlesvc.domain.orders.verdict import Verdict
from tests.orders.accidents import AFTER, BEFORE, Purchase, befall, placed
from tests.orders.checkout import check_out, due, expected_of_refused, promised
from tests.orders.sales import DECIMALS, Item, Sale, half_up, random_sale

COUNTRIES = (None, "DE", "CH", "JP", "KW")


@dataclass
class Tally:
    """The verdicts of many orders, by currency, and what was wrong with them."""

    orders: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def judge(seed: int, tally: Tally) -> None:
    """Make one random order, and compare its verdicts with the expected ones."""
    purchase = random_purchase(Random(seed))
    order, promises = _order(purchase), _promises(purchase)
    opened = {sale.token: sale.claims for sale in purchase.sales}
    checkout = ShopCheckout("demo", purchase.home, lambda token: opened.get(token) if "token" in token else None)
    verdicts = {verdict.configured_id: verdict for verdict in prove(order, promises, checkout)}
    tally.orders += 1
    if len(verdicts) != len(purchase.sales):
        tally.faults.append(f"seed {seed}: {len(verdicts)} verdicts for {len(purchase.sales)} bundles")
    for sale in purchase.sales:
        verdict = verdicts[sale.id]
        tally.verdicts[purchase.currency, verdict.cause or verdict.outcome] += 1
        if fault := _fault(sale, purchase, verdict):
            tally.faults.append(f"seed {seed}: {fault}: {verdict}")


def random_purchase(random: Random) -> Purchase:
    """A cart in which something may have happened, after its charge."""
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
    if count == 12 and random.random() < 0.5:
        sales[-1].squeezed = due(sales[0]) > 0 and sales[0].refused is None
    check_out(purchase)
    befall(random, purchase, AFTER, 2)
    return purchase


def _fault(sale: Sale, purchase: Purchase, verdict: Verdict) -> str | None:
    """What is wrong with a verdict."""
    charged = _purchase(sale) + sale.edited
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
    stored = _stored(sale, purchase)
    if sale.bought_units == sale.units:
        return half_up(Fraction(stored.discounted) * purchase.rate * 10 ** DECIMALS[purchase.currency])
    if not stored.original:
        return 0
    return half_up(sale.listed * Fraction(stored.discounted) / Fraction(stored.original))


def _expected(sale: Sale, purchase: Purchase, price: int, lost: bool) -> str:
    """The verdict, from what is known to have happened."""
    paid = _purchase(sale)
    if paid + sale.edited == price:
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
    """The most by which a stored promise can be off: what the API does not write, and the conversion."""
    written = min(DECIMALS[purchase.home], 2)
    unit = purchase.rate * Fraction(10 ** DECIMALS[purchase.currency], 10**written)
    if purchase.currency == purchase.home:
        return unit if DECIMALS[purchase.home] > written else Fraction(0)
    return (sum(sale.bought_units.values()) + 1) * unit + 2


def _purchase(sale: Sale) -> int:
    return sum(item.listed - item.own - item.other for item in sale.items)


def _promises(purchase: Purchase) -> Promises:
    return Promises({sale.id: _stored(sale, purchase) for sale in purchase.sales if sale.is_stored})


def _stored(sale: Sale, purchase: Purchase) -> StoredPromise:
    """The promise in the shop's currency, as the API writes it, with the saving of the subscription."""
    saving = half_up(Fraction(sale.discounted) * (sale.subscription or 0) / 100)
    return StoredPromise(
        sale.id,
        sale.id + 1000,
        sale.country,
        _at_home(sale.original, sale, purchase),
        _at_home(sale.discounted - saving, sale, purchase),
        dict(sale.units),
    )


def _at_home(amount: int, sale: Sale, purchase: Purchase) -> Decimal:
    written = min(DECIMALS[sale.home], 2)
    rate = Fraction(1) if sale.currency == sale.home else purchase.rate
    units = half_up(Fraction(amount, 10 ** DECIMALS[sale.currency]) / rate * 10**written)
    return Decimal(units).scaleb(-written)


def _order(purchase: Purchase) -> Order:
    lines = [_line(item, {"_bundle_data": f"{sale.id}#9001#u1"}) for sale in purchase.sales for item in sale.items]
    edits = [Edit(sale.items[0].id, 0, sale.edited) for sale in purchase.sales if sale.edited]
    refunds = [Refund(purchase.sales[0].items[0].id, 1, 0)] if purchase.refunds else []
    return Order(
        "1",
        1,
        "#1001",
        purchase.placed_at,
        purchase.currency,
        (*lines, *(_line(item, {}) for item in purchase.neighbours)),
        purchase.country,
        Decimal(purchase.rate.numerator) / purchase.rate.denominator,
        bundles=purchase.attribute if purchase.is_attribute_lost else _attribute(purchase),
        edits=tuple(edits),
        refunds=tuple(refunds),
    )


def _line(item: Item, properties: dict[str, str]) -> OrderLine:
    discounts = [("bundle", "Bundle", item.own), ("code", "SUMMER", item.other)]
    return OrderLine(
        item.id,
        item.variant,
        item.quantity,
        item.price,
        discounts=tuple(LineDiscount(*each) for each in discounts if each[2]),
        properties=properties,
        selling_plan="plan" if item.plan else None,
    )


def _attribute(purchase: Purchase) -> str:
    return json.dumps(
        {str(sale.id): {"discount": sale.token, "id": sale.id + 1000} for sale in purchase.sales if sale.token}
    )
