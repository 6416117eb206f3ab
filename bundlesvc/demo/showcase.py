"""The languages, countries and experiments that the demo storefront can switch between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.demo.ports import CartCatalogue
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.shop import TRANSLATIONS, Shop, ShopSettings
from bundlesvc.ports import Platform, ShopStore
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.embed_bundles import response_language


@dataclass(frozen=True, slots=True)
class ShopView:
    """A shop as shown on its page. `language` is the language shown, one of `languages`; `markets` maps each country to its
    currency."""

    shop: Shop
    settings: ShopSettings
    language: str
    languages: Sequence[str]
    markets: Mapping[str, str]
    experiments: Sequence[Experiment]


class Showcase:
    """Collects the data that the demo page shows about a shop."""

    def __init__(self, bundles: Bundles, shops: ShopStore, platform: Platform, catalogue: CartCatalogue) -> None:
        self._bundles = bundles
        self._shops = shops
        self._platform = platform
        self._catalogue = catalogue

    async def view(self, caller: Caller, preferred: Sequence[str]) -> ShopView:
        """Return the caller's shop in the first of the `preferred` languages that is available, otherwise in the shop's own
        language. Raises what the ports raise."""
        tenant = caller.tenant
        bundles = await self._bundles.published(caller)
        languages = _languages(tenant.shop, bundles)
        language = response_language(tenant.shop, preferred, languages)
        return ShopView(
            tenant.shop,
            await self._platform.shop(tenant),
            language,
            languages,
            await self._catalogue.markets(tenant),
            await self._shops.experiments(tenant),
        )


def _languages(shop: Shop, bundles: Sequence[Bundle]) -> list[str]:
    """Return the shop's own language, then every other language that a bundle is translated into."""
    translated = {tag for bundle in bundles for tag in bundle.translations} if shop.has(TRANSLATIONS) else set()
    return [shop.locale, *sorted(translated - {shop.locale})]
