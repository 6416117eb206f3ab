"""Changes that an administrator makes in the engine: stock, prices and coupons."""

from typing import Any

from tests.vendure_plugin.shop import DemoEngine

_STOCK = """mutation ($id: ID!, $stock: Int!) {
  updateProductVariants(input: [{id: $id, trackInventory: TRUE, stockOnHand: $stock}]) { id }
}"""
_PRICE = "mutation ($id: ID!, $price: Money!) { updateProductVariants(input: [{id: $id, price: $price}]) { id } }"
_COUPON = """mutation ($input: CreatePromotionInput!) {
  createPromotion(input: $input) { ... on Promotion { id } ... on ErrorResult { errorCode message } }
}"""
_CHANNELS = "{ channels { items { id } } }"
_ASSIGN = """mutation ($promotion: ID!, $channel: ID!) {
  assignPromotionsToChannel(input: {promotionIds: [$promotion], channelId: $channel}) { id }
}"""


def set_stock(engine: DemoEngine, variant: str, stock: int) -> None:
    engine.admin.run(_STOCK, id=variant, stock=stock)


def set_price(engine: DemoEngine, variant: str, cents: int) -> None:
    """Set the price of a variant in the home channel."""
    engine.admin.run(_PRICE, id=variant, price=cents)


def add_coupon(engine: DemoEngine, code: str, action: str, arguments: list[dict[str, Any]]) -> None:
    """Create a coupon that is valid in every channel."""
    made = engine.admin.run(
        _COUPON,
        input={
            "enabled": True,
            "couponCode": code,
            "conditions": [],
            "actions": [{"code": action, "arguments": arguments}],
            "translations": [{"languageCode": "en", "name": code}],
        },
    )
    for channel in engine.admin.run(_CHANNELS)["channels"]["items"]:
        engine.admin.run(_ASSIGN, promotion=made["createPromotion"]["id"], channel=channel["id"])
