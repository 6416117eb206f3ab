"""Orders, their lines, and the agreements that record their changes."""

from decimal import Decimal

from bundlesvc.domain.money import round_presentment
from tests.standin.data.amounts import money
from tests.standin.data.gids import gid, parse_gid
from tests.standin.data.orders import AUTOMATIC, REFUND, Agreement, Allocation, Order, OrderedLine, Sale
from tests.standin.data.shop import Contract, Shop
from tests.standin.graph.items import Arguments, Items, Node, Reference

_KINDS = {"ORDER": "OrderAgreement", "ORDER_EDIT": "OrderEditAgreement", "REFUND": "RefundAgreement"}


def order_node(shop: Shop, order: Order) -> Node:
    return {
        "__typename": "Order",
        "id": gid("Order", order.number),
        "legacyResourceId": str(order.number),
        "name": f"#{order.number}",
        "createdAt": order.created_at,
        "updatedAt": order.updated_at,
        "cancelledAt": order.cancelled_at,
        "test": order.test,
        "edited": order.edited,
        "taxesIncluded": order.taxes_included,
        "currencyCode": order.home_currency,
        "presentmentCurrencyCode": order.currency,
        "totalPriceSet": _bag(order, order.total),
        "customAttributes": [{"key": key, "value": value} for key, value in order.attributes.items()],
        "displayAddress": order.country and {"countryCodeV2": order.country},
        "lineItems": lambda _: Items(order.lines, lambda line: line_node(shop, order, line)),
        "suggestedRefund": lambda arguments: _suggested_refund(order, arguments),
        "agreements": lambda _: Items(order.agreements, lambda agreement: _agreement_node(shop, order, agreement)),
    }


def line_node(shop: Shop, order: Order, line: OrderedLine) -> Node:
    group = line.group
    return {
        "__typename": "LineItem",
        "id": gid("LineItem", line.number),
        "quantity": line.quantity,
        "variant": None if shop.variant(line.variant_id) is None else Reference("ProductVariant", line.variant_id or 0),
        "lineItemGroup": group
        and {
            "id": gid("LineItemGroup", group.number),
            "title": group.title,
            "customAttributes": [{"key": key, "value": value} for key, value in group.attributes.items()],
        },
        "sellingPlan": line.plan
        and {"sellingPlanId": gid("SellingPlan", line.plan[0]) if line.plan[0] else None, "name": line.plan[1]},
        "contract": None if line.contract is None else Reference("SubscriptionContract", line.contract),
        "customAttributes": [{"key": key, "value": value} for key, value in line.attributes.items()],
        "originalUnitPriceSet": _bag(order, line.unit_price),
        "originalTotalSet": _bag(order, line.total),
        "taxLines": [{"priceSet": _bag(order, line.tax)}] if line.tax else [],
        "discountAllocations": [_allocation_node(order, each) for each in line.discounts],
    }


def orders(shop: Shop, arguments: Arguments) -> Items:
    """List the orders that the app may see. The search supports one term, `created_at:>=`."""
    term, _, since = (arguments.get("query") or "").partition(":>=")
    assert term in ("", "created_at")
    found = [order for order in shown(shop) if order.created_at >= since.strip("'")]
    return Items(sorted(found, key=lambda order: (order.created_at, order.number)), lambda one: order_node(shop, one))


def shown(shop: Shop) -> list[Order]:
    """Return the orders that the app may see."""
    return [order for order in shop.orders.values() if order.created_at >= shop.orders_shown_from]


def find_order(shop: Shop, number: int) -> Node | None:
    return next((order_node(shop, order) for order in shown(shop) if order.number == number), None)


def find_refund(shop: Shop, global_id: str) -> Node | None:
    named = parse_gid(global_id)
    for order in shown(shop):
        for agreement in order.agreements:
            if named is not None and agreement.number == named.number:
                return {"refundLineItems": lambda _, one=agreement: Items([*one.sales], _refund_line(one))}
    return None


def contract_node(contract: Contract) -> Node:
    origin = contract.origin_order
    return {
        "__typename": "SubscriptionContract",
        "id": gid("SubscriptionContract", contract.id),
        "status": contract.status,
        "originOrder": None if origin is None else Reference("Order", origin),
    }


def _agreement_node(shop: Shop, order: Order, agreement: Agreement) -> Node:
    return {
        "__typename": _KINDS[agreement.reason],
        "reason": agreement.reason,
        "sales": lambda _: Items(agreement.sales, lambda sale: _sale_node(shop, order, sale)),
        "refund": {"id": gid("Refund", agreement.number)} if agreement.reason == REFUND else None,
    }


def _sale_node(shop: Shop, order: Order, sale: Sale) -> Node:
    return {
        "__typename": "ProductSale" if sale.line else "ShippingLineSale",
        "actionType": sale.action,
        "quantity": sale.quantity,
        "totalAmount": _bag(order, sale.amount),
        "totalTaxAmount": _bag(order, sale.tax),
        "lineItem": sale.line and line_node(shop, order, sale.line),
    }


def _suggested_refund(order: Order, arguments: Arguments) -> Node:
    """Suggest a refund. The platform refunds each unit at the price that was charged, rounded."""
    wanted = {each["lineItemId"]: each["quantity"] for each in arguments["refundLineItems"]}
    lines = [line for line in order.lines if gid("LineItem", line.number) in wanted]
    assert len(lines) == len(wanted)
    return {"refundLineItems": [_suggested_line(order, line, wanted[gid("LineItem", line.number)]) for line in lines]}


def _suggested_line(order: Order, line: OrderedLine, quantity: int) -> Node:
    each, tax = (round_presentment(total / line.quantity, order.currency) for total in (line.charged, line.tax))
    return {
        "lineItem": {"id": gid("LineItem", line.number)},
        "subtotalSet": _bag(order, each * quantity),
        "totalTaxSet": _bag(order, tax * quantity),
    }


def _refund_line(agreement: Agreement):  # type: ignore[no-untyped-def]  # returns a function of a sale
    def node(sale: Sale) -> Node:
        line = sale.line
        return {"restocked": agreement.restocked, "lineItem": {"id": gid("LineItem", line.number if line else 0)}}

    return node


def _allocation_node(order: Order, allocation: Allocation) -> Node:
    name = "title" if allocation.kind == AUTOMATIC else "code"
    application = {"__typename": allocation.kind, name: allocation.title}
    return {"allocatedAmountSet": _bag(order, allocation.amount), "discountApplication": application}


def _bag(order: Order, amount: Decimal) -> Node:
    return {
        "presentmentMoney": money(amount, order.currency),
        "shopMoney": money(amount / order.rate, order.home_currency),
    }
