"""Access to parts of a shop file's tree by path, for checks that must work even where other parts are broken; and the products
and sections that a file may refer to."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from bundlesvc.domain.shop import LIVE_PLATFORMS
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.scalars import Reader, Unfit
from bundlesvc.shop_file.tree import Tree, TreeFault, TreePath, quoted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """The value at a path; None if there is nothing, so that a check can look further down without asking first."""

    path: TreePath
    value: Tree

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    def at(self, key: str) -> "Place":
        """The place under a key."""
        return Place((*self.path, key), self.value.get(key) if isinstance(self.value, dict) else None)

    def items(self, key: str | None = None) -> list["Place"]:
        """The items of the list here, or under a key."""
        here = self if key is None else self.at(key)
        if not isinstance(here.value, list):
            return []
        return [Place((*here.path, index), item) for index, item in enumerate(here.value)]

    def entries(self, key: str) -> list[tuple[str, "Place"]]:
        """The keys of the mapping under a key, each with its place; nulls count as absent."""
        here = self.at(key)
        if not isinstance(here.value, dict):
            return []
        return [(inner, Place((*here.path, inner), item)) for inner, item in here.value.items() if item is not None]

    def read(self, reader: Reader[T]) -> T | None:
        """The value as converted by `reader`; None if there is none or the reader refuses it."""
        return read_text(self.value, reader) if isinstance(self.value, str) else None

    def fault(self, message: str) -> TreeFault:
        return TreeFault(self.path, message)

    def unfit(self, reader: Reader[object]) -> Iterator[TreeFault]:
        """A fault if `reader` refuses the text here; none if there is no text."""
        if isinstance(self.value, str):
            try:
                reader(self.value)
            except Unfit as reason:
                yield self.fault(str(reason))


def read_text(written: str, reader: Reader[T]) -> T | None:
    """The text as converted by `reader`; None if it refuses it."""
    try:
        return reader(written)
    except Unfit:
        return None


def repeated(places: Iterable[Place], reader: Reader[Hashable], noun: str) -> Iterator[TreeFault]:
    """A fault for every place that repeats the value of an earlier one."""
    seen: set[Hashable] = set()
    for place in places:
        value = place.read(reader)
        if value is not None and value in seen:
            yield place.fault(f"{noun} {quoted(value) if isinstance(value, str) else value} already exists.")
        seen.add(value)


@dataclass(frozen=True, slots=True)
class KnownProducts:
    """The products of a file, and the product of every variant, by id.

    The products of a live platform are not `complete`, so none is missing.
    """

    complete: bool
    products: frozenset[int]
    owners: dict[int, int | None]

    def missing_product(self, place: Place) -> Iterator[TreeFault]:
        """A fault if no product has the id at this place."""
        return self._missing_product(place, place.read(scalars.product_id))

    def missing_product_key(self, key: str, place: Place) -> Iterator[TreeFault]:
        """A fault if no product has the id that is the key of this place."""
        return self._missing_product(place, read_text(key, scalars.product_id))

    def missing_variant(self, place: Place, product_id: int | None = None) -> Iterator[TreeFault]:
        """A fault if no variant has the id at this place, or if it belongs to another product than this."""
        return self._missing_variant(place, place.read(scalars.variant_id), product_id)

    def missing_variant_key(self, key: str, place: Place) -> Iterator[TreeFault]:
        """A fault if no variant has the id that is the key of this place."""
        return self._missing_variant(place, read_text(key, scalars.variant_id), None)

    def _missing_product(self, place: Place, product_id: int | None) -> Iterator[TreeFault]:
        if self.complete and product_id is not None and product_id not in self.products:
            yield place.fault(f"There is no product {product_id} in this file.")

    def _missing_variant(self, place: Place, variant_id: int | None, product_id: int | None) -> Iterator[TreeFault]:
        if not self.complete or variant_id is None:
            return
        if variant_id not in self.owners:
            yield place.fault(f"There is no variant {variant_id} in this file.")
        elif product_id in self.products and self.owners[variant_id] not in (product_id, None):
            yield place.fault(
                f"Variant {variant_id} belongs to product {self.owners[variant_id]}, not to product {product_id}."
            )


def known_products(top: Place) -> KnownProducts:
    """The products of a file, from its top."""
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
    return KnownProducts(not is_live(top), frozenset(products), owners)


def is_live(top: Place) -> bool:
    """Whether the shop's products are those of a live platform."""
    return top.at("shop").at("platform").at("kind").value in LIVE_PLATFORMS


@dataclass(frozen=True, slots=True)
class KnownSections:
    """The sections of a bundle, by id."""

    ids: frozenset[int | None]

    def missing(self, place: Place) -> Iterator[TreeFault]:
        """A fault if no section has the id at this place."""
        return self._missing(place, place.read(scalars.number_id))

    def missing_key(self, key: str, place: Place) -> Iterator[TreeFault]:
        """A fault if no section has the id that is the key of this place."""
        return self._missing(place, read_text(key, scalars.number_id))

    def _missing(self, place: Place, section_id: int | None) -> Iterator[TreeFault]:
        if section_id is not None and section_id not in self.ids:
            yield place.fault(f"This bundle has no section {section_id}.")


def known_sections(bundle: Place) -> KnownSections:
    return KnownSections(frozenset(section.at("id").read(scalars.number_id) for section in bundle.items("sections")))
