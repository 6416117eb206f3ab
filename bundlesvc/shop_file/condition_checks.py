"""What must hold between the nodes of a bundle's conditions, and of what they name (design 10); reads the raw tree."""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from bundlesvc.domain.conditions import ACTION, GROUP, is_known
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.discount_checks import check_percentage
from bundlesvc.shop_file.document import Finding, quoted
from bundlesvc.shop_file.place import Place, repeated
from bundlesvc.shop_file.references import Catalogue, Sections


def check_conditions(bundle: Place, sections: Sections, catalogue: Catalogue) -> Iterator[Finding]:
    """Every fault of the graph: ids, references, cycles, and names of what does not exist."""
    nodes = [node for node in bundle.items("conditions") if node.is_mapping]
    yield from repeated((node.at("id") for node in nodes), scalars.name, "A node with the id")
    yield from _check_references(nodes)
    yield from _check_cycles(nodes)
    for node in nodes:
        yield from _check_names(node, sections, catalogue)


def _check_references(nodes: list[Place]) -> Iterator[Finding]:
    ids = {node.at("id").read(scalars.name) for node in nodes}
    actions = {node.at("id").read(scalars.name) for node in nodes if _is_action(node)}
    for node in nodes:
        for reference in _references(node):
            named = reference.read(scalars.name)
            if named is not None and named not in ids:
                yield reference.finding(f"There is no condition or group {quoted(named)} in this bundle.")
            elif named is not None and named in actions:
                yield reference.finding(f"{quoted(named)} is an action: only a condition or a group may stand here.")


def _references(node: Place) -> list[Place]:
    """The places where a node names others."""
    return [*node.items("children"), node.at("when")]


def _is_action(node: Place) -> bool:
    return node.at("kind").value == ACTION


def _check_cycles(nodes: list[Place]) -> Iterator[Finding]:
    by_id: dict[str, Place] = {}
    for node in nodes:
        by_id.setdefault(node.at("id").read(scalars.name) or "", node)
    edges = {id_: _named_by(node) for id_, node in by_id.items() if not _is_action(node)}
    for cycle in _cycles(edges):
        first = min(cycle, key=lambda id_: by_id[id_].path)
        start = cycle.index(first)
        around = " -> ".join(quoted(id_) for id_ in (*cycle[start:], *cycle[:start], first))
        held = by_id[first].at("children" if by_id[first].items("children") else "when")
        yield held.finding(f"These nodes depend on each other: {around}.")


def _named_by(node: Place) -> list[str]:
    return [named for reference in _references(node) if (named := reference.read(scalars.name)) is not None]


def _cycles(edges: dict[str, list[str]]) -> Iterator[list[str]]:
    """Cycles, each as the ids in the order in which they name one another, until the rest is free of them."""
    left = dict(edges)
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as found:
            cycle: list[str] = list(reversed(found.args[1]))[:-1]
            yield cycle
            left = {id_: named for id_, named in left.items() if id_ not in cycle}
        else:
            return


def _check_names(node: Place, sections: Sections, catalogue: Catalogue) -> Iterator[Finding]:
    """Faults of what a node of a known type names; others are kept as they were written."""
    if not isinstance(node.value, dict) or "kind" not in node.value:
        return
    if node.at("kind").value != GROUP and is_known(node.value):
        yield from sections.missing(node.at("sectionId"))
        yield from catalogue.missing_product(node.at("productId"))
        yield from catalogue.missing_variant(node.at("variantId"))
        yield from check_percentage(node.at("discount"), node.at("discount").at("value"))
