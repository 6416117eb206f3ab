"""Translates the texts of products into the visitor's language (docs/contract.md#languages)."""

from collections.abc import Sequence
from dataclasses import replace

from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import EMBEDDED, TRANSLATIONS, Tenant
from bundlesvc.domain.texts.translation import choose_language, translate_product, wants_another
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import RequestDeadline

UNTRANSLATED_SECONDS = 5.0
"""Seconds for which a response may be cached when its translations could not be fetched."""


class ProductTranslations:
    """Translates products. Products of the embedded platform contain their translations; for a live platform's products,
    translations are fetched, but only in the language that is needed. When fetching fails, products keep their original texts.
    Nothing is fetched for the shop's own language."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def languages(
        self, tenant: Tenant, product_ids: Sequence[int], requested: Sequence[str], deadline: RequestDeadline
    ) -> Sequence[str]:
        """Return the languages in which these products may have texts. Raises what `Platform.products` raises."""
        shop = tenant.shop
        if not shop.has(TRANSLATIONS):
            return ()
        if shop.platform.kind == EMBEDDED:
            products = (await self._platform.products(tenant, product_ids, deadline=deadline)).value.values()
            return list(dict.fromkeys(language for product in products for language in product.translations))
        return await self._languages_of_platform(tenant, deadline) if wants_another(requested, shop.locale) else ()

    async def translate(
        self, tenant: Tenant, products: Sequence[Product], language: str, deadline: RequestDeadline
    ) -> Reading[tuple[Product, ...]]:
        """Return the products, in the same order, with their texts in the given language."""
        lifetime = None
        try:
            products = await self._with_words(tenant, products, language, deadline)
        except Unavailable:
            lifetime = UNTRANSLATED_SECONDS
        return Reading(tuple(translate_product(product, language) for product in products), lifetime=lifetime)

    async def _languages_of_platform(self, tenant: Tenant, deadline: RequestDeadline) -> Sequence[str]:
        try:
            return await self._platform.languages(tenant, deadline)
        except Unavailable:
            return ()

    async def _with_words(
        self, tenant: Tenant, products: Sequence[Product], language: str, deadline: RequestDeadline
    ) -> Sequence[Product]:
        if not products or language == tenant.shop.locale:
            return products
        of_platform = choose_language([language], await self._platform.languages(tenant, deadline), "")
        if not of_platform:
            return products
        ids = [product.id for product in products]
        words = await self._platform.translations(tenant, ids, of_platform, deadline)
        return [
            replace(product, translations={language: words[product.id]}) if product.id in words else product
            for product in products
        ]
