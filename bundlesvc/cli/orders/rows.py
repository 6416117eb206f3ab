"""The table rows that `bundlesvc orders` prints: for orders, for a single order, and for a refund quote."""

from typing import Any

from bundlesvc.cli.terminal.rows import Row

_LINE = ("id", "variant", "quantity", "listed", "charged", "tax", "revenue", "configuredBundleId")


def bundle_rows(order: Row) -> list[Row]:
    """Build one row per bundle of an order."""
    return [
        {
            "order": order["id"],
            "placed": order["placedAt"],
            "bundle": bundle["bundleId"],
            "configured": bundle["configuredBundleId"],
            "promised": bundle["promised"],
            "charged": bundle["charged"],
            "difference": bundle["difference"],
            "currency": order["currency"],
            "verdict": bundle["verdict"],
            "cause": bundle["cause"],
            "reason": bundle["reason"],
            "delivery": bundle["delivery"],
        }
        for bundle in order["bundles"]
    ]


def line_rows(order: Row) -> list[Row]:
    """Build one row per line of an order, with the line's discounts in one cell."""
    return [
        {**{name: line[name] for name in _LINE}, "discounts": [_discount(each) for each in line["discounts"]]}
        for line in order["lines"]
    ]


def quote_rows(quote: Any) -> list[Row]:
    """Build one row per line of a refund quote, and one for the total. With a comparison, each row includes the platform's
    amounts."""
    total = {"line": "total", "quantity": None, "amount": quote["amount"], "tax": quote["tax"]}
    rows: list[Row] = [{**row, "currency": quote["currency"]} for row in (*quote["lines"], total)]
    if "platform" not in quote:
        return rows
    suggested = {line["line"]: line for line in quote["platform"]["lines"]} | {"total": quote["platform"]}
    return [{**row, **_of_platform(suggested.get(row["line"], {}))} for row in rows]


def _of_platform(suggested: Row) -> Row:
    return {"platform": suggested.get("amount"), "platformTax": suggested.get("tax")}


def _discount(discount: Row) -> str:
    return f"{discount['title'] or discount['kind']} -{discount['amount']}"
