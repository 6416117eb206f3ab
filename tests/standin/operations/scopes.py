"""The access scopes that fields need."""

_SCOPES = {
    "QueryRoot.product": "read_products",
    "QueryRoot.productVariant": "read_products",
    "QueryRoot.productByIdentifier": "read_products",
    "QueryRoot.nodes": "read_products",
    "QueryRoot.inventoryItem": "read_inventory",
    "ProductVariant.inventoryItem": "read_inventory",
    "QueryRoot.markets": "read_markets",
    "QueryRoot.market": "read_markets",
    "QueryRoot.marketsResolvedValues": "read_markets",
    "QueryRoot.priceList": "read_products",
    "QueryRoot.shopLocales": "read_locales",
    "QueryRoot.translatableResourcesByIds": "read_translations",
    "Product.translations": "read_translations",
    "ProductOption.translations": "read_translations",
    "ProductOptionValue.translations": "read_translations",
    "Product.resourcePublicationsV2": "read_publications",
    "ProductVariant.resourcePublicationsV2": "read_publications",
    "ResourcePublicationV2.publication": "read_publications",
    "Product.sellingPlanGroups": "read_own_subscription_contracts",
    "QueryRoot.order": "read_orders",
    "QueryRoot.orders": "read_orders",
    "QueryRoot.refund": "read_orders",
    "QueryRoot.subscriptionContract": "read_own_subscription_contracts",
    "LineItem.contract": "read_own_subscription_contracts",
    "QueryRoot.cartTransforms": "read_cart_transforms",
    "QueryRoot.discountNodes": "read_discounts",
    "Mutation.cartTransformCreate": "write_cart_transforms",
    "Mutation.cartTransformDelete": "write_cart_transforms",
    "Mutation.discountAutomaticAppCreate": "write_discounts",
    "Mutation.discountAutomaticAppUpdate": "write_discounts",
    "Mutation.productVariantsBulkCreate": "write_products",
    "Mutation.productVariantsBulkUpdate": "write_products",
    "Mutation.productVariantsBulkDelete": "write_products",
    "Mutation.productOptionsCreate": "write_products",
    "Mutation.priceListFixedPricesAdd": "write_products",
    "Mutation.publishableUnpublish": "write_publications",
    "Mutation.draftOrderCalculate": "write_draft_orders",
}


def scope_of(type_name: str, field_name: str) -> str:
    """Return the scope that a field requires, or "" when it requires none."""
    return _SCOPES.get(f"{type_name}.{field_name}", "")


ALL = frozenset(_SCOPES.values())
"""All scopes that an app can be granted here."""
