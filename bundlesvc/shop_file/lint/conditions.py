"""Conditions and groups: those that never hold, those that always do, those that nothing depends on, those that are not run."""

from collections.abc import Iterable, Iterator, Mapping

from bundlesvc.domain.conditions import ACTION, CONDITION, GROUP, Node, is_known, references
from bundlesvc.shop_file.document import quoted
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.logic import Logic
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.words import listed

_MONEY = ("discount", "free-item")
"""Actions that matter only to selections that can be bought; the others speak to a shopper who is still choosing."""

_KNOWN_BUT_NOT_RUN = "cascade-variant"


def check_conditions(subject: Subject) -> Iterator[Remark]:
    if not subject.graph.nodes and not subject.graph.partial:
        return
    yield from _check_not_run(subject)
    yield from _check_unreachable(subject)
    yield from _check_constant(subject)


def _check_not_run(subject: Subject) -> Iterator[Remark]:
    """Nodes that no engine knows; and nodes known but not run here, where something depends on them."""
    by_id = {node["id"]: node for node in subject.bundle.conditions}
    users = _users(subject.bundle.conditions)
    for node in subject.bundle.conditions:
        if is_known(node):
            continue
        dependents = [id_ for id_ in _spread([node["id"]], users) if is_known(by_id[id_])]
        if dependents:
            message = f"This node is not run, and nothing that depends on it: {listed(map(quoted, dependents))}."
            yield warning(Code.NODE_NOT_RUN, subject.at_node(node), message)
        elif node["kind"] != _KNOWN_BUT_NOT_RUN:
            message = (
                f"This node is not run: {quoted(str(node.get('type', node['kind'])))} is nothing that the engine knows."
            )
            yield warning(Code.NODE_NOT_RUN, subject.at_node(node), message)


def _users(nodes: Iterable[Node]) -> Mapping[str, list[str]]:
    """By the id of each node, those that name it."""
    users: dict[str, list[str]] = {}
    for node in nodes:
        for named in references(node):
            users.setdefault(named, []).append(node["id"])
    return users


def _check_unreachable(subject: Subject) -> Iterator[Remark]:
    """Conditions and groups that no action (and no node of an unknown kind) leads to: the outermost ones."""
    by_id = {node["id"]: node for node in subject.bundle.conditions}
    held = {id_: references(node) for id_, node in by_id.items()}
    roots = [id_ for id_, node in by_id.items() if node["kind"] not in (CONDITION, GROUP)]
    reached = set(_spread(roots, held))
    inner = {id_ for node in by_id.values() if node["id"] not in reached for id_ in references(node)}
    for id_, node in by_id.items():
        if id_ not in reached and id_ not in inner:
            yield warning(Code.NODE_UNREACHABLE, subject.at_node(node), "No action depends on this node.")


def _spread(start: Iterable[str], edges: Mapping[str, Iterable[str]]) -> list[str]:
    """Everything that edges lead to from here, each once, the start first."""
    found = dict.fromkeys(start)
    pending = list(found)
    while pending:
        for id_ in edges.get(pending.pop(), ()):
            if id_ not in found:
                found[id_] = None
                pending.append(id_)
    return list(found)


def _check_constant(subject: Subject) -> Iterator[Remark]:
    """Nodes that never or always hold; groups only where none of their children explains it."""
    by_id = {node["id"]: node for node in subject.graph.nodes}
    held = {id_: references(node) for id_, node in by_id.items()}
    money = set(_spread([node["id"] for node in subject.actions(*_MONEY)], held))
    others = [node["id"] for node in subject.graph.nodes if node["kind"] == ACTION and node["type"] not in _MONEY]
    speaking = set(_spread(others, held))
    for id_, node in by_id.items():
        if node["kind"] == ACTION or id_ not in money | speaking:
            continue
        logic = subject.logic if id_ in speaking else subject.purchase_logic
        if not any(_is_constant(logic, child) for child in node.get("children", ())):
            yield from _check_node(
                subject, logic, node, "can be bought" if logic is not subject.logic else "can be made"
            )


def _is_constant(logic: Logic, node_id: str) -> bool:
    return logic.never(node_id) or logic.always(node_id)


def _check_node(subject: Subject, logic: Logic, node: Node, how: str) -> Iterator[Remark]:
    if logic.never(node["id"]):
        message = f"This {node['kind']} holds for no selection that {how}."
        yield warning(Code.CONDITION_NEVER_HOLDS, subject.at_node(node), message)
    elif logic.always(node["id"]):
        message = f"This {node['kind']} holds for every selection that {how}."
        yield warning(Code.CONDITION_ALWAYS_HOLDS, subject.at_node(node), message)
