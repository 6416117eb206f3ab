"""Placed orders and their refund quotes, as plain data for the serializer."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.api.manage.orders.rendering import order_body, refund_body
from bundlesvc.demo.buying.buying import BoughtOrder, PolicyQuote
from bundlesvc.demo.receipt import Goods

Json = dict[str, Any]


def bought_order(bought: BoughtOrder) -> Json:
    """Render an order as the management API does. Each line also contains its titles, its image, and the contents of a ghost
    variant."""
    body = order_body(bought.judged)
    return {**body, "lines": [{**line, **_goods(bought.goods, line["variant"])} for line in body["lines"]]}


def policy_quotes(quotes: Sequence[PolicyQuote]) -> Json:
    """Render a refund quote for each policy."""
    return {"quotes": [refund_body(quote.order, quote.policy, quote.lines) for quote in quotes]}


def _goods(goods: Mapping[int, Goods], variant: str) -> Json:
    sold = goods.get(int(variant))
    return {
        "title": sold.title if sold else variant,
        "variantTitle": sold.variant_title if sold else "",
        "imageUrl": sold.image if sold else "",
        "contents": list(sold.contents) if sold else [],
    }
