"""The fields at the root of a mutation."""

from functools import partial

from tests.standin.data.shop import Shop
from tests.standin.graph.items import Node
from tests.standin.mutations.cart_transforms import create_cart_transform, delete_cart_transform
from tests.standin.mutations.discounts import create_discount, update_discount
from tests.standin.mutations.draft_orders import calculate_draft_order
from tests.standin.mutations.fixed_prices import add_fixed_prices
from tests.standin.mutations.metafields import set_metafields
from tests.standin.mutations.options_create import create_options
from tests.standin.mutations.publishing import unpublish
from tests.standin.mutations.variants_create import create_variants
from tests.standin.mutations.variants_delete import delete_variants
from tests.standin.mutations.variants_update import update_variants
from tests.standin.mutations.webhooks import create_webhook_subscription, delete_webhook_subscription


def mutation_root(shop: Shop, missing_scopes: frozenset[str] = frozenset()) -> Node:
    mutations = {
        "productVariantsBulkCreate": create_variants,
        "productVariantsBulkUpdate": update_variants,
        "productVariantsBulkDelete": delete_variants,
        "productOptionsCreate": create_options,
        "priceListFixedPricesAdd": add_fixed_prices,
        "publishableUnpublish": unpublish,
        "draftOrderCalculate": calculate_draft_order,
        "cartTransformCreate": create_cart_transform,
        "cartTransformDelete": delete_cart_transform,
        "discountAutomaticAppCreate": create_discount,
        "discountAutomaticAppUpdate": update_discount,
        "webhookSubscriptionCreate": create_webhook_subscription,
        "webhookSubscriptionDelete": delete_webhook_subscription,
    }
    return {
        **{name: partial(mutation, shop) for name, mutation in mutations.items()},
        "metafieldsSet": partial(set_metafields, shop, missing_scopes),
    }
