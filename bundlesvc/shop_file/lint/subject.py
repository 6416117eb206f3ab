"""A bundle under the linter's eyes: what it offers, demands and comes to, worked out once for all checkers."""

from collections.abc import Mapping
from functools import cached_property

from bundlesvc.domain.bundle import Bundle, Section
from bundlesvc.domain.conditions import NO_CONDITIONS, Graph, Node
from bundlesvc.domain.personalisation import DROPDOWN
from bundlesvc.domain.shop import CONDITIONS, PERSONALISATION, Shop
from bundlesvc.shop_file.document import TreePath, quoted
from bundlesvc.shop_file.lint.catalogue import Catalogue
from bundlesvc.shop_file.lint.effects import Effects
from bundlesvc.shop_file.lint.limits import Limit, Limits
from bundlesvc.shop_file.lint.logic import Logic
from bundlesvc.shop_file.lint.offers import Offers
from bundlesvc.shop_file.lint.reach import Reach
from bundlesvc.shop_file.lint.terms import Terms, largest_of_each, requirements_of
from bundlesvc.shop_file.lint.units import Units
from bundlesvc.shop_file.lint.universes import anything, purchases


class Subject:
    """A bundle in its shop; `section_places` tells where in the file each section stands."""

    def __init__(
        self, shop: Shop, catalogue: Catalogue, bundle: Bundle, path: TreePath, section_places: Mapping[int, int]
    ) -> None:
        self.shop = shop
        self.catalogue = catalogue
        self.bundle = bundle
        self.path = path
        self.units = Units.of(shop.settings)
        self._section_places = section_places

    def at(self, *steps: str | int) -> TreePath:
        """The path of a part of the bundle."""
        return (*self.path, *steps)

    def at_section(self, section_id: int, *steps: str | int) -> TreePath:
        return self.at("sections", self._section_places[section_id], *steps)

    def at_node(self, node: Node, *steps: str | int) -> TreePath:
        return self.at("conditions", self._node_places[node["id"]], *steps)

    @cached_property
    def _node_places(self) -> Mapping[str, int]:
        return {node["id"]: place for place, node in enumerate(self.bundle.conditions)}

    def section_name(self, section_id: int) -> str:
        """A section in a sentence."""
        section: Section = self.bundle.sections_by_id[section_id]
        return f"section {section_id} ({quoted(section.name)})" if section.name else f"section {section_id}"

    @cached_property
    def graph(self) -> Graph:
        """The conditions that are run: none when the shop has not the feature."""
        return self.bundle.graph if self.shop.has(CONDITIONS) else NO_CONDITIONS

    def actions(self, *types: str) -> list[Node]:
        """The actions of these types, in the order of the list."""
        return [node for node in self.graph.actions if node["type"] in types]

    @cached_property
    def unanswerable(self) -> Mapping[int, int]:
        """Products that nobody can personalise, so that nobody can buy them, and the place of the field that is to blame."""
        if not self.shop.has(PERSONALISATION):
            return {}
        return {
            product_id: place
            for product_id, fields in self.bundle.personalisation.items()
            for place, field in enumerate(fields)
            if field.required and field.type == DROPDOWN and not field.options
        }

    @cached_property
    def has_free_items(self) -> bool:
        return bool(self.graph.free_variant_ids)

    @cached_property
    def all_offers(self) -> Offers:
        """What is offered as long as nothing is hidden."""
        return Offers.of(self.bundle, self.catalogue, self.graph.free_variant_ids)

    @cached_property
    def logic(self) -> Logic:
        """What follows from the conditions, whatever is chosen."""
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
        """The sections that are always hidden: they offer nothing and owe nothing."""
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
        """What selections can come to by the bundle's terms, whatever is in stock."""
        return Reach(self.terms, self.catalogue, by_stock=False)

    @cached_property
    def in_stock(self) -> Reach:
        """What selections can come to now."""
        return Reach(self.terms, self.catalogue, by_stock=True)

    @cached_property
    def is_possible(self) -> bool:
        """Whether the bundle's terms may leave any selection at all."""
        return is_possible(self.by_terms, self.terms)

    @property
    def can_be_bought(self) -> bool:
        """Whether there may be a selection that can be bought now."""
        return self.is_possible and is_possible(self.in_stock, self.terms)


def is_possible(reach: Reach, terms: Terms) -> bool:
    """Whether there may be a selection that can be bought; when not, there is certainly none."""
    sections = (found.cause for section_id, found in reach.sections.items() if section_id not in terms.hideable)
    return reach.whole.cause is None and not reach.unmet and not any(sections)
