"""Renders orders, verdicts and refund quotes as plain data, for the management API and the CLI."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bundlesvc.domain.money import from_presentment_units
from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.order import Order, OrderLine
from bundlesvc.domain.orders.refunds.refund_comparison import REASONS, Comparison
from bundlesvc.domain.orders.refunds.refund_quote import QuotedLine
from bundlesvc.domain.orders.revenue import line_revenue
from bundlesvc.domain.orders.verdict import CAUSES, Verdict

Json = dict[str, Any]


def amount(units: int, currency: str) -> str:
    """Format an amount with the decimal places of its currency, for example "19.99", "1999" or "1.999"."""
    return f"{from_presentment_units(units, currency):f}"


def order_summary(judged: JudgedOrder) -> Json:
    """Render an order with its verdicts, but without its lines."""
    order = judged.order
    return {
        "id": order.id,
        "version": order.version,
        "name": order.name,
        "placedAt": datetime.fromtimestamp(order.placed_at, UTC).isoformat().replace("+00:00", "Z"),
        "currency": order.currency,
        "countryCode": order.country,
        "test": order.test,
        "cancelled": order.cancelled,
        "bundles": [verdict_body(verdict, order.currency) for verdict in judged.verdicts],
    }


def order_body(judged: JudgedOrder) -> Json:
    """Render an order with all its lines, edits and refunds."""
    order, revenue = judged.order, line_revenue(judged)
    return {
        **order_summary(judged),
        "rate": f"{order.rate:f}",
        "visitorId": order.visitor_id,
        "lines": [_line(order, line, revenue[line.id]) for line in order.lines],
        "edits": [
            {"line": edit.line_id, "quantity": edit.quantity, **_with_tax(order, edit.amount, edit.tax)}
            for edit in order.edits
        ],
        "refunds": [
            {
                "line": refund.line_id,
                "quantity": refund.quantity,
                **_with_tax(order, refund.amount, refund.tax),
                "restocked": refund.restocked,
            }
            for refund in order.refunds
        ],
    }


def verdict_body(verdict: Verdict, currency: str) -> Json:
    """Render a verdict, with a sentence that explains its cause."""
    promised, difference = verdict.promised, verdict.difference
    return {
        "configuredBundleId": verdict.configured_id,
        "bundleId": verdict.bundle_id,
        "verdict": verdict.outcome,
        "cause": verdict.cause,
        "reason": verdict.reason,
        "message": None if verdict.cause is None else CAUSES[verdict.cause],
        "promised": None if promised is None else amount(promised, currency),
        "charged": amount(verdict.charged, currency),
        "difference": None if difference is None else amount(difference, currency),
        "delivery": verdict.delivery,
        "lines": list(verdict.line_ids),
    }


def refund_body(order: Order, policy: str, quoted: Sequence[QuotedLine]) -> Json:
    """Render a refund quote, with its totals."""
    return {
        "policy": policy,
        "currency": order.currency,
        **_with_tax(order, sum(line.amount for line in quoted), sum(line.tax for line in quoted)),
        "lines": [
            {"line": line.line_id, "quantity": line.quantity, **_with_tax(order, line.amount, line.tax)}
            for line in quoted
        ],
    }


def comparison_body(order: Order, compared: Comparison) -> Json:
    """Render the refund that the platform suggests, for comparison with a refund quote. A sentence explains the difference."""
    suggested = compared.suggested
    return {
        **_with_tax(order, sum(line.amount for line in suggested), sum(line.tax for line in suggested)),
        "difference": amount(compared.difference, order.currency),
        "taxDifference": amount(compared.tax_difference, order.currency),
        "reason": compared.reason,
        "message": REASONS[compared.reason],
        "lines": [{"line": line.line_id, **_with_tax(order, line.amount, line.tax)} for line in suggested],
    }


def _line(order: Order, line: OrderLine, revenue: int) -> Json:
    mark = line.bundle_data
    return {
        "id": line.id,
        "variant": str(line.variant_id),
        "quantity": line.quantity,
        "unitPrice": amount(line.unit_price, order.currency),
        "listed": amount(line.listed, order.currency),
        "charged": amount(line.charged, order.currency),
        "tax": amount(line.tax, order.currency),
        "revenue": amount(revenue, order.currency),
        "discounts": [
            {"kind": each.kind, "title": each.title, "amount": amount(each.amount, order.currency)}
            for each in line.discounts
        ],
        "configuredBundleId": None if mark is None else mark.configured_id,
        "group": line.group,
        "sellingPlan": line.selling_plan,
        "contract": line.contract,
    }


def _with_tax(order: Order, units: int, tax: int) -> Json:
    return {"amount": amount(units, order.currency), "tax": amount(tax, order.currency)}
