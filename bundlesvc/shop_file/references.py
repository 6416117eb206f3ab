"""What parts of a shop file may name: its products and variants, and the sections of a bundle, as far as they can be read."""

from collections.abc import Iterator
from dataclasses import dataclass

from bundlesvc.domain.shop import SHOPIFY
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.document import Finding
from bundlesvc.shop_file.place import Place, read_text


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`owners`: the product of every variant, by id. Of a live platform's catalogue nothing is known, so nothing is missing."""

    known: bool
    products: frozenset[int]
    owners: dict[int, int | None]

    def missing_product(self, place: Place) -> Iterator[Finding]:
        """A finding when there is no product of the id at this place."""
        return self._missing_product(place, place.read(scalars.product_id))

    def missing_product_key(self, key: str, place: Place) -> Iterator[Finding]:
        """A finding when there is no product of the id that is the key of this place."""
        return self._missing_product(place, read_text(key, scalars.product_id))

    def missing_variant(self, place: Place, product_id: int | None = None) -> Iterator[Finding]:
        """A finding when there is no variant of the id at this place, or when it is not one of this product."""
        return self._missing_variant(place, place.read(scalars.variant_id), product_id)

    def missing_variant_key(self, key: str, place: Place) -> Iterator[Finding]:
        """A finding when there is no variant of the id that is the key of this place."""
        return self._missing_variant(place, read_text(key, scalars.variant_id), None)

    def _missing_product(self, place: Place, product_id: int | None) -> Iterator[Finding]:
        if self.known and product_id is not None and product_id not in self.products:
            yield place.finding(f"There is no product {product_id} in this file.")

    def _missing_variant(self, place: Place, variant_id: int | None, product_id: int | None) -> Iterator[Finding]:
        if not self.known or variant_id is None:
            return
        if variant_id not in self.owners:
            yield place.finding(f"There is no variant {variant_id} in this file.")
        elif product_id in self.products and self.owners[variant_id] not in (product_id, None):
            yield place.finding(f"Variant {variant_id} is one of product {self.owners[variant_id]}, not {product_id}.")


def catalogue_of(top: Place) -> Catalogue:
    """The catalogue of a file, from its top."""
    products: set[int] = set()
    owners: dict[int, int | None] = {}
    for product in top.items("products"):
        product_id = product.at("id").read(scalars.product_id)
        if product_id is not None:
            products.add(product_id)
        for variant in product.items("variants"):
            variant_id = variant.at("id").read(scalars.variant_id)
            if variant_id is not None:
                owners.setdefault(variant_id, product_id)
    return Catalogue(not is_live(top), frozenset(products), owners)


def is_live(top: Place) -> bool:
    """Whether the shop's products are those of a live platform (design 13)."""
    return top.at("shop").at("platform").at("kind").value == SHOPIFY


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a bundle, by id."""

    ids: frozenset[int | None]

    def missing(self, place: Place) -> Iterator[Finding]:
        """A finding when there is no section of the id at this place."""
        return self._missing(place, place.read(scalars.number_id))

    def missing_key(self, key: str, place: Place) -> Iterator[Finding]:
        """A finding when there is no section of the id that is the key of this place."""
        return self._missing(place, read_text(key, scalars.number_id))

    def _missing(self, place: Place, section_id: int | None) -> Iterator[Finding]:
        if section_id is not None and section_id not in self.ids:
            yield place.finding(f"This bundle has no section {section_id}.")


def sections_of(bundle: Place) -> Sections:
    return Sections(frozenset(section.at("id").read(scalars.number_id) for section in bundle.items("sections")))
