"""Finds a node of the graph by kind and number."""

from collections.abc import Callable, Mapping

from tests.standin.data.gids import parse_gid
from tests.standin.data.shop import INVENTORY_ITEM_OFFSET, Shop
from tests.standin.graph.items import Node, Reference
from tests.standin.graph.market import catalog_node, market_node, price_list_node
from tests.standin.graph.orders import contract_node, find_order
from tests.standin.graph.product import product_node
from tests.standin.graph.publications import publication_node
from tests.standin.graph.selling_plans import selling_plan_group_node
from tests.standin.graph.variant import inventory_item_node, variant_node
from tests.standin.graph.webhooks import webhook_subscription_node
from tests.standin.operations.refusals import resource_not_found


def find(shop: Shop, global_id: str) -> Node | None:
    """Find a node of any kind. Returns None when it does not exist."""
    named = parse_gid(global_id)
    if named is None or named.number is None:
        return None
    return look_up(shop, Reference(named.kind, named.number))


def find_kind(shop: Shop, kind: str, global_id: str) -> Node | None:
    """Find a node of the given kind. Raises Refusal for an id of another kind."""
    named = parse_gid(global_id)
    if named is None or named.kind != kind:
        raise resource_not_found(global_id)
    return find(shop, global_id)


def look_up(shop: Shop, reference: Reference) -> Node | None:
    finder = _FINDERS.get(reference.kind)
    return finder(shop, reference.number) if finder else None


def _product(shop: Shop, number: int) -> Node | None:
    product = shop.products.get(number)
    return product_node(shop, product) if product else None


def _variant(shop: Shop, number: int) -> Node | None:
    found = shop.variant(number)
    return variant_node(shop, *found) if found else None


def _inventory_item(shop: Shop, number: int) -> Node | None:
    found = shop.variant(number - INVENTORY_ITEM_OFFSET)
    return inventory_item_node(found[1]) if found else None


def _market(shop: Shop, number: int) -> Node | None:
    market = shop.market(number)
    return market_node(market) if market else None


def _catalog(shop: Shop, number: int) -> Node | None:
    market = shop.market(number)
    return catalog_node(market) if market and market.has_catalog else None


def _price_list(shop: Shop, number: int) -> Node | None:
    market = shop.market(number)
    return price_list_node(shop, market) if market and market.has_catalog else None


def _selling_plan_group(shop: Shop, number: int) -> Node | None:
    return next((selling_plan_group_node(group) for group in shop.selling_plan_groups if group.id == number), None)


def _webhook_subscription(shop: Shop, number: int) -> Node | None:
    return next((webhook_subscription_node(sub) for sub in shop.webhook_subscriptions if sub.id == number), None)


def _contract(shop: Shop, number: int) -> Node | None:
    contract = shop.contracts.get(number)
    return contract_node(contract) if contract else None


_FINDERS: Mapping[str, Callable[[Shop, int], Node | None]] = {
    "Product": _product,
    "ProductVariant": _variant,
    "InventoryItem": _inventory_item,
    "Market": _market,
    "MarketCatalog": _catalog,
    "PriceList": _price_list,
    "Publication": publication_node,
    "SellingPlanGroup": _selling_plan_group,
    "Order": find_order,
    "SubscriptionContract": _contract,
    "WebhookSubscription": _webhook_subscription,
}
