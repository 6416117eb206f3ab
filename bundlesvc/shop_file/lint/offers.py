"""Which choices a bundle offers, and where (design 8, "Structure")."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from bundlesvc.domain.bundle import Bundle, RequiredProduct, SectionProduct
from bundlesvc.domain.selection import NO_SECTION
from bundlesvc.shop_file.lint.catalogue import Catalogue, Choice


@dataclass(frozen=True)
class Offers:
    """What can be chosen in each section; in `NO_SECTION` what belongs to none. Each choice once a section."""

    by_section: Mapping[int, tuple[Choice, ...]]

    @classmethod
    def of(cls, bundle: Bundle, catalogue: Catalogue, free_variant_ids: Iterable[int]) -> Self:
        """Required products and free items can be chosen in every section, and in none."""
        anywhere = [
            *(choice for named in bundle.required_products for choice in catalogue.choices(*_named(named))),
            *map(catalogue.choice_of, sorted(free_variant_ids)),
        ]
        by_section = {NO_SECTION: _distinct(anywhere)}
        for section in bundle.sections:
            own = (choice for named in section.products for choice in catalogue.choices(*_named(named)))
            by_section[section.id] = _distinct([*own, *anywhere])
        return cls(by_section)

    def within(self, section_id: int | None) -> tuple[Choice, ...]:
        """What can be chosen in a section; everywhere, each choice once, when none is asked for."""
        return self._everywhere if section_id is None else self.by_section.get(section_id, ())

    def without(self, section_ids: frozenset[int], products: frozenset[tuple[int, int | None]]) -> Self:
        """What is left when these sections, and these products (everywhere, or in a section) are always hidden."""
        return type(self)(
            {
                section_id: tuple(
                    choice
                    for choice in choices
                    if products.isdisjoint({(choice.product_id, None), (choice.product_id, section_id)})
                )
                for section_id, choices in self.by_section.items()
                if section_id not in section_ids
            }
        )

    @cached_property
    def _everywhere(self) -> tuple[Choice, ...]:
        return _distinct(choice for choices in self.by_section.values() for choice in choices)


def _named(named: SectionProduct | RequiredProduct) -> tuple[int, tuple[int, ...]]:
    return named.product_id, named.variant_ids


def _distinct(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple(dict.fromkeys(choices))
