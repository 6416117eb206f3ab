"""The linter's conclusions about a bundle. Checks import from this package only, never from the modules inside it.

Start with `Reasoning`, which is created for each bundle. It provides:

- `limits`: what the limit rules allow, each by itself and together, as sets of whole numbers (`Numbers`);
- `by_terms`, `in_stock`, `in_market(…)`: the selections that are possible (`Reach`) by the bundle's terms alone, with what is in
  stock, and in one market: how many items, of which products, at which prices and weights. If no selection is possible, `Cause`
  names the kind of requirement that cannot be met;
- `logic`, `purchase_logic`: which conditions never hold, always hold or imply others (`Logic`), for any selection and for
  selections that can be bought;
- `is_possible`, `can_be_bought`: whether there may be a selection at all.

Sets and reaches are over-approximations: each contains everything that is possible, and maybe more. A number outside a set is
therefore certainly impossible, and a finding based on its absence is never a guess. docs/decisions/0016-the-linters-reasoning.md
explains why. Findings that need an example get it from `witnesses`, which is an under-approximation.
"""

from collections.abc import Mapping
from functools import cached_property

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.conditions.action_types import HIDE_PRODUCT, HIDE_SECTION, ActionType
from bundlesvc.domain.conditions.condition_types import Node
from bundlesvc.domain.conditions.graph import Graph, of_type
from bundlesvc.domain.personalisation import DROPDOWN
from bundlesvc.domain.run_conditions import graph_of
from bundlesvc.domain.shop import PERSONALISATION, Market, Shop
from bundlesvc.shop_file.lint.reasoning.amounts import Deduction, Effects
from bundlesvc.shop_file.lint.reasoning.limits import Limit, Limits
from bundlesvc.shop_file.lint.reasoning.logic import Logic, anything, purchases
from bundlesvc.shop_file.lint.reasoning.numbers import (
    ANY_NUMBER,
    ITEMS,
    UNBOUNDED,
    ZERO_ONLY,
    Numbers,
    Units,
    satisfying,
)
from bundlesvc.shop_file.lint.reasoning.offers import (
    Catalogue,
    Choice,
    OfferedChoices,
    Requirement,
    largest_of_each,
    requirements_of,
)
from bundlesvc.shop_file.lint.reasoning.reach import Cause, Reach, Terms

__all__ = [
    "ANY_NUMBER",
    "ITEMS",
    "UNBOUNDED",
    "ZERO_ONLY",
    "Catalogue",
    "Cause",
    "Choice",
    "Deduction",
    "Limit",
    "Logic",
    "Numbers",
    "Reasoning",
    "Requirement",
    "requirements_of",
    "satisfying",
]


class Reasoning:
    """Conclusions about a bundle in its shop, each worked out once, on first use."""

    def __init__(self, shop: Shop, catalogue: Catalogue, bundle: Bundle) -> None:
        self.shop = shop
        self.catalogue = catalogue
        self.bundle = bundle
        self.units = Units.of(shop.settings)

    @cached_property
    def graph(self) -> Graph:
        """The graph of the conditions that are evaluated, which is empty when the shop does not have the conditions feature."""
        return graph_of(self.shop, self.bundle)

    def actions(self, row: ActionType) -> list[Node]:
        """Return the actions of this type, in the order of the bundle's conditions."""
        return of_type(self.graph.actions, row)

    @cached_property
    def has_free_items(self) -> bool:
        return bool(self.graph.free_variant_ids)

    @cached_property
    def unanswerable(self) -> Mapping[int, int]:
        """The products that cannot be bought because a required dropdown has no options, each with the index of that field."""
        if not self.shop.has(PERSONALISATION):
            return {}
        return {
            product_id: place
            for product_id, fields in self.bundle.personalisation.items()
            for place, field in enumerate(fields)
            if field.required and field.type == DROPDOWN and not field.options
        }

    @cached_property
    def all_offers(self) -> OfferedChoices:
        """The choices that are offered when nothing is hidden."""
        return OfferedChoices.of(self.bundle, self.catalogue, self.graph.free_variant_ids)

    @cached_property
    def logic(self) -> Logic:
        """Conclusions about the conditions, valid for any selection that a shopper can put together."""
        return Logic(self.graph, anything(self.shop, self.bundle, self.all_offers), self.units)

    @cached_property
    def purchase_logic(self) -> Logic:
        """Conclusions about the conditions, valid for selections that can be bought."""
        if not self.is_possible:
            return self.logic
        universe = purchases(self.shop, self.bundle, self.all_offers, self.by_terms, all_seen=not self.has_free_items)
        return Logic(self.graph, universe, self.units)

    @cached_property
    def hidden_sections(self) -> frozenset[int]:
        """The sections that are always hidden: they offer nothing and require nothing."""
        return frozenset(
            node["sectionId"] for node in self.actions(HIDE_SECTION) if self.logic.always(node.get("when"))
        )

    @cached_property
    def _hidden_products(self) -> frozenset[tuple[int, int | None]]:
        return frozenset(
            (int(node["productId"]), node.get("sectionId"))
            for node in self.actions(HIDE_PRODUCT)
            if self.logic.always(node.get("when"))
        )

    @cached_property
    def limits(self) -> Limits:
        """The limit rules that are in force."""
        limits = (Limit.of(place, rule, self.units) for place, rule in enumerate(self.bundle.limit_rules))
        in_force = (limit for limit in limits if limit.rule.section_id not in self.hidden_sections)
        return Limits(in_force, least_items=0 if self.has_free_items else 1)

    @cached_property
    def terms(self) -> Terms:
        return Terms(
            offers=self.all_offers.without(self.hidden_sections, self._hidden_products),
            limits=self.limits,
            requirements=largest_of_each(requirements_of(self.bundle, self.catalogue)),
            hideable=frozenset(node["sectionId"] for node in self.actions(HIDE_SECTION)),
            effects=Effects.of(self.shop, self.bundle, self.graph, self.units),
        )

    @cached_property
    def by_terms(self) -> Reach:
        """The selections that the bundle's terms leave possible, whatever is in stock."""
        return Reach(self.terms, self.catalogue, by_stock=False)

    @cached_property
    def in_stock(self) -> Reach:
        """The selections that are possible with what is in stock now."""
        return Reach(self.terms, self.catalogue, by_stock=True)

    def in_market(self, market: Market) -> Reach:
        """Return the selections that are possible with what is in stock and sold in a market, at the market's prices."""
        return Reach(self.terms, self.catalogue.of_market(market), by_stock=True)

    @property
    def is_possible(self) -> bool:
        """Whether the bundle's terms may allow any selection."""
        return self.by_terms.is_possible

    @property
    def can_be_bought(self) -> bool:
        """Whether there may be a selection that can be bought now."""
        return self.is_possible and self.in_stock.is_possible
