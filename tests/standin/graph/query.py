"""The fields at the root of a query."""

from collections.abc import Callable

from tests.standin.data.shop import Shop
from tests.standin.graph.functions import cart_transforms, discounts, functions
from tests.standin.graph.items import Arguments, Items, Node
from tests.standin.graph.lookup import find, find_kind
from tests.standin.graph.market import market_node
from tests.standin.graph.orders import find_refund, orders
from tests.standin.graph.product import product_node
from tests.standin.graph.product_search import found_by
from tests.standin.graph.resolved_market import resolved_market_node
from tests.standin.graph.shop import app_installation_node, locale_nodes, shop_node, version_nodes
from tests.standin.graph.translatable import translatable_resource_node
from tests.standin.graph.webhooks import webhook_subscriptions


def query_root(shop: Shop, missing_scopes: frozenset[str] = frozenset()) -> Node:
    return {
        "currentAppInstallation": lambda _: app_installation_node(missing_scopes),
        "shop": lambda _: shop_node(shop),
        "shopLocales": lambda arguments: _locales(shop, arguments.get("published")),
        "publicApiVersions": lambda _: version_nodes(),
        "node": lambda arguments: find(shop, arguments["id"]),
        "nodes": lambda arguments: [find(shop, global_id) for global_id in arguments["ids"]],
        **{field: _by_id(shop, kind) for field, kind in _KINDS.items()},
        "productByIdentifier": lambda arguments: _product_by_identifier(shop, arguments["identifier"]),
        "products": lambda arguments: _products(shop, arguments),
        "markets": lambda arguments: _markets(shop, arguments),
        "marketsResolvedValues": lambda arguments: resolved_market_node(shop, arguments["buyerSignal"]["countryCode"]),
        "translatableResourcesByIds": lambda arguments: _translatable(shop, arguments),
        "shopifyFunctions": lambda arguments: functions(shop, arguments),
        "cartTransforms": lambda _: cart_transforms(shop),
        "discountNodes": lambda arguments: discounts(shop, arguments),
        "orders": lambda arguments: orders(shop, arguments),
        "refund": lambda arguments: find_refund(shop, arguments["id"]),
        "webhookSubscriptions": lambda arguments: webhook_subscriptions(shop, arguments),
    }


def _locales(shop: Shop, published: bool | None) -> list[Node]:
    return [node for node in locale_nodes(shop) if published is not True or node["published"]]


_KINDS = {
    "order": "Order",
    "subscriptionContract": "SubscriptionContract",
    "product": "Product",
    "productVariant": "ProductVariant",
    "inventoryItem": "InventoryItem",
    "market": "Market",
    "priceList": "PriceList",
    "publication": "Publication",
    "sellingPlanGroup": "SellingPlanGroup",
    "webhookSubscription": "WebhookSubscription",
}


def _by_id(shop: Shop, kind: str) -> Callable[[Arguments], Node | None]:
    return lambda arguments: find_kind(shop, kind, arguments["id"])


def _product_by_identifier(shop: Shop, identifier: Arguments) -> Node | None:
    if identifier.get("id") is not None:
        return find_kind(shop, "Product", identifier["id"])
    handle = identifier.get("handle")
    return next((product_node(shop, product) for product in shop.products.values() if product.handle == handle), None)


def _products(shop: Shop, arguments: Arguments) -> Items:
    """List products, sorted by title. On the platform, a search returns the best matches first; here all matches are equally
    good."""
    is_found = found_by(arguments.get("query"))
    found = sorted(filter(is_found, shop.products.values()), key=lambda product: (product.title, product.id))
    return Items(found, lambda product: product_node(shop, product))


def _markets(shop: Shop, arguments: Arguments) -> Items:
    """List markets, sorted by name. The search supports only the term `status:`."""
    term, _, status = (arguments.get("query") or "").partition(":")
    wanted = [market for market in shop.markets if term != "status" or market.status == status]
    return Items(sorted(wanted, key=lambda market: market.name), market_node)


def _translatable(shop: Shop, arguments: Arguments) -> Items:
    nodes = [translatable_resource_node(shop, global_id) for global_id in arguments["resourceIds"]]
    return Items([node for node in nodes if node is not None])
