"""Looks up configured bundles: the items behind a ghost variant, and the contents of a bundle (docs/contract.md#look-ups)."""

from collections.abc import Sequence
from dataclasses import dataclass

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import BundleRef, ConfiguredItem, StoredBundle
from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ConfiguredStore, Platform
from bundlesvc.request_deadline import RequestDeadline


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item of the selection for which a ghost variant was created, with the variants of the item's product that the item's
    section allows."""

    variant_id: int
    section_id: int
    available_variant_ids: tuple[int, ...]


class ConfiguredContents:
    """Reads the contents of configured bundles, by id or by ghost variant."""

    def __init__(self, store: ConfiguredStore, platform: Platform) -> None:
        self._store = store
        self._platform = platform

    async def items(
        self, tenant: Tenant, bundle: Bundle, variant_id: int, deadline: RequestDeadline
    ) -> list[FoundItem]:
        """Return the items, without duplicates, of the newest configured bundle that uses this ghost variant of the bundle.
        Raises NotFound and what `Platform` and `ConfiguredStore` raise."""
        stored = await self._store.newest_of_ghost(tenant, variant_id, bundle.id)
        if stored is None:
            raise NotFound
        products = (
            await self._platform.products(tenant, [item.product_id for item in stored.items], deadline=deadline)
        ).value
        once = {(item.variant_id, item.section_id): item for item in stored.items}
        return [
            FoundItem(item.variant_id, item.section_id, _allowed(bundle, item, products.get(item.product_id)))
            for item in once.values()
        ]

    async def contents(self, tenant: Tenant, refs: Sequence[BundleRef]) -> Sequence[StoredBundle]:
        """Return the configured bundles, in the order of `refs`. Unknown references are skipped."""
        return await self._store.look_up(tenant, refs)


def _allowed(bundle: Bundle, item: ConfiguredItem, product: Product | None) -> tuple[int, ...]:
    """Return the variants that may replace an item, regardless of stock: those listed by its section or required product, where
    an empty list means all. A free item that is listed by neither can only be replaced by its own variant."""
    section = bundle.sections_by_id.get(item.section_id)
    offers = [
        offered.variant_ids
        for offered in (section.products if section else ())
        if offered.product_id == item.product_id
    ]
    required = [one.variant_ids for one in bundle.required_products if one.product_id == item.product_id]
    allowed = offers or required or [(item.variant_id,)]
    if () in allowed:
        return tuple(variant.id for variant in product.variants) if product else (item.variant_id,)
    return tuple(dict.fromkeys(variant for variant_ids in allowed for variant in variant_ids))
