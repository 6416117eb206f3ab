"""What the demo storefront shows of its shop: the bundles on sale, and what a visitor can switch between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.shop import TRANSLATIONS, Shop, ShopSettings
from bundlesvc.domain.translation import translate_bundle
from bundlesvc.ports import Checkout, Platform, ShopStore
from bundlesvc.services.access import Caller
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.embed_bundles import spoken_language


@dataclass(frozen=True, slots=True)
class Shown:
    """A shop to look at: bundles in `language`, the `languages` that there are, the currencies of `markets` by country."""

    shop: Shop
    settings: ShopSettings
    language: str
    languages: Sequence[str]
    markets: Mapping[str, str]
    bundles: Sequence[Bundle]
    experiments: Sequence[Experiment]


class Showcase:
    """The use case."""

    def __init__(self, bundles: Bundles, shops: ShopStore, platform: Platform, checkout: Checkout) -> None:
        self._bundles = bundles
        self._shops = shops
        self._platform = platform
        self._checkout = checkout

    async def show(self, caller: Caller, asked: Sequence[str]) -> Shown:
        """The caller's shop, in the first of the languages asked for that it speaks. Raises what the ports raise."""
        tenant = caller.tenant
        bundles = await self._bundles.published(caller)
        languages = _languages(tenant.shop, bundles)
        language = spoken_language(tenant.shop, asked, languages)
        return Shown(
            tenant.shop,
            await self._platform.shop(tenant),
            language,
            languages,
            await self._checkout.markets(tenant),
            [translate_bundle(bundle, language) for bundle in bundles],
            await self._shops.experiments(tenant),
        )


def _languages(shop: Shop, bundles: Sequence[Bundle]) -> list[str]:
    """The shop's own, then every one that a bundle is translated into."""
    translated = {tag for bundle in bundles for tag in bundle.translations} if shop.has(TRANSLATIONS) else set()
    return [shop.locale, *sorted(translated - {shop.locale})]
