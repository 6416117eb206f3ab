"""Prices and availability in a country: two calls for up to 250 products (docs/decisions/0009-market-prices.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.platforms.shopify.gids import PRODUCT, VARIANT, gid, number_of
from bundlesvc.platforms.shopify.inquiry import MAX_IDS, Inquiry
from bundlesvc.platforms.shopify.market_valuation import Offer, PriceInBoth, implied_rate, needs_price_list, valued
from bundlesvc.platforms.shopify.markets import Node, ResolvedMarket, resolved_market
from bundlesvc.platforms.shopify.products import FIRST_VARIANTS
from bundlesvc.platforms.shopify.scalars import amount, next_cursor

_TERMS = {PRODUCT: "product_id", VARIANT: "variant_id"}
"""What the search of a price list calls them."""
_PUBLICATIONS = ("firstPublication", "secondPublication", "thirdPublication")
_PUBLISHED = ("first", "second", "third")
"""Variables and answers of the documents: so many publications of a country are looked into."""


async def market_prices(inquiry: Inquiry, variants: Iterable[Variant], country: str) -> Mapping[int, MarketPrice]:
    """By variant id; a variant that the shop no longer has is left out. `country` is a code of Shopify's.

    Few variants are asked for themselves, many by their products, which bounds the calls.
    """
    wanted = {variant.id: variant for variant in variants}
    survey = _Survey(inquiry, await resolved_market(inquiry, country))
    if len(wanted) > MAX_IDS:
        await survey.ask_products({variant.product_id for variant in wanted.values() if variant.product_id})
    await survey.ask_variants([variant.id for variant in wanted.values() if survey.may_have_more_of(variant)])
    return {variant_id: price for variant_id, price in survey.prices().items() if variant_id in wanted}


class _Survey:
    """What the answers of one question say of a market."""

    def __init__(self, inquiry: Inquiry, market: ResolvedMarket) -> None:
        self._inquiry = inquiry
        self._market = market
        self._offers: dict[int, Offer] = {}
        self._whole_products: set[int] = set()
        self._fixed: set[int] = set()
        self._converted: list[PriceInBoth] = []

    def prices(self) -> Mapping[int, MarketPrice]:
        rate = implied_rate(self._converted)
        return {offer.variant_id: valued(offer, self._market, self._fixed, rate) for offer in self._offers.values()}

    def may_have_more_of(self, variant: Variant) -> bool:
        """Whether the variant is unknown yet, and not known to be gone."""
        return variant.id not in self._offers and variant.product_id not in self._whole_products

    async def ask_products(self, product_ids: Iterable[int]) -> None:
        await self._ask("market_prices_by_product", PRODUCT, sorted(product_ids), {"variantsFirst": FIRST_VARIANTS})

    async def ask_variants(self, variant_ids: Sequence[int]) -> None:
        await self._ask("market_prices_by_variant", VARIANT, variant_ids, {})

    async def _ask(self, document: str, kind: str, ids: Sequence[int], others: Mapping[str, Any]) -> None:
        def variables(batch: Sequence[int]) -> Mapping[str, Any]:
            gids = [gid(kind, number) for number in batch]
            return {"ids": gids, **others, **_market_variables(self._market), "rows": _rows(kind, batch)}

        for batch, data in await self._inquiry.in_batches(document, ids, variables):
            with self._inquiry.reading():
                for node in filter(None, data["nodes"]):
                    self._take(node)
                cursor = self._take_rows(data.get("priceList"))
            await self._ask_further_rows(_rows(kind, batch), cursor)

    def _take(self, node: Node) -> None:
        """A product with its variants, or a variant with its product."""
        if "variants" not in node:
            self._take_variant(node, node["product"])
            return
        for variant in node["variants"]["nodes"]:
            self._take_variant(variant, node)
        if next_cursor(node["variants"]) is None:
            self._whole_products.add(number_of(node["id"]))

    def _take_variant(self, node: Node, product: Node) -> None:
        price = node["contextualPricing"]["price"]
        published = [node[name] for name in _PUBLISHED if name in node]
        sold = product["publishedInContext"] and (not published or any(published))
        variant_id = number_of(node["id"])
        self._offers[variant_id] = Offer(
            variant_id, amount(node["price"]), amount(price["amount"]), price["currencyCode"], sold
        )

    def _take_rows(self, price_list: Node | None) -> str | None:
        """Which prices are fixed, and how others were converted; where the next page of fixed ones begins."""
        if price_list is None:
            return None
        if "relative" in price_list:
            self._converted += filter(None, (self._pair(row) for row in price_list["relative"]["nodes"]))
        self._fixed.update(number_of(row["variant"]["id"]) for row in price_list["fixed"]["nodes"])
        return next_cursor(price_list["fixed"])

    def _pair(self, row: Node) -> PriceInBoth | None:
        before, after = row["price"], row["variant"]["contextualPricing"]["price"]
        currencies = (before["currencyCode"], after["currencyCode"])
        if currencies != (self._market.shop_currency, self._market.currency):
            return None
        return PriceInBoth(amount(before["amount"]), amount(after["amount"]))

    async def _ask_further_rows(self, rows: str, cursor: str | None) -> None:
        while cursor:
            data = await self._inquiry.run(
                "fixed_prices_page", priceList=self._market.price_list, rows=rows, after=cursor
            )
            with self._inquiry.reading():
                cursor = self._take_rows(data["priceList"])


def _market_variables(market: ResolvedMarket) -> Mapping[str, Any]:
    count = len(market.publications)
    looked_into = 0 < count <= len(_PUBLICATIONS)
    variables: dict[str, Any] = {"country": market.country, "publications": looked_into}
    if looked_into:  # the last one fills the places that are left
        places = (*market.publications, *market.publications[-1:] * len(_PUBLICATIONS))
        variables |= zip(_PUBLICATIONS, places, strict=False)
    with_list = needs_price_list(market)
    return variables | {"list": with_list} | ({"priceList": market.price_list} if with_list else {})


def _rows(kind: str, ids: Iterable[int]) -> str:
    """The search for their rows on a price list."""
    return " OR ".join(f"{_TERMS[kind]}:{number}" for number in ids)
