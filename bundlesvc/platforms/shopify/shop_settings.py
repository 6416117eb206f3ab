"""What the shop as a whole says: currency, money format, weight unit."""

import html
import re

from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.inquiry import Inquiry
from bundlesvc.platforms.shopify.scalars import WEIGHT_UNITS

_TAG = re.compile(r"<[^>]*>")


async def shop_settings(inquiry: Inquiry) -> ShopSettings:
    data = await inquiry.run("shop_settings")
    with inquiry.reading():
        shop = data["shop"]
        return ShopSettings(
            shop["currencyCode"], _plain(shop["currencyFormats"]["moneyFormat"]), WEIGHT_UNITS[shop["weightUnit"]]
        )


def _plain(money_format: str) -> str:
    """A merchant may put HTML around the amount: what is left is text."""
    return _TAG.sub("", html.unescape(money_format)).strip()
