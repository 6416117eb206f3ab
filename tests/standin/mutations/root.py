"""The fields at the root of a mutation."""

from functools import partial

from tests.standin.graph.items import Node
from tests.standin.mutations.draft_orders import calculate_draft_order
from tests.standin.mutations.fixed_prices import add_fixed_prices
from tests.standin.mutations.options_create import create_options
from tests.standin.mutations.publishing import unpublish
from tests.standin.mutations.variants_create import create_variants
from tests.standin.mutations.variants_delete import delete_variants
from tests.standin.mutations.variants_update import update_variants
from tests.standin.mutations.webhooks import create_webhook_subscription, delete_webhook_subscription
from tests.standin.shop import Shop


def mutation_root(shop: Shop) -> Node:
    mutations = {
        "productVariantsBulkCreate": create_variants,
        "productVariantsBulkUpdate": update_variants,
        "productVariantsBulkDelete": delete_variants,
        "productOptionsCreate": create_options,
        "priceListFixedPricesAdd": add_fixed_prices,
        "publishableUnpublish": unpublish,
        "draftOrderCalculate": calculate_draft_order,
        "webhookSubscriptionCreate": create_webhook_subscription,
        "webhookSubscriptionDelete": delete_webhook_subscription,
    }
    return {name: partial(mutation, shop) for name, mutation in mutations.items()}
