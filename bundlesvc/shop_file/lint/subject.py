"""A bundle as seen by the checks: the reasoning about it, and the paths and names of its parts for findings."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from bundlesvc.domain.bundle import Bundle, LimitRule, Section
from bundlesvc.domain.conditions.condition_types import Node
from bundlesvc.domain.measures import ITEMS, MONEY, WEIGHT
from bundlesvc.domain.rules.rule_types import RuleType, type_of
from bundlesvc.domain.shop import Shop
from bundlesvc.shop_file.lint.reasoning import Catalogue, Limit, Reasoning
from bundlesvc.shop_file.tree import TreePath, quoted

_SHOWN = 5


class Subject(Reasoning):
    """A bundle at `path` in the file; `section_places` contains the index of each section in the file, by id."""

    def __init__(
        self, shop: Shop, catalogue: Catalogue, bundle: Bundle, path: TreePath, section_places: Mapping[int, int]
    ) -> None:
        super().__init__(shop, catalogue, bundle)
        self.path = path
        self._section_places = section_places

    def at(self, *steps: str | int) -> TreePath:
        """Return the path, in the file, of the part of the bundle to which these steps lead."""
        return (*self.path, *steps)

    def at_limit(self, limit: Limit) -> TreePath:
        return self.at("limitRules", limit.place)

    def at_section(self, section_id: int) -> TreePath:
        return self.at("sections", self._section_places[section_id])

    def at_node(self, node: Node, *steps: str | int) -> TreePath:
        return self.at("conditions", self._node_places[node["id"]], *steps)

    @cached_property
    def _node_places(self) -> Mapping[str, int]:
        return {node["id"]: place for place, node in enumerate(self.bundle.conditions)}

    def section_name(self, section_id: int | None) -> str:
        """Return the name of a section for use in a message; the name of the whole bundle when `section_id` is None."""
        if section_id is None:
            return "the bundle"
        section: Section = self.bundle.sections_by_id[section_id]
        return f"section {section_id} ({quoted(section.name)})" if section.name else f"section {section_id}"


def rule_text(rule: LimitRule) -> str:
    """Format a rule as it is written in the file: `total-number-of-products gte 3`."""
    operation = "" if type_of(rule).is_multiple else f" {rule.operation}"
    return f"'{rule.type}{operation} {rule.value}".rstrip() + "'"


_WHOLE_UNITS = {ITEMS: "items", MONEY: "minor units of the currency", WEIGHT: "grams"}


def unit_name(row: RuleType) -> str:
    """Return the name of the unit in which a rule's measure is always a whole number, such as grams."""
    return _WHOLE_UNITS[row.unit]


def listed(names: Iterable[str]) -> str:
    """List the first few names, followed by the number of remaining names."""
    known = list(names)
    more = len(known) - _SHOWN
    return ", ".join(known[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
