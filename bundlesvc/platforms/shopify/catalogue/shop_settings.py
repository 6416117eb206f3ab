"""Fetches the settings of a shop."""

import html
import re

from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import WEIGHT_UNITS

_TAG = re.compile(r"<[^>]*>")


async def shop_settings(session: AdminSession) -> ShopSettings:
    """Fetch the shop's currency, its money format as plain text, and its weight unit."""
    data = await session.run("shop_settings")
    with session.reading():
        shop = data["shop"]
        return ShopSettings(
            shop["currencyCode"], _plain_text(shop["currencyFormats"]["moneyFormat"]), WEIGHT_UNITS[shop["weightUnit"]]
        )


def _plain_text(money_format: str) -> str:
    """Remove the HTML that a merchant may put around the amount."""
    return _TAG.sub("", html.unescape(money_format)).strip()
