"""Rules between the nodes of a bundle's conditions, and about what they name. Reads the raw tree (see `checks`)."""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from bundlesvc.domain.bundle import PERCENTAGE
from bundlesvc.domain.conditions import ACTION, GROUP, is_known
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.places import KnownProducts, KnownSections, Place, repeated
from bundlesvc.shop_file.tree import TreeFault, quoted


def check_conditions(bundle: Place, sections: KnownSections, products: KnownProducts) -> Iterator[TreeFault]:
    """Every fault of the graph: ids, references, cycles, and names of what does not exist."""
    nodes = [node for node in bundle.items("conditions") if node.is_mapping]
    yield from repeated((node.at("id") for node in nodes), scalars.name, "A node with the id")
    yield from _check_references(nodes)
    yield from _check_cycles(nodes)
    for node in nodes:
        yield from _check_names(node, sections, products)


def _check_references(nodes: list[Place]) -> Iterator[TreeFault]:
    ids = {node.at("id").read(scalars.name) for node in nodes}
    actions = {node.at("id").read(scalars.name) for node in nodes if _is_action(node)}
    for node in nodes:
        for reference in _references(node):
            named = reference.read(scalars.name)
            if named is not None and named not in ids:
                yield reference.fault(f"There is no condition or group {quoted(named)} in this bundle.")
            elif named is not None and named in actions:
                yield reference.fault(f"{quoted(named)} is an action, but this must be a condition or a group.")


def _references(node: Place) -> list[Place]:
    """The places where a node refers to others."""
    return [*node.items("children"), node.at("when")]


def _is_action(node: Place) -> bool:
    return node.at("kind").value == ACTION


def _check_cycles(nodes: list[Place]) -> Iterator[TreeFault]:
    by_id: dict[str, Place] = {}
    for node in nodes:
        by_id.setdefault(node.at("id").read(scalars.name) or "", node)
    edges = {id_: _named_by(node) for id_, node in by_id.items() if not _is_action(node)}
    for cycle in _cycles(edges):
        first = min(cycle, key=lambda id_: by_id[id_].path)
        start = cycle.index(first)
        around = " -> ".join(quoted(id_) for id_ in (*cycle[start:], *cycle[:start], first))
        held = by_id[first].at("children" if by_id[first].items("children") else "when")
        yield held.fault(f"These nodes depend on each other: {around}.")


def _named_by(node: Place) -> list[str]:
    return [named for reference in _references(node) if (named := reference.read(scalars.name)) is not None]


def _cycles(edges: dict[str, list[str]]) -> Iterator[list[str]]:
    """Each cycle as its ids in the order of their references, until no cycle is left."""
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


def _check_names(node: Place, sections: KnownSections, products: KnownProducts) -> Iterator[TreeFault]:
    """Faults in what a node of a known type names; unknown nodes are not checked."""
    if not isinstance(node.value, dict) or "kind" not in node.value:
        return
    if node.at("kind").value != GROUP and is_known(node.value):
        yield from sections.missing(node.at("sectionId"))
        yield from products.missing_product(node.at("productId"))
        yield from products.missing_variant(node.at("variantId"))
        yield from check_percentage(node.at("discount"), node.at("discount").at("value"))


def check_percentage(discount: Place, value: Place) -> Iterator[TreeFault]:
    """A fault if a percentage is above 100; the schema checks that it is an amount."""
    if discount.at("type").value == PERCENTAGE and value.read(scalars.amount) is not None:
        yield from value.unfit(scalars.percentage)
