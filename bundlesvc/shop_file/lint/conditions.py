"""Checks of a bundle's conditions: nodes that are never run or reached, nodes that are always or never true, and nodes without
effect."""

from collections.abc import Iterable, Iterator, Mapping

from bundlesvc.domain.conditions.action_types import (
    ACTION_TYPES,
    BLOCK_CART,
    DISCOUNT,
    GOTO_SECTION,
    HIDE_PRODUCT,
    HIDE_SECTION,
)
from bundlesvc.domain.conditions.condition_types import Node
from bundlesvc.domain.conditions.graph import ACTION, CONDITION, GROUP, is_known, references
from bundlesvc.shop_file.lint.findings import Code, Remark, error, error_if, warning
from bundlesvc.shop_file.lint.reasoning import Logic
from bundlesvc.shop_file.lint.subject import Subject, listed
from bundlesvc.shop_file.tree import quoted

_KNOWN_BUT_NOT_RUN = "cascade-variant"


def check_conditions(subject: Subject) -> Iterator[Remark]:
    """Check conditions and groups, and nodes of unknown kinds."""
    if not subject.graph.nodes and not subject.graph.partial:
        return
    yield from _node_not_run(subject)
    yield from _node_unreachable(subject)
    yield from _check_constant(subject)


def _node_not_run(subject: Subject) -> Iterator[Remark]:
    """Report nodes of unknown kinds or types, which are not run, together with the known nodes that depend on them.
    `cascade-variant` nodes are reported only if known nodes depend on them."""
    by_id = {node["id"]: node for node in subject.bundle.conditions}
    users = _users(subject.bundle.conditions)
    for node in subject.bundle.conditions:
        if is_known(node):
            continue
        dependents = [id_ for id_ in _spread([node["id"]], users) if is_known(by_id[id_])]
        if dependents:
            message = f"This node is not run, nor are those that depend on it: {listed(map(quoted, dependents))}."
            yield warning(Code.NODE_NOT_RUN, subject.at_node(node), message)
        elif node["kind"] != _KNOWN_BUT_NOT_RUN:
            unknown = quoted(str(node.get("type", node["kind"])))
            message = f"This node is not run: the engine does not know {unknown}."
            yield warning(Code.NODE_NOT_RUN, subject.at_node(node), message)


def _users(nodes: Iterable[Node]) -> Mapping[str, list[str]]:
    """Map each node to the ids of the nodes that refer to it."""
    users: dict[str, list[str]] = {}
    for node in nodes:
        for named in references(node):
            users.setdefault(named, []).append(node["id"])
    return users


def _node_unreachable(subject: Subject) -> Iterator[Remark]:
    """Report the outermost conditions and groups that no action, and no node of an unknown kind, depends on."""
    by_id = {node["id"]: node for node in subject.bundle.conditions}
    held = {id_: references(node) for id_, node in by_id.items()}
    roots = [id_ for id_, node in by_id.items() if node["kind"] not in (CONDITION, GROUP)]
    reached = set(_spread(roots, held))
    inner = {id_ for node in by_id.values() if node["id"] not in reached for id_ in references(node)}
    for id_, node in by_id.items():
        if id_ not in reached and id_ not in inner:
            yield warning(Code.NODE_UNREACHABLE, subject.at_node(node), "No action depends on this node.")


def _spread(start: Iterable[str], edges: Mapping[str, Iterable[str]]) -> list[str]:
    """Return all nodes reachable from the start along the edges, each once, beginning with the start."""
    found = dict.fromkeys(start)
    pending = list(found)
    while pending:
        for id_ in edges.get(pending.pop(), ()):
            if id_ not in found:
                found[id_] = None
                pending.append(id_)
    return list(found)


def _check_constant(subject: Subject) -> Iterator[Remark]:
    """Report nodes that never or always hold. A group is reported only if none of its children explains the result."""
    held = {node["id"]: references(node) for node in subject.graph.nodes}
    money, addressing = (set(_spread(_actions(subject, changing_price=one), held)) for one in (True, False))
    for node in subject.graph.nodes:
        if node["kind"] == ACTION or node["id"] not in money | addressing:
            continue
        logic = subject.logic if node["id"] in addressing else subject.purchase_logic
        if not any(logic.never(child) or logic.always(child) for child in node.get("children", ())):
            yield from _condition_never_holds(subject, logic, node)
            yield from _condition_always_holds(subject, logic, node)


def _actions(subject: Subject, *, changing_price: bool) -> list[str]:
    """Return the ids of the actions that change the price or, if not `changing_price`, of all other actions. Price changes matter
    only for selections that can be bought; the other actions address shoppers who are still choosing."""
    actions = subject.graph.actions
    return [node["id"] for node in actions if ACTION_TYPES[node["type"]].changes_price is changing_price]


def _condition_never_holds(subject: Subject, logic: Logic, node: Node) -> Iterator[Remark]:
    if logic.never(node["id"]):
        message = f"This {node['kind']} holds for no selection that {_which(subject, logic)}."
        yield warning(Code.CONDITION_NEVER_HOLDS, subject.at_node(node), message)


def _condition_always_holds(subject: Subject, logic: Logic, node: Node) -> Iterator[Remark]:
    if logic.always(node["id"]) and not logic.never(node["id"]):
        message = f"This {node['kind']} holds for every selection that {_which(subject, logic)}."
        yield warning(Code.CONDITION_ALWAYS_HOLDS, subject.at_node(node), message)


def _which(subject: Subject, logic: Logic) -> str:
    return "can be put together" if logic is subject.logic else "can be bought"


def check_actions(subject: Subject) -> Iterator[Remark]:
    yield from _discount_never_wins(subject)
    yield from _always_blocked(subject)
    for node in subject.graph.actions:
        if node["type"] not in (HIDE_SECTION.name, HIDE_PRODUCT.name):
            continue
        if _hides_nothing(subject, node):
            message = f"Product {node['productId']} is not offered there, so there is nothing to hide."
            yield warning(Code.HIDES_NOTHING, subject.at_node(node), message)
        else:
            yield from _always_hidden(subject, node)
    yield from _goto_hidden_section(subject)


def _discount_never_wins(subject: Subject) -> Iterator[Remark]:
    """Report discounts that never win. The first discount that fires wins, so a discount never wins if an earlier one also fires
    whenever this one does."""
    earlier: list[Node] = []
    for node in subject.actions(DISCOUNT):
        if subject.logic.never(node.get("when")):
            continue  # reported as `condition-never-holds`
        winner = next((one for one in earlier if subject.logic.implies(node.get("when"), one.get("when"))), None)
        if winner:
            message = f"The first discount that fires wins, and {quoted(winner['id'])} fires whenever this one does."
            yield warning(Code.DISCOUNT_NEVER_WINS, subject.at_node(node), message)
        earlier.append(node)


def _always_blocked(subject: Subject) -> Iterator[Remark]:
    for node in subject.actions(BLOCK_CART):
        if subject.purchase_logic.always(node.get("when")):
            message = "This action blocks every selection, so the bundle cannot be bought."
            yield error(Code.ALWAYS_BLOCKED, subject.at_node(node), message)


def _hides_nothing(subject: Subject, node: Node) -> bool:
    """Whether an action hides a product that is not offered in the action's section anyway (or in any section, if the action
    names none). Returns False if this is unknown, because the free items of a live platform may include the product."""
    if node["type"] != HIDE_PRODUCT.name or (subject.catalogue.live and subject.has_free_items):
        return False
    offered = subject.all_offers.within(node.get("sectionId"))
    return all(choice.product_id != int(node["productId"]) for choice in offered)


def _always_hidden(subject: Subject, node: Node) -> Iterator[Remark]:
    """Report an action that always hides its product or section. This is an error if it hides a required product everywhere."""
    if not subject.logic.always(node.get("when")):
        return
    if node["type"] == HIDE_SECTION.name:
        name, fatal = subject.section_name(node["sectionId"]), False
    else:
        required = {required.product_id for required in subject.bundle.required_products}
        name = f"product {node['productId']}"
        fatal = node.get("sectionId") is None and int(node["productId"]) in required
    message = f"This action hides {name} from every selection"
    message += ", but the product is required, so the bundle cannot be bought." if fatal else "."
    yield error_if(fatal, Code.ALWAYS_HIDDEN, subject.at_node(node), message)


def _goto_hidden_section(subject: Subject) -> Iterator[Remark]:
    hiding = subject.actions(HIDE_SECTION)
    for node in subject.actions(GOTO_SECTION):
        when = node.get("when")
        hides = (other for other in hiding if other["sectionId"] == node["sectionId"])
        if not subject.logic.never(when) and any(subject.logic.implies(when, other.get("when")) for other in hides):
            message = (
                f"This action goes to {subject.section_name(node['sectionId'])}, which is hidden whenever it fires."
            )
            yield warning(Code.GOTO_HIDDEN_SECTION, subject.at_node(node), message)
