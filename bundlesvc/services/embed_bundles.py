"""Finds and translates the bundle that the web component renders, and applies A/B tests (docs/contract.md#embed-api)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.assignment import assign
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.shop import AB_TESTING, TRANSLATIONS, Shop
from bundlesvc.domain.texts.translation import choose_language, translate_bundle
from bundlesvc.ports import Platform, ShopStore
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.bundles import Bundles, BundleView
from bundlesvc.services.product_translations import ProductTranslations
from bundlesvc.services.products import ProductList, Products


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """The web component's request for a bundle. `languages` are in order of preference; `template` is one of the shop's
    templates; `visitor_id` is a UUID."""

    bundle_id: int | None
    product_handle: str | None
    languages: Sequence[str]
    template: str | None
    visitor_id: str | None
    ab_bypass: bool


@dataclass(frozen=True, slots=True)
class ServedArm:
    """The A/B test and the arm that determined a visitor's bundle."""

    experiment_id: str
    arm: int
    entry_bundle_id: int
    bundle_id: int


@dataclass(frozen=True, slots=True)
class ServedBundle:
    """The bundle to render, its language (one of `available_languages`), its template, and the A/B test that chose the bundle, if
    any."""

    bundle: Bundle
    available_languages: tuple[str, ...]
    language: str
    template: str
    served_arm: ServedArm | None


@dataclass(frozen=True, slots=True)
class EmbedView:
    """A bundle and its products in the visitor's language, and the handle of the bundle's own product ("" when it has none)."""

    bundle: BundleView
    products: ProductList
    handle: str


class EmbedBundles:
    """Reads everything that the web component needs to render a bundle, in one language."""

    def __init__(self, bundles: Bundles, products: Products, shops: ShopStore, platform: Platform) -> None:
        self._bundles = bundles
        self._products = products
        self._translations = ProductTranslations(platform)
        self._shops = shops
        self._platform = platform

    async def find(self, caller: Caller, request: BundleRequest, deadline: RequestDeadline) -> ServedBundle:
        """Find the bundle to render. Raises NotFound, and the errors of the `Platform` port."""
        entry = await self._entry(caller, request, deadline)
        bundle, served_arm = await self._route(caller, entry, request)
        of_products = await self._translations.languages(caller.tenant, bundle.product_ids, request.languages, deadline)
        available_languages = tuple(dict.fromkeys((*of_products, *bundle.translations)))
        language = response_language(caller.tenant.shop, request.languages, available_languages)
        return ServedBundle(bundle, available_languages, language, request.template or bundle.template_code, served_arm)

    async def view(
        self, caller: Caller, found: ServedBundle, country: str | None, deadline: RequestDeadline
    ) -> Reading[EmbedView]:
        """Read all the data that the component needs to render a bundle. Raises what `Platform` raises."""
        bundle = await self._bundles.describe(caller.tenant, translate_bundle(found.bundle, found.language), deadline)
        listed = await self._products.of_bundle(caller.tenant, found.bundle, country, deadline)
        products = await self._translations.translate(caller.tenant, listed.value.products, found.language, deadline)
        handle = await self._products.own_handle(caller.tenant, found.bundle, deadline)
        view = EmbedView(bundle, replace(listed.value, products=products.value), handle)
        lifetimes = [lifetime for lifetime in (listed.lifetime, products.lifetime) if lifetime is not None]
        return Reading(view, listed.age, min(lifetimes, default=None))

    async def _entry(self, caller: Caller, request: BundleRequest, deadline: RequestDeadline) -> Bundle:
        if request.bundle_id is not None:
            return await self._bundles.find(caller, request.bundle_id)
        product_id = await self._platform.product_by_handle(caller.tenant, request.product_handle or "", deadline)
        bundle = product_id and await self._shops.bundle_of_product(caller.tenant, product_id)
        if not bundle:
            raise NotFound
        return bundle

    async def _route(self, caller: Caller, entry: Bundle, request: BundleRequest) -> tuple[Bundle, ServedArm | None]:
        """Return the bundle of the visitor's arm. Returns the entry bundle when no A/B test applies, or when the arm's bundle is
        not published."""
        if request.visitor_id is None or request.ab_bypass or not caller.tenant.shop.has(AB_TESTING):
            return entry, None
        experiments = await self._shops.experiments(caller.tenant)
        experiment = next((one for one in experiments if one.bundle_id == entry.id), None)
        if experiment is None:
            return entry, None
        assigned = assign(experiment, request.visitor_id)
        bundle = await self._shops.bundle(caller.tenant, assigned.bundle_id)
        if bundle is None or not bundle.published:
            return entry, None
        return bundle, ServedArm(experiment.id, assigned.arm, entry.id, bundle.id)


def response_language(shop: Shop, requested: Sequence[str], available: Sequence[str]) -> str:
    """Choose the language of a response. Without the `translations` feature, this is always the shop's own language."""
    return choose_language(requested, available, shop.locale) if shop.has(TRANSLATIONS) else shop.locale
