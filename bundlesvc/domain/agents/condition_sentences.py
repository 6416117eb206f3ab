"""A bundle's conditions as sentences: one per action that changes the price or what can be bought."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bundlesvc.domain.agents.names import Names
from bundlesvc.domain.bundle import FIXED, PERCENTAGE
from bundlesvc.domain.conditions import action_types, condition_types
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import Node, operation, value
from bundlesvc.domain.conditions.graph import CONDITION, Graph
from bundlesvc.domain.measures import MONEY, WEIGHT
from bundlesvc.domain.money import plain_text

MAX_LENGTH = 600
"""The maximum length of the text about what an action depends on, in characters. Without a maximum, groups that share members
could make the text grow without bound."""
_TOO_LONG = "a combination of further conditions holds"

_COMPARISONS = {"gt": "more than", "gte": "at least", "lt": "less than", "lte": "at most", "eq": "exactly"}
_JOINED = {"all": " and ", "any": " or ", "none": " or "}


class ConditionSentence(NamedTuple):
    """The sentence that describes a condition action, with the action's id."""

    action_id: str
    sentence: str


def condition_sentences(graph: Graph, names: Names) -> list[ConditionSentence]:
    """Return the sentences for all actions that change the price or what can be bought, in the order in which the bundle lists
    the actions. Actions that show messages or switch sections are left out, because they concern only pages."""
    reasons = _reasons(graph, names)
    return [
        ConditionSentence(action["id"], _sentence(action, reasons, names))
        for action in graph.actions
        if ACTION_TYPES[action["type"]].decides
    ]


def _sentence(action: Node, reasons: Mapping[str, str], names: Names) -> str:
    effect, when = _EFFECTS[action["type"]](action, names), action.get("when")
    return f"{effect[0].upper()}{effect[1:]}." if when is None else f"If {reasons[when]}, {effect}."


def _reasons(graph: Graph, names: Names) -> dict[str, str]:
    """Describe what every condition and group tests, by id. Each group is described after the groups that it contains."""
    reasons = {node["id"]: _condition(node, names) for node in graph.nodes if node["kind"] == CONDITION}
    for node in graph.groups_bottom_up:
        reasons[node["id"]] = _group(node["mode"], [reasons[child] for child in node["children"]])
    return reasons


def _group(mode: str, members: Sequence[str]) -> str:
    joined = _JOINED[mode].join(members)
    if len(joined) > MAX_LENGTH:
        return _TOO_LONG
    grouped = f"({joined})" if len(members) > 1 else joined
    return f"it is not true that {grouped}" if mode == "none" else grouped


def _condition(node: Node, names: Names) -> str:
    row = condition_types.type_of(node)
    if isinstance(row, condition_types.Fact):
        return row.words.format(value=str(node.get("value")).upper())
    section_id = node.get("sectionId")
    where = "" if section_id is None else f" in {names.section(section_id)}"
    unit = {MONEY: f" {names.currency}", WEIGHT: f" {names.weight_unit}"}.get(row.unit, "")
    return f"{_quantity(row, node, names)}{where} is {_COMPARISONS[operation(node)]} {plain_text(value(node))}{unit}"


def _quantity(row: condition_types.Quantity, node: Node, names: Names) -> str:
    if row.of is None:
        return row.words
    name_of = names.product if row.of == condition_types.PRODUCT_ID else names.variant
    return row.words.format(of=name_of(int(node[row.of])))


def _discount(node: Node, names: Names) -> str:
    discount = node["discount"]
    if discount["type"] == PERCENTAGE:
        return f"the discount is {discount['value']} percent, in place of the bundle's own"
    if discount["type"] == FIXED:
        return f"the discount is {discount['value']} {names.currency}, in place of the bundle's own"
    return f"the price is {discount['value']} {names.currency}, in place of the bundle's own discount"


def _free_item(node: Node, names: Names) -> str:
    return f"up to {node['quantity']} of {names.variant(int(node['variantId']))} in the selection cost nothing"


def _hidden_section(node: Node, names: Names) -> str:
    return f"nothing can be chosen in {names.section(node['sectionId'])}"


def _hidden_product(node: Node, names: Names) -> str:
    section_id = node.get("sectionId")
    where = "" if section_id is None else f" in {names.section(section_id)}"
    return f"{names.product(int(node['productId']))} cannot be chosen{where}"


def _block(node: Node, names: Names) -> str:
    return f'the bundle cannot be bought: "{node["text"]}"'


_EFFECTS: Mapping[str, Callable[[Node, Names], str]] = {
    action_types.DISCOUNT.name: _discount,
    action_types.FREE_ITEM.name: _free_item,
    action_types.HIDE_SECTION.name: _hidden_section,
    action_types.HIDE_PRODUCT.name: _hidden_product,
    action_types.BLOCK_CART.name: _block,
}
