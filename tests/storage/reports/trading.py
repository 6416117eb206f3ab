"""Randomly generated sales of a shop: what was configured and ordered over some days, and a straightforward recomputation of its
reports."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any

from bundlesvc.domain.assignment import Assignment
from bundlesvc.domain.configured import ConfiguredBundle
from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.order import Edit, LineDiscount, Order, OrderLine, Refund
from bundlesvc.domain.orders.verdict import EQUAL, PROMISE_UNKNOWN, Verdict
from bundlesvc.domain.reports.bundle_report import ARM, BUNDLE, COUNTRY, DAY, TIER, Figures, Key, Money, ReportQuery
from tests.storage.configured_bundles import DAY as DAY_SECONDS
from tests.storage.configured_bundles import NOW, ONE_TIME, configured

DAYS = 9
COUNTRIES = (None, "DE", "CH", "JP")
CURRENCIES = ("EUR", "EUR", "CHF", "JPY", "KWD")
TIERS = (("percentage", "10.00"), ("percentage", "15.00"), ("fixed", "5.00"), ("none", "0.00"))
ARMS = (None, Assignment("summer test", 0, 20), Assignment("summer test", 1, 21), Assignment("other", 1, 22))


@dataclass(frozen=True)
class Trading:
    """The configured bundles, and the versions of orders in the sequence in which the service receives them."""

    configured: Sequence[ConfiguredBundle]
    orders: Sequence[JudgedOrder]

    @property
    def newest(self) -> Iterable[JudgedOrder]:
        """The newest version of each order."""
        versions: dict[str, JudgedOrder] = {}
        for judged in self.orders:
            known = versions.get(judged.order.id)
            if known is None or known.order.version < judged.order.version:
                versions[judged.order.id] = judged
        return versions.values()


def trading(seed: int, configured_count: int = 120, order_count: int = 70) -> Trading:
    """Generate random configured bundles and orders. The same seed generates the same data."""
    random = Random(seed)
    made = [_configured(random, number) for number in range(1, configured_count + 1)]
    orders = [
        judged
        for number in range(order_count)
        for judged in _versions(random, made, f"{number}")
        for _ in range(random.choice((1, 1, 2)))
    ]
    random.shuffle(orders)
    return Trading(made, orders)


def _configured(random: Random, number: int) -> ConfiguredBundle:
    kind, value = random.choice(TIERS)
    assigned = random.choice(ARMS)
    return configured(
        number,
        bundle_id=random.choice((20, 21, 22)) if assigned is None else assigned.bundle_id,
        country=random.choice(COUNTRIES),
        test=random.random() < 0.2,
        assignment=assigned,
        pricing=replace(ONE_TIME, discount_type=kind, discount_value=Decimal(value)),
        configured_at=NOW - random.randrange(DAYS * DAY_SECONDS),
    )


def _versions(random: Random, made: Sequence[ConfiguredBundle], order_id: str) -> list[JudgedOrder]:
    """Generate the versions of an order. Each version may contain different bundles or none, or may be a cancellation."""
    order = Order(
        order_id,
        0,
        f"#{order_id}",
        NOW - random.randrange(DAYS * DAY_SECONDS),
        random.choice(CURRENCIES),
        (),
        country=random.choice(COUNTRIES),
        test=random.random() < 0.2,
    )
    return [_judged(random, made, replace(order, version=version)) for version in range(random.choice((1, 1, 2, 3)))]


def _judged(random: Random, made: Sequence[ConfiguredBundle], order: Order) -> JudgedOrder:
    lines: list[OrderLine] = [OrderLine("other", 1, random.randrange(3), random.randrange(5000))]
    edits, refunds, verdicts = list[Edit](), list[Refund](), list[Verdict]()
    for index in range(random.choice((0, 1, 1, 2))):
        known = random.random() < 0.9
        bought = random.choice(made)
        configured_id = bought.id if known else 10**6 + random.randrange(100)
        own = [_line(random, f"{index}.{number}", configured_id) for number in range(random.choice((1, 2, 3)))]
        charged = sum(line.charged for line in own)
        if random.random() < 0.3 and own[0].charged:
            edits.append(Edit(own[0].id, -1, -(own[0].charged // 2)))
            charged -= own[0].charged // 2
        if random.random() < 0.3:
            refunds.append(Refund(own[0].id, 1, own[0].charged // 3))
        lines += own
        ids = tuple(line.id for line in own)
        outcome = (EQUAL, charged) if known else (PROMISE_UNKNOWN, None)
        verdicts.append(
            Verdict(configured_id, bought.bundle_id if known else None, ids, outcome[0], charged, outcome[1])
        )
    cancelled = random.random() < 0.1
    whole = replace(order, lines=tuple(lines), edits=tuple(edits), refunds=tuple(refunds), cancelled=cancelled)
    return JudgedOrder(whole, tuple(verdicts))


def _line(random: Random, id_: str, configured_id: int) -> OrderLine:
    quantity, price = random.randint(2, 4), random.randrange(100, 4000)
    off = LineDiscount("bundle", "Box", random.randrange(price)), LineDiscount("code", "SUMMER", random.randrange(50))
    mark = {"_bundle_data": f"{configured_id}#9001#u{configured_id}"}
    return OrderLine(id_, 11, quantity, price, discounts=off, properties=mark)


def plain_rows(traded: Trading, query: ReportQuery) -> dict[Key, Figures]:
    """Recompute the rows of a report, one configured bundle and one order at a time."""
    rows: dict[Key, Figures] = defaultdict(Figures)
    by_id = {each.id: each for each in traded.configured}
    bought = Counter[int]()
    for judged in traded.newest:
        order = judged.order
        if order.cancelled or order.test != query.test:
            continue
        for verdict in judged.verdicts:
            made = by_id.get(verdict.configured_id)
            if made is not None and made.test == order.test:
                bought[made.id] += 1
            else:
                made = None
            if _in(query, order.placed_at, verdict.bundle_id):
                rows[_key(query.by, order.placed_at, verdict.bundle_id, order.country, made)] += _sale(order, verdict)
    for made in traded.configured:
        if made.test == query.test and _in(query, made.configured_at, made.bundle_id):
            key = _key(query.by, made.configured_at, made.bundle_id, made.country, made)
            rows[key] += Figures(configured=1, ordered=int(bought[made.id] > 0))
    return rows


def plain_totals(traded: Trading, query: ReportQuery) -> dict[tuple[str, bool], tuple[int, int]]:
    """Recompute the number of orders and the sum of their amounts, by currency and by whether they contain a bundle."""
    totals = defaultdict[tuple[str, bool], list[int]](list)
    for judged in traded.newest:
        order = judged.order
        if not order.cancelled and order.test == query.test and _in(query, order.placed_at, query.bundle_id):
            charged = sum(line.charged for line in order.lines) + sum(edit.amount for edit in order.edits)
            totals[order.currency, bool(judged.verdicts)].append(charged)
    return {key: (len(each), sum(each)) for key, each in totals.items()}


def _sale(order: Order, verdict: Verdict) -> Figures:
    lines = [line for line in order.lines if line.id in verdict.line_ids]
    units = sum(line.quantity for line in lines)
    units += sum(edit.quantity for edit in order.edits if edit.line_id in verdict.line_ids)
    discount = sum(each.amount for line in lines for each in line.discounts)
    refunded = sum(refund.amount for refund in order.refunds if refund.line_id in verdict.line_ids)
    return Figures(sold=1, units=units, money=(Money(order.currency, verdict.charged, discount, refunded),))


def _in(query: ReportQuery, time: int, bundle_id: int | None) -> bool:
    of_bundle = query.bundle_id is None or query.bundle_id == bundle_id
    return of_bundle and query.period.first <= _day(time) <= query.period.last


def _key(by: str, time: int, bundle_id: int | None, country: str | None, made: ConfiguredBundle | None) -> Key:
    assigned: Any = made and made.assignment
    tier = (made.pricing.discount_type, f"{made.pricing.discount_value}") if made else (None, None)
    keys: dict[str, Key] = {
        BUNDLE: (bundle_id,),
        DAY: (_day(time).isoformat(),),
        COUNTRY: (country,),
        ARM: (assigned.experiment_id, assigned.arm, bundle_id) if assigned else (None, None, bundle_id),
        TIER: (bundle_id, *tier),
    }
    return keys[by]


def _day(time: int) -> date:
    return datetime.fromtimestamp(time, UTC).date()
