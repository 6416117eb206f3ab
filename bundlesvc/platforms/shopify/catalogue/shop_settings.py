"""Fetches the settings of a shop."""

import html
import re

from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import WEIGHT_UNITS

_TAG = re.compile(r"<[^>]*>")


async def shop_settings(session: AdminSession) -> ShopSettings:
    """The currency, the money format as plain text, and the weight unit."""
    data = await session.run("shop_settings")
    with session.reading():
        shop = data["shop"]
        return ShopSettings(
            shop["currencyCode"], _plain_text(shop["currencyFormats"]["moneyFormat"]), WEIGHT_UNITS[shop["weightUnit"]]
        )


def _plain_text(money_format: str) -> str:
    """Removes the HTML that a merchant may put around the amount."""
    return _TAG.sub("", html.unescape(money_format)).strip()
