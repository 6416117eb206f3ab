"""Everything the linter can conclude about one bundle, worked out once, on first use."""

from collections.abc import Mapping
from functools import cached_property

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.conditions import NO_CONDITIONS, Graph, Node
from bundlesvc.domain.personalisation import DROPDOWN
from bundlesvc.domain.shop import CONDITIONS, PERSONALISATION, Market, Shop
from bundlesvc.shop_file.lint.reasoning.amounts import Effects
from bundlesvc.shop_file.lint.reasoning.limits import Limit, Limits
from bundlesvc.shop_file.lint.reasoning.logic import Logic, anything, purchases
from bundlesvc.shop_file.lint.reasoning.numbers import Units
from bundlesvc.shop_file.lint.reasoning.offers import Catalogue, Offers, largest_of_each, requirements_of
from bundlesvc.shop_file.lint.reasoning.reach import Reach, Terms


class Reasoning:
    """Conclusions about a bundle in its shop. See the package's docstring for what they guarantee."""

    def __init__(self, shop: Shop, catalogue: Catalogue, bundle: Bundle) -> None:
        self.shop = shop
        self.catalogue = catalogue
        self.bundle = bundle
        self.units = Units.of(shop.settings)

    @cached_property
    def graph(self) -> Graph:
        """The conditions that are run: none when the shop does not have the feature."""
        return self.bundle.graph if self.shop.has(CONDITIONS) else NO_CONDITIONS

    def actions(self, *types: str) -> list[Node]:
        """The actions of these types, in the order of the list."""
        return [node for node in self.graph.actions if node["type"] in types]

    @cached_property
    def has_free_items(self) -> bool:
        return bool(self.graph.free_variant_ids)

    @cached_property
    def unanswerable(self) -> Mapping[int, int]:
        """Products that nobody can buy because a required dropdown has no options, and the place of that field."""
        if not self.shop.has(PERSONALISATION):
            return {}
        return {
            product_id: place
            for product_id, fields in self.bundle.personalisation.items()
            for place, field in enumerate(fields)
            if field.required and field.type == DROPDOWN and not field.options
        }

    @cached_property
    def all_offers(self) -> Offers:
        """What is offered while nothing is hidden."""
        return Offers.of(self.bundle, self.catalogue, self.graph.free_variant_ids)

    @cached_property
    def logic(self) -> Logic:
        """What follows from the conditions for any selection that a shopper can put together."""
        return Logic(self.graph, anything(self.shop, self.bundle, self.all_offers), self.units)

    @cached_property
    def purchase_logic(self) -> Logic:
        """What follows from the conditions for selections that can be bought."""
        if not self.is_possible:
            return self.logic
        universe = purchases(self.shop, self.bundle, self.all_offers, self.by_terms, all_seen=not self.has_free_items)
        return Logic(self.graph, universe, self.units)

    @cached_property
    def hidden_sections(self) -> frozenset[int]:
        """The sections that are always hidden: they offer nothing and demand nothing."""
        return frozenset(
            node["sectionId"] for node in self.actions("hide-section") if self.logic.always(node.get("when"))
        )

    @cached_property
    def _hidden_products(self) -> frozenset[tuple[int, int | None]]:
        return frozenset(
            (int(node["productId"]), node.get("sectionId"))
            for node in self.actions("hide-product")
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
            hideable=frozenset(node["sectionId"] for node in self.actions("hide-section")),
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
        """The selections that are possible with what is in stock and sold in a market, at its prices."""
        return Reach(self.terms, self.catalogue.of_market(market), by_stock=True)

    @property
    def is_possible(self) -> bool:
        """Whether the bundle's terms may leave any selection."""
        return self.by_terms.is_possible

    @property
    def can_be_bought(self) -> bool:
        """Whether there may be a selection that can be bought now."""
        return self.is_possible and self.in_stock.is_possible
