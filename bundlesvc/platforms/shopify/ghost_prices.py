"""The price of a ghost variant in one market: a fixed price on the market's price list."""

from decimal import Decimal

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.money import amount_text
from bundlesvc.platforms.shopify.gids import VARIANT, gid
from bundlesvc.platforms.shopify.inquiry import Inquiry
from bundlesvc.platforms.shopify.outcomes import InDoubt


async def set_fixed_price(inquiry: Inquiry, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
    """Set a variant's price on the price list of `terms`. A call in doubt is sent once more: the same price twice does no
    harm. Raises PlatformFailed when the platform refuses the price."""
    amount = {"amount": amount_text(price), "currencyCode": terms.currency}
    variables = {
        "priceList": terms.price_list,
        "prices": [{"variantId": gid(VARIANT, variant_id), "price": amount}],
    }
    try:
        data = await inquiry.change("set_fixed_prices", **variables)
    except InDoubt:
        data = await inquiry.run("set_fixed_prices", **variables)
    with inquiry.reading():
        faults = [f"{error['message']} ({error['code']})" for error in data["priceListFixedPricesAdd"]["userErrors"]]
    if faults:
        inquiry.notices.once("prices of ghost variants in a market are refused: %s", " ".join(faults))
        raise PlatformFailed
