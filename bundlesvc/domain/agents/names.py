"""The names of a bundle's sections, products and variants, for sentences that would otherwise contain ids."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.product import Product


@dataclass(frozen=True, slots=True)
class Names:
    """The titles of a bundle's sections, products and variants, by id, with the shop's currency and unit of weight."""

    sections: Mapping[int, str]
    products: Mapping[int, str]
    variants: Mapping[int, str]
    currency: str
    weight_unit: str

    @classmethod
    def of(cls, bundle: Bundle, products: Iterable[Product], currency: str, weight_unit: str) -> Self:
        listed = list(products)
        return cls(
            {section.id: section.name for section in bundle.sections},
            {product.id: product.title for product in listed},
            {variant.id: product.title_of(variant) for product in listed for variant in product.variants},
            currency,
            weight_unit,
        )

    def section(self, section_id: int) -> str:
        return f"the section {self.sections.get(section_id, section_id)}"

    def product(self, product_id: int) -> str:
        return self.products.get(product_id, f"product {product_id}")

    def variant(self, variant_id: int) -> str:
        return self.variants.get(variant_id, f"variant {variant_id}")
